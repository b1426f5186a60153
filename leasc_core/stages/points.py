"""Rows as the network sees them: floating, finite, of length one where asked; and what is said of a row that cannot be."""

import warnings

import numpy as np

from ..data.finite import refuse_non_finite, row_number
from ..data.scale import refuse_huge, safe_norms


def prepared(block: np.ndarray, rows, unit_rows: bool) -> np.ndarray:
    """``block`` in floating point, checked to be finite, with rows of length one where ``unit_rows``.

    ``rows`` is the number of the first row, or the numbers of all, for what is said of a bad one.
    """
    block = block if block.dtype in (np.float32, np.float64) else block.astype(np.float32)
    refuse_non_finite(block, rows)
    if unit_rows:
        return directions(block, rows)
    refuse_huge(block, rows)
    return block


def directions(block: np.ndarray, rows) -> np.ndarray:
    """Rows scaled to length one; a zero row has no direction, stays zero, and is warned of."""
    block, norms = safe_norms(block)
    zero = np.flatnonzero(norms == 0)
    if zero.size:
        warnings.warn(
            f"Row {row_number(rows, zero[0])} is all zeros ({zero.size} such row(s) near it): it lies on every subspace at "
            "once, so its label means nothing; drop such rows.",
            stacklevel=2,
        )
    return block / np.where(norms > 0, norms, 1.0)[:, None].astype(block.dtype)
