"""Column-wise Lasso and elastic net by skglm: each point coded by all the others, one at a time.

min ½‖x − Az‖² + l1·‖z‖₁ + ½·l2·‖z‖²  with z zero at the point itself. Only the squared noise splits like this; the ADMM of
:mod:`leasc_core.coding` does the other noises too.
"""

import numpy as np
from scipy import sparse

TOLERANCE = 1e-5


def column_codes(points, l1, l2=0.0, tol=TOLERANCE, clock=None):
    """Sparse codes (n, n) of the rows of ``points``.

    Parameters
    ----------
    l1, l2 : the weights; ``l1`` may be one number a point
    tol : the largest violation of optimality allowed, in units of ``l1``
    clock : where given, what skglm takes to compile is counted apart
    """
    n = len(points)
    weights = np.broadcast_to(np.asarray(l1, dtype=np.float64), n)
    dictionary = np.asfortranarray(points.T)
    if clock is not None:
        with clock("compiling"):
            _solve_column(dictionary[:, : min(n, 20)].copy(order="F"), 0, float(weights[0]), l2, tol)
    rows = [sparse.csr_matrix(_solve_column(dictionary, i, float(weights[i]), l2, tol)) for i in range(n)]
    return sparse.vstack(rows, format="csr")


def _solve_column(dictionary, i, l1, l2, tol):
    """The code of column i by the others; its own column is zero meanwhile, which is how it is left out."""
    from skglm.datafits import Quadratic
    from skglm.penalties import L1_plus_L2
    from skglm.solvers import AndersonCD

    # skglm divides the squared error by the number of rows, so the weights are divided too.
    d, total = dictionary.shape[0], l1 + l2
    x = dictionary[:, i].copy()
    dictionary[:, i] = 0.0
    try:
        solver = AndersonCD(tol=tol * l1 / d, fit_intercept=False)
        penalty = L1_plus_L2(total / d, l1 / total)
        return solver.solve(dictionary, x, Quadratic(), penalty, run_checks=False)[0]
    finally:
        dictionary[:, i] = x
