"""The fitted end of the pipeline: from codes to labels, learned block by block and applied to anything.

Both affinities walk the same way. B joins points to columns (landmarks, or representatives): its Gram is summed in one pass,
the spectral map and the centres come from that and from a sample, and a last look at B's rows labels every point.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..data.scale import unit_rows
from .codes import CodeGraph, GramSum
from .embedding import SpectralMap, spectral_map
from .kmeans import kmeans_centres, margins, nearest_centre
from .landmarks import JoinedGraph, LandmarkGraph

# The cluster centres are those of at most so many points: with more they would not move.
CENTRES_FROM = 100_000


@dataclass(frozen=True)
class SpectralModel:
    """A graph that joins a code to columns, the spectral map of those columns, and the cluster centres."""

    graph: LandmarkGraph | CodeGraph
    map: SpectralMap
    centres: np.ndarray

    def embed(self, codes):
        """Unit-length spectral coordinates of codes (rows)."""
        return self.map(self.graph.rows(codes))

    def label(self, codes):
        """The cluster of each code."""
        return nearest_centre(self.embed(codes), self.centres)

    def margins(self, codes):
        """How far each code is from the border of its cluster, in [0, 1]."""
        return margins(self.embed(codes), self.centres)


class Fitted(NamedTuple):
    """The model, the labels and the number of clusters; ``margins()`` looks at the rows once more for :func:`margins`."""

    model: SpectralModel
    labels: np.ndarray
    n_clusters: int
    margins: Callable


def fit_landmarks(points, encode, graph, k, engine, store, seeds, reporter):
    """``affinity="landmarks"``: one pass over ``points`` that keeps r joins a point; the rest needs no second look at them.

    Parameters
    ----------
    encode : ``encode(block, start)`` gives codes (rows)
    graph : the landmarks, from :func:`place_landmarks`
    engine, store : who works on blocks, and where what is finished is kept

    Returns
    -------
    Fitted
    """
    joined = JoinedGraph(graph)
    with reporter.stage("encoding", len(points)):
        columns, count = (2 * graph.neighbours,), reporter.counter("encoding", len(points))
        joins = engine.map(_Join(encode, joined), points, store, "joins", columns, np.float32, count)
    return _fit(joins, _Rows(joined), graph, k, engine, store, seeds, reporter, looks_again=False)


def fit_codes(points, encode, k, engine, store, seeds, reporter):
    """``affinity="codes"``: Eqs. 9–10, one pass for the Gram and one for the labels."""
    return _fit(points, _Rows(CodeGraph(), encode), CodeGraph(), k, engine, store, seeds, reporter, looks_again=True)


def place_landmarks(codes, n_landmarks, neighbours, sign_blind, store, seeds, reporter, cells=False):
    """The landmarks, by K-means on a sample of codes; ``codes()`` draws it if they are not in the store."""

    def place():
        with reporter.stage("landmarks"):
            chance = seeds("landmarks")
            graph = LandmarkGraph.fit(unit_rows(codes()), n_landmarks, neighbours, sign_blind, chance, cells=cells)
            own = {} if graph.bounds is None else {"bounds": graph.bounds}
            return {"neighbours": graph.neighbours}, {"landmarks": graph.landmarks} | own

    settings, arrays = store.once("landmarks", place)
    return LandmarkGraph(arrays["landmarks"], settings["neighbours"], sign_blind, arrays.get("bounds"))


def _fit(table, rows, graph, k, engine, store, seeds, reporter, looks_again):
    """From a table whose blocks give rows of B to the model and the labels."""
    settings, arrays = store.once("spectral", lambda: _learn(table, rows, k, engine, seeds, reporter, looks_again))
    spectral = SpectralMap(arrays["directions"], arrays["eigenvalues"])
    with reporter.stage("labels", len(table)):
        count = reporter.counter("labels", len(table)) if looks_again else None
        label = _Label(rows, spectral, arrays["centres"])
        labels = engine.map(label, table, store, "labels", (), np.int32, count)
    margin = _Margin(rows, spectral, arrays["centres"])
    return Fitted(
        SpectralModel(graph, spectral, arrays["centres"]),
        labels,
        settings["n_clusters"],
        lambda: engine.map(margin, table, store, "margins", (), np.float32),
    )


def _learn(table, rows, k, engine, seeds, reporter, looks_again):
    """The Gram, the spectral map and the centres, as settings and arrays."""
    with reporter.stage("encoding" if looks_again else "spectral", len(table) if looks_again else None):
        count = reporter.counter("encoding", len(table)) if looks_again else None
        total = engine.sum(_Gram(rows), table, count)
        spectral, k = spectral_map(total.gram, total.degrees, k)
    with reporter.stage("centres"):
        rng, m = seeds("centres"), len(table)
        some = np.arange(m) if m <= CENTRES_FROM else np.sort(rng.choice(m, CENTRES_FROM, replace=False))
        parts = np.array_split(some, -(-len(some) // engine.block_rows))
        embedded = np.vstack([spectral(rows(engine.take(table, part), 0)) for part in parts])
        centres = kmeans_centres(embedded, k, rng)
    return {"n_clusters": int(k)}, {"directions": spectral.directions, "eigenvalues": spectral.eigenvalues, "centres": centres}


@dataclass(frozen=True)
class _Join:
    """A block of points as a table of joins."""

    encode: object
    graph: JoinedGraph

    def __call__(self, block, start):
        return self.graph.table(self.encode(block, start))


@dataclass(frozen=True)
class _Rows:
    """A block of the table as rows of B."""

    graph: CodeGraph | JoinedGraph
    encode: object = None

    def __call__(self, block, start):
        return self.graph.rows(block if self.encode is None else self.encode(block, start))


@dataclass(frozen=True)
class _Gram:
    rows: _Rows

    def __call__(self, block, start):
        return GramSum.of(self.rows(block, start))


@dataclass(frozen=True)
class _Label:
    rows: _Rows
    map: SpectralMap
    centres: np.ndarray

    def __call__(self, block, start):
        return nearest_centre(self.map(self.rows(block, start)), self.centres)


class _Margin(_Label):
    def __call__(self, block, start):
        return margins(self.map(self.rows(block, start)), self.centres)
