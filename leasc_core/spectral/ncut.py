"""Normalised cut of |Z| + |Z|ᵀ for small data, as in the paper's Table III."""

import numpy as np
from scipy import linalg

from ..data.scale import unit_rows
from .codes import largest_codes
from .kmeans import kmeans_centres, nearest_centre


def symmetric_affinity(codes, largest=None):
    """|Z| + |Z|ᵀ, after each point's code is scaled to a largest entry of 1; ``largest`` keeps that many entries a point."""
    A = largest_codes(codes, largest)
    return A + A.T


def ncut_embedding(affinity, k):
    """The k leading eigenvectors of D^{-1/2} W D^{-1/2} (rows of unit length) and all the eigenvalues found."""
    degrees = affinity.sum(axis=1)
    scale = 1.0 / np.sqrt(np.where(degrees > 0, degrees, 1.0))
    normalised = affinity * scale[:, None] * scale[None, :]
    size = len(affinity)
    values, vectors = linalg.eigh(normalised, subset_by_index=[max(0, size - k - 1), size - 1], check_finite=False)
    V = vectors[:, ::-1][:, :k]
    return unit_rows(V), values[::-1]


def ncut(affinity, k, rng):
    """Labels of the normalised cut of a symmetric nonnegative affinity into k parts."""
    V, _ = ncut_embedding(affinity, k)
    return nearest_centre(V, kmeans_centres(V, k, rng))
