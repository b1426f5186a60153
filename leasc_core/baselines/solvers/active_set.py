"""Lasso and elastic-net codes by an oracle-guided active set (You, Li, Robinson, Vidal 2016): a small problem a point.

min l1·‖c‖₁ + ½l2·‖c‖² + ½γ‖x − Xc‖²  with c zero at the point itself. At the optimum the oracle point δ = γ(x − Xc) says which
others matter: those with |⟨x_j, δ⟩| ≥ l1. So the problem is solved on a guess of them, the oracle names the points that break the
rule most, and when it names none the small solution is the solution. The oracle is asked for many points at once: one matrix
product. Only squared noise splits into points like this; the ADMM of :mod:`leasc_core.coding` does the other noises too.
"""

import numba
import numpy as np
from scipy import sparse

BLOCK = 256
FIRST_GUESS = 20
ROUNDS = 100
SWEEPS = 20_000
SETTLE_EVERY = 3
# The largest violation of optimality left, in units of l1.
TOLERANCE = 1e-4
# With their types named, functions are compiled when this file is loaded, before any clock begins.
MATRIX, VECTOR = "float64[:, ::1]", "float64[::1]"


def elastic_codes(points, l1, l2=0.0, gamma=1.0, tolerance=TOLERANCE):
    """Sparse codes (n, n) of the rows of ``points`` by each other; ``gamma`` may be one number a point."""
    n = len(points)
    gammas = np.broadcast_to(np.asarray(gamma, dtype=np.float64), n)
    rows = []
    for start in range(0, n, BLOCK):
        rows += code_rows(points, np.arange(start, min(start + BLOCK, n)), l1, l2, gammas, tolerance)
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


def code_rows(points, rows, l1, l2, gammas, tolerance=TOLERANCE):
    """``(support, values)`` of the code of each of ``rows``, sorted by position."""
    similar = points[rows] @ points.T
    similar[np.arange(len(rows)), rows] = 0.0
    guesses = _largest(np.abs(similar), min(FIRST_GUESS, len(points) - 1))
    found = [(np.sort(guess[guess != row]), np.zeros(np.sum(guess != row))) for guess, row in zip(guesses, rows, strict=True)]
    left = np.arange(len(rows))
    for _ in range(ROUNDS):
        for at in left:
            active, code = found[at]
            chosen, gamma = points[active], gammas[rows[at]]
            _descend(gamma * (chosen @ chosen.T), gamma * similar[at, active], l1, l2, code, tolerance * l1, SWEEPS)
        left = left[_ask_the_oracle(points, rows, found, left, l1, gammas, tolerance)]
        if not left.size:
            break
    return found


def _ask_the_oracle(points, rows, found, left, l1, gammas, tolerance):
    """Widen the support of every point of ``left`` whose code is not yet optimal; gives back which those are."""
    residuals = np.stack([points[rows[at]] - found[at][1] @ points[found[at][0]] for at in left])
    beyond = np.abs((gammas[rows[left], None] * residuals) @ points.T) - l1 * (1.0 + tolerance)
    beyond[np.arange(len(left)), rows[left]] = -np.inf
    unfinished = np.zeros(len(left), dtype=bool)
    for position, at in enumerate(left):
        active, code = found[at]
        beyond[position, active] = -np.inf
        breaking = np.flatnonzero(beyond[position] > 0)
        if breaking.size:
            unfinished[position] = True
            found[at] = _widened(active[code != 0], code[code != 0], breaking, beyond[position, breaking])
    return unfinished


def _widened(support, values, breaking, by_how_much):
    """The support with those that break the rule most: as many again as it has, and the values it had."""
    count = max(FIRST_GUESS, len(support))
    if len(breaking) > count:
        breaking = breaking[np.argpartition(-by_how_much, count - 1)[:count]]
    active = np.union1d(support, breaking)
    code = np.zeros(len(active))
    code[np.searchsorted(active, support)] = values
    return active, code


def _largest(sizes, count):
    """Positions of the ``count`` largest entries of each row."""
    return np.argpartition(-sizes, count - 1, axis=1)[:, :count]


@numba.njit(f"void({MATRIX}, {VECTOR}, float64, float64, {VECTOR})", cache=True)
def _settle_signs(gram, right, l1, l2, code):
    """The exact solution with the signs ``code`` has, in place; what would change its sign on the way there becomes zero first.

    Every step lowers the objective: it is quadratic as long as no sign changes (feature-sign search, Lee 2006).
    """
    while True:
        support = np.flatnonzero(code)
        size = len(support)
        if size == 0:
            return
        system, wanted = np.empty((size, size)), np.empty(size)
        for a in range(size):
            wanted[a] = right[support[a]] - l1 * np.sign(code[support[a]])
            for b in range(size):
                system[a, b] = gram[support[a], support[b]]
            system[a, a] += l2 + 1e-10 * gram[support[a], support[a]]
        solution = np.linalg.solve(system, wanted)
        step, first = 1.0, -1
        for a in range(size):
            old = code[support[a]]
            if solution[a] * old < 0.0 and old / (old - solution[a]) < step:
                step, first = old / (old - solution[a]), a
        for a in range(size):
            code[support[a]] += step * (solution[a] - code[support[a]])
        if first < 0:
            return
        code[support[first]] = 0.0


@numba.njit(f"void({MATRIX}, {VECTOR}, float64, float64, {VECTOR}, float64, int64)", cache=True)
def _descend(gram, right, l1, l2, code, tolerance, sweeps):
    """Coordinate descent on ½cᵀGc − bᵀc + l1‖c‖₁ + ½l2‖c‖², in place, until a sweep moves no gradient by ``tolerance``.

    Now and then the signs are taken for granted; the rest is a linear system.
    """
    gradient = gram @ code - right
    for sweep in range(sweeps):
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
        if sweep % SETTLE_EVERY == SETTLE_EVERY - 1:
            _settle_signs(gram, right, l1, l2, code)
            gradient = gram @ code - right
