"""What every penalty can do, and a penalty times a positive weight."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np


class Penalty(Protocol):
    """A convex function R of a matrix."""

    def value(self, A: np.ndarray) -> float:
        """R(A)."""

    def prox(self, A: np.ndarray, step: float) -> np.ndarray:
        """argmin_B step·R(B) + ½‖B − A‖²."""

    def conjugate(self, G: np.ndarray) -> float:
        """R*(G) = sup_A ⟨G, A⟩ − R(A); infinite outside its domain."""

    def excess(self, G: np.ndarray) -> np.ndarray | float:
        """The dual norm where R is a norm: G / max(1, excess) lies in the domain of R*. 0 where all of space does.

        One number for each column where columns do not depend on each other, else one for the matrix.
        """


def ball_indicator(excess) -> float:
    """The conjugate of a norm: 0 in the unit ball of the dual norm (up to rounding), infinite outside."""
    return 0.0 if np.max(excess, initial=0.0) <= 1.0 + 1e-9 else np.inf


@dataclass(frozen=True)
class Scaled:
    """weight · R, with everything that follows from it."""

    penalty: Penalty
    weight: float

    def value(self, A):
        return self.weight * self.penalty.value(A)

    def prox(self, A, step):
        return self.penalty.prox(A, self.weight * step)

    def conjugate(self, G):
        return self.weight * self.penalty.conjugate(G / self.weight)

    def excess(self, G):
        return self.penalty.excess(G) / self.weight


@dataclass(frozen=True)
class Rescaled:
    """A ↦ R(scale·A): the penalty of a matrix measured in another unit."""

    penalty: Penalty
    scale: float

    def value(self, A):
        return self.penalty.value(self.scale * A)

    def prox(self, A, step):
        return self.penalty.prox(self.scale * A, self.scale**2 * step) / self.scale

    def conjugate(self, G):
        return self.penalty.conjugate(G / self.scale)

    def excess(self, G):
        return self.penalty.excess(G) / self.scale
