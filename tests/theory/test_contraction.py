"""Theorem 1: the strict bound always holds, the first-order one holds where the theorem says so, and fails at the right rate."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leasc_core.data.synthetic import four_rays
from leasc_core.encoder.mlp import ACTIVATIONS, MLP
from leasc_core.encoder.train import train_encoder
from leasc_core.theory.contraction import contraction_report

HIDDEN = [(), (7,), (40,), (7, 11), (5, 3, 8)]


def network(activation, hidden, seed, n_features=4, width=6):
    rng = np.random.default_rng(seed)
    bare = MLP.random(n_features, hidden, activation, rng)
    return bare.with_top(rng.standard_normal((hidden[-1] if hidden else n_features, width)))


def unit(points):
    return points / np.linalg.norm(points, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def rays():
    """The paper's example as f sees it, and its representatives."""
    Y = unit(four_rays(0)[0])
    return Y, Y[np.sort(np.random.default_rng(0).choice(800, 88, replace=False))]


@settings(max_examples=60)
@given(
    activation=st.sampled_from(ACTIVATIONS),
    hidden=st.sampled_from(HIDDEN),
    seed=st.integers(0, 10_000),
    spread=st.sampled_from([1e-4, 1e-2, 1.0, 30.0]),
)
def test_the_strict_bound_always_holds_and_the_first_where_there_is_no_kink(activation, hidden, seed, spread):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((5, 4))
    Y = np.vstack([X, np.repeat(X, 8, axis=0) + spread * rng.standard_normal((40, 4))])
    report = contraction_report(network(activation, hidden, seed), X, Y)
    assert report.inside_strict.all()
    assert np.all(report.changes <= report.lipschitz * report.distances * (1 + 1e-9) + 1e-12)
    if activation in ("relu", "linear"):
        assert report.inside_first_order[~report.kinked].all()
    assert (report.crossed is None) == (activation != "relu")
    assert report.apart.sum() == 40 and np.all(report.distances[:5] == 0)


def test_its_columns_are_what_they_say(rays):
    Y, X = rays
    f, _ = train_encoder(X, X @ X.T, hidden=(50,))
    report = contraction_report(f, X, Y)
    table = np.linalg.norm(Y[:, None] - X, axis=2)
    assert np.allclose(report.distances, table.min(axis=1), atol=1e-12)
    ends = X[report.nearest]
    assert np.allclose(report.changes, np.linalg.norm(f(ends) - f(Y), axis=1), atol=1e-12)
    # The slope of f along a direction, by differences, never exceeds the norm of its Jacobian there.
    for direction in np.eye(2):
        steep = np.linalg.norm(f(X + 1e-7 * direction) - f(X), axis=1) / 1e-7
        assert np.all(steep <= report.norms * (1 + 1e-4))
    assert report.radius == pytest.approx(table.min(axis=1).max())
    assert 0 < report.share(report.kinked) < 1
    assert report.share(report.inside_first_order, ~report.kinked) == 1.0


@pytest.mark.parametrize("activation", ["tanh", "sigmoid"])
@pytest.mark.parametrize("hidden", [(9,), (9, 7)])
def test_for_smooth_functions_the_remainder_shrinks_with_the_square_of_the_radius(activation, hidden):
    """Halving ρ divides what f departs from its tangent by four, so the bound's shortfall per ρ vanishes."""
    from leasc_core.encoder.jacobian import jacobians

    rng = np.random.default_rng(5)
    f, X, steps = network(activation, hidden, 5), rng.standard_normal((30, 4)), unit(rng.standard_normal((30, 4)))
    J = jacobians(f, X)
    radii = 2.0 ** -np.arange(2, 9)
    away = [np.linalg.norm(f(X + r * steps) - f(X) - r * np.einsum("mij,mj->mi", J, steps), axis=1).max() for r in radii]
    orders = np.log2(np.array(away[:-1]) / away[1:])
    assert np.all(np.abs(orders - 2) < 0.25) and abs(orders[-1] - 2) < 0.05
    for r in radii:
        report = contraction_report(f, X, X + r * steps)
        assert np.all(report.changes - report.first_order <= 1.5 * away[0] / radii[0] ** 2 * r**2)
    assert report.inside_first_order.all()


def test_beyond_a_kink_the_first_order_bound_can_fail_and_the_report_says_where():
    f = MLP((np.array([[1.0]]), np.array([[1.0]])), "relu")
    report = contraction_report(f, np.array([[-1.0]]), np.array([[-0.5], [2.0]]))
    assert report.norms.tolist() == [0.0] and report.changes.tolist() == [0.0, 2.0]
    assert report.kinked.tolist() == [False, True]
    assert report.inside_first_order.tolist() == [True, False] and report.inside_strict.tolist() == [True, True]
    assert report.strict.tolist() == pytest.approx([0.0, 2.0])


def test_shares_of_nothing_are_none(rays):
    Y, X = rays
    f, _ = train_encoder(X, X @ X.T, hidden=(5,), epochs=0)
    report = contraction_report(f, X, X)
    assert not report.apart.any() and report.share(report.inside_strict) is None
