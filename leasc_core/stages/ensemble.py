"""``n_draws`` > 1: several draws of representatives and landmarks, seen together as one affinity.

Every draw joins a point to landmarks of its own; side by side the joins are one bipartite graph, whose spectrum is the
consensus. It is summed block by block like that of a single draw, and ``predict`` stays a pure function of learned arrays.
"""

from dataclasses import dataclass

import numpy as np

from ..encoder.mlp import MLP
from ..spectral.landmarks import LandmarkGraph, joins_as_matrix

# Of the points, a draw other than the first takes at most this share as representatives: those too should differ.
SHARE = 0.6
# β of the other draws where errors are squared, as a multiple of the one asked.
FREER = 10.0


@dataclass(frozen=True)
class Together:
    """The networks of several draws as one: their codes side by side."""

    networks: tuple[MLP, ...]

    def __call__(self, points):
        return np.hstack([network(points) for network in self.networks])


@dataclass(frozen=True)
class JointGraph:
    """The landmark graphs of several draws as one, for codes side by side; each draw has the same weight."""

    graphs: tuple[LandmarkGraph, ...]

    @property
    def neighbours(self):
        return sum(graph.neighbours for graph in self.graphs)

    @property
    def columns(self):
        return sum(len(graph.landmarks) for graph in self.graphs)

    def join(self, codes):
        """Indices and weights of each code's landmarks, draw after draw; the weights of all sum to one."""
        ends = np.cumsum([graph.landmarks.shape[1] for graph in self.graphs])
        parts = np.split(codes, ends[:-1], axis=1)
        joins = [graph.join(np.ascontiguousarray(part)) for graph, part in zip(self.graphs, parts, strict=True)]
        first = np.concatenate([[0], np.cumsum([len(graph.landmarks) for graph in self.graphs])[:-1]])
        indices = [found + start for (found, _), start in zip(joins, first, strict=True)]
        return np.hstack(indices).astype(np.int32), np.hstack([weights for _, weights in joins]) / len(self.graphs)

    def matrix(self, indices, weights):
        """The sparse matrix B of those joins."""
        return joins_as_matrix(indices, weights, self.columns)

    def rows(self, codes):
        """The rows of B for these codes."""
        return self.matrix(*self.join(codes))
