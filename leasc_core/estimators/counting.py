"""``n_clusters=None``: the number of clusters from a sample of the codes that f has learned to give."""

import numpy as np

from ..evidence.count import by_eigengap
from ..evidence.counting import count_clusters
from ..evidence.description import comparable
from ..evidence.scan import SpectralScan
from ..spectral.codes import CodeGraph
from ..spectral.landmarks import LandmarkGraph, default_landmarks, unit_rows

# Points whose codes are looked at, and points, these first, that the graphs of codes look at.
COUNTED, SAMPLE = 3000, 12_000
# Fewer points than this say too little about how long their description is; the eigengap answers alone.
LEAST = 50


def count_from_codes(points, codes, affinity, neighbours, sign_blind, unit, rng, pause):
    """How many clusters, and how that was found, by two draws of landmarks (or of columns) and by graphs of codes.

    Parameters
    ----------
    points : in an order of chance; ``codes`` are those of the first
    unit : whether only directions count; graphs of codes know nothing else
    pause : called now and then; may end it by an exception
    """
    pool = unit_rows(points).astype(np.float32, copy=False) if unit else None
    points = points[: len(codes)]
    draws = [_rows(codes, affinity, neighbours, sign_blind, rng) for _ in range(2)]
    scans = [SpectralScan.of(rows) for rows in draws]
    if len(points) < LEAST or min(scan.most_clusters for scan in scans) < 3:
        return min(by_eigengap(scans[0]), len(np.unique(points, axis=0))), "eigengap"
    count = count_clusters(comparable(points), pool, lambda _: scans, seed=int(rng.integers(2**30)), pause=pause)[0]
    return max(2, count.k), count.how


def _rows(codes, affinity, neighbours, sign_blind, rng):
    if affinity == "codes":
        half = rng.choice(codes.shape[1], max(2, codes.shape[1] // 2), replace=False)
        return CodeGraph().rows(codes[:, half] if codes.shape[1] > 2 else codes)
    codes = unit_rows(codes)
    return LandmarkGraph.fit(codes, default_landmarks(len(codes)), neighbours, sign_blind, rng).rows(codes)
