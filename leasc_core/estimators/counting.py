"""``n_clusters=None``: the number of clusters from a sample of the codes that f has learned to give."""

import numpy as np

from ..evidence.count import by_eigengap, count_clusters
from ..evidence.description import comparable
from ..evidence.scan import SpectralScan
from ..spectral.codes import CodeGraph
from ..spectral.landmarks import LandmarkGraph, default_landmarks, unit_rows

SAMPLE = 2000
# Fewer points than this say too little about how long their description is; the eigengap answers alone.
LEAST = 50


def count_from_codes(points, codes, affinity, neighbours, sign_blind, rng):
    """How many clusters, and how that was found, from sampled points and their codes: two draws of landmarks (or of columns)."""
    draws = [_rows(codes, affinity, neighbours, sign_blind, rng) for _ in range(2)]
    scans = [SpectralScan.of(rows) for rows in draws]
    if len(points) < LEAST or min(scan.most_clusters for scan in scans) < 3:
        return min(by_eigengap(scans[0]), len(np.unique(points, axis=0))), "eigengap"
    count = count_clusters(comparable(points), scans)
    return max(2, count.k), count.how


def _rows(codes, affinity, neighbours, sign_blind, rng):
    if affinity == "codes":
        half = rng.choice(codes.shape[1], max(2, codes.shape[1] // 2), replace=False)
        return CodeGraph().rows(codes[:, half] if codes.shape[1] > 2 else codes)
    codes = unit_rows(codes)
    return LandmarkGraph.fit(codes, default_landmarks(len(codes)), neighbours, sign_blind, rng).rows(codes)
