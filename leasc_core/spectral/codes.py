"""``affinity="codes"``: the paper's Eqs. 9–10, with |codes| themselves as the bipartite affinity.

B = |f(Y)| (m, n); W = Z̃ᵀZ̃ with Z̃ = D^{-1/2}|f(Y)|, D the sums over all points for each representative. Only the n × n Gram
and the n sums are kept, so one streamed pass is enough.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class CodeGraph:
    """Joins a point to the representatives by the size of its code."""

    def rows(self, codes):
        """The rows of B for these codes."""
        return np.abs(codes)


class GramSum:
    """BᵀB and the column sums of B, added up block by block (products single, sums double)."""

    def __init__(self, width):
        self.gram, self.degrees = np.zeros((width, width)), np.zeros(width)

    def add(self, B):
        B = np.asarray(B, dtype=np.float32)
        self.gram += B.T @ B
        self.degrees += B.sum(axis=0, dtype=np.float64)
