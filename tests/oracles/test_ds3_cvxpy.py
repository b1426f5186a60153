"""DS3's convex programme against an interior-point solver, and against every subset of a few points."""

from itertools import combinations

import cvxpy as cp
import numpy as np
import pytest
from scipy.spatial.distance import cdist

from leasc_core.selectors.ds3 import largest_strength
from leasc_core.selectors.ds3_solver import solve_ds3


def tables():
    """Distances in the plane and in space, with duplicates, and a table that is no distance at all."""
    rng = np.random.default_rng(11)
    plane, space = rng.standard_normal((40, 2)), rng.standard_normal((25, 6))
    grid = np.stack(np.meshgrid(np.arange(5.0), np.arange(4.0)), axis=-1).reshape(-1, 2)
    twice = np.concatenate([grid[:12], grid[:12]])
    return {
        "plane": cdist(plane, plane),
        "space": cdist(space, space),
        "grid": cdist(grid, grid),
        "duplicates": cdist(twice, twice),
        "no distance, 20 candidates for 35 points": rng.uniform(0, 3, (20, 35)),
    }


def optimum(D, strength, norm):
    Z = cp.Variable(D.shape, nonneg=True)
    rows = cp.sum(cp.norm(Z, "inf" if norm == "inf" else 2, axis=1))
    problem = cp.Problem(cp.Minimize(cp.sum(cp.multiply(D, Z)) + strength * rows), [cp.sum(Z, axis=0) == 1])
    return problem.solve(solver=cp.CLARABEL)


def cost(D, Z, strength, norm):
    lengths = np.abs(Z).max(axis=1) if norm == "inf" else np.linalg.norm(Z, axis=1)
    return np.sum(D * Z) + strength * lengths.sum()


@pytest.mark.parametrize("relative", [1e-3, 0.01, 0.1, 0.5])
@pytest.mark.parametrize("norm", ["inf", 2])
@pytest.mark.parametrize("name", tables())
def test_the_objective_is_the_optimum_and_the_codes_are_feasible(name, norm, relative):
    D = tables()[name]
    strength = relative * largest_strength(D, norm)
    Z, objective, _ = solve_ds3(D, strength, norm, tol=1e-6)
    assert objective == pytest.approx(optimum(D, strength, norm), rel=1e-5)
    assert objective == pytest.approx(cost(D, Z, strength, norm), rel=1e-12)
    assert Z.min() >= 0
    np.testing.assert_allclose(Z.sum(axis=0), 1, atol=1e-12)


def test_no_subset_of_representatives_does_better():
    """The programme relaxes the choice of a subset: it bounds the best one, and equals it where its rows are whole."""
    rng = np.random.default_rng(3)
    for _ in range(5):
        points = rng.standard_normal((9, 2))
        D = cdist(points, points)
        for strength in (0.2, 1.0, 3.0):
            best = min(
                strength * size + D[list(subset)].min(axis=0).sum()
                for size in range(1, 10)
                for subset in combinations(range(9), size)
            )
            Z, objective, _ = solve_ds3(D, strength, "inf", tol=1e-8)
            assert objective <= best * (1 + 1e-7)
            if np.abs(Z - np.round(Z)).max() < 1e-6:
                assert objective == pytest.approx(best, rel=1e-6)
