"""A plain rival: would K-means on directions (cosine) find groups that are as flat?"""

from dataclasses import dataclass

import numpy as np

from ..metrics import adjusted_rand_index
from ..theory.subspaces import found_subspaces

HALVES = 3


@dataclass(frozen=True)
class Rival:
    """Shares of length left outside the groups' subspaces on points held out: by these groups, and by cosine K-means'.

    ``agreement`` is the adjusted Rand index of the two groupings.
    """

    left: float
    left_by_rival: float
    agreement: float


def compare_with_cosine(points, labels, dimension, rng):
    """The groups against as many found by K-means on unit rows."""
    from sklearn.cluster import KMeans

    units = points / np.linalg.norm(points, axis=1, keepdims=True)
    rival = KMeans(len(np.unique(labels)), n_init=5, random_state=0).fit_predict(units)
    lefts = [_held_out(points, each, dimension, rng) for each in (labels, rival)]
    return Rival(*lefts, adjusted_rand_index(labels, rival))


def _held_out(points, labels, dimension, rng):
    """Bases from one half of the points, what they leave of the other half; each point by its own group's."""
    energy = whole = 0.0
    for _ in range(HALVES):
        learn = rng.permutation(len(points)) < len(points) // 2
        for span in found_subspaces(points[learn], labels[learn]):
            others = points[~learn & (labels == span.label)]
            basis = span.basis(dimension)
            energy += ((others - others @ basis @ basis.T) ** 2).sum()
            whole += (others**2).sum()
    return float(np.sqrt(energy / whole)) if whole else 0.0
