"""``n_draws`` > 1: several draws of representatives and landmarks, seen together as one affinity.

Every draw joins a point to landmarks of its own; side by side the joins are one bipartite graph, whose spectrum is the
consensus. It is summed block by block like that of a single draw, and ``predict`` stays a pure function of learned arrays.

Where errors are squared all draws but the first have ten times the β. Codes that are freer follow the points more closely, and
chance too; in a single fit that costs what it brings, but chance is another in every draw, and the consensus outvotes it. (Where
the length of an error is paid for, not its square, there is none left at the usual β to be free of.)
"""

from dataclasses import dataclass

import numpy as np

from ..coding.problem import DEFAULT_BETA, DEFAULT_NOISE
from ..encoder.mlp import MLP
from ..spectral.landmarks import LandmarkGraph, joins_as_matrix
from .copies import copy_of
from .seeds import Seeds

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


class DrawStore:
    """The store of a run, with the names of one draw."""

    def __init__(self, store, draw):
        self.store, self.prefix = store, f"draw{draw}-"

    def once(self, name, make):
        return self.store.once(self.prefix + name, make)


def other_draws(model, source, n, engine, store, seeds, reporter):
    """The fitted front ends (representatives, codes, f) of all draws but the first: ``(model, store, seeds)`` each."""
    beta = model.beta
    if (DEFAULT_NOISE[model.variant] if model.noise == "auto" else model.noise) == "f2":
        beta = FREER * (DEFAULT_BETA[model.variant] if model.beta is None else model.beta)
    few = int(min(n, max(model.n_clusters or 2, 2, SHARE * len(source))))
    for draw in range(1, model.n_draws):
        own = Seeds(int(seeds(f"draw {draw}").integers(2**31 - 1)))
        member = copy_of(model, sign="ignore" if model.sign_ignored_ else "keep", beta=beta)
        member.preprocess_ = None
        member._front(source, few, engine, DrawStore(store, draw), own, reporter)
        vars(member).pop("rpcm_", None)  # n × n codes that nobody reads again
        yield member, DrawStore(store, draw), own
