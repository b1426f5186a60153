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


def largest_codes(codes, count):
    """|codes| with all but each row's ``count`` largest entries set to zero; the largest of a row becomes 1."""
    A = np.abs(np.asarray(codes, dtype=np.float64))
    if count is not None and count < A.shape[1]:
        threshold = -np.partition(-A, count - 1, axis=1)[:, count - 1 : count]
        A = np.where(threshold <= A, A, 0.0)
    top = A.max(axis=1, keepdims=True)
    return A / np.where(top > 0, top, 1.0)


@dataclass(frozen=True)
class GramSum:
    """BᵀB and the column sums of B; those of two blocks are added (products of codes single, sums double)."""

    gram: np.ndarray
    degrees: np.ndarray

    @classmethod
    def of(cls, B):
        """The sums of one block, dense or sparse."""
        return cls((B.T @ B).astype(np.float64), np.asarray(B.sum(axis=0, dtype=np.float64)).ravel())

    def __add__(self, other):
        return GramSum(self.gram + other.gram, self.degrees + other.degrees)
