"""‖A‖_*: low rank."""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from .base import ball_indicator


def shrink_singular_values(A, amount):
    """U max(S − amount, 0) Vᵀ, through the eigenvectors of the smaller Gram matrix (far cheaper than an SVD)."""
    if A.shape[0] > A.shape[1]:
        return shrink_singular_values(A.T, amount).T
    squares, U = linalg.eigh(A @ A.T, driver="evd", check_finite=False)
    s = np.sqrt(np.maximum(squares, 0.0))
    kept = s > amount
    U = U[:, kept]
    return (U * (1.0 - amount / s[kept])) @ (U.T @ A)


@dataclass(frozen=True)
class Nuclear:
    """R(A) = Σ singular values."""

    def value(self, A):
        return float(linalg.svdvals(A, check_finite=False).sum())

    def prox(self, A, step):
        return shrink_singular_values(A, step)

    def conjugate(self, G):
        return ball_indicator(self.excess(G))

    def excess(self, G):
        return float(linalg.svdvals(G, check_finite=False)[:1].sum())
