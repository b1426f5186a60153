"""The fitted end of the pipeline: from codes to labels, learned block by block and applied to anything."""

import time
from dataclasses import dataclass

import numpy as np

from ..runs.events import PointsDone
from .codes import CodeGraph, GramSum
from .embedding import SpectralMap, spectral_map
from .kmeans import few_centres, nearest_centre
from .landmarks import LandmarkGraph, unit_rows


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


def fit_landmarks(code_blocks, n_points, sample, k, n_landmarks, neighbours, sign_blind, rng, reporter):
    """``affinity="landmarks"``: landmarks from ``sample`` codes, then one pass over ``code_blocks``.

    The pass keeps r joins a point and nothing else, so the rest needs no second look at the data.

    Returns
    -------
    SpectralModel, labels, number of clusters
    """
    with reporter.stage("landmarks"):
        graph = LandmarkGraph.fit(unit_rows(sample), n_landmarks, neighbours, sign_blind, rng)
    r = graph.neighbours
    indices, weights = np.empty((n_points, r), np.int32), np.empty((n_points, r), np.float32)
    with reporter.stage("encoding", n_points):
        for start, codes in counted(code_blocks, n_points, reporter):
            stop = start + len(codes)
            indices[start:stop], weights[start:stop] = graph.join(codes)
    with reporter.stage("spectral"):
        B = graph.matrix(indices, weights).astype(np.float64)
        degrees = np.asarray(B.sum(axis=0)).ravel()
        spectral, k = spectral_map((B.T @ B).tocsr(), degrees, k)
    with reporter.stage("labels"):
        embedded = spectral(B)
        centres = few_centres(embedded, k, rng)
        labels = nearest_centre(embedded, centres)
    return SpectralModel(graph, spectral, centres), labels, k


def fit_codes(code_blocks, n_points, width, k, rng, reporter):
    """``affinity="codes"``: Eqs. 9–10, one pass for the Gram and one for the embedding."""
    total = GramSum(width)
    with reporter.stage("encoding", n_points):
        for _, codes in counted(code_blocks, n_points, reporter):
            total.add(np.abs(codes))
    with reporter.stage("spectral"):
        spectral, k = spectral_map(total.gram, total.degrees, k)
    graph = CodeGraph()
    with reporter.stage("labels", n_points):
        embedded = np.vstack([spectral(graph.rows(codes)) for _, codes in counted(code_blocks, n_points, reporter, "labels")])
        centres = few_centres(embedded, k, rng)
        labels = nearest_centre(embedded, centres)
    return SpectralModel(graph, spectral, centres), labels, k


def counted(code_blocks, n_points, reporter, stage="encoding"):
    """The blocks of ``code_blocks()``, with progress told and a stop obeyed after each."""
    begun = time.perf_counter()
    for start, codes in code_blocks():
        yield start, codes
        done = start + len(codes)
        reporter(PointsDone(stage, done, n_points, time.perf_counter() - begun))
        reporter.checkpoint()
