"""Teach f the codes: closed-form top layer, gradient steps below it, kept only where held-out error falls."""

import numpy as np

from ..events import NetworkEpoch, Reporter
from .mlp import MLP, activation_function
from .ridge import choose_strength, ridge_solve, ridge_top

HELD_OUT = 0.1
LEAST_TO_HOLD_OUT = 20
WORTH_AN_EPOCH = 0.98
BATCH = 128


def train_encoder(points, codes, hidden=(1500,), activation="relu", epochs=5, learning_rate=1e-3, rng=None, reporter=None):
    """Fit f(points) ≈ codes (rows).

    A tenth of the points is held out. Each epoch moves the hidden layers by Adam with the top layer fixed, then solves
    the top layer anew; the first epoch that does not lower the held-out error by 2 % ends it. Zero epochs are a random-feature
    ridge. The top layer is last solved on all points.

    Returns
    -------
    network : MLP
    history : list of NetworkEpoch
    """
    rng, reporter = rng or np.random.default_rng(0), reporter or Reporter()
    points = np.ascontiguousarray(points, dtype=np.float32)
    network = MLP.random(points.shape[1], hidden, activation, rng)
    if hidden and epochs and len(points) >= LEAST_TO_HOLD_OUT:
        network, strength, history = _learn_hidden(network, points, codes, epochs, learning_rate, rng, reporter)
        return network.with_top(ridge_solve(network.hidden(points), codes, strength)), history
    top, error = ridge_top(network.hidden(points) if hidden else points, codes)
    fitted = network.with_top(top)
    history = [NetworkEpoch(0, relative_error(fitted(points), codes), error)]
    reporter(history[-1])
    return fitted, history


def _learn_hidden(network, points, codes, epochs, learning_rate, rng, reporter):
    """Gradient epochs on nine tenths, judged on the tenth; returns the best hidden layers, the ridge, the history."""
    order = rng.permutation(len(points))
    held, kept = np.split(order, [max(1, int(HELD_OUT * len(points)))])
    best, best_error, history = network, np.inf, []
    step, top, strength = _AdamOnHidden(network, learning_rate), None, None
    for epoch in range(epochs + 1):
        if epoch:
            network = step(points[kept], codes[kept], top, rng)
        H = network.hidden(points[kept])
        strength = choose_strength(H, codes[kept])[0] if epoch == 0 else strength
        top = ridge_solve(H, codes[kept], strength)
        fitted = network.with_top(top)
        training = relative_error(fitted(points[kept]), codes[kept])
        error = relative_error(fitted(points[held]), codes[held])
        history.append(NetworkEpoch(epoch, training, error))
        reporter(history[-1])
        gained = error < WORTH_AN_EPOCH * best_error
        if error < best_error:
            best, best_error = network, error
        if not gained or reporter.stop_requested:
            break
    return best, strength, history


class _AdamOnHidden:
    """Adam (Kingma & Ba 2015) over the hidden weights, one shuffled pass a call, with the top layer held fixed.

    Written out, because the first ``torch.optim`` optimiser of a process imports the compiler, which takes longer than training.
    """

    FORGET, FORGET_SQUARE, TINY = 0.9, 0.999, 1e-8

    def __init__(self, network, learning_rate):
        import torch

        self.torch, self.activation, self.learning_rate = torch, network.activation, learning_rate
        self.weights = [torch.tensor(W, requires_grad=True) for W in network.weights]
        self.moments = [(torch.zeros_like(W), torch.zeros_like(W)) for W in self.weights]
        self.steps = 0
        self.g = activation_function(self.activation)

    def __call__(self, points, codes, top, rng):
        torch = self.torch
        X, Z, top = (torch.from_numpy(np.ascontiguousarray(A, dtype=np.float32)) for A in (points, codes, top))
        for batch in torch.from_numpy(rng.permutation(len(points))).split(BATCH):
            H = X[batch]
            for W in self.weights:
                H = self.g(H @ W)
            loss = (H @ top - Z[batch]).square().sum() / len(batch)
            self._move(torch.autograd.grad(loss, self.weights))
        return MLP(tuple(W.detach().numpy().copy() for W in self.weights), self.activation)

    def _move(self, gradients):
        self.steps += 1
        rate = self.learning_rate / (1 - self.FORGET**self.steps)
        unbias = (1 - self.FORGET_SQUARE**self.steps) ** -0.5
        with self.torch.no_grad():
            for W, gradient, (mean, square) in zip(self.weights, gradients, self.moments, strict=True):
                mean.lerp_(gradient, 1 - self.FORGET)
                square.mul_(self.FORGET_SQUARE).addcmul_(gradient, gradient, value=1 - self.FORGET_SQUARE)
                W.addcdiv_(mean, square.sqrt().mul_(unbias).add_(self.TINY), value=-rate)


def relative_error(predicted, codes):
    """‖Z − f(X)‖_F / ‖Z‖_F."""
    return float(np.linalg.norm(predicted - codes) / max(np.linalg.norm(codes), np.finfo(float).tiny))
