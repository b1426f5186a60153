"""The network f: fully connected, no bias, a hidden activation and a linear output (codes are signed)."""

from dataclasses import dataclass

import numpy as np

from ..errors import ParameterError

ACTIVATIONS = ("relu", "tanh", "sigmoid", "linear")


def activation_in_place(name):
    """g of Eq. 6 as a function that overwrites a torch tensor and returns it."""
    import torch

    functions = {"relu": torch.relu_, "tanh": torch.tanh_, "sigmoid": torch.sigmoid_, "linear": lambda t: t}
    if name not in functions:
        raise ParameterError(f"activation={name!r} is unknown; choose one of {', '.join(map(repr, ACTIVATIONS))}.")
    return functions[name]


@dataclass(frozen=True)
class MLP:
    """f(y) = g(… g(y W₁) W₂ …) W_top for rows y; ``weights`` are the matrices in that order, float32."""

    weights: tuple[np.ndarray, ...]
    activation: str = "relu"

    @classmethod
    def random(cls, n_features, hidden, activation, rng):
        """Hidden layers drawn so that a unit input keeps about unit length; no top layer yet."""
        sizes = (n_features, *hidden)
        gain = np.sqrt(2.0) if activation == "relu" else 1.0
        layers = [
            (rng.standard_normal((a, b)) * gain / np.sqrt(b if a < b else a)).astype(np.float32)
            for a, b in zip(sizes, sizes[1:], strict=False)
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

    def project(self, directions):
        """f followed by a linear map, folded into the top layer: codes in fewer coordinates at less cost."""
        top = self.weights[-1] @ directions.astype(np.float32)
        return MLP((*self.weights[:-1], np.ascontiguousarray(top)), self.activation)

    def hidden(self, points):
        """The activations under the top layer, for a network without one."""
        import torch

        g = activation_in_place(self.activation)
        H = torch.from_numpy(np.ascontiguousarray(points, dtype=np.float32))
        for W in self.weights:
            H = g(H @ torch.from_numpy(W))
        return H.numpy()

    def __call__(self, points, out=None):
        """Codes of rows ``points``; matrix products and an in-place activation, nothing else."""
        import torch

        g = activation_in_place(self.activation)
        H = torch.from_numpy(np.ascontiguousarray(points, dtype=np.float32))
        for W in self.weights[:-1]:
            H = g(H @ torch.from_numpy(W))
        top = torch.from_numpy(self.weights[-1])
        if out is None:
            return (H @ top).numpy()
        torch.mm(H, top, out=torch.from_numpy(out))
        return out
