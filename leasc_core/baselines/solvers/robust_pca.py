"""The unrolled robust-PCA encoder (Sprechmann, Bronstein, Sapiro 2015): a few proximal steps, their matrices then learned.

Robust PCA in factors is min ½‖x − Us − o‖² + ½λ_*‖s‖² + λ‖o‖₁ over the code s and the outlying entries o. Each layer is one
proximal step on (s, o); all layers share their weights, which training moves so that a few end lower than plain steps would.
"""

import numpy as np
from scipy import linalg

BATCH = 100
MOMENTUM = 0.9


class RobustPCAEncoder:
    """Rows to codes s; ``layers`` unrolled steps.

    Parameters
    ----------
    rank : the length of a code
    low_rank, outlying : λ_* and λ
    """

    def __init__(self, rank=100, layers=5, low_rank=0.05, outlying=0.1, epochs=5, learning_rate=1e-3):
        self.rank, self.layers, self.low_rank, self.outlying = rank, layers, low_rank, outlying
        self.epochs, self.learning_rate = epochs, learning_rate

    def fit(self, points, rng):
        """U by alternating least squares on ``points``, the layers from it, then a few epochs of gradient steps."""
        import torch

        U = self._dictionary(points)
        self._unroll(U)
        data = torch.from_numpy(points.astype(np.float32))
        parameters = [torch.from_numpy(A).requires_grad_() for A in (self.input, self.memory, self.threshold)]
        speeds = [torch.zeros_like(p) for p in parameters]
        target = torch.from_numpy(U.astype(np.float32))
        for _ in range(self.epochs):
            for batch in torch.from_numpy(rng.permutation(len(points))).split(BATCH):
                gradients = torch.autograd.grad(self._loss(data[batch], target, parameters), parameters)
                with torch.no_grad():
                    for p, speed, gradient in zip(parameters, speeds, gradients, strict=True):
                        p += speed.mul_(MOMENTUM).sub_(self.learning_rate * gradient)
        self.input, self.memory, self.threshold = (p.detach().numpy() for p in parameters)
        return self

    def __call__(self, points):
        import torch

        with torch.no_grad():
            tensors = [torch.from_numpy(A) for A in (self.input, self.memory, self.threshold)]
            return self._steps(torch.from_numpy(np.ascontiguousarray(points, np.float32)), *tensors)[:, : self.width].numpy()

    def _dictionary(self, points, rounds=10):
        """U (d, q): principal axes, then least squares with the outlying entries taken out, by turns."""
        X = points.T
        self.width = min(self.rank, *X.shape)
        U, s, _ = linalg.svd(X, full_matrices=False)
        U, O = U[:, : self.width] * np.sqrt(s[: self.width] / (s[0] or 1.0)), np.zeros_like(X)
        eye = self.low_rank * np.eye(self.width)
        for _ in range(rounds):
            S = linalg.solve(U.T @ U + eye, U.T @ (X - O), assume_a="pos")
            rest = X - U @ S
            O = np.sign(rest) * np.maximum(np.abs(rest) - self.outlying, 0.0)
            U = linalg.solve(S @ S.T + eye, S @ (X - O).T, assume_a="pos").T
        return U

    def _unroll(self, U):
        """The matrices of one proximal step on (s, o): z ← shrink(x·input + z·memory)."""
        d, q = U.shape
        hessian = np.block([[U.T @ U + self.low_rank * np.eye(q), U.T], [U, np.eye(d)]])
        length = linalg.eigvalsh(hessian, subset_by_index=[d + q - 1, d + q - 1])[0]
        self.input = np.ascontiguousarray(np.hstack([U, np.eye(d)]) / length, dtype=np.float32)
        self.memory = (np.eye(d + q) - hessian / length).astype(np.float32)
        self.threshold = np.concatenate([np.zeros(q), np.full(d, self.outlying / length)]).astype(np.float32)

    def _steps(self, X, given, memory, threshold):
        import torch

        fixed = X @ given
        Z = torch.sign(fixed) * torch.relu(fixed.abs() - threshold)
        for _ in range(self.layers - 1):
            Z = fixed + Z @ memory
            Z = torch.sign(Z) * torch.relu(Z.abs() - threshold)
        return Z

    def _loss(self, X, U, parameters):
        """The robust-PCA objective at what the layers give, a point."""
        Z = self._steps(X, *parameters)
        s, o = Z[:, : self.width], Z[:, self.width :]
        error = 0.5 * (X - s @ U.T - o).square().sum() + 0.5 * self.low_rank * s.square().sum() + self.outlying * o.abs().sum()
        return error / len(X)
