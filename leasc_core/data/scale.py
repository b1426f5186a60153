"""Rows of any size a number can have: squares of large ones overflow, of small ones vanish, so they are scaled first."""

import numpy as np

from ..errors import DataError
from .finite import row_number
from .guards import LARGEST_VALUE

# Between these sizes of the largest number, and these lengths of a row, squares and their sums keep full precision.
USUAL = (1e-10, 1e12)
# The square of this, and a sum of a hundred of them, is a number of single precision, in which f is computed.
LARGEST_SINGLE = 1e18
SAFE = {"f": (1e-15, 1e15), "d": (1e-140, 1e140)}


def safe_norms(block: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """``(block, norms)``: rows whose squares do not fit are multiplied by a power of two; the norms are of what is returned.

    Rows of usual size are untouched, and a power of two rounds nothing: directions are what exact arithmetic gives.
    """
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        norms = np.sqrt(np.einsum("ij,ij->i", block, block))
    low, high = SAFE.get(block.dtype.char, (0.0, np.inf))
    odd = np.flatnonzero(~((norms >= low) & (norms <= high)))
    if not odd.size:
        return block, norms
    rows = block[odd]
    exponents = np.frexp(np.abs(rows).max(axis=1, initial=0.0))[1]
    rows = np.ldexp(rows, -exponents[:, None])
    block = block.copy()
    block[odd] = rows
    norms[odd] = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return block, norms


def unit_rows(A: np.ndarray) -> np.ndarray:
    """Rows of length one; a zero row stays zero."""
    A, norms = safe_norms(A)
    return A / np.where(norms > 0, norms, 1.0)[:, None].astype(A.dtype)


def single_unit_rows(A: np.ndarray) -> np.ndarray:
    """Rows of length one in single precision, also of rows that are too long or too short for it."""
    return np.ascontiguousarray(unit_rows(A if A.dtype in (np.float32, np.float64) else A.astype(np.float32)), np.float32)


def single(points: np.ndarray) -> np.ndarray:
    """The points in single precision, divided by one power of two where their size is not usual."""
    return np.ascontiguousarray(divided(points, exponent_of(points)), np.float32)


def exponent_of(points: np.ndarray) -> int:
    """The power of two by which all points are divided before anything is squared; 0 where their size is usual."""
    largest = float(np.abs(points).max(initial=0.0))
    return 0 if largest == 0.0 or USUAL[0] <= largest <= USUAL[1] else int(np.frexp(largest)[1])


def divided(points: np.ndarray, exponent: int) -> np.ndarray:
    """The points over 2^exponent, exactly; relations between them stay as they are."""
    return np.ldexp(points if points.dtype.kind == "f" else points.astype(np.float64), -exponent) if exponent else points


def refuse_huge(block: np.ndarray, rows, limit: float = LARGEST_VALUE) -> None:
    """A :class:`DataError` where a number is so large that its square is none, for methods that take rows as they are."""
    if limit < float(np.finfo(block.dtype).max) and block.size and max(block.max(), -block.min()) > limit:
        row, column = np.argwhere(np.abs(block) > limit)[0]
        raise DataError(
            f"Row {row_number(rows, row)}, feature {column} is {block[row, column]:.3g}, too large to compute with: divide the "
            "data by a constant, or drop the column if it is an identifier."
        )
