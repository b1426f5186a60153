"""Clusters of a clean cut by rotation (Yu and Shi 2003): k eigenvectors, turned until each point lies nearest one axis.

K-means on the same coordinates divides a wide cluster and joins two narrow ones where that is shorter; the relaxed cut has an
orthonormal solution, so its clusters are axes at right angles, whatever their width.
"""

import numpy as np
from scipy import linalg

MOST_TURNS = 100


def turned_axes(places: np.ndarray) -> np.ndarray:
    """The k orthonormal axes (k, k), one a row, that the unit-length ``places`` (n, k) lie nearest to.

    The first turn takes k far points for axes (QR with pivoting, Damle et al. 2016); labels and axes then improve each other.
    """
    k = places.shape[1]
    far = linalg.qr(places.T, mode="economic", pivoting=True)[2][:k]
    axes = _orthonormal(places[far])
    for _ in range(MOST_TURNS):
        members = np.eye(k)[(places @ axes.T).argmax(axis=1)]
        turned = _orthonormal(members.T @ places)
        if np.abs(turned - axes).max() < 1e-9:
            break
        axes = turned
    return axes


def _orthonormal(A):
    """The orthonormal matrix nearest to ``A``."""
    U, _, Vt = linalg.svd(A)
    return U @ Vt
