"""With squared noise every column of the codes is a regression that scikit-learn can solve on its own."""

import numpy as np
import pytest
from sklearn.linear_model import ElasticNet, Lasso, Ridge

from leasc_core.coding.solve import solve_codes

SHAPES = [(6, 15), (20, 12), (12, 12)]
BETAS = [0.05, 1.0, 30.0]


def points(shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


def column_by_column(X, regression, zero_diagonal):
    """Regress each column on the others (or on all of them); row i of a column is the weight of column i."""
    n = X.shape[1]
    Z = np.zeros((n, n))
    for j in range(n):
        used = np.arange(n) != j if zero_diagonal else np.full(n, True)
        Z[used, j] = regression.fit(X[:, used], X[:, j]).coef_
    return Z


@pytest.mark.parametrize("zero_diagonal", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("beta", BETAS)
def test_f2_is_ridge(shape, beta, zero_diagonal):
    X = points(shape)
    found = solve_codes(X, "f2", alpha_bar=0.7, beta=beta, noise="f2", zero_diagonal=zero_diagonal)
    ridge = Ridge(alpha=0.7 / beta, fit_intercept=False, solver="svd")
    assert np.abs(found.codes - column_by_column(X, ridge, zero_diagonal)).max() <= 1e-10
    assert np.allclose(found.errors, X - X @ found.codes)
    assert found.converged
    assert found.gap == 0.0


@pytest.mark.parametrize("magnitude", [1e-4, 1e4])
def test_f2_of_tiny_and_huge_data(magnitude):
    """λ far below or above XᵀX: the closed form still gives what a QR of each regression gives."""
    X = magnitude * points((20, 12))
    found = solve_codes(X, "f2", beta=1.0, noise="f2").codes
    for j in range(12):
        others = np.delete(X, j, axis=1)
        stacked = np.vstack([others, np.eye(11)])
        expected = np.linalg.lstsq(stacked, np.append(X[:, j], np.zeros(11)), rcond=None)[0]
        assert np.allclose(np.delete(found[:, j], j), expected, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("zero_diagonal", [True, False])
@pytest.mark.parametrize("shape", [(6, 10), (20, 10)])
@pytest.mark.parametrize("magnitude", [1.0, 1e3, 1e6, 1e9])
def test_f2_with_duplicate_points(shape, magnitude, zero_diagonal):
    """Duplicates make XᵀX singular; codes stay those of the SVD however large the data are beside λ."""
    X = magnitude * np.repeat(points((shape[0], shape[1] // 2)), 2, axis=1)
    ridge = Ridge(alpha=1.0, fit_intercept=False, solver="svd")
    found = solve_codes(X, "f2", beta=1.0, noise="f2", zero_diagonal=zero_diagonal).codes
    assert np.abs(found - column_by_column(X, ridge, zero_diagonal)).max() <= 1e-6


@pytest.mark.parametrize("zero_diagonal", [True, False])
@pytest.mark.parametrize("shape", SHAPES[:2])
@pytest.mark.parametrize("beta", [0.2, 2.0])
def test_l1_is_lasso(shape, beta, zero_diagonal):
    """β‖x − Xz‖² + ᾱ‖z‖₁ is scikit-learn's ‖x − Xz‖²/2d + a‖z‖₁ with a = ᾱ/2dβ."""
    X = points(shape)
    lasso = Lasso(alpha=0.7 / (2 * shape[0] * beta), fit_intercept=False, tol=1e-14, max_iter=1_000_000)
    expected = column_by_column(X, lasso, zero_diagonal)
    found = solve_codes(X, "l1", alpha_bar=0.7, beta=beta, noise="f2", zero_diagonal=zero_diagonal, tol=1e-10, max_iter=20_000)
    assert found.converged
    assert np.abs(found.codes - expected).max() <= 1e-4
    assert squared_misfit(X, found.codes, 0.7, 0.0, beta) == pytest.approx(squared_misfit(X, expected, 0.7, 0.0, beta), rel=1e-9)


@pytest.mark.parametrize("zero_diagonal", [True, False])
@pytest.mark.parametrize("shape", SHAPES[:2])
@pytest.mark.parametrize("alpha", [0.02, 1.5])
def test_elastic_net_is_elastic_net(shape, alpha, zero_diagonal):
    """β‖x − Xz‖² + ᾱ‖z‖₁ + α‖z‖² over 2dβ: a·ρ = ᾱ/2dβ and a·(1 − ρ)/2 = α/2dβ."""
    X, beta, alpha_bar = points(shape), 1.3, 0.7
    total = (alpha_bar + 2 * alpha) / (2 * shape[0] * beta)
    share = alpha_bar / (alpha_bar + 2 * alpha)
    net = ElasticNet(total, l1_ratio=share, fit_intercept=False, tol=1e-14, max_iter=1_000_000)
    expected = column_by_column(X, net, zero_diagonal)
    weights = {"alpha_bar": alpha_bar, "alpha": alpha, "beta": beta}
    found = solve_codes(X, "elastic_net", **weights, noise="f2", zero_diagonal=zero_diagonal, tol=1e-11, max_iter=20_000)
    assert found.converged
    assert np.abs(found.codes - expected).max() <= 1e-4
    assert squared_misfit(X, found.codes, alpha_bar, alpha, beta) == pytest.approx(
        squared_misfit(X, expected, alpha_bar, alpha, beta), rel=1e-9
    )


def squared_misfit(X, Z, alpha_bar, alpha, beta):
    return alpha_bar * np.abs(Z).sum() + alpha * (Z**2).sum() + beta * ((X - X @ Z) ** 2).sum()
