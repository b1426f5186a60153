"""‖A‖₁ and ‖A‖²_F together: sparse, but correlated representatives share the weight."""

from dataclasses import dataclass

import numpy as np

from .l1 import soft_threshold


@dataclass(frozen=True)
class ElasticNet:
    """R(A) = l1·‖A‖₁ + l2·‖A‖²_F, with l2 > 0."""

    l1: float = 1.0
    l2: float = 1.0

    def value(self, A):
        return self.l1 * float(np.abs(A).sum()) + self.l2 * float(np.vdot(A, A))

    def prox(self, A, step):
        return soft_threshold(A, step * self.l1) / (1.0 + 2.0 * step * self.l2)

    def conjugate(self, G):
        over = soft_threshold(G, self.l1)
        return float(np.vdot(over, over)) / (4.0 * self.l2)

    def excess(self, G):
        return 0.0
