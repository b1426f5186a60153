"""Representatives spread over the data: the real points nearest to K-means centres."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from leasc_core.errors import ParameterError

from .base import opened, read_rows

POINTS_PER_CENTRE = 50
SAMPLE_ROWS = (10_000, 100_000)
SAMPLE_CELLS = 50_000_000
# Rounds in which centres that share their nearest point settle for the next free one.
ROUNDS = 8


@dataclass(frozen=True)
class KMeansSelector:
    """The point nearest to each of n centres; large sources are represented by a random sample.

    Parameters
    ----------
    iterations : Lloyd iterations
    """

    iterations: int = 10

    name: ClassVar[str] = "kmeans"
    label: ClassVar[str] = "K-means"
    short: ClassVar[str] = "near K-means centres"
    blurb: ClassVar[str] = "takes the points nearest to K-means centres, all over the data."
    takes: ClassVar[str] = "a few seconds"

    def select(self, source: Any, n: int, rng: Any) -> np.ndarray:
        """The sorted indices (int64) of ``n`` different rows of ``source``."""
        if self.iterations < 1:
            raise ParameterError(f"iterations={self.iterations} is not enough for K-means; give at least 1.")
        source = opened(source, n)
        rng = np.random.default_rng(rng)
        sample = _sample(source, n, rng)
        if len(sample) == n:
            return sample
        points = _conditioned(read_rows(source, sample))
        return np.sort(sample[points_at_centres(points, n, self.iterations, rng)])


def points_at_centres(points, n, iterations, rng):
    """Sorted indices of ``n`` different rows of ``points`` (float32), each the free one nearest a centre."""
    import faiss

    kmeans = faiss.Kmeans(
        points.shape[1],
        n,
        niter=iterations,
        seed=int(rng.integers(2**31 - 1)),
        min_points_per_centroid=1,
        max_points_per_centroid=len(points),
    )
    kmeans.train(points)
    return nearest_free(points, kmeans.centroids, rng)


def nearest_free(points, centres, rng):
    """For each centre its nearest row, no row twice; the nearer of two rivals wins, the other looks again."""
    import faiss

    taken = np.zeros(len(points), dtype=bool)
    for _ in range(ROUNDS):
        free = np.flatnonzero(~taken)
        index = faiss.IndexFlatL2(points.shape[1])
        index.add(points[free])
        distances, found = index.search(centres, 1)
        order = np.argsort(distances[:, 0], kind="stable")
        _, winners = np.unique(found[order, 0], return_index=True)
        taken[free[found[order[winners], 0]]] = True
        centres = np.delete(centres, order[winners], axis=0)
        if not len(centres):
            return np.flatnonzero(taken)
    # Only heaps of duplicates leave centres over: then one free point is as good as another.
    taken[rng.choice(np.flatnonzero(~taken), len(centres), replace=False)] = True
    return np.flatnonzero(taken)


def _sample(source, n, rng):
    """Sorted row numbers: all of them, or a random sample that K-means can digest."""
    rows = np.clip(POINTS_PER_CENTRE * n, *SAMPLE_ROWS)
    rows = max(n, min(rows, SAMPLE_CELLS // source.shape[1]))
    if rows >= len(source):
        return np.arange(len(source))
    return np.sort(rng.choice(len(source), rows, replace=False, shuffle=False))


def _conditioned(points):
    """Centred and scaled into float32's comfort: far-off or huge data keep their distances."""
    points = points - points.mean(axis=0)
    return np.ascontiguousarray(points / (np.abs(points).max() or 1.0), dtype=np.float32)


SELECTOR = KMeansSelector
