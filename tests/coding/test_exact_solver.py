"""The certified solver's manners: events, stopping, limits, units, and clear refusals."""

import numpy as np
import pytest

from leasc_core.coding.problem import DEFAULT_NOISE, VARIANTS
from leasc_core.coding.solve import solve_codes
from leasc_core.data.synthetic import make_union_of_subspaces
from leasc_core.errors import LeascError, ParameterError
from leasc_core.events import CodeSnapshot, CodingIteration, Reporter

ITERATED = [v for v in VARIANTS if v != "f2"]


@pytest.fixture(scope="module")
def X():
    """40 noisy columns on four planes in R²⁰."""
    return make_union_of_subspaces(4, 2, 20, 10, noise=0.05, random_state=0)[0].T


def solve(X, variant, **options):
    options = {"alpha": 0.5, "noise": DEFAULT_NOISE[variant], "zero_diagonal": variant != "nuclear"} | options
    return solve_codes(X, variant, **options)


@pytest.mark.parametrize("variant", VARIANTS)
def test_defaults_of_every_variant_converge(X, variant):
    found = solve(X, variant, beta=3.0)
    assert found.converged
    assert found.gap <= 1e-3
    assert found.codes.shape == (40, 40)
    assert found.errors.shape == X.shape


@pytest.mark.parametrize("variant", ITERATED)
def test_history_and_events_agree(X, variant):
    seen = []
    found = solve(X, variant, beta=3.0, reporter=Reporter(seen.append))
    iterations = [event for event in seen if isinstance(event, CodingIteration)]
    assert iterations == found.history
    gaps = [event.gap for event in iterations]
    assert gaps == sorted(gaps, reverse=True), "the best pair so far can only get closer"
    assert gaps[-1] == found.gap
    for event in iterations:
        assert event.objective == pytest.approx(event.codes_term + event.noise_term)
        assert np.isfinite([event.residual, event.objective, event.mu]).all()


@pytest.mark.parametrize("max_iter", range(10, 90, 10))
def test_the_codes_returned_are_the_best_seen(X, max_iter):
    """ADMM's objective goes up and down; what comes back belongs to the lowest."""
    found = solve(X, "nuclear", beta=30.0, tol=1e-12, max_iter=max_iter)
    reached = np.linalg.norm(found.codes, "nuc") + 30.0 * np.linalg.norm(found.errors, axis=0).sum()
    assert reached == pytest.approx(min(event.objective for event in found.history))


@pytest.mark.parametrize("variant", ITERATED)
@pytest.mark.parametrize("zero_diagonal", [True, False])
def test_snapshots_are_codes_and_errors_of_the_points(X, variant, zero_diagonal):
    """Rows are points and a code has one entry a representative, whatever the solver works with inside."""
    seen = []
    solve(X, variant, beta=3.0, zero_diagonal=zero_diagonal, reporter=Reporter(seen.append))
    snapshots = [event for event in seen if isinstance(event, CodeSnapshot)]
    assert snapshots
    for snapshot in snapshots:
        assert snapshot.codes.shape == (40, 40)
        assert np.allclose(snapshot.errors, X.T - snapshot.codes @ X.T)


def test_a_listener_stops_it(X):
    found = solve(X, "l1", beta=3.0, tol=1e-12, reporter=Reporter(lambda e: e.iteration >= 20))
    assert found.history[-1].iteration == 20
    assert not found.converged
    assert np.isfinite(found.codes).all()


@pytest.mark.parametrize("max_iter", [1, 7, 25])
def test_the_limit_of_iterations_is_kept_and_admitted(X, max_iter):
    found = solve(X, "l1", beta=3.0, tol=1e-12, max_iter=max_iter)
    assert found.history[-1].iteration == max_iter
    assert not found.converged
    assert found.gap > 1e-12
    assert np.allclose(found.errors, X - X @ found.codes)


@pytest.mark.parametrize("variant", ITERATED)
@pytest.mark.parametrize("magnitude", [1e-4, 1e4])
def test_the_unit_of_the_data_does_not_matter(X, variant, magnitude):
    """x → cx with β → β/c (ℓ2,1 noise) is the same problem: as quickly certified, with the same codes."""
    plain = solve(X, variant, beta=3.0, tol=1e-5)
    scaled = solve(magnitude * X, variant, beta=3.0 / magnitude, tol=1e-5)
    assert scaled.converged
    assert np.allclose(scaled.codes, plain.codes, atol=2e-2)


@pytest.mark.parametrize("variant", ITERATED)
@pytest.mark.parametrize("magnitude", [1e-6, 1e-3])
def test_tiny_data_are_all_noise_and_certified(X, variant, magnitude):
    """Where β‖x‖‖X‖ < ᾱ no code pays for itself: Z = 0 is optimal."""
    found = solve(magnitude * X, variant, beta=1.0)
    assert found.converged
    assert np.linalg.norm(found.errors - magnitude * X) <= 1e-2 * magnitude * np.linalg.norm(X)


@pytest.mark.parametrize("variant", ITERATED)
def test_an_unreached_tolerance_is_admitted(X, variant):
    """A huge β nearly forbids noise, which may take ADMM too long: then the gap is wide, but still true."""
    points = X[:8]
    found = solve(points, variant, beta=1e6, max_iter=300)
    without_noise = solve(points, variant, noise="none")
    reached = min(event.objective for event in found.history)
    assert found.converged == (found.gap <= 1e-3)
    # Plain PCM is feasible here (E = 0), so no true lower bound exceeds its value.
    assert reached * (1 - found.gap) <= without_noise.history[-1].objective * (1 + 1e-6)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("noise", ["f2", "l1", "l21", "none"])
def test_degenerate_points(variant, noise):
    """Zero, constant and duplicate columns, and one feature, simply have codes."""
    column = np.arange(1.0, 6.0)[:, None]
    cases = [np.zeros((5, 4)), np.repeat(column, 4, axis=1), np.hstack([column, column, 2 * column]), column.T]
    for points in cases:
        found = solve(points, variant, noise=noise)
        assert np.isfinite(found.codes).all()
        assert found.codes.shape == (points.shape[1],) * 2
        assert found.converged


@pytest.mark.parametrize("noise", ["f2", "l1", "l21"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_one_point_alone_is_all_noise(variant, noise):
    point = np.arange(1.0, 4.0)[:, None]
    found = solve(point, variant, noise=noise, zero_diagonal=True)
    assert np.allclose(found.codes, 0, atol=1e-9)
    assert np.allclose(found.errors, point)


@pytest.mark.parametrize("wrong", [{"variant": "l2"}, {"noise": "l2"}, {"solver": "admm"}])
@pytest.mark.parametrize("solver", ["exact", "paper"])
def test_unknown_names_are_refused_with_the_choices(X, wrong, solver):
    options = {"variant": "l1", "solver": solver, "noise": "l21"} | wrong
    (name, value), *_ = wrong.items()
    with pytest.raises(ParameterError, match=rf"{name}='{value}' is unknown; choose .*'"):
        solve_codes(X, **options)


@pytest.mark.parametrize("solver", ["exact", "paper"])
def test_an_elastic_net_without_its_second_weight_is_refused(X, solver):
    """α = 0 leaves the ℓ1 variant; it must not end in a division by zero."""
    with pytest.raises(LeascError, match="alpha=0.0"):
        solve_codes(X, "elastic_net", alpha=0.0, beta=3.0, noise="l21", solver=solver)


@pytest.mark.parametrize("solver", ["exact", "paper"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_input_is_left_alone(X, solver, dtype):
    """Fortran order, single precision and read-only arrays work and are not written to."""
    points = np.asfortranarray(X.astype(dtype))
    points.flags.writeable = False
    for variant in VARIANTS:
        found = solve(points, variant, beta=3.0, solver=solver)
        reference = solve(X, variant, beta=3.0, solver=solver)
        assert np.allclose(found.codes, reference.codes, atol=2e-2 if dtype == np.float32 else 1e-8)
