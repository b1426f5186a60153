"""Orthogonal matching pursuit: a code of at most a few entries, each the best next one (You, Robinson, Vidal 2016)."""

import numba
import numpy as np
from scipy import sparse

BLOCK = 1024
ENOUGH = 1e-6


def pursuit_codes(points, entries=10, residual=ENOUGH):
    """Sparse codes (n, n) of unit rows by the others: at most ``entries`` each, fewer where ``residual`` is reached."""
    n = len(points)
    entries = min(entries, n - 1, points.shape[1])
    support, values = np.empty((n, entries), np.int64), np.zeros((n, entries))
    for start in range(0, n, BLOCK):
        some = slice(start, min(start + BLOCK, n))
        _pursue(points, start, points[some] @ points.T, residual, support[some], values[some])
    codes = sparse.csr_matrix((values.ravel(), support.ravel(), np.arange(0, n * entries + 1, entries)), shape=(n, n))
    codes.eliminate_zeros()
    return codes


@numba.njit(cache=True)
def _pursue(points, first, similar, residual, support, values):
    """For each point of a block: choose, solve on the chosen by a growing Cholesky factor, look at what is left."""
    most = support.shape[1]
    for row in range(similar.shape[0]):
        own = first + row
        right = similar[row]
        left = right.copy()  # products of what is left with all points
        factor, reduced = np.zeros((most, most)), np.zeros(most)
        squared = right[own]
        support[row] = own
        for step in range(most):
            if squared <= residual**2:
                break
            left[own] = 0.0
            left[support[row, :step]] = 0.0
            best = np.argmax(np.abs(left))
            if left[best] == 0.0:
                break
            for j in range(step):
                product = np.dot(points[best], points[support[row, j]])
                factor[step, j] = (product - np.dot(factor[step, :j], factor[j, :j])) / factor[j, j]
            rest = np.dot(points[best], points[best]) - np.dot(factor[step, :step], factor[step, :step])
            if rest <= 1e-12:
                break
            factor[step, step] = np.sqrt(rest)
            reduced[step] = (right[best] - np.dot(factor[step, :step], reduced[:step])) / factor[step, step]
            support[row, step] = best
            code = values[row]
            for j in range(step, -1, -1):
                known = 0.0
                for later in range(j + 1, step + 1):
                    known += factor[later, j] * code[later]
                code[j] = (reduced[j] - known) / factor[j, j]
            remainder = points[own].copy()
            for j in range(step + 1):
                remainder -= code[j] * points[support[row, j]]
            left = points @ remainder
            squared = np.dot(remainder, remainder)
