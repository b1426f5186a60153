"""The network f against the same layers written in numpy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leasc_core.encoder.mlp import ACTIVATIONS, MLP
from leasc_core.errors import ParameterError

GATES = {
    "relu": lambda A: np.maximum(A, 0),
    "tanh": np.tanh,
    "sigmoid": lambda A: 1 / (1 + np.exp(-A)),
    "linear": lambda A: A,
}
HIDDEN = [(), (7,), (7, 11), (5, 3, 8)]


def network(activation="relu", hidden=(7,), n_features=6, width=9, seed=0):
    rng = np.random.default_rng(seed)
    bare = MLP.random(n_features, hidden, activation, rng)
    return bare.with_top(rng.standard_normal((hidden[-1] if hidden else n_features, width)))


def points(rows=20, n_features=6, seed=1):
    return np.random.default_rng(seed).standard_normal((rows, n_features))


def forward(f, Y):
    """Eq. 6 with a linear output, in double precision."""
    for W in f.weights[:-1]:
        Y = GATES[f.activation](Y @ W.astype(float))
    return Y @ f.weights[-1].astype(float)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("hidden", HIDDEN)
def test_forward_is_the_formula(activation, hidden):
    f, Y = network(activation, hidden), points()
    expected = forward(f, Y)
    assert np.allclose(f(Y.astype(np.float32)), expected, atol=1e-5)
    assert np.allclose(f(Y), expected, atol=1e-12)
    assert f(Y.astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("hidden", HIDDEN[1:])
def test_hidden_is_what_the_top_layer_sees(activation, hidden):
    f, Y = network(activation, hidden), points()
    under = MLP(f.weights[:-1], activation).hidden(Y)
    assert np.allclose(under @ f.weights[-1], forward(f, Y), atol=1e-12)


@pytest.mark.parametrize("hidden", HIDDEN)
def test_project_is_codes_times_directions(hidden):
    f, Y = network(hidden=hidden), points()
    directions = np.linalg.qr(np.random.default_rng(2).standard_normal((9, 3)))[0]
    narrow = f.project(directions)
    assert np.allclose(narrow(Y), f(Y) @ directions, atol=1e-5)
    assert narrow.flops_per_point < f.flops_per_point


@settings(max_examples=30)
@given(rows=st.integers(1, 60), size=st.integers(1, 64), dtype=st.sampled_from([np.float32, np.float64]))
def test_codes_do_not_depend_on_the_batch(rows, size, dtype):
    f, Y = network(hidden=(40, 30)), points(rows).astype(dtype)
    whole = f(Y)
    parts = np.vstack([f(Y[start : start + size]) for start in range(0, rows, size)])
    assert np.abs(whole - parts).max() <= 1e-6 * max(1.0, np.abs(whole).max())


@pytest.mark.parametrize("dtype", [bool, np.int64, np.uint8, np.float16, np.float32, np.float64])
def test_any_numbers_in_any_order_and_never_written_to(dtype):
    f, Y = network(), (4 * points()).astype(dtype)
    expected = forward(f, Y.astype(float))
    before = Y.copy()
    frozen = np.asfortranarray(Y)
    frozen.flags.writeable = False
    strided = np.repeat(Y, 2, axis=0)[::2]
    for each in (Y, frozen, strided):
        assert np.allclose(f(each), expected, atol=1e-4)
    assert np.array_equal(Y, before)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_input_survives_the_in_place_activation(activation):
    """With no hidden layers the points themselves go to the top: nothing may overwrite them."""
    Y = points().astype(np.float32)
    before = Y.copy()
    network(activation, ())(Y)
    MLP((), activation).hidden(Y)
    network(activation, (6,))(Y)
    assert np.array_equal(Y, before)


@pytest.mark.parametrize("activation", ["relu", "linear"])
@pytest.mark.parametrize(("n_features", "hidden"), [(50, (400,)), (400, (400,)), (50, (400, 400)), (400, (100,))])
def test_random_layers_keep_about_unit_length(activation, n_features, hidden):
    """What MLP.random says of itself, for widening, equal and narrowing layers."""
    Y = points(300, n_features)
    Y /= np.linalg.norm(Y, axis=1, keepdims=True)
    lengths = np.linalg.norm(MLP.random(n_features, hidden, activation, np.random.default_rng(0)).hidden(Y), axis=1)
    assert 0.8 < lengths.mean() < 1.25


def test_same_seed_same_layers():
    first, second, other = (MLP.random(6, (7, 8), "relu", np.random.default_rng(s)) for s in (3, 3, 4))
    assert all(np.array_equal(a, b) for a, b in zip(first.weights, second.weights, strict=True))
    assert not np.array_equal(first.weights[0], other.weights[0])
    assert [W.shape for W in first.weights] == [(6, 7), (7, 8)]


def test_flops_are_two_a_weight():
    assert network(hidden=(7,)).flops_per_point == 2 * (6 * 7 + 7 * 9)


def test_unknown_activation_is_refused_with_the_choices():
    with pytest.raises(ParameterError, match="activation='gelu' is unknown; choose one of 'relu', 'tanh'"):
        network("gelu")(points())
