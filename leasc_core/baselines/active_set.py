"""Lasso and elastic-net codes by an oracle-guided active set (You, Li, Robinson, Vidal 2016): a small problem a point.

min l1·‖c‖₁ + ½l2·‖c‖² + ½γ‖x − Xc‖²  with c zero at the point itself. At the optimum the oracle point δ = γ(x − Xc) says which
others matter: those with |⟨x_j, δ⟩| ≥ l1. So the problem is solved on a guess of them, the oracle gives a better guess, and
when it names no new point the small solution is the solution. Only squared noise splits into points like this; the ADMM of
:mod:`leasc_core.coding` does the other noises too.
"""

import numba
import numpy as np
from scipy import sparse

FIRST_GUESS = 50
ROUNDS = 50
SWEEPS = 20_000
# The largest violation of optimality left, in units of l1.
TOLERANCE = 1e-4


def elastic_codes(points, l1, l2=0.0, gamma=1.0, tolerance=TOLERANCE):
    """Sparse codes (n, n) of the rows of ``points`` by each other; ``gamma`` may be one number a point."""
    n = len(points)
    gammas = np.broadcast_to(np.asarray(gamma, dtype=np.float64), n)
    rows = [_code(points, i, l1, l2, gammas[i], tolerance) for i in range(n)]
    columns = np.concatenate([active for active, _ in rows])
    pointers = np.concatenate([[0], np.cumsum([len(active) for active, _ in rows])])
    codes = sparse.csr_matrix((np.concatenate([values for _, values in rows]), columns, pointers), shape=(n, n))
    codes.eliminate_zeros()
    return codes


def nearest_similarities(points):
    """The largest |⟨x_i, x_j⟩| of each row with another."""
    similar = np.abs(points @ points.T)
    np.fill_diagonal(similar, 0.0)
    return similar.max(axis=1)


def _code(points, i, l1, l2, gamma, tolerance):
    """The support and the values of one point's code."""
    similar = points @ points[i]
    similar[i] = 0.0
    count = min(FIRST_GUESS, len(points) - 1)
    active = np.sort(np.argpartition(-np.abs(similar), count - 1)[:count])
    active = active[active != i]
    code = np.zeros(len(active))
    for _ in range(ROUNDS):
        chosen = points[active]
        _descend(gamma * (chosen @ chosen.T), gamma * similar[active], l1, l2, code, tolerance * l1, SWEEPS)
        oracle = np.abs(gamma * (points @ (points[i] - code @ chosen)))
        oracle[i] = 0.0
        beyond = np.flatnonzero(oracle > l1 * (1.0 + tolerance))
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
    """Coordinate descent on ½cᵀGc − bᵀc + l1‖c‖₁ + ½l2‖c‖², in place, until a sweep moves no gradient by ``tolerance``."""
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
                gradient += change * gram[j]
                largest = max(largest, abs(change) * curvature)
        if largest < tolerance:
            break
