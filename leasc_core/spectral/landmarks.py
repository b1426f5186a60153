"""``affinity="landmarks"``: each point joined to its r nearest landmarks in code space (LSC-K, Cai & Chen)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from ..data.scale import unit_rows
from .cells import CELLS_FROM, middles_of, nearest_in_cells, place_in_cells
from .kmeans import quick_kmeans_centres
from .nearest import nearest

MOST_LANDMARKS = 8000


def default_landmarks(n_points):
    """m^¾ or a tenth of m, up to 8,000: enough to follow a subspace, few enough that every landmark has points to join."""
    return int(min(MOST_LANDMARKS, n_points, max(2, round(n_points**0.75), n_points // 10)))


@dataclass(frozen=True)
class LandmarkGraph:
    """The landmarks, and how a point's code is joined to them.

    ``sign_blind`` treats a code and its negative as the same (METHOD, "Sign matters"). ``bounds`` says where cells of landmarks
    begin and end; None has no cells, and every code looks at every landmark.
    """

    landmarks: np.ndarray
    neighbours: int
    sign_blind: bool
    bounds: np.ndarray | None = None

    @classmethod
    def fit(cls, codes, n_landmarks, neighbours, sign_blind, rng, on_iteration=None, cells=False):
        """K-means landmarks of unit-length ``codes`` (a sample will do); ``cells`` lets thousands of them stand in cells."""
        count, bounds = min(n_landmarks, len(codes)), None
        if cells and count >= CELLS_FROM:
            centres, bounds = place_in_cells(codes, count, rng, sign_blind)
        else:
            centres = quick_kmeans_centres(codes, count, rng, mirrored=sign_blind, on_iteration=on_iteration)
        return cls(centres, min(neighbours, max(1, len(centres) - 1)), sign_blind, bounds)

    @cached_property
    def middles(self):
        """The mean landmark of each cell."""
        return middles_of(self.landmarks, self.bounds, self.sign_blind)

    def join(self, codes):
        """Indices (b, r) and weights (b, r), summing to one, of each code's nearest landmarks.

        Codes count by direction alone. The heat kernel's width is local: the distance to the (r+1)-th landmark.
        """
        count, r = len(self.landmarks), self.neighbours
        codes, most = unit_rows(codes), min(r + 1, count)
        if self.bounds is None:
            squared, found = nearest(codes, self.landmarks, most, self.sign_blind)
        else:
            squared, found = nearest_in_cells(codes, self.landmarks, self.bounds, self.middles, most, self.sign_blind)
        width = squared[:, -1:] + np.finfo(np.float32).tiny
        weights = np.exp(-squared[:, :r] / width)
        weights /= weights.sum(axis=1, keepdims=True)
        return (found[:, :r] % count).astype(np.int32), weights

    def matrix(self, indices, weights):
        """The (b, p) sparse matrix B of those joins."""
        return joins_as_matrix(indices, weights, len(self.landmarks))

    def rows(self, codes):
        """The rows of B for these codes."""
        return self.matrix(*self.join(codes))


def joins_as_matrix(indices, weights, columns):
    """The (b, ``columns``) sparse matrix with r entries a row."""
    b, r = indices.shape
    pointers = np.arange(0, b * r + 1, r)
    return sparse.csr_matrix((weights.ravel().astype(np.float64), indices.ravel(), pointers), shape=(b, columns))


@dataclass(frozen=True)
class JoinedGraph:
    """The same graph for points that were joined before: r numbers of landmarks, then r weights, in one row of a table."""

    graph: LandmarkGraph

    def table(self, codes):
        """Join codes, and write it as such rows (numbers up to 16 million are exact in single precision)."""
        return np.hstack([part.astype(np.float32, copy=False) for part in self.graph.join(codes)])

    def rows(self, joins):
        """The rows of B for such rows."""
        r = self.graph.neighbours
        return self.graph.matrix(joins[:, :r].astype(np.int32), joins[:, r:])
