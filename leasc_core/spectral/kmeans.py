"""K-means twice: many centres quickly (landmarks), few centres well (clusters)."""

import numpy as np
from scipy import sparse

SAMPLE = 10_000
RESTARTS = 20


def nearest(points, centres, count, mirrored=False):
    """Squared distances to, and indices of, the ``count`` nearest centres of each row; faiss does the search.

    ``mirrored`` treats c and −c as one centre: the nearer of the two counts, and indices from ``len(centres)`` on mean −c.
    """
    import faiss

    index = faiss.IndexFlatL2(centres.shape[1])
    index.add(np.ascontiguousarray(centres, dtype=np.float32))
    points = np.ascontiguousarray(points, dtype=np.float32)
    if not mirrored:
        distances, found = index.search(points, count)
        return np.maximum(distances, 0.0), found
    index.add(np.ascontiguousarray(-centres, dtype=np.float32))
    distances, found = index.search(points, count if count == 1 else 2 * count)
    return _once_each(np.maximum(distances, 0.0), found, len(centres), count)


def _once_each(distances, found, n_centres, count):
    """The first ``count`` of each row, a centre and its mirror image counted once, by the nearer of the two."""
    if count == 1:
        return distances, found
    home = found % n_centres
    again = np.zeros(found.shape, bool)
    for j in range(1, found.shape[1]):
        again[:, j] = (home[:, :j] == home[:, j : j + 1]).any(axis=1)
    first = np.argsort(again, axis=1, kind="stable")[:, :count]
    return np.take_along_axis(distances, first, 1), np.take_along_axis(found, first, 1)


def many_centres(points, count, rng, iterations=3, mirrored=False, on_iteration=None):
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


def few_centres(points, count, rng):
    """The ``count`` centres of lowest inertia found: k-means++ with restarts on a sample, then all the points."""
    from sklearn.cluster import KMeans

    seed = int(rng.integers(2**31 - 1))
    points = np.ascontiguousarray(points, dtype=np.float64)
    start, restarts = "k-means++", RESTARTS
    if len(points) > SAMPLE:
        sample = points[rng.choice(len(points), SAMPLE, replace=False)]
        start, restarts = KMeans(count, n_init=RESTARTS, random_state=seed).fit(sample).cluster_centers_, 1
    return KMeans(count, init=start, n_init=restarts, random_state=seed).fit(points).cluster_centers_


def nearest_centre(points, centres):
    """The label of each row: the index of its nearest centre."""
    scores = points @ centres.T - 0.5 * np.einsum("ij,ij->i", centres, centres)
    return np.argmax(scores, axis=1).astype(np.int32)
