"""K-means twice: many centres quickly (landmarks), few centres well (clusters)."""

import numpy as np
from scipy import linalg, sparse

from .nearest import nearest

SAMPLE = 10_000
RESTARTS = 20
# Clusters stand apart where at most this share of the points of each has a margin below that.
FEW, NEAR = 0.02, 0.25


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
    """The ``count`` centres of lowest inertia found on a ``sample``, then moved to fit all the points.

    The first start is ``count`` rows that point in different directions. Where its clusters stand apart no other start could
    do better; else k-means++ tries ``restarts`` more. Centres are numbered by the first point of each, so that the same
    partition always has the same labels.
    """
    seed = int(rng.integers(2**31 - 1))
    points = np.ascontiguousarray(points, dtype=np.float64)  # k-means++ of single precision would be converted, slowly
    some = points if len(points) <= sample else points[rng.choice(len(points), sample, replace=False)]
    centres, inertia = _lloyd(some, count, init=some[spread_out(some, count)], n_init=1)
    if not stand_apart(some, centres):
        other, lower = _lloyd(some, count, n_init=restarts, random_state=seed)
        centres = other if lower < inertia else centres
    if some is not points:
        centres, _ = _lloyd(points, count, init=centres, n_init=1)
    return centres[_by_first_member(nearest_centre(points, centres), count)]


def spread_out(points, count):
    """The numbers of ``count`` rows by pivoted QR: each the one that the earlier ones span least."""
    return linalg.qr(points[:, :count].T, mode="r", pivoting=True, check_finite=False)[1][:count]


def _lloyd(points, count, **start):
    """scikit-learn's K-means: the centres and their inertia."""
    from sklearn.cluster import KMeans

    fitted = KMeans(count, **start).fit(points)
    return fitted.cluster_centers_, fitted.inertia_


def stand_apart(points, centres):
    """Whether hardly a point of any cluster lies near a border: then no two clusters are halves of one."""
    labels, near = nearest_centre(points, centres), margins(points, centres) < NEAR
    sizes = np.bincount(labels, minlength=len(centres))
    return bool(sizes.min() > 0 and (np.bincount(labels, near, minlength=len(centres)) <= FEW * sizes).all())


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
