"""‖A‖₂,₁: few nonzero columns, so whole points may be called noise."""

from dataclasses import dataclass

import numpy as np

from .base import ball_indicator


def column_norms(A):
    """‖a_j‖₂ of each column."""
    return np.sqrt(np.einsum("ij,ij->j", A, A))


@dataclass(frozen=True)
class L21:
    """R(A) = Σ_j ‖a_j‖₂ over columns (points)."""

    def value(self, A):
        return float(column_norms(A).sum())

    def prox(self, A, step):
        norms = column_norms(A)
        kept = np.maximum(norms - step, 0.0) / np.where(norms > 0, norms, 1.0)
        return A * kept

    def conjugate(self, G):
        return ball_indicator(self.excess(G))

    def excess(self, G):
        return column_norms(G)
