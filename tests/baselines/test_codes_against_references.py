"""Codes of the baselines against independent solvers: scikit-learn column by column, and cvxpy on small data."""

import numpy as np
import pytest
from sklearn.linear_model import ElasticNet, Lasso, orthogonal_mp_gram

from leasc_core import baselines, make_union_of_subspaces
from leasc_core.baselines.solvers.active_set import elastic_codes
from leasc_core.baselines.solvers.pursuit import pursuit_codes


def unit(X):
    return X / np.linalg.norm(X, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def points():
    return unit(make_union_of_subspaces(3, 3, 15, 20, noise=0.2, random_state=5)[0])


def others(points, i):
    """Everything but row i, as columns, and where they stand."""
    at = np.delete(np.arange(len(points)), i)
    return points[at].T, at


def columnwise(points, regression):
    """Codes by a scikit-learn regression, point by point; ``regression(i)`` makes it."""
    codes = np.zeros((len(points),) * 2)
    for i in range(len(points)):
        A, at = others(points, i)
        codes[i, at] = regression(i).fit(A, points[i]).coef_
    return codes


FINE = {"fit_intercept": False, "tol": 1e-14, "max_iter": 1_000_000}


@pytest.mark.parametrize("first_guess", [2, 50])
def test_sparse_columns_are_scikit_learn_s_lasso(points, monkeypatch, first_guess):
    monkeypatch.setattr("leasc_core.baselines.solvers.active_set.FIRST_GUESS", first_guess)
    monkeypatch.setattr("leasc_core.baselines.solvers.active_set.SWEEPS", 100_000)
    weight, d = 0.05, points.shape[1]
    reference = columnwise(points, lambda i: Lasso(weight / d, **FINE))
    np.testing.assert_allclose(elastic_codes(points, weight, tolerance=1e-7).toarray(), reference, atol=1e-5)


@pytest.mark.parametrize("first_guess", [2, 50])
def test_elastic_columns_are_scikit_learn_s_elastic_net(points, monkeypatch, first_guess):
    monkeypatch.setattr("leasc_core.baselines.solvers.active_set.FIRST_GUESS", first_guess)
    l1, l2, d = 0.05, 0.1, points.shape[1]
    net = ElasticNet((l1 + l2) / d, l1_ratio=l1 / (l1 + l2), **FINE)
    codes = elastic_codes(points, l1, l2, tolerance=1e-7)
    np.testing.assert_allclose(codes.toarray(), columnwise(points, lambda i: net), atol=1e-5)


def lasso_objective(points, codes, weight):
    return 0.5 * ((points - codes @ points) ** 2).sum() + weight * np.abs(codes).sum()


def test_the_ssc_baseline_solves_its_authors_problem(points):
    similar = np.abs(points @ points.T) - np.eye(len(points))
    weight = similar.max(axis=1).min() / 20.0
    reference = columnwise(points, lambda i: Lasso(weight / points.shape[1], **FINE))
    codes = baselines.get("ssc").run(points, 3).codes.toarray()
    assert lasso_objective(points, codes, weight) <= lasso_objective(points, reference, weight) * (1 + 1e-5)
    np.testing.assert_allclose(codes, reference, atol=1e-2)


def test_the_ensc_baseline_solves_its_authors_problem(points):
    """min ‖z‖₁ + ‖z‖² + 10‖x − Az‖², which is ½‖x − Az‖² + 0.05‖z‖₁ + 0.05‖z‖²."""
    d = points.shape[1]
    net = ElasticNet(0.15 / d, l1_ratio=1 / 3, **FINE)
    codes = baselines.get("ensc").run(points, 3).codes.toarray()
    np.testing.assert_allclose(codes, columnwise(points, lambda i: net), atol=1e-3)


def test_the_active_set_baseline_solves_its_authors_problem(points):
    l1, gamma, d = 0.9, 50.0, points.shape[1]

    def net(i):
        scale = gamma * l1 / np.abs(np.delete(points @ points[i], i)).max()
        return ElasticNet(1.0 / scale / d, l1_ratio=l1, **FINE)

    codes = baselines.get("ensc_active").run(points, 3).codes.toarray()
    np.testing.assert_allclose(codes, columnwise(points, net), atol=2e-3)


@pytest.mark.parametrize("entries", [1, 3, 6])
def test_pursuit_is_scikit_learn_s(points, entries):
    codes = pursuit_codes(points, entries).toarray()
    for i in range(len(points)):
        A, at = others(points, i)
        reference = orthogonal_mp_gram(A.T @ A, A.T @ points[i], n_nonzero_coefs=entries)
        np.testing.assert_allclose(codes[i, at], reference, atol=1e-9)
        assert codes[i, i] == 0


def test_pursuit_stops_when_nothing_is_left():
    X = unit(make_union_of_subspaces(3, 2, 20, 20, noise=0.0, random_state=2)[0])
    codes = pursuit_codes(X, 10)
    assert (np.diff(codes.indptr) <= 2).all()
    np.testing.assert_allclose(codes @ X, X, atol=1e-6)


def test_lsr_is_a_ridge_regression_of_each_point_by_the_others(points):
    codes = baselines.get("lsr").run(points, 3, beta=2.0).codes
    for i in range(0, len(points), 7):
        A, at = others(points, i)
        reference = np.linalg.solve(A.T @ A + 0.5 * np.eye(len(at)), A.T @ points[i])
        np.testing.assert_allclose(codes[i, at], reference, atol=1e-9)


def test_lrr_reaches_the_optimum_cvxpy_finds():
    import cvxpy as cp

    X = unit(make_union_of_subspaces(2, 2, 8, 9, noise=0.2, random_state=4)[0])
    Z = cp.Variable((18, 18))
    problem = cp.Problem(cp.Minimize(cp.normNuc(Z) + cp.sum(cp.norm(X.T - X.T @ Z, 2, axis=0))))
    problem.solve(solver="CLARABEL")
    codes = baselines.get("lrr").run(X, 2, tol=1e-5).codes
    found = np.linalg.norm(codes, "nuc") + np.linalg.norm(X - codes @ X, axis=1).sum()
    assert problem.value * (1 - 1e-6) <= found <= problem.value * (1 + 1e-4)


def test_latent_lrr_reaches_the_optimum_cvxpy_finds():
    import cvxpy as cp

    from leasc_core.baselines.solvers.latent_low_rank import latent_low_rank

    X = unit(make_union_of_subspaces(2, 2, 8, 9, noise=0.2, random_state=4)[0]).T
    for weight in (0.4, 0.15):
        Z, L = cp.Variable((18, 18)), cp.Variable((8, 8))
        problem = cp.Problem(cp.Minimize(cp.normNuc(Z) + cp.normNuc(L) + weight * cp.sum(cp.abs(X - X @ Z - L @ X))))
        problem.solve(solver="CLARABEL")
        got = latent_low_rank(X, weight, tol=1e-7, max_iter=5000)
        np.testing.assert_allclose(got.errors, X - X @ got.codes - got.map @ X, atol=1e-8)
        found = np.linalg.norm(got.codes, "nuc") + np.linalg.norm(got.map, "nuc") + weight * np.abs(got.errors).sum()
        assert problem.value * (1 - 1e-6) <= found <= problem.value * (1 + 1e-4)
