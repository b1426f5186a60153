"""Algorithm 2 watched: the same iterates as the solver's, the lines of the paper between them, and what breaks them."""

import numpy as np
import pytest

from leasc_core.coding.paper import Schedule, proximal_weights
from leasc_core.coding.problem import DEFAULT_BETA, DEFAULT_NOISE
from leasc_core.coding.solve import solve_codes
from leasc_core.coding.trace import DIVERGED, certified_bound, trace_paper
from leasc_core.data.synthetic import four_rays

NORMS = ("l1", "nuclear", "f2")
each_norm = pytest.mark.parametrize("norm", NORMS)


def problem(norm):
    return {"variant": norm, "beta": DEFAULT_BETA[norm], "noise": DEFAULT_NOISE[norm], "zero_diagonal": norm != "nuclear"}


@pytest.fixture(scope="module")
def points():
    """Twelve columns, three of each ray."""
    return four_rays(0)[0][10:800:66].T


@pytest.fixture(scope="module")
def bounds(points):
    return {norm: certified_bound(points, **problem(norm))[0] for norm in NORMS}


def objective(X, Z, norm):
    """Eq. 8 without the network term, by numpy's norms."""
    E = X - X @ Z
    codes = {"l1": np.abs(Z).sum(), "nuclear": np.linalg.norm(Z, "nuc"), "f2": (Z**2).sum()}[norm]
    return codes + DEFAULT_BETA[norm] * ((E**2).sum() if norm == "f2" else np.linalg.norm(E, axis=0).sum())


@each_norm
def test_the_trace_is_the_solver(points, bounds, norm):
    trace = trace_paper(points, bound=bounds[norm], **problem(norm))
    solved = solve_codes(points, solver="paper", **problem(norm))
    assert trace.stopped and solved.converged and not trace.diverged
    assert [now.residual for now in trace.steps] == [event.residual for event in solved.history]
    assert [now.mu for now in trace.steps] == [event.mu for event in solved.history]
    np.testing.assert_array_equal(trace.steps[-1].J, solved.codes)


def test_between_two_iterates_lie_the_lines_of_the_paper(points, bounds):
    """Written out anew for ℓ1 and ℓ2,1: soft thresholds, and columns that shrink."""
    X = points / np.linalg.norm(points, 2)
    weight, weight_E = proximal_weights(X, 1.0)
    beta = DEFAULT_BETA["l1"] * np.linalg.norm(points, 2)
    steps = trace_paper(points, bound=bounds["l1"], **problem("l1")).steps
    for old, new in zip(steps[20:50], steps[21:51], strict=True):
        mu = new.mu
        r1, r2 = old.Z - old.J, X - X @ old.Z - old.E
        J = old.J + (r1 + old.Q1 / mu) / weight
        J = np.sign(J) * np.maximum(np.abs(J) - 1 / (weight * mu), 0)
        Z = old.Z + (X.T @ (r2 + old.Q2 / mu) - (r1 + old.Q1 / mu)) / weight
        E = old.E + (r2 + old.Q2 / mu) / weight_E
        lengths = np.linalg.norm(E, axis=0)
        E = E * np.maximum(1 - beta / (weight_E * mu) / np.maximum(lengths, 1e-300), 0)
        for wanted, found in ((J, new.J), (Z, new.Z)):
            np.fill_diagonal(wanted, 0)
            np.testing.assert_allclose(found, wanted, atol=1e-12)
        np.testing.assert_allclose(new.E, E, atol=1e-12)
        np.testing.assert_allclose(new.Q1, old.Q1 + mu * (new.Z - new.J), atol=1e-10)
        np.testing.assert_allclose(new.Q2, old.Q2 + mu * (X - X @ new.Z - new.E), atol=1e-10)
        assert mu == pytest.approx(1.2 * old.mu)


@each_norm
def test_gaps_bound_the_distance_to_the_optimum(points, bounds, norm):
    trace = trace_paper(points, bound=bounds[norm], **problem(norm))
    best = objective(points, solve_codes(points, tol=1e-4, max_iter=20_000, **problem(norm)).codes, norm)
    assert bounds[norm] <= best * (1 + 1e-9)
    for now, gap in zip(trace.steps, trace.gaps, strict=True):
        cost = objective(points, now.J, norm)
        assert (cost - best) / cost <= gap + 1e-9


@each_norm
def test_the_printed_sign_diverges(points, bounds, norm):
    trace = trace_paper(points, bound=bounds[norm], sign=-1.0, **problem(norm))
    assert trace.diverged and not trace.stopped
    assert trace.steps[-1].residual > DIVERGED > 1e6 * trace.steps[0].residual


@each_norm
def test_gamma_beyond_two_diverges_unless_it_is_stopped_in_time(points, bounds, norm):
    restless = Schedule(gamma=3.0, tolerance=0.0)
    trace = trace_paper(points, bound=bounds[norm], schedule=restless, max_iter=300, **problem(norm))
    assert trace.diverged and not trace.stopped


@each_norm
def test_mu_in_a_hurry_freezes_far_from_the_optimum(points, bounds, norm):
    """It stops sooner and content, and its gap, which hardly moves any more, is larger than where μ grows slowly."""
    slow = trace_paper(points, bound=bounds[norm], **problem(norm))
    fast = trace_paper(points, bound=bounds[norm], schedule=Schedule(rho=3.0, tolerance=0.0), max_iter=60, **problem(norm))
    at = next(i for i, now in enumerate(fast.steps) if now.residual < Schedule().tolerance)
    assert at + 1 < len(slow.steps)
    assert fast.gaps[at] > 1.5 * slow.gaps[-1]
    assert fast.gaps[-1] > 0.98 * fast.gaps[at]
