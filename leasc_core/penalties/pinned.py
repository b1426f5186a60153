"""A penalty of all rows but the last, which must be zero: the errors of points that carry a constraint in their last row."""

from dataclasses import dataclass

import numpy as np

from .base import Penalty


@dataclass(frozen=True)
class Pinned:
    """R(A) of all rows of A but the last; that one is held at zero (``prox``), so its multiplier is free (``conjugate``).

    ``value`` does not look at the last row: who asks for it brings it to zero first.
    """

    penalty: Penalty

    @property
    def weight(self):
        """Of the penalty inside."""
        return self.penalty.weight

    def value(self, A):
        return self.penalty.value(A[:-1])

    def prox(self, A, step):
        return np.vstack([self.penalty.prox(A[:-1], step), np.zeros((1, A.shape[1]))])

    def conjugate(self, G):
        return self.penalty.conjugate(G[:-1])

    def excess(self, G):
        return self.penalty.excess(G[:-1])
