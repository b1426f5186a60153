"""K-means twice: many centres quickly (landmarks), few centres well (clusters)."""

import numpy as np
from scipy import sparse

from .nearest import nearest

SAMPLE = 10_000
RESTARTS = 20


def quick_kmeans_centres(points, count, rng, iterations=3, mirrored=False, on_iteration=None):
    """Lloyd's algorithm for hundreds or thousands of centres; empty ones are dropped at the end.

    Three rounds by default: more landmarks are worth far more than better placed ones.

    ``mirrored`` ignores the sign of a point: each joins a centre with the sign that suits it.
    """
    points = np.ascontiguousarray(points, dtype=np.float32)
    centres = points[rng.choice(len(points), count, replace=False)]
    for iteration in range(iterations):
        _, home = nearest(points, centres, 1, mirrored)
        centres, sizes = _means(points, home.ravel(), count, mirrored)
        empty = np.flatnonzero(sizes == 0)
        if iteration < iterations - 1:
            centres[empty] = points[rng.choice(len(points), len(empty))]
        if on_iteration:
            on_iteration(iteration + 1)
    return centres[sizes > 0]


def _means(points, home, count, mirrored):
    """The mean of the points of each centre, and how many they are."""
    signs = np.where(home >= count, -1.0, 1.0).astype(np.float32) if mirrored else np.ones(len(home), np.float32)
    home = home % count
    members = sparse.csr_matrix((signs, (home, np.arange(len(home)))), shape=(count, len(home)))
    sizes = np.bincount(home, minlength=count)
    return (members @ points) / np.maximum(sizes, 1)[:, None].astype(np.float32), sizes


def kmeans_centres(points, count, rng, sample=SAMPLE, restarts=RESTARTS):
    """The ``count`` centres of lowest inertia found: k-means++ with ``restarts`` on a ``sample``, then all the points.

    They are numbered by the first point of each, so that the same partition always has the same labels.
    """
    from sklearn.cluster import KMeans

    seed = int(rng.integers(2**31 - 1))
    points = np.ascontiguousarray(points, dtype=np.float64)
    start = "k-means++"
    if len(points) > sample:
        some = points[rng.choice(len(points), sample, replace=False)]
        start, restarts = KMeans(count, n_init=restarts, random_state=seed).fit(some).cluster_centers_, 1
    centres = KMeans(count, init=start, n_init=restarts, random_state=seed).fit(points).cluster_centers_
    return centres[_by_first_member(nearest_centre(points, centres), count)]


def _by_first_member(labels, count):
    """The clusters in the order in which the points meet them; those that none belongs to come last."""
    first = np.full(count, len(labels))
    np.minimum.at(first, labels, np.arange(len(labels)))
    return np.argsort(first, kind="stable")


def nearest_centre(points, centres):
    """The label of each row: the index of its nearest centre."""
    scores = points @ centres.T - 0.5 * np.einsum("ij,ij->i", centres, centres)
    return np.argmax(scores, axis=1).astype(np.int32)


def margins(points, centres):
    """The :func:`margin` of each row between its nearest centre and the next."""
    squares = np.einsum("ij,ij->i", points, points)[:, None] - 2.0 * points @ centres.T + np.einsum("ij,ij->i", centres, centres)
    if len(centres) < 2:
        return np.ones(len(points), np.float32)
    near = np.sqrt(np.maximum(np.partition(squares, 1, axis=1)[:, :2], 0.0))
    return margin(near[:, 0], near[:, 1])


def margin(own, other):
    """1 − d₁/d₂, at least −1, of the distances to the own centre and to the nearest other: 1 on a centre, 0 on a border."""
    return np.maximum(1.0 - own / np.maximum(other, np.finfo(np.float32).tiny), -1.0).astype(np.float32)
