"""Stage three: codes of everything → affinity → spectral map → labels (lines 3–5 of Algorithm 1)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..data.scale import unit_rows
from ..errors import ParameterError
from ..spectral import cells
from ..spectral.codes import CodeGraph
from ..spectral.landmarks import LandmarkGraph, default_landmarks
from ..spectral.model import Fitted, fit_codes, fit_landmarks, place_landmarks
from .context import Context
from .encode import Encode, main_directions, sample_codes
from .ensemble import JointGraph

# Landmarks are placed by K-means on so many codes a landmark, main directions found on so many codes; the former on no fewer.
SAMPLE_PER_LANDMARK = 20
DIRECTIONS_FROM = 10_000
# Where that halves them, codes are narrowed to the directions that hold all but this share of their squared length.
LOST = 1e-3


def cluster(
    source: Any,
    encode: Callable,
    k: int | None,
    context: Context,
    *,
    affinity: str = "landmarks",
    n_landmarks: int | None = None,
    n_neighbors: int = 5,
    sign_ignored: bool = False,
    sample: int | None = None,
    draws: Sequence[tuple[Callable, Context]] = (),
) -> Fitted:
    """Code every row of ``source`` and cluster the codes.

    Parameters
    ----------
    encode : ``encode(block, start)`` gives the codes (rows) of a block of points
    k : the number of clusters; None takes the eigengap's
    affinity : {"landmarks", "codes"}, landmarks of the codes or |codes| themselves (Eqs. 9–10)
    n_landmarks, n_neighbors : p (None: from the number of points) and r
    sample : landmarks are placed on at most so many codes (None: 20 a landmark, at least 10,000)
    draws : for an ensemble, ``(encode, context)`` of each draw, whose codes ``encode`` gives side by side

    Returns
    -------
    Fitted : the model, the labels, the number of clusters, and a function that gives the margins
    """
    if affinity == "codes":
        return fit_codes(source, encode, k, *context)
    count = count_landmarks(k, n_landmarks, len(source))
    in_cells = cells.QUICK and sample is None
    sample = max(DIRECTIONS_FROM, SAMPLE_PER_LANDMARK * count) if sample is None else sample
    graphs = []
    for own, drawn in draws or ((encode, context),):
        codes = partial(_sampled, source, own, sample, drawn)
        own = drawn.store, drawn.seeds, drawn.reporter
        graphs.append(place_landmarks(codes, count, n_neighbors, sign_ignored, *own, in_cells))
    graph = graphs[0] if len(graphs) == 1 else JointGraph(tuple(graphs))
    return fit_landmarks(source, encode, graph, k, *context)


def project_codes(source: Any, encode: Callable, width: int, code_dim: int | None, context: Context) -> np.ndarray | None:
    """The ``code_dim`` main directions of codes that are ``width`` wide, as columns, or at most half as many that keep 99.9 % of
    their squared length; None where that is not narrower.

    Codes of a linear f with fewer inputs lie in a space of that dimension: in its coordinates no length or angle changes.
    """
    if code_dim is None or code_dim >= width:
        return None

    def make():
        basis = encode.network.code_space() if isinstance(encode, Encode) else None
        narrow = encode if basis is None else replace(encode, network=encode.network.project(basis))
        codes = sample_codes(source, narrow, DIRECTIONS_FROM, context.engine, context.seeds("directions"))
        most = min(code_dim, codes.shape[1])
        directions = main_directions(codes, most, LOST if cells.QUICK else 0.0)
        if most == codes.shape[1] == directions.shape[1]:
            return {}, {"directions": basis}
        return {}, {"directions": directions if basis is None else basis @ directions}

    return context.store.once("directions", make)[1]["directions"]


def count_landmarks(k: int | None, n_landmarks: int | None, n_points: int) -> int:
    """How many landmarks: as asked, or enough for the points and the clusters."""
    landmarks = n_landmarks or max(default_landmarks(n_points), min(n_points, 4 * (k or 2)))
    if k is not None and landmarks < k:
        raise ParameterError(f"n_landmarks={landmarks} cannot hold n_clusters={k}; give at least {4 * k} landmarks.")
    return landmarks


def affinity_rows(codes: np.ndarray, affinity: str, neighbours: int, sign_ignored: bool, rng: np.random.Generator):
    """The rows of the affinity B of a sample of codes, landmarks placed on the sample itself; for looking, not for labels."""
    if affinity == "codes":
        return CodeGraph().rows(codes)
    codes = unit_rows(codes)
    return LandmarkGraph.fit(codes, default_landmarks(len(codes)), neighbours, sign_ignored, rng).rows(codes)


def _sampled(source, encode, count, context):
    return sample_codes(source, encode, count, context.engine, context.seeds("sample"))
