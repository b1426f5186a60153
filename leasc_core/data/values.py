"""Are the numbers fit to be clustered? Looked at once, block by block, when a file is loaded."""

import numpy as np

from leasc_core.data.guards import LARGEST_EXACT_INTEGER, LARGEST_VALUE, refuse


def check_shape(name, shape):
    """Refuse tables without rows and with fewer than two columns."""
    if shape[0] == 0:
        raise refuse(name, "has 0 rows", "choose a file that holds samples")
    if shape[1] < 2:
        what = f"has {shape[1]} column{'s' * (shape[1] != 1)} of numbers where at least 2 are needed"
        raise refuse(name, what, "add features, or pass transpose=True if columns are samples")


def check_values(source):
    """Refuse infinite, absurdly large and nowhere present values; return notes on missing ones."""
    check_shape(source.name, source.shape)
    missing = 0
    for start, block in source.blocks():
        if block.dtype.kind == "f":
            missing += int(np.isnan(block).sum())
        _refuse_huge(block, source, start)
    if missing == source.shape[0] * source.shape[1]:
        raise refuse(
            source.name, "holds no number at all, only missing values", "choose a file that holds data"
        )
    return [f"{missing:,} of {source.shape[0] * source.shape[1]:,} values are missing"] if missing else []


def _refuse_huge(block, source, first_row):
    if block.dtype.itemsize < 8:
        return
    limit = LARGEST_VALUE if block.dtype.kind == "f" else LARGEST_EXACT_INTEGER
    with np.errstate(invalid="ignore"):
        huge = (block > limit) | ((block < -limit) if block.dtype.kind != "u" else False)
    if huge.any():
        row, column = np.argwhere(huge)[0]
        label = repr(source.feature_names[column]) if source.feature_names else str(column)
        value = f"{block[row, column]:.6g}"
        what = f"holds {value} at row {first_row + row}, column {label}, too large to compute with"
        raise refuse(source.name, what, "rescale it, or drop the column if it is an identifier")
