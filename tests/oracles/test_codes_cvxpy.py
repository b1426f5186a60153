"""Codes against cvxpy with an interior-point solver: the optimum, the certificate, and weak duality."""

from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leasc_core.coding.problem import CodingProblem, code_penalty, noise_penalty
from leasc_core.coding.solve import solve_codes

ALPHA_BAR, ALPHA, BETA = 0.8, 0.4, 1.5
CASES = [
    (variant, noise, zero_diagonal)
    for variant in ("l1", "elastic_net", "nuclear", "f2")
    for noise in ("l21", "f2", "l1", "none")
    for zero_diagonal in (True, False)
]


def points(shape=(5, 9), seed=7):
    """Columns near two planes, so that codes are neither all zero nor trivial."""
    rng = np.random.default_rng(seed)
    d, n = shape
    first, second = rng.standard_normal((2, d, 2))
    weights = rng.standard_normal((2, n))
    clean = np.hstack([first @ weights[:, : n // 2], second @ weights[:, n // 2 :]])
    return clean + 0.1 * rng.standard_normal(shape)


def objective_by_definition(Z, E, variant, noise):
    """Eq. 8 without the network term, written with numpy's own norms."""
    codes = {
        "l1": lambda: np.abs(Z).sum(),
        "nuclear": lambda: np.linalg.norm(Z, "nuc"),
        "f2": lambda: (Z**2).sum(),
        "elastic_net": lambda: np.abs(Z).sum() + ALPHA / ALPHA_BAR * (Z**2).sum(),
    }
    noises = {
        "l21": lambda: np.linalg.norm(E, axis=0).sum(),
        "l1": lambda: np.abs(E).sum(),
        "f2": lambda: (E**2).sum(),
        "none": lambda: 0.0,
    }
    return ALPHA_BAR * codes[variant]() + BETA * noises[noise]()


@lru_cache
def optimum(variant, noise, zero_diagonal, shape=(5, 9), affine=False):
    """What Clarabel finds for the same problem."""
    import cvxpy as cp

    X = points(shape)
    Z, E = cp.Variable((X.shape[1],) * 2), cp.Variable(X.shape)
    codes = {
        "l1": lambda: cp.sum(cp.abs(Z)),
        "nuclear": lambda: cp.normNuc(Z),
        "f2": lambda: cp.sum_squares(Z),
        "elastic_net": lambda: cp.sum(cp.abs(Z)) + ALPHA / ALPHA_BAR * cp.sum_squares(Z),
    }
    noises = {
        "l21": lambda: cp.sum(cp.norm(E, 2, axis=0)),
        "l1": lambda: cp.sum(cp.abs(E)),
        "f2": lambda: cp.sum_squares(E),
        "none": lambda: 0.0,
    }
    constraints = [X == X @ Z + E] + [cp.diag(Z) == 0] * zero_diagonal + [E == 0] * (noise == "none")
    constraints += [cp.sum(Z, axis=0) == 1] * affine
    problem = cp.Problem(cp.Minimize(ALPHA_BAR * codes[variant]() + BETA * noises[noise]()), constraints)
    problem.solve(solver="CLARABEL")
    assert problem.status == "optimal"
    return problem.value


@pytest.mark.parametrize(("variant", "noise", "zero_diagonal"), CASES)
def test_codes_are_optimal_and_certified(variant, noise, zero_diagonal):
    check_against_clarabel(variant, noise, zero_diagonal, (5, 9))


@pytest.mark.parametrize("variant", ["l1", "elastic_net", "nuclear"])
def test_codes_are_optimal_where_features_outnumber_points(variant):
    check_against_clarabel(variant, "l21", variant != "nuclear", (11, 7))


@pytest.mark.parametrize("zero_diagonal", [True, False])
@pytest.mark.parametrize(
    ("variant", "noise"),
    [
        ("l1", "l21"),
        ("l1", "f2"),
        ("elastic_net", "l21"),
        ("nuclear", "l21"),
        ("f2", "f2"),
        ("f2", "l21"),
        ("l1", "none"),
        ("f2", "none"),
    ],
)
def test_affine_codes_are_optimal_certified_and_sum_to_one(variant, noise, zero_diagonal):
    check_against_clarabel(variant, noise, zero_diagonal, (5, 9), affine=True)


def check_against_clarabel(variant, noise, zero_diagonal, shape, affine=False):
    X = points(shape)
    # ℓ1 codes with ℓ1 noise are a linear programme: nothing is curved, so ADMM circles the optimal vertex and
    # may need tens of thousands of iterations for 1e-6.
    tol = 1e-4 if (variant, noise) == ("l1", "l1") else 1e-6
    found = solve_codes(
        X,
        variant,
        alpha_bar=ALPHA_BAR,
        alpha=ALPHA,
        beta=BETA,
        noise=noise,
        zero_diagonal=zero_diagonal,
        affine=affine,
        tol=tol,
        max_iter=20_000,
    )
    best = optimum(variant, noise, zero_diagonal, shape, affine)
    reached = objective_by_definition(found.codes, found.errors, variant, noise)
    assert found.converged
    assert 0 <= found.gap <= tol
    assert reached == pytest.approx(best, rel=max(1e-5, tol))
    assert reached * (1 - found.gap) <= best * (1 + 1e-6), "the certified lower bound exceeds the optimum"
    assert np.allclose(found.errors, X - X @ found.codes, atol=1e-9)
    if affine:
        assert np.allclose(found.codes.sum(axis=0), 1.0, atol=1e-8)
    if zero_diagonal:
        assert np.abs(np.diag(found.codes)).max() <= 1e-10


@pytest.mark.parametrize(
    ("variant", "noise", "zero_diagonal"),
    [(v, e, z) for v, e, z in CASES if (v, e) not in {("f2", "f2"), ("f2", "none")}],
)
@settings(max_examples=15)
@given(seed=st.integers(0, 2**32 - 1), magnitude=st.floats(1e-3, 1e2))
def test_no_multiplier_bounds_from_above(variant, noise, zero_diagonal, seed, magnitude):
    """Weak duality: whatever Q and λ are, the bound stays below the optimum."""
    X, rng = points(), np.random.default_rng(seed)
    R, N = code_penalty(variant, ALPHA_BAR, ALPHA), noise_penalty(noise, BETA)
    problem = CodingProblem(X, X, R, N, zero_diagonal)
    best = optimum(variant, noise, zero_diagonal)
    for Q in (rng.standard_normal(X.shape), X @ rng.standard_normal((X.shape[1],) * 2), X):
        bound = problem.dual_bound(magnitude * Q, magnitude * rng.standard_normal(X.shape[1]))
        assert np.isfinite(bound), "Q is shrunk into the domain of both conjugates"
        assert bound <= best + 1e-6 * abs(best)


def test_dual_bound_needs_no_diagonal_multiplier():
    """λ is optional: without it the bound is that of λ = 0."""
    X = points()
    problem = CodingProblem(X, X, code_penalty("nuclear", 1.0, 0.0), noise_penalty("l21", 1.0), True)
    assert problem.dual_bound(X) == problem.dual_bound(X, np.zeros(X.shape[1]))


def test_a_dictionary_of_its_own():
    """A ≠ X: points coded over other points, the form the row-space reduction relies on."""
    import cvxpy as cp

    from leasc_core.coding.exact import solve_exact

    A, X = points((5, 6), seed=1), points((5, 4), seed=2)
    problem = CodingProblem(A, X, code_penalty("l1", ALPHA_BAR, 0.0), noise_penalty("l21", BETA))
    found = solve_exact(problem, tol=1e-6, max_iter=20_000)
    Z = cp.Variable((6, 4))
    misfit = cp.sum(cp.norm(X - A @ Z, 2, axis=0))
    best = cp.Problem(cp.Minimize(ALPHA_BAR * cp.sum(cp.abs(Z)) + BETA * misfit)).solve(solver="CLARABEL")
    assert sum(problem.terms(found.codes, found.errors)) == pytest.approx(best, rel=1e-5)
