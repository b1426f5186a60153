"""The end of the LeaSC pipeline for any encoder: codes → main directions → landmarks → spectral map → labels.

An encoder takes rows to codes (single precision). With the function f of an RPCM this is LeaSC itself, label for label.
"""

import numpy as np

from ..data.scale import unit_rows
from ..data.sources import open_source
from ..spectral.landmarks import LandmarkGraph
from ..spectral.model import fit_landmarks

CODE_DIM = 256
NEIGHBOURS = 5


def choose_representatives(points, count, seed):
    """Rows of ``points`` that stand for all, at random, and whether a point and its negative are the same; as LeaSC does."""
    from ..stages import Context, choose

    chosen = choose(points, min(count, len(points)), Context.local(seed), sign="auto", unit_rows=False)
    return chosen.points, chosen.sign_ignored


def cluster_encoded(points, encode, k, seed, clock, sign_blind):
    """Labels and codes (in at most 256 main directions) of ``points`` under ``encode``."""
    from ..stages import Context, cluster, project_codes
    from ..stages.encode import as_it_is

    context = Context.local(seed, clock.listen)
    with clock("encoding"):
        size = context.engine.block_rows
        codes = np.vstack([encode(points[i : i + size].astype(np.float32)) for i in range(0, len(points), size)])
        directions = project_codes(open_source(codes), as_it_is, codes.shape[1], CODE_DIM, context)
        codes = codes if directions is None else codes @ directions
    settings = {"n_neighbors": NEIGHBOURS, "sign_ignored": sign_blind}
    return cluster(open_source(codes), as_it_is, k, context, **settings).labels, codes


def cluster_at_landmarks(points, landmarks, k, seed, clock, sign_blind):
    """Labels of ``points`` joined to given ``landmarks`` (rows of length one)."""
    from ..stages import Context
    from ..stages.encode import as_it_is

    graph = LandmarkGraph(unit_rows(landmarks.astype(np.float32)), min(NEIGHBOURS, len(landmarks) - 1), sign_blind)
    source = open_source(points.astype(np.float32))
    return fit_landmarks(source, as_it_is, graph, k, *Context.local(seed, clock.listen)).labels
