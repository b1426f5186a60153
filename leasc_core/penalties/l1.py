"""‖A‖₁: few nonzero entries."""

from dataclasses import dataclass

import numpy as np

from .base import ball_indicator


def soft_threshold(A, amount):
    """sign(a)·max(|a| − amount, 0), entry by entry."""
    return A - np.clip(A, -amount, amount)


@dataclass(frozen=True)
class L1:
    """R(A) = Σ |a|."""

    def value(self, A):
        return float(np.abs(A).sum())

    def prox(self, A, step):
        return soft_threshold(A, step)

    def conjugate(self, G):
        return ball_indicator(self.excess(G))

    def excess(self, G):
        return np.abs(G).max(axis=0, initial=0.0)
