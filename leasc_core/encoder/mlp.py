"""The network f: fully connected, no bias, a hidden activation and a linear output (codes are signed)."""

from dataclasses import dataclass

import numpy as np

from ..errors import ParameterError

ACTIVATIONS = ("relu", "tanh", "sigmoid", "linear")
PRECISIONS = ("float32", "bfloat16")


def activation_function(name, in_place=False):
    """g of Eq. 6 on torch tensors; ``in_place`` overwrites its argument."""
    import torch

    if name not in ACTIVATIONS:
        raise ParameterError(f"activation={name!r} is unknown; choose one of {', '.join(map(repr, ACTIVATIONS))}.")
    return getattr(torch, name + "_" * in_place) if name != "linear" else lambda tensor: tensor


@dataclass(frozen=True)
class MLP:
    """f(y) = g(… g(y W₁) W₂ …) W_top for rows y; ``weights`` are the matrices in that order, float32.

    Single precision goes in and comes out, unless the points are in double precision. ``precision="bfloat16"`` rounds the
    products on the way, which twice as many a second can be done of.
    """

    weights: tuple[np.ndarray, ...]
    activation: str = "relu"
    precision: str = "float32"

    @classmethod
    def random(cls, n_features, hidden, activation, rng):
        """Hidden layers drawn so that a unit input keeps about unit length; no top layer yet."""
        sizes = (n_features, *hidden)
        gain = np.sqrt(2.0) if activation == "relu" else 1.0
        layers = [
            (rng.standard_normal((a, b)) * gain / np.sqrt(b)).astype(np.float32) for a, b in zip(sizes, sizes[1:], strict=False)
        ]
        return cls(tuple(layers), activation)

    @property
    def n_features(self) -> int:
        return self.weights[0].shape[0]

    @property
    def flops_per_point(self) -> int:
        """Multiply-adds counted as two operations: the coding column of the paper's Table II."""
        return 2 * sum(W.size for W in self.weights)

    def with_top(self, top):
        """The same hidden layers under another linear output."""
        return MLP((*self.weights, np.ascontiguousarray(top, dtype=np.float32)), self.activation)

    def code_space(self):
        """An orthonormal basis (n, d) of all codes of a linear f of fewer inputs than outputs; None for any other."""
        (d, n), layers = self.weights[-1].shape, len(self.weights)
        if layers > 1 or d >= n:
            return None
        return np.linalg.qr(self.weights[0].T.astype(np.float64))[0].astype(np.float32)

    def project(self, directions):
        """f followed by a linear map, folded into the top layer: codes in fewer coordinates at less cost."""
        top = self.weights[-1] @ directions.astype(np.float32)
        return MLP((*self.weights[:-1], np.ascontiguousarray(top)), self.activation)

    def hidden(self, points):
        """The activations under the top layer, for a network without one."""
        H = _as_tensor(points)
        for W in self.weights:
            H = self._layer(H, W)
        return H.numpy()

    def __call__(self, points):
        """Codes of rows ``points``: matrix products and an in-place activation, nothing else."""
        import torch

        H = _as_tensor(points)
        if self.precision == "bfloat16":
            H = H.to(torch.bfloat16)
        for W in self.weights[:-1]:
            H = self._layer(H, W)
        codes = H @ _as_tensor(self.weights[-1]).to(H.dtype)
        return (codes.float() if codes.dtype == torch.bfloat16 else codes).numpy()

    def _layer(self, H, W):
        return activation_function(self.activation, in_place=True)(H @ _as_tensor(W).to(H.dtype))


def _as_tensor(A):
    """A torch view of an array in single or double precision (anything else becomes single)."""
    import torch

    A = np.asarray(A)
    dtype = A.dtype if A.dtype in (np.float32, np.float64) else np.float32
    A = np.ascontiguousarray(A, dtype=dtype)
    return torch.from_numpy(A if A.flags.writeable else A.copy())
