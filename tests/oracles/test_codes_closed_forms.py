"""Codes that theory gives in closed form, and plain PCM (E = 0) against linear programming."""

import numpy as np
import pytest
from scipy.optimize import linprog

from leasc_core.coding.solve import solve_codes
from leasc_core.data.synthetic import make_union_of_subspaces
from leasc_core.errors import DataError


def union(n_per_subspace=8, seed=0):
    """Noiseless points (columns) on three independent planes in R⁹: each plane expresses its own."""
    Y, y = make_union_of_subspaces(3, 2, 9, n_per_subspace, noise=0.0, random_state=seed)
    return Y.T, y


@pytest.mark.parametrize("shape", [(6, 15), (15, 6), (8, 8)])
@pytest.mark.parametrize("beta", [0.05, 0.5, 20.0])
def test_nuclear_with_squared_noise_shrinks_singular_values(shape, beta):
    """min ᾱ‖Z‖_* + β‖X − XZ‖²: with X = UΣVᵀ, Z = V diag(p) Vᵀ and each p minimises ᾱp + βσ²(1 − p)²."""
    X = np.random.default_rng(1).standard_normal(shape)
    _, s, Vt = np.linalg.svd(X, full_matrices=False)
    expected = (Vt.T * np.maximum(0, 1 - 0.7 / (2 * beta * s**2))) @ Vt
    found = solve_codes(X, "nuclear", alpha_bar=0.7, beta=beta, noise="f2", zero_diagonal=False, tol=1e-11, max_iter=20_000)
    assert found.converged
    assert np.abs(found.codes - expected).max() <= 1e-4


@pytest.mark.parametrize("variant", ["nuclear", "f2"])
def test_plain_pcm_without_a_diagonal_is_the_shape_interaction_matrix(variant):
    """min ‖Z‖ s.t. X = XZ is V_r V_rᵀ for both norms (Liu et al. 2013): no link between planes."""
    X, y = union()
    _, s, Vt = np.linalg.svd(X, full_matrices=False)
    V = Vt[s > 1e-8 * s[0]].T
    Z = solve_codes(X, variant, noise="none", zero_diagonal=False, tol=1e-9).codes
    assert V.shape[1] == 6
    assert np.abs(Z - V @ V.T).max() <= 1e-6
    assert np.abs(Z[y[:, None] != y]).max() <= 1e-6


def test_plain_pcm_f2_is_the_shortest_expression_by_the_others():
    X, _ = union()
    Z = solve_codes(X, "f2", noise="none").codes
    for j in range(X.shape[1]):
        shortest = np.linalg.lstsq(np.delete(X, j, axis=1), X[:, j], rcond=1e-10)[0]
        assert np.abs(np.delete(Z[:, j], j) - shortest).max() <= 1e-10
        assert abs(Z[j, j]) <= 1e-10


@pytest.mark.parametrize("variant", ["f2", "l1", "nuclear", "elastic_net"])
@pytest.mark.parametrize("zero_diagonal", [True, False])
@pytest.mark.parametrize("magnitude", [1e-5, 1.0, 1e5])
def test_plain_pcm_expresses_every_point(variant, zero_diagonal, magnitude):
    X = magnitude * union()[0]
    found = solve_codes(X, variant, alpha=0.5, noise="none", zero_diagonal=zero_diagonal)
    assert np.abs(X - X @ found.codes).max() <= 1e-8 * magnitude
    assert not found.errors.any()
    assert found.converged
    if zero_diagonal:
        assert np.abs(np.diag(found.codes)).max() <= 1e-10


def test_plain_pcm_l1_is_basis_pursuit():
    """min ‖z‖₁ s.t. x_j = X₋ⱼ z, as a linear programme over positive and negative parts."""
    X, y = union(6)
    found = solve_codes(X, "l1", noise="none", tol=1e-7, max_iter=20_000)
    for j in range(X.shape[1]):
        others = np.delete(X, j, axis=1)
        m = others.shape[1]
        exact = linprog(np.ones(2 * m), A_eq=np.hstack([others, -others]), b_eq=X[:, j], bounds=(0, None))
        assert exact.status == 0
        assert np.abs(found.codes[:, j]).sum() == pytest.approx(exact.fun, rel=1e-5)
    assert found.gap <= 1e-7
    assert np.abs(found.codes[y[:, None] != y]).max() <= 1e-5, "basis pursuit keeps to the subspace"


@pytest.mark.parametrize("variant", ["f2", "l1", "nuclear", "elastic_net"])
def test_a_point_no_other_can_express_is_named(variant):
    X, _ = union()
    X = np.vstack([X, np.zeros(X.shape[1])])
    X[-1, 5] = 1.0
    with pytest.raises(DataError, match=r"Point 5 .*1 such point.*zero_diagonal=False"):
        solve_codes(X, variant, alpha=0.5, noise="none")
    allowed = solve_codes(X, variant, alpha=0.5, noise="none", zero_diagonal=False)
    assert allowed.codes[5, 5] == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("variant", ["l1", "nuclear", "elastic_net"])
def test_huge_noise_weight_tends_to_plain_pcm(variant):
    """β → ∞ forbids noise: the two problems meet."""
    X, _ = union(6)
    zero_diagonal = variant != "nuclear"
    pcm = solve_codes(X, variant, alpha=0.5, noise="none", zero_diagonal=zero_diagonal, tol=1e-7)
    rpcm = solve_codes(X, variant, alpha=0.5, beta=1e3, noise="l21", zero_diagonal=zero_diagonal, tol=1e-7, max_iter=20_000)
    assert rpcm.history[-1].objective == pytest.approx(pcm.history[-1].objective, rel=1e-4)
    assert np.abs(rpcm.errors).max() <= 1e-5
