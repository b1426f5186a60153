"""Are the numbers fit to be clustered? Looked at once, block by block, when a file is loaded."""

import numpy as np

from leasc_core.data.guards import LARGEST_EXACT_INTEGER, LARGEST_VALUE, refuse
from leasc_core.data.sources.source import refuse_infinite


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
    missing, cells = 0, source.shape[0] * source.shape[1]
    for start, block in source.raw_blocks(source.block_rows()):
        refuse_infinite(block, source.name, start, source.feature_names)
        missing += _count_missing(block)
        _refuse_huge(block, source, start)
    if missing == cells:
        raise refuse(source.name, "holds no number at all, only missing values", "choose a file with data")
    return [f"{missing:,} of {cells:,} values are missing"] if missing else []


def _count_missing(block):
    # A sum is many times quicker than a mask, and finite only if every value is.
    with np.errstate(all="ignore"):
        if block.dtype.kind != "f" or np.isfinite(block.sum(dtype=float)):
            return 0
    return int(np.isnan(block).sum())


def _refuse_huge(block, source, first_row):
    if block.dtype.itemsize < 8:
        return
    limit = LARGEST_VALUE if block.dtype.kind == "f" else LARGEST_EXACT_INTEGER
    if np.fmax.reduce(block, axis=None) <= limit and np.fmin.reduce(block, axis=None) >= -limit:
        return
    with np.errstate(invalid="ignore"):
        places = np.argwhere((block > limit) | (block < -limit))
    if len(places):
        row, column = places[0]
        label = repr(source.feature_names[column]) if source.feature_names else str(column)
        value = f"{block[row, column]:.6g}"
        what = f"holds {value} at row {first_row + row}, column {label}, too large to compute with"
        raise refuse(source.name, what, "rescale it, or drop the column if it is an identifier")
