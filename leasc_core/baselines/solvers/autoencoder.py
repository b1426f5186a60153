"""A denoising auto-encoder (Vincent 2010): one tanh layer and its transpose, taught to undo entries set to zero."""

import numpy as np

BATCH = 100
MOMENTUM = 0.9


class DenoisingAutoEncoder:
    """Rows to hidden activations.

    tanh without offsets, so that a point and its negative have opposite codes. The decoder is the encoder's transpose.
    """

    def __init__(self, hidden=1500, dropped=0.1, epochs=20, learning_rate=0.05):
        self.hidden, self.dropped, self.epochs, self.learning_rate = hidden, dropped, epochs, learning_rate

    def fit(self, points, rng):
        """Momentum steps on ‖x − decode(encode(x with a tenth of its entries dropped))‖²."""
        import torch

        d = points.shape[1]
        X = torch.from_numpy(points.astype(np.float32))
        W = torch.from_numpy((rng.standard_normal((d, self.hidden)) / np.sqrt(self.hidden)).astype(np.float32)).requires_grad_()
        speed = torch.zeros_like(W)
        for _ in range(self.epochs):
            for batch in torch.from_numpy(rng.permutation(len(points))).split(BATCH):
                clean = X[batch]
                seen = torch.from_numpy((rng.random(clean.shape) >= self.dropped).astype(np.float32))
                loss = (torch.tanh((clean * seen) @ W) @ W.T - clean).square().sum() / len(batch)
                (gradient,) = torch.autograd.grad(loss, [W])
                with torch.no_grad():
                    W += speed.mul_(MOMENTUM).sub_(self.learning_rate * gradient)
        self.weights = W.detach().numpy()
        return self

    def __call__(self, points):
        return np.tanh(np.asarray(points, dtype=np.float32) @ self.weights)
