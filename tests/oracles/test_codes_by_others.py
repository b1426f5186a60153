"""Codes of points by a fixed dictionary, column by column, against scikit-learn and cvxpy."""

import numpy as np
import pytest
from sklearn.linear_model import ElasticNet, Lasso, Ridge

from leasc_core.coding.others import code_by
from leasc_core.errors import ParameterError

FINE = {"fit_intercept": False, "tol": 1e-12, "max_iter": 100_000}
CLOSE = {"tol": 1e-8, "max_iter": 20_000}


@pytest.fixture(scope="module", params=[(10, 25), (25, 10)], ids=["wide", "tall"])
def problem(request):
    rng = np.random.default_rng(0)
    d, r = request.param
    A = rng.standard_normal((d, r))
    return A / np.linalg.norm(A, axis=0), rng.standard_normal((d, 6)) / np.sqrt(d)


def test_squares_are_ridge_regressions(problem):
    A, X = problem
    reference = Ridge(0.25, fit_intercept=False).fit(A, X).coef_.T
    np.testing.assert_allclose(code_by(A, X, "f2", beta=4.0), reference, atol=1e-8)


def test_sparse_and_elastic_codes_are_scikit_learn_s(problem):
    A, X = problem
    lasso = Lasso(0.05 / len(A), **FINE).fit(A, X).coef_.T
    np.testing.assert_allclose(code_by(A, X, "l1", beta=10.0, noise="f2", **CLOSE), lasso, atol=1e-3)
    net = ElasticNet(0.15 / len(A), l1_ratio=1 / 3, **FINE).fit(A, X).coef_.T
    np.testing.assert_allclose(code_by(A, X, "elastic_net", alpha=1.0, beta=10.0, noise="f2", **CLOSE), net, atol=1e-3)


def test_low_rank_codes_reach_the_optimum_cvxpy_finds(problem):
    import cvxpy as cp

    A, X = problem
    Z = cp.Variable((A.shape[1], X.shape[1]))
    reference = cp.Problem(cp.Minimize(cp.normNuc(Z) + 2.0 * cp.sum(cp.norm(X - A @ Z, 2, axis=0))))
    reference.solve(solver="CLARABEL")
    found = code_by(A, X, "nuclear", beta=2.0, noise="l21", **CLOSE)
    value = np.linalg.norm(found, "nuc") + 2.0 * np.linalg.norm(X - A @ found, axis=0).sum()
    assert reference.value * (1 - 1e-6) <= value <= reference.value * (1 + 1e-5)


def test_plain_pcm_has_no_codes_for_others(problem):
    with pytest.raises(ParameterError, match="noise='none'"):
        code_by(*problem, "l1", noise="none")
