"""The end of the LeaSC pipeline for any encoder: codes → main directions → landmarks → spectral map → labels.

An encoder takes rows to codes (single precision). With the function f of an RPCM this is LeaSC itself, label for label.
"""

from types import SimpleNamespace

import numpy as np

from ..data.sources import open_source
from ..engine.local import LocalEngine
from ..runs.checkpoint import MemoryStore
from ..runs.events import Reporter
from ..spectral.landmarks import LandmarkGraph, unit_rows
from ..spectral.model import fit_landmarks, place_landmarks

CODE_DIM = 256
NEIGHBOURS = 5


def choose_representatives(points, count, seed):
    """Rows of ``points`` that stand for all, at random, and whether a point and its negative are the same; as LeaSC does."""
    from ..estimators.landmark import decide_sign
    from ..estimators.seeds import Seeds
    from ..selectors import get_selector

    seeds = Seeds(seed)
    rows = get_selector("random").select(points, min(count, len(points)), seeds("representatives"))
    chosen = points[rows]
    return chosen, decide_sign("auto", chosen, seeds("sign"))


def cluster_encoded(points, encode, k, seed, clock, sign_blind):
    """Labels and codes (in at most 256 main directions) of ``points`` under ``encode``."""
    from ..estimators.blocks import main_directions
    from ..estimators.landmark import as_it_is, count_landmarks
    from ..estimators.leasc import DIRECTIONS_FROM, SAMPLE_PER_LANDMARK
    from ..estimators.seeds import Seeds

    seeds, reporter, engine, store = Seeds(seed), Reporter(clock.listen), LocalEngine(), MemoryStore()
    with clock("encoding"):
        blocks = range(0, len(points), engine.block_rows)
        codes = np.vstack([encode(points[i : i + engine.block_rows].astype(np.float32)) for i in blocks])
        if codes.shape[1] > CODE_DIM:
            some = _some(codes, DIRECTIONS_FROM, seeds("directions"))
            codes = codes @ main_directions(some, CODE_DIM)
    count = count_landmarks(SimpleNamespace(n_clusters=k, n_landmarks=None), len(points))
    wanted = max(DIRECTIONS_FROM, SAMPLE_PER_LANDMARK * count)
    graph = place_landmarks(
        lambda: _some(codes, wanted, seeds("sample")), count, NEIGHBOURS, sign_blind, store, seeds, reporter
    )
    labels = fit_landmarks(open_source(codes), as_it_is, graph, k, engine, store, seeds, reporter).labels
    return labels, codes


def cluster_at_landmarks(points, landmarks, k, seed, clock, sign_blind):
    """Labels of ``points`` joined to given ``landmarks`` (rows of length one)."""
    from ..estimators.landmark import as_it_is
    from ..estimators.seeds import Seeds

    graph = LandmarkGraph(unit_rows(landmarks.astype(np.float32)), min(NEIGHBOURS, len(landmarks) - 1), sign_blind)
    source = open_source(points.astype(np.float32))
    return fit_landmarks(source, as_it_is, graph, k, LocalEngine(), MemoryStore(), Seeds(seed), Reporter(clock.listen)).labels


def _some(codes, count, rng):
    """At most ``count`` random rows, in their order."""
    return codes if count >= len(codes) else codes[np.sort(rng.choice(len(codes), count, replace=False))]
