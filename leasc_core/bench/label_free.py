"""How good a labelling looks to one who has no labels: how well each cluster lies on a subspace of its own."""

import numpy as np

from ..data.scale import unit_rows
from ..data.sources import open_source
from ..theory.subspaces import dimension_by_energy

MOST_POINTS = 20_000


def held_out_residual(points, labels, seed=0):
    """The share of its squared length by which a point lies off its cluster's subspace, as points it has not seen tell: 0 to 1.

    Each cluster is split in two; either half spans a subspace that the other half is measured by. Every cluster of every method
    has the same dimension, that of all data (95 % of the energy) over the number of clusters, rounded up: coarse clusters gain
    nothing. Of more than 20,000 points so many are drawn.
    """
    labels = np.asarray(labels)
    rows = np.sort(np.random.default_rng(seed).permutation(len(labels))[:MOST_POINTS])
    X, own = unit_rows(open_source(points).take(rows).astype(np.float64)), labels[rows]
    clusters = np.unique(own)
    dimension = max(1, -(-dimension_by_energy(np.sqrt(_spectrum(X))) // len(clusters)))
    left = sum(_left_over(X[own == cluster], dimension) for cluster in clusters)
    return float(left / len(X))


def _left_over(X, dimension):
    """Sum over a cluster's points of 1 − ‖Px‖², P from the half that a point is not in."""
    even, odd = X[::2], X[1::2]
    return _unexplained(even, odd, dimension) + _unexplained(odd, even, dimension)


def _unexplained(X, seen, dimension):
    if not len(seen):
        return float(len(X))
    basis = np.linalg.svd(seen, full_matrices=False)[2][:dimension]
    return float((X**2).sum() - ((X @ basis.T) ** 2).sum())


def _spectrum(X):
    """Squared singular values, falling, by the smaller Gram matrix."""
    gram = X.T @ X if X.shape[1] <= len(X) else X @ X.T
    return np.maximum(np.linalg.eigvalsh(gram)[::-1], 0.0)
