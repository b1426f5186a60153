"""What data without subspaces would look like: the same points with one kind of structure taken away at random."""

import numpy as np


def one_cloud(points, rng):
    """One shapeless cloud of the same mean and covariance: whitened, turned at random, every feature shuffled, turned back."""
    mean = points.mean(axis=0)
    left, sizes, right = np.linalg.svd(points - mean, full_matrices=False)
    rank = max(1, int((sizes > 1e-9 * sizes[0]).sum()))
    turn, _ = np.linalg.qr(rng.standard_normal((rank, rank)))
    shuffled = rng.permuted(left[:, :rank] @ turn, axis=0) @ turn.T
    return mean + (shuffled * sizes[:rank]) @ right[:rank]


def shapeless(points, rng):
    """Every row turned at random on its own: the lengths stay, no direction is preferred."""
    turned = rng.standard_normal(points.shape)
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    return turned * (lengths / np.linalg.norm(turned, axis=1, keepdims=True))


def blobs(points, labels, rng):
    """The same groups around the same centres, each a shapeless ball of the same size."""
    changed = np.empty_like(points)
    for label in np.unique(labels):
        members = labels == label
        centre = points[members].mean(axis=0)
        changed[members] = centre + shapeless(points[members] - centre, rng)
    return changed
