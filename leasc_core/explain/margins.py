"""How far a point is from changing sides: its distances to the cluster centres in the spectral embedding."""

import numpy as np

from ..spectral.kmeans import margin

# Up to here a point is nearer its own centre than the other by less than three to two.
DOUBTFUL_UP_TO = 1 / 3


def margins_and_rivals(embedded, centres, labels):
    """The :func:`margin` and the number of the nearest other cluster, for each row; with one cluster 1 and −1."""
    if len(centres) < 2:
        return np.ones(len(embedded), np.float32), np.full(len(embedded), -1)
    own = np.asarray(labels, dtype=np.intp)[:, None]
    squares = (embedded**2).sum(axis=1)[:, None] - 2 * embedded @ centres.T + (centres**2).sum(axis=1)
    distances = np.sqrt(np.maximum(squares, 0))
    near = np.take_along_axis(distances, own, axis=1)[:, 0]
    np.put_along_axis(distances, own, np.inf, axis=1)
    rivals = distances.argmin(axis=1)
    far = distances[np.arange(len(rivals)), rivals]
    return margin(near, far), rivals


def doubtful_neighbours(at, embedded, margins, most=6):
    """Positions of the doubtful points nearest to point ``at`` in the embedding, nearest first, itself left out."""
    doubtful = np.flatnonzero(margins <= DOUBTFUL_UP_TO)
    doubtful = doubtful[doubtful != at]
    distances = np.linalg.norm(embedded[doubtful] - embedded[at], axis=1)
    return doubtful[np.argsort(distances, kind="stable")[:most]]
