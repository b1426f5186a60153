"""Closed-form derivatives of f against automatic differentiation, and the exact chord between two points."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from leasc_core.encoder import jacobian
from leasc_core.encoder.jacobian import chord_norms, crossed_units, jacobian_norms, jacobians, lipschitz_bound
from leasc_core.encoder.mlp import ACTIVATIONS, MLP
from leasc_core.errors import DataError, ParameterError

HIDDEN = [(), (1,), (7,), (40,), (7, 11), (12, 5), (5, 3, 8), (6, 6, 6, 6)]


def network(activation="relu", hidden=(7,), n_features=6, width=9, seed=0):
    rng = np.random.default_rng(seed)
    bare = MLP.random(n_features, hidden, activation, rng)
    return bare.with_top(rng.standard_normal((hidden[-1] if hidden else n_features, width)))


def points(rows=20, n_features=6, seed=1):
    return np.random.default_rng(seed).standard_normal((rows, n_features))


def by_torch(f, Y):
    """Jacobians by torch.func.jacrev of the same layers in double precision."""
    gates = {"relu": torch.relu, "tanh": torch.tanh, "sigmoid": torch.sigmoid, "linear": lambda A: A}
    weights = [torch.tensor(W, dtype=torch.float64) for W in f.weights]

    def code(y):
        for W in weights[:-1]:
            y = gates[f.activation](y @ W)
        return y @ weights[-1]

    return torch.func.vmap(torch.func.jacrev(code))(torch.tensor(Y)).numpy()


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("hidden", HIDDEN)
@pytest.mark.parametrize("shape", [(6, 9), (2, 30), (30, 2)])
def test_every_activation_and_depth_equals_jacrev(activation, hidden, shape):
    f, Y = network(activation, hidden, *shape), points(n_features=shape[0])
    expected = by_torch(f, Y)
    scale = np.abs(expected).max()
    assert np.abs(jacobians(f, Y) - expected).max() <= 1e-12 * scale
    norms = np.sqrt((expected**2).sum(axis=(1, 2)))
    assert np.abs(jacobian_norms(f, Y) - norms).max() <= 1e-7 * norms.max()


@pytest.mark.parametrize("hidden", HIDDEN[1:])
def test_at_a_kink_relu_has_slope_zero_as_in_torch(hidden):
    f, Y = network(hidden=hidden), np.zeros((3, 6))
    assert np.array_equal(jacobians(f, Y), by_torch(f, Y))


def test_blocks_do_not_matter(monkeypatch):
    for hidden in ((), (7,), (7, 11)):
        f, Y = network("tanh", hidden), points(23)
        whole, norms = jacobians(f, Y), jacobian_norms(f, Y)
        with monkeypatch.context() as small:
            small.setattr(jacobian, "CELLS", 200)
            assert np.allclose(jacobians(f, Y), whole, rtol=1e-13, atol=0)
            assert np.allclose(jacobian_norms(f, Y), norms, rtol=1e-13, atol=0)


def test_norms_of_a_network_as_it_is_trained():
    """Ridge solutions have large weights that cancel: the quadratic form must survive that."""
    from leasc_core.data.synthetic import four_rays
    from leasc_core.encoder.train import train_encoder

    Y = four_rays(0)[0]
    Y = Y / np.linalg.norm(Y, axis=1, keepdims=True)
    f, _ = train_encoder(Y[::10], Y[::10] @ Y[::10].T, hidden=(50,))
    expected = np.sqrt((by_torch(f, Y) ** 2).sum(axis=(1, 2)))
    assert np.abs(jacobian_norms(f, Y) / expected - 1).max() < 1e-6


@settings(max_examples=80)
@given(
    activation=st.sampled_from(ACTIVATIONS),
    hidden=st.sampled_from(HIDDEN),
    seed=st.integers(0, 10_000),
    step=st.sampled_from([0.0, 1e-9, 1e-6, 1e-4, 1e-2, 1.0, 10.0]),
)
def test_the_chord_bound_always_holds_and_stays_under_the_lipschitz_one(activation, hidden, seed, step):
    f, X = network(activation, hidden, seed=seed), points(8, seed=seed + 1)
    Y = X + step * points(8, seed=seed + 2)
    change, distance = np.linalg.norm(f(Y) - f(X), axis=1), np.linalg.norm(Y - X, axis=1)
    rounding = 1e-12 * np.linalg.norm(f(X), axis=1).max() + 1e-300
    assert np.all(change <= chord_norms(f, X, Y) * distance * (1 + 1e-9) + rounding)
    assert np.all(change <= lipschitz_bound(f) * distance * (1 + 1e-9) + rounding)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_with_one_layer_the_chord_is_the_mean_jacobian_of_the_segment(activation):
    f, X, Y = network(activation), points(5), points(5, seed=7)
    steps = (np.arange(20_000) + 0.5) / 20_000
    for x, y, norm in zip(X, Y, chord_norms(f, X, Y), strict=True):
        mean = jacobians(f, x + steps[:, None] * (y - x)).mean(axis=0)
        assert np.linalg.norm(mean) == pytest.approx(norm, rel=2e-3 if activation == "relu" else 1e-7)


@settings(max_examples=60)
@given(hidden=st.sampled_from(HIDDEN[1:]), seed=st.integers(0, 10_000), step=st.sampled_from([1e-3, 1e-2, 0.1, 1.0]))
def test_kinks_are_found_exactly_where_the_function_is_not_linear(hidden, seed, step):
    f, X = network(hidden=hidden, seed=seed), points(6, seed=seed + 1)
    Y = X + step * points(6, seed=seed + 2)
    crossed = crossed_units(f, X, Y) > 0
    tangent = f(X) + np.einsum("mij,mj->mi", jacobians(f, X), Y - X)
    away = np.linalg.norm(f(Y) - tangent, axis=1)
    assert np.all(away[~crossed] <= 1e-12 * (1 + np.abs(f(Y)).max()))
    inside = X + np.linspace(0, 1, 501)[:, None, None] * (Y - X)
    walked = np.array([jacobian_norms(f, inside[:, i]) for i in range(len(X))])
    assert not np.any((np.ptp(walked, axis=1) > 1e-7 * walked.max()) & ~crossed)


def test_a_unit_that_changes_side_is_counted():
    f = MLP((np.array([[1.0, 0.0], [0.0, 1.0]]), np.eye(2)), "relu")
    ends = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [0.0, 1.0]])
    assert crossed_units(f, np.ones((4, 2)), ends).tolist() == [0, 1, 2, 1]
    assert crossed_units(MLP(f.weights, "tanh"), ends, ends) is None


def test_what_does_not_fit_is_refused():
    with pytest.raises(DataError, match=r"\(4, 5\) do not go into f, which takes 6 features"):
        jacobian_norms(network(), points(4, 5))
    with pytest.raises(ParameterError, match="activation='gelu' is unknown"):
        jacobians(network("gelu"), points())
