"""From self-expressive codes to labels: the normalised cut of |Z| + |Z|ᵀ, dense for small data and sparse above."""

import numpy as np
from scipy import sparse

from ..data.scale import unit_rows
from ..spectral.embedding import top_eigenvectors
from ..spectral.kmeans import kmeans_centres, nearest_centre
from ..spectral.ncut import ncut, symmetric_affinity

DENSE_UP_TO = 3000


def cut_codes(codes, k, seed, kept=8):
    """Labels from codes (rows are points): the ``kept`` largest of each point, scaled to a largest entry of 1, then Ncut.

    Every coding method is cut alike, so that the codes alone make the difference; ``kept=None`` keeps all of them.
    """
    rng = np.random.default_rng(seed)
    if codes.shape[0] <= DENSE_UP_TO:
        dense = codes.toarray() if sparse.issparse(codes) else codes
        return ncut(symmetric_affinity(dense, kept), k, rng)
    embedded = sparse_embedding(sparse_affinity(codes, kept), k)
    return nearest_centre(embedded, kmeans_centres(embedded, k, rng))


def sparse_affinity(codes, kept):
    """The same affinity as :func:`~leasc_core.spectral.ncut.symmetric_affinity`, never larger than what is kept."""
    codes = abs(sparse.csr_matrix(codes)) if sparse.issparse(codes) or kept is None else _largest(codes, kept)
    if kept is not None:
        codes = _keep(codes, kept)
    top = codes.max(axis=1).toarray().ravel()
    scaled = sparse.diags(1.0 / np.where(top > 0, top, 1.0)) @ codes
    return (scaled + scaled.T).tocsr()


def sparse_embedding(affinity, k):
    """Unit rows of the k leading eigenvectors of D^{-1/2} W D^{-1/2}, by Lanczos."""
    degrees = np.asarray(affinity.sum(axis=1)).ravel()
    scale = sparse.diags(1.0 / np.sqrt(np.where(degrees > 0, degrees, 1.0)))
    _, vectors = top_eigenvectors((scale @ affinity @ scale).tocsr(), k)
    return unit_rows(vectors)


def _largest(codes, kept):
    """The largest absolute entries of each dense row, as a sparse matrix."""
    sizes = np.abs(codes)
    kept = min(kept, sizes.shape[1])
    columns = np.argpartition(-sizes, kept - 1, axis=1)[:, :kept]
    entries = np.take_along_axis(sizes, columns, axis=1)
    pointers = np.arange(0, columns.size + 1, kept)
    return sparse.csr_matrix((entries.ravel(), columns.ravel(), pointers), shape=sizes.shape)


def _keep(codes, kept):
    """At most ``kept`` entries of each sparse row: the largest."""
    counts = np.diff(codes.indptr)
    if counts.max(initial=0) <= kept:
        return codes
    rows = np.repeat(np.arange(codes.shape[0]), counts)
    order = np.lexsort((-codes.data, rows))
    rank = np.arange(len(order)) - np.repeat(codes.indptr[:-1], counts)
    chosen = order[rank < kept]
    return sparse.csr_matrix((codes.data[chosen], (rows[chosen], codes.indices[chosen])), shape=codes.shape)
