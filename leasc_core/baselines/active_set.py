"""Elastic-net codes by an oracle-guided active set (You, Li, Robinson, Vidal 2016): a small problem a point, grown as needed.

min l1·‖c‖₁ + ½(1 − l1)·‖c‖² + ½γ‖x − Xc‖²  with c zero at the point itself. At the optimum the oracle point δ = γ(x − Xc) says
which others matter: exactly those with |⟨x_j, δ⟩| > l1. So the problem is solved on a guess of them, the oracle gives a better
guess, and when it stops growing the small solution is the solution.
"""

import numba
import numpy as np
from scipy import sparse

FIRST_GUESS = 50
ROUNDS = 50
SWEEPS = 1000
TOLERANCE = 1e-7


def active_set_codes(points, l1=0.9, gamma=50.0):
    """Sparse codes (n, n) of unit rows; γ of a point is ``gamma`` times the least that gives it a code at all."""
    n = len(points)
    rows = []
    for i in range(n):
        similar = points @ points[i]
        similar[i] = 0.0
        rows.append(_code(points, similar, i, l1, gamma * l1 / max(np.abs(similar).max(), np.finfo(float).tiny)))
    columns = np.concatenate([active for active, _ in rows])
    pointers = np.concatenate([[0], np.cumsum([len(active) for active, _ in rows])])
    codes = sparse.csr_matrix((np.concatenate([values for _, values in rows]), columns, pointers), shape=(n, n))
    codes.eliminate_zeros()
    return codes


def _code(points, similar, i, l1, gamma):
    """The support and the values of one point's code; ``similar`` are its products with all points, 0 with itself."""
    count = min(FIRST_GUESS, len(points) - 1)
    active = np.sort(np.argpartition(-np.abs(similar), count - 1)[:count])
    active = active[active != i]
    code = np.zeros(len(active))
    for _ in range(ROUNDS):
        chosen = points[active]
        _descend(gamma * (chosen @ chosen.T), gamma * similar[active], l1, 1.0 - l1, code, TOLERANCE, SWEEPS)
        # ⟨x_j, δ⟩ of all points, from one product with the residual.
        oracle = np.abs(gamma * (points @ (points[i] - code @ chosen)))
        oracle[i] = 0.0
        beyond = np.flatnonzero(oracle > l1 * (1 + 1e-6))
        if np.isin(beyond, active).all():
            break
        support = active[code != 0]
        grown = np.union1d(beyond, support)
        start = np.zeros(len(grown))
        start[np.searchsorted(grown, support)] = code[code != 0]
        active, code = grown, start
    return active, code


@numba.njit(cache=True)
def _descend(gram, right, l1, l2, code, tolerance, sweeps):
    """Coordinate descent on ½cᵀGc − bᵀc + l1‖c‖₁ + ½l2‖c‖², in place."""
    gradient = gram @ code - right
    for _ in range(sweeps):
        largest = 0.0
        for j in range(len(code)):
            curvature = gram[j, j] + l2
            if curvature <= 0.0:
                continue
            old = code[j]
            target = gram[j, j] * old - gradient[j]
            code[j] = np.sign(target) * max(abs(target) - l1, 0.0) / curvature
            change = code[j] - old
            if change != 0.0:
                gradient += change * gram[:, j]
                largest = max(largest, abs(change))
        if largest < tolerance:
            break
