"""The spectral map: from a bipartite affinity (points × columns) to coordinates, for old points and new.

Both affinities end here. With S = B D^{-1/2} (B nonnegative, D its column sums), the singular vectors of S come from the
eigenvectors of the small Gram SᵀS, and a new row b is placed at b D^{-1/2} V Σ⁻¹ (Eq. 10).
"""

from dataclasses import dataclass

import numpy as np
from scipy import linalg
from scipy.sparse import issparse
from scipy.sparse.linalg import eigsh

from ..data.scale import unit_rows

DENSE_UP_TO = 600
MOST_CLUSTERS = 40
# Vectors wanted beyond the k-th at first; they are enough where the next one counts at most so much, beside the first.
BEYOND, FAINT = 8, 0.05


@dataclass(frozen=True)
class SpectralMap:
    """``directions`` (p, q) take a row of B to its embedding; ``eigenvalues`` are σ² of S relative to the largest."""

    directions: np.ndarray
    eigenvalues: np.ndarray

    def __call__(self, rows):
        """Unit-length spectral coordinates of rows of B."""
        return unit_rows(np.asarray(rows @ self.directions, dtype=np.float64))


def top_eigenvectors(gram, count):
    """The ``count`` largest eigenpairs, largest first, with signs fixed; Lanczos where the matrix is large."""
    size = gram.shape[0]
    count = min(count, size)
    if size <= DENSE_UP_TO or count > size // 4:
        gram = gram.toarray() if issparse(gram) else gram
        try:
            values, vectors = linalg.eigh(gram, subset_by_index=[size - count, size - 1], check_finite=False)
        except linalg.LinAlgError:  # LAPACK gives up on some heaps of equal eigenvalues; its slower way does not
            values, vectors = (part[..., size - count :] for part in linalg.eigh(gram, driver="ev", check_finite=False))
    else:
        values, vectors = eigsh(gram, k=count, which="LA", v0=np.random.default_rng(0).standard_normal(size))
        order = np.argsort(values)
        values, vectors = values[order], vectors[:, order]
    values, vectors = np.maximum(values[::-1], 0.0), vectors[:, ::-1]
    signs = np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(count)])
    return values, vectors * np.where(signs == 0, 1.0, signs)


def spectral_map(gram, degrees, n_clusters):
    """The map from the Gram BᵀB (p, p) and the column sums of B; ``n_clusters=None`` finds k by the eigengap.

    It takes 2k + 1 vectors; fewer of a large Gram whose k-th gap is so clear that those beyond it hardly count. Returns the map
    and k.
    """
    wanted = 2 * (n_clusters or MOST_CLUSTERS) + 1
    some = wanted if n_clusters is None or gram.shape[0] <= DENSE_UP_TO else min(wanted, n_clusters + BEYOND)
    values, directions = singular_directions(gram, degrees, some)
    if some < min(wanted, gram.shape[0]) and low_pass(values, n_clusters)[n_clusters] > FAINT:
        values, directions = singular_directions(gram, degrees, wanted)
    k = n_clusters or eigengap(values)
    count = min(2 * k + 1, len(values))
    return SpectralMap(directions[:, :count] * low_pass(values[:count], k), values), k


def singular_directions(gram, degrees, count):
    """σ² of S relative to the largest, and D^{-1/2} V Σ⁻¹: what takes a row of B to its first ``count`` singular coordinates."""
    scale = 1.0 / np.sqrt(np.where(degrees > 0, degrees, 1.0))
    values, vectors = top_eigenvectors(_rescale(gram, scale), count)
    values = np.minimum(values / max(values[0], np.finfo(float).tiny), 1.0)
    return values, scale[:, None] * vectors / np.sqrt(np.maximum(values, 1e-12))


def low_pass(eigenvalues, k):
    """How much each singular vector counts: 1 / (gap + gap of the k-th), gap = 1 − σ² (at least 1e-6 for the k-th).

    The paper keeps k vectors and drops the rest. A soft end does as well where the k-th gap is clear and far better
    where it is not (two digits that only the next vector tells apart).
    """
    gaps = 1.0 - eigenvalues
    weights = 1.0 / (gaps + max(gaps[min(k, len(gaps)) - 1], 1e-6))
    return weights / weights[0]


def eigengap(eigenvalues):
    """The number of clusters: where the relative gap (1 − σ²_{k+1}) / (1 − σ²_k) is largest, k ≥ 2."""
    if len(eigenvalues) < 3:
        return len(eigenvalues)
    return 2 + int(np.argmax(relative_gaps(eigenvalues[: MOST_CLUSTERS + 1])[1:]))


def relative_gaps(eigenvalues):
    """(1 − σ²_{k+1}) / (1 − σ²_k) for k = 1, 2, …; a gap below 0.001 counts as that."""
    gaps = np.maximum(1.0 - np.asarray(eigenvalues), 1e-3)
    return gaps[1:] / gaps[:-1]


def _rescale(gram, scale):
    """D^{-1/2} G D^{-1/2}, sparse or dense."""
    if issparse(gram):
        return gram.multiply(scale[:, None]).multiply(scale[None, :]).tocsr()
    return gram * scale[:, None] * scale[None, :]
