"""Algorithm 2 on the paper's example: it converges, the printed sign does not, and Fig. 9 can be drawn from it."""

import numpy as np
import pytest

from leasc_core.coding.paper import Schedule, proximal_weights
from leasc_core.coding.problem import DEFAULT_NOISE, VARIANTS
from leasc_core.coding.solve import solve_codes
from leasc_core.data.synthetic import four_rays
from leasc_core.events import CodeSnapshot, CodingIteration, Reporter

ALPHA = 0.5
BETAS = [0.1, 1.0, 10.0, 100.0]


@pytest.fixture(scope="module")
def representatives():
    """88 columns, 22 of each ray."""
    Y, y = four_rays()
    rng = np.random.default_rng(0)
    return Y[np.concatenate([rng.choice(np.flatnonzero(y == ray), 22, replace=False) for ray in range(4)])].T


def solve(X, variant, beta, solver="paper", **options):
    return solve_codes(
        X,
        variant,
        alpha=ALPHA,
        beta=beta,
        noise=DEFAULT_NOISE[variant],
        zero_diagonal=variant != "nuclear",
        solver=solver,
        **options,
    )


NORMS = {
    "f2": lambda Z: (Z**2).sum(),
    "l1": lambda Z: np.abs(Z).sum(),
    "nuclear": lambda Z: np.linalg.norm(Z, "nuc"),
    "elastic_net": lambda Z: np.abs(Z).sum() + ALPHA * (Z**2).sum(),
}


def objective(Z, E, variant, beta):
    """Eq. 8 without the network term, by numpy's norms."""
    return NORMS[variant](Z) + beta * ((E**2).sum() if variant == "f2" else np.linalg.norm(E, axis=0).sum())


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("beta", BETAS)
def test_converges_in_under_200_iterations(representatives, variant, beta):
    X = representatives
    found = solve(X, variant, beta)
    assert found.converged
    assert len(found.history) < 200
    assert found.history[-1].residual < 1e-4
    assert found.gap is None, "Algorithm 2 certifies nothing"
    # The split is closed in the data's own unit as well: J and E alone explain X.
    unexplained = X - X @ found.codes - found.errors
    assert np.linalg.norm(unexplained) <= 2e-2 * np.linalg.norm(X, 2)
    if variant != "nuclear":
        assert not np.diag(found.codes).any()


@pytest.mark.parametrize("variant", NORMS)
@pytest.mark.parametrize("beta", [1.0, 10.0])
def test_never_better_than_the_exact_optimum(representatives, variant, beta):
    """Its codes are feasible, so their objective bounds the optimum from above."""
    X = representatives
    best = solve(X, variant, beta, "exact", tol=1e-4, max_iter=20_000)
    assert best.gap <= 1e-4
    optimum = objective(best.codes, best.errors, variant, beta)
    found = solve(X, variant, beta)
    assert objective(found.codes, X - X @ found.codes, variant, beta) >= optimum * (1 - 2e-4)
    # R₂ is taken at Z, which differs from J by the residual; everything else is exact.
    reported = found.history[-1].objective
    assert reported == pytest.approx(objective(found.codes, found.errors, variant, beta), rel=1e-3)


@pytest.mark.parametrize("variant", VARIANTS)
def test_history_has_what_figure_9_plots(representatives, variant):
    seen = []
    found = solve(representatives, variant, 1.0, reporter=Reporter(seen.append))
    iterations = [event for event in seen if isinstance(event, CodingIteration)]
    assert iterations == found.history
    assert [event.iteration for event in iterations] == list(range(1, len(iterations) + 1))
    numbers = np.array([[e.residual, e.objective, e.codes_term, e.noise_term, e.mu] for e in iterations])
    assert np.isfinite(numbers).all()
    assert (numbers >= 0).all()
    assert np.allclose(numbers[:, 1], numbers[:, 2] + numbers[:, 3])
    assert np.allclose(numbers[1:, 4] / numbers[:-1, 4], 1.2)
    snapshots = [event for event in seen if isinstance(event, CodeSnapshot)]
    assert snapshots
    n, d = representatives.shape[1], representatives.shape[0]
    assert {(s.codes.shape, s.errors.shape) for s in snapshots} == {((n, n), (n, d))}


def algorithm_2(X, beta, alpha, sign, iterations, gamma=1.0):
    """Lines 8–11 written from METHOD (ℓ1 codes, ℓ2,1 noise), with the sign of Q/μ to choose; ‖r‖² of each iteration."""
    d, n = X.shape
    J, Z, E, Q1, Q2 = np.zeros((n, n)), np.zeros((n, n)), np.zeros((d, n)), np.zeros((n, n)), np.zeros((d, n))
    stacked = np.block([[np.eye(n), -np.eye(n)], [np.zeros((d, n)), X]])
    mu, residuals = 1e-2, []
    for _ in range(iterations):
        damping = 1.01 * 2 / (2 - gamma)
        tau, tau_E = damping * mu * np.linalg.norm(stacked, 2) ** 2, damping * mu
        r1, r2 = Z - J, X - X @ Z - E
        s1, s2 = r1 + sign * Q1 / mu, r2 + sign * Q2 / mu
        J_new = soft(J + mu / tau * s1, 1 / tau)
        Z_new = (Z + mu / tau * (X.T @ s2 - s1)) / (1 + 2 * alpha / tau)
        E = shrink_columns(E + mu / tau_E * s2, beta / tau_E)
        J, Z = J_new - np.diag(np.diag(J_new)), Z_new - np.diag(np.diag(Z_new))
        Q1, Q2 = Q1 + gamma * mu * (Z - J), Q2 + gamma * mu * (X - X @ Z - E)
        residuals.append(np.sum((Z - J) ** 2) + np.sum((X - X @ Z - E) ** 2))
        mu = min(1.2 * mu, 1e6)
    return np.array(residuals), J


def soft(A, t):
    return np.sign(A) * np.maximum(np.abs(A) - t, 0)


def shrink_columns(A, t):
    norms = np.linalg.norm(A, axis=0)
    return A * np.maximum(0, 1 - t / np.maximum(norms, 1e-300))


@pytest.mark.parametrize(("alpha", "gamma"), [(0.0, 1.0), (ALPHA, 1.0), (0.0, 0.5), (ALPHA, 1.5)])
def test_same_path_as_a_plain_loop_and_the_printed_sign_diverges(representatives, alpha, gamma):
    unit, beta = np.linalg.norm(representatives, 2), 10.0
    found = solve_codes(
        representatives,
        "elastic_net" if alpha else "l1",
        alpha=alpha,
        beta=beta / unit,
        noise="l21",
        solver="paper",
        schedule=Schedule(gamma=gamma),
    )
    assert found.converged
    steps = len(found.history)
    right, codes = algorithm_2(representatives / unit, beta, alpha, +1, steps, gamma)
    assert np.allclose([event.residual for event in found.history], right, rtol=1e-6, atol=1e-12)
    assert np.allclose(found.codes, codes, atol=1e-8)
    wrong, _ = algorithm_2(representatives / unit, beta, alpha, -1, steps, gamma)
    assert right[-1] < 1e-4
    assert wrong[-1] > 1.0
    assert wrong[-1] > 10 * wrong[0]


def test_measuring_in_another_unit_changes_the_codes_of_no_variant(representatives):
    """x → cx with β → β/c (ℓ2,1 noise) is the same problem, and the same path."""
    first = solve(representatives, "l1", 5.0)
    second = solve(1000 * representatives, "l1", 5.0 / 1000)
    assert np.allclose(first.codes, second.codes, atol=1e-9)
    assert np.allclose(1000 * first.errors, second.errors, atol=1e-6)


@pytest.mark.parametrize("gamma", [0.5, 1.0, 1.5])
def test_proximal_weights_exceed_the_bound_of_eq_17(gamma):
    X = np.random.default_rng(0).standard_normal((4, 6))
    A1 = np.block([[np.eye(6), -np.eye(6)], [np.zeros((4, 6)), X]])
    weight_Z, weight_E = proximal_weights(X, gamma)
    bound = 2 / (2 - gamma)
    assert bound * np.linalg.norm(A1, 2) ** 2 < weight_Z < 1.05 * bound * np.linalg.norm(A1, 2) ** 2
    assert bound < weight_E < 1.05 * bound


def test_constant_penalty_parameter_reaches_the_optimum(representatives):
    """With ρ = 1 the theory of Jacobi-proximal ADMM holds, and so does the optimum; with ρ = 1.2 it freezes early."""
    X = representatives[:, ::4]
    constant = Schedule(mu=1.0, rho=1.0, tolerance=1e-14)
    best, patient, frozen = (
        objective(Z, X - X @ Z, "elastic_net", 1.0)
        for Z in (
            solve(X, "elastic_net", 1.0, "exact", tol=1e-7, max_iter=20_000).codes,
            solve(X, "elastic_net", 1.0, schedule=constant, max_iter=20_000).codes,
            solve(X, "elastic_net", 1.0).codes,
        )
    )
    assert patient == pytest.approx(best, rel=1e-4)
    assert frozen > best * (1 + 1e-3)


def test_predictor_has_the_last_word_on_the_codes(representatives):
    """Lines 4–7: the multipliers follow f(X), not Z̄; a predictor that repeats Z̄ changes nothing."""
    X, calls = representatives, []

    def repeat(iteration, Z):
        calls.append(iteration)
        return Z

    plain, joint = solve(X, "l1", 5.0), solve(X, "l1", 5.0, predictor=repeat)
    assert calls == [event.iteration for event in joint.history]
    assert np.array_equal(plain.codes, joint.codes)
    moved = solve(X, "l1", 5.0, predictor=lambda iteration, Z: 0.9 * Z, max_iter=30)
    assert moved.history[-1].residual != plain.history[29].residual


def test_no_noise_term(representatives):
    """Plain PCM by Algorithm 2: E stays zero."""
    found = solve_codes(representatives, "l1", noise="none", solver="paper", max_iter=2000)
    assert not found.errors.any()
    assert found.converged
    X = representatives
    assert np.linalg.norm(X - X @ found.codes) <= 2e-2 * np.linalg.norm(X, 2)


def test_a_listener_stops_it(representatives):
    found = solve(representatives, "l1", 5.0, reporter=Reporter(lambda event: event.iteration >= 7))
    assert found.history[-1].iteration == 7
    assert not found.converged
