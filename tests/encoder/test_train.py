"""Training: never worse than it began, repeatable, and exact where f is linear."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from leasc_core.coding.solve import solve_codes
from leasc_core.data.synthetic import make_union_of_subspaces
from leasc_core.encoder.mlp import ACTIVATIONS
from leasc_core.encoder.ridge import STRENGTHS
from leasc_core.encoder.train import HELD_OUT, train_encoder
from leasc_core.events import NetworkEpoch, Reporter


@pytest.fixture(scope="module")
def taught():
    """120 rows on three planes in R¹⁰ and their ridge codes, a linear function of the point."""
    X = make_union_of_subspaces(3, 2, 10, 40, noise=0.1, random_state=0)[0]
    return X, solve_codes(X.T, "f2", beta=1.0, noise="f2", zero_diagonal=False).codes.T


@pytest.fixture(scope="module")
def curved(taught):
    """Codes that no linear map gives: |X| mixed, with noise."""
    X, _ = taught
    rng = np.random.default_rng(1)
    return X, np.abs(X) @ rng.standard_normal((10, 12)) + 0.01 * rng.standard_normal((120, 12))


def error(predicted, codes):
    return np.linalg.norm(predicted - codes) / np.linalg.norm(codes)


def train(X, Z, seed=0, **options):
    return train_encoder(X, Z, **({"hidden": (60,), "epochs": 5} | options), rng=np.random.default_rng(seed))


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("hidden", [(60,), (40, 30)])
def test_never_ends_with_a_higher_held_out_error_than_epoch_0(curved, activation, hidden):
    """Whatever the step size, the layers kept are those of the lowest held-out error seen."""
    X, Z = curved
    for learning_rate in (1e-4, 1e-2, 3.0):
        f, history = train(X, Z, hidden=hidden, activation=activation, learning_rate=learning_rate)
        assert np.isfinite([e.held_out_error for e in history]).all()
        errors = [epoch.held_out_error for epoch in history]
        assert [epoch.epoch for epoch in history] == list(range(len(history)))
        assert len(history) <= 6
        # It goes on only while the error falls, so all but the last epoch are a falling row.
        assert errors[:-1] == sorted(errors[:-1], reverse=True)
        assert min(errors) <= errors[0]
        assert np.isfinite(f(X)).all()


def test_the_network_kept_is_the_best_of_the_history(curved):
    """The held-out tenth, found again from the seed, is predicted by the kept layers as the history says."""
    X, Z = curved
    seed = 5
    f, history = train(X, Z, seed, learning_rate=1e-2)
    rng = np.random.default_rng(seed)
    rng.standard_normal((X.shape[1], 60))  # what MLP.random draws
    held, kept = np.split(rng.permutation(len(X)), [int(HELD_OUT * len(X))])
    gate = np.maximum(X @ f.weights[0].astype(float), 0)
    largest = np.linalg.norm(gate[kept], 2) ** 2
    reached = [
        error(Ridge(s * largest, fit_intercept=False, solver="svd").fit(gate[kept], Z[kept]).predict(gate[held]), Z[held])
        for s in STRENGTHS
    ]
    best = min(epoch.held_out_error for epoch in history)
    assert np.min(np.abs(np.array(reached) - best)) <= 1e-3 * best


def test_gradient_steps_help_where_random_features_are_few(curved):
    """The steps are real steps: with a handful of units they lower both errors."""
    X, Z = curved
    _, history = train(X, Z, hidden=(15,), epochs=30, learning_rate=1e-2)
    assert history[-2].held_out_error < 0.95 * history[0].held_out_error


@pytest.mark.parametrize("epochs", [0, 3])
def test_same_seed_same_weights(curved, epochs):
    X, Z = curved
    first, second, other = (train(X, Z, seed, epochs=epochs)[0] for seed in (1, 1, 2))
    assert all(np.array_equal(a, b) for a, b in zip(first.weights, second.weights, strict=True))
    assert not np.array_equal(first.weights[0], other.weights[0])


def test_zero_epochs_leave_the_hidden_layer_random(curved):
    X, Z = curved
    f, history = train(X, Z, epochs=0)
    drawn = np.random.default_rng(0).standard_normal((10, 60)) * np.sqrt(2) / np.sqrt(60)
    assert np.allclose(f.weights[0], drawn, atol=1e-6)
    assert len(history) == 1


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_zero_hidden_layers_are_linear_ridge(curved, activation):
    X, Z = curved
    f, history = train(X, Z, hidden=(), activation=activation)
    assert len(f.weights) == 1
    largest = np.linalg.norm(X, 2) ** 2
    ridges = [Ridge(s * largest, fit_intercept=False, solver="svd").fit(X, Z).coef_.T for s in STRENGTHS]
    assert min(np.abs(f.weights[0] - R).max() for R in ridges) <= 1e-5
    assert history[0].training_error == pytest.approx(error(X @ f.weights[0], Z), rel=1e-4)


@pytest.mark.parametrize("options", [{"hidden": ()}, {"activation": "linear"}, {"activation": "linear", "epochs": 0}])
def test_linear_networks_reproduce_f2_codes(taught, options):
    """z(x) = (XᵀX + λ)⁻¹Xᵀx is linear, so a linear f learns it whole, for new points too."""
    X, Z = taught
    f, _ = train(X, Z, **options)
    assert error(f(X), Z) <= 1e-3
    new = make_union_of_subspaces(3, 2, 10, 40, noise=0.1, random_state=9)[0]
    exact = np.linalg.solve(X @ X.T + np.eye(len(X)), X @ new.T).T
    assert error(f(new), exact) <= 1e-3


def test_relu_network_reproduces_f2_codes_nearly(taught):
    X, Z = taught
    f, history = train(X, Z, hidden=(400,))
    assert error(f(X), Z) <= 0.05
    assert history[-1].held_out_error <= 0.2


def test_events_are_the_history_and_a_listener_stops_it(curved):
    X, Z = curved
    seen = []

    def listen(event):
        seen.append(event)
        return event.epoch >= 1

    f, history = train_encoder(X, Z, (30,), epochs=5, rng=np.random.default_rng(0), reporter=Reporter(listen))
    assert seen == history
    assert all(isinstance(event, NetworkEpoch) for event in history)
    assert history[-1].epoch == 1
    assert np.isfinite(f(X)).all()


def test_a_stop_keeps_the_epoch_just_done_where_it_was_better(curved):
    X, Z = curved
    options = {"hidden": (15,), "learning_rate": 1e-2}
    random, _ = train(X, Z, epochs=0, **options)
    stopped, history = train_encoder(
        X, Z, epochs=5, rng=np.random.default_rng(0), reporter=Reporter(lambda e: e.epoch == 1), **options
    )
    assert history[1].held_out_error < history[0].held_out_error
    assert not np.array_equal(stopped.weights[0], random.weights[0])


@pytest.mark.parametrize("rows", [2, 5, 19])
def test_few_points_train_without_gradient_steps(rows):
    rng = np.random.default_rng(0)
    X, Z = rng.standard_normal((rows, 4)), rng.standard_normal((rows, 3))
    f, history = train(X, Z)
    assert len(history) == 1
    assert f(X).shape == (rows, 3)
    assert np.isfinite(f(X)).all()


def test_the_gradient_steps_are_those_of_adam(curved):
    import torch

    from leasc_core.encoder.mlp import MLP
    from leasc_core.encoder.train import BATCH, _AdamOnHidden

    X, Z = (A.astype(np.float32) for A in curved)
    network = MLP.random(10, (20, 15), "tanh", np.random.default_rng(0))
    top = np.random.default_rng(1).standard_normal((15, 12)).astype(np.float32)
    ours = _AdamOnHidden(network, 1e-2)
    for seed in range(3):
        moved = ours(X, Z, top, np.random.default_rng(seed))

    weights = [torch.tensor(W, requires_grad=True) for W in network.weights]
    adam = torch.optim.Adam(weights, lr=1e-2)
    assert len(X) <= BATCH, "one batch a pass, so the order of points is of no matter"
    for _ in range(3):
        adam.zero_grad()
        H = torch.tanh(torch.tanh(torch.tensor(X) @ weights[0]) @ weights[1])
        ((H @ torch.tensor(top) - torch.tensor(Z)).square().sum() / len(X)).backward()
        adam.step()
    for mine, theirs in zip(moved.weights, weights, strict=True):
        np.testing.assert_allclose(mine, theirs.detach().numpy(), atol=1e-5)
