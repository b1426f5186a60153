"""‖A‖²_F: spreads the weight over everything."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class SquaredFrobenius:
    """R(A) = Σ a²."""

    def value(self, A):
        return float(np.vdot(A, A))

    def prox(self, A, step):
        return A / (1.0 + 2.0 * step)

    def conjugate(self, G):
        return float(np.vdot(G, G)) / 4.0

    def excess(self, G):
        return 0.0
