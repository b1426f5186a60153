"""What is said of a row that is not finite, wherever rows are read."""

import numpy as np

from ..errors import DataError


def refuse_non_finite(block: np.ndarray, rows) -> None:
    """A :class:`DataError` that names the first NaN or infinite value of ``block``, if there is one.

    ``rows`` is the number of the block's first row, or the numbers of all.
    """
    where = not_finite(block)
    if len(where):
        row, column = where[0]
        what = "NaN (missing)" if np.isnan(block[row, column]) else "inf (infinite)"
        raise DataError(
            f"Row {row_number(rows, row)}, feature {column} is {what}, and {len(where)} value(s) near it are not finite: "
            "drop those rows or fill them in (leasc_core.data.preprocessing does both)."
        )


def not_finite(block: np.ndarray, missing_allowed: bool = False) -> np.ndarray:
    """(row, column) of each infinite value, and of each missing one too unless ``missing_allowed``."""
    if block.dtype.kind != "f":
        return np.empty((0, 2), np.intp)
    with np.errstate(all="ignore"):
        if np.isfinite(np.sum(block, dtype=np.float64)):
            return np.empty((0, 2), np.intp)
    return np.argwhere(np.isinf(block) if missing_allowed else ~np.isfinite(block))


def row_number(rows, at):
    """The number of a row within a block: counted on from the first, or looked up."""
    return rows[at] if np.ndim(rows) else rows + at
