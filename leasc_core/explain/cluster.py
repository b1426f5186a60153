"""A cluster explained: its basis and dimension, the features that set it apart, exemplars, and what it is confused with."""

from dataclasses import dataclass, field

import numpy as np

from ..diagnosis.dimension import intrinsic_dimension
from ..errors import DataError
from .margins import DOUBTFUL_UP_TO

EXEMPLARS = 8
# Enough members to see a subspace; more would only take longer.
MOST_MEMBERS = 600


@dataclass(frozen=True, eq=False)
class ClusterExplanation:
    """What one cluster is made of.

    Attributes
    ----------
    dimension, basis : of the linear span of its points, columns in falling order
    shares : share of the points' energy along each column
    features : positions of the features that set it apart, the most telling first
    energy, energy_elsewhere : their shares of the energy in this cluster, and in all the others
    exemplars, doubtful : positions of its points with the largest and the smallest margins
    rival : the cluster its doubtful points are nearest to; None where none is doubtful
    doubtful_share : share of its points whose margin is at most a third
    rival_share : of these, the share that lean to the rival
    """

    label: int
    count: int
    dimension: int
    basis: np.ndarray = field(repr=False)
    shares: np.ndarray = field(repr=False)
    features: np.ndarray
    energy: np.ndarray = field(repr=False)
    energy_elsewhere: np.ndarray = field(repr=False)
    exemplars: np.ndarray
    doubtful: np.ndarray
    rival: int | None
    doubtful_share: float
    rival_share: float


def explain_cluster(points, labels, cluster, margins, rivals, seed=0, most=8):
    """Cluster number ``cluster`` of ``points`` (rows), with what :func:`~.margins.margins_and_rivals` said of them."""
    own = np.flatnonzero(labels == cluster)
    if not len(own):
        known = np.unique(labels).tolist()[:10]
        raise DataError(f"Cluster {cluster} has none of the {len(labels):,} points; choose one of {known}.")
    rng = np.random.default_rng(seed)
    members = points[own if len(own) <= MOST_MEMBERS else rng.choice(own, MOST_MEMBERS, replace=False)].astype(np.float64)
    dimension, basis, shares = _basis(members, rng)
    features, energy, elsewhere = telling_features(points[labels == cluster], points[labels != cluster], most)
    order = own[np.argsort(margins[own], kind="stable")]
    few = min(EXEMPLARS, max(1, len(order) // 2))
    return ClusterExplanation(
        int(cluster),
        len(own),
        dimension,
        basis,
        shares,
        features,
        energy,
        elsewhere,
        order[::-1][:few],
        order[:few],
        *_rival(margins[own], rivals[own]),
    )


def telling_features(inside, outside, most):
    """Features by how much more of the energy they hold inside than outside: ``(positions, shares inside, shares outside)``."""
    here, there = _energy(inside), _energy(outside) if len(outside) else np.zeros(inside.shape[1])
    order = np.argsort(there - here, kind="stable")[:most]
    return order, here[order], there[order]


def _basis(members, rng):
    """Dimension, orthonormal columns and their shares of energy; a wide cluster is measured in the span of its points."""
    left, sizes, directions = np.linalg.svd(members, full_matrices=False)
    kept = max(1, int((sizes > 1e-10 * max(sizes[0], np.finfo(float).tiny)).sum()))
    dimension = intrinsic_dimension(left[:, :kept] * sizes[:kept], rng) if sizes[0] > 0 else 0
    basis = directions[:dimension].T
    # A direction and its negative are the same; most of it positive reads best as a picture.
    basis = basis * np.where(basis.sum(axis=0) < 0, -1.0, 1.0)
    return dimension, basis, sizes[:dimension] ** 2 / max((sizes**2).sum(), np.finfo(float).tiny)


def _energy(points):
    squares = (np.asarray(points, dtype=np.float64) ** 2).sum(axis=0)
    return squares / max(squares.sum(), np.finfo(float).tiny)


def _rival(margins, rivals):
    doubtful = rivals[(margins <= DOUBTFUL_UP_TO) & (rivals >= 0)]
    if not len(doubtful):
        return None, 0.0, 0.0
    counts = np.bincount(doubtful)
    return int(counts.argmax()), len(doubtful) / len(margins), float(counts.max() / len(doubtful))
