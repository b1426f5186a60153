"""Orthogonal matching pursuit: a code of at most a few entries, each the best next one (You, Robinson, Vidal 2016).

Many points take each step together, so that looking for the best next entry is one matrix product.
"""

import numba
import numpy as np
from scipy import sparse

BLOCK = 512
ENOUGH = 1e-6


def pursuit_codes(points, entries=10, residual=ENOUGH):
    """Sparse codes (n, n) of unit rows by the others: at most ``entries`` each, fewer where ``residual`` is reached."""
    n = len(points)
    entries = min(entries, n - 1, points.shape[1])
    support, values = np.empty((n, entries), np.int64), np.zeros((n, entries))
    for start in range(0, n, BLOCK):
        some = slice(start, min(start + BLOCK, n))
        _pursue(points, np.arange(some.start, some.stop), residual, support[some], values[some])
    codes = sparse.csr_matrix((values.ravel(), support.ravel(), np.arange(0, n * entries + 1, entries)), shape=(n, n))
    codes.eliminate_zeros()
    return codes


def _pursue(points, rows, residual, support, values):
    """Fill ``support`` and ``values`` of ``rows``: choose, solve on the chosen, look at what is left, and again."""
    count, entries = support.shape
    support[:] = rows[:, None]
    factors, reduced = np.zeros((count, entries, entries)), np.zeros((count, entries))
    remainders = points[rows]
    going = np.einsum("ij,ij->i", remainders, remainders) > residual**2
    for step in range(entries):
        if not going.any():
            break
        left = np.abs(remainders @ points.T)
        left[np.arange(count), rows] = 0.0
        np.put_along_axis(left, support[:, :step], 0.0, axis=1)
        best = left.argmax(axis=1)
        going &= left[np.arange(count), best] > 0.0
        _extend(points, rows, best, step, going, support, values, factors, reduced, remainders)
        going &= np.einsum("ij,ij->i", remainders, remainders) > residual**2


@numba.njit(cache=True)
def _extend(points, rows, best, step, going, support, values, factors, reduced, remainders):
    """One more entry for every point that is ``going``: its Cholesky factor grows by a row, and the system is solved anew."""
    for row in range(len(rows)):
        if not going[row]:
            continue
        factor, chosen = factors[row], points[best[row]]
        for j in range(step):
            product = np.dot(chosen, points[support[row, j]])
            factor[step, j] = (product - np.dot(factor[step, :j], factor[j, :j])) / factor[j, j]
        rest = np.dot(chosen, chosen) - np.dot(factor[step, :step], factor[step, :step])
        if rest <= 1e-12:
            going[row] = False
            continue
        factor[step, step] = np.sqrt(rest)
        right = np.dot(points[rows[row]], chosen)
        reduced[row, step] = (right - np.dot(factor[step, :step], reduced[row, :step])) / factor[step, step]
        support[row, step] = best[row]
        for j in range(step, -1, -1):
            known = 0.0
            for later in range(j + 1, step + 1):
                known += factor[later, j] * values[row, later]
            values[row, j] = (reduced[row, j] - known) / factor[j, j]
        remainders[row] = points[rows[row]]
        for j in range(step + 1):
            remainders[row] -= values[row, j] * points[support[row, j]]
