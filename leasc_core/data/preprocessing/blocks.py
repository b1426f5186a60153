"""Blocks of rows out of anything that holds rows, as floats."""

from collections.abc import Iterator

import numpy as np

from leasc_core.data.sources import open_source
from leasc_core.errors import DataError


def row_blocks(data):
    """Yield 2-D float blocks of an array, path or source, or of a list or generator of blocks.

    float32 stays float32, every other number becomes float64.
    """
    if is_single_use(data) or _is_list_of_blocks(data):
        blocks = data
    else:
        blocks = (block for _, block in open_source(data).blocks())
    for block in blocks:
        yield as_rows(block)


def as_rows(block):
    """A 2-D float array, or a DataError."""
    block = np.asarray(block)
    if block.ndim != 2:
        raise DataError(f"The data have {block.ndim} dimension(s), not rows and columns; reshape them.")
    if block.dtype.kind not in "fiub":
        raise DataError(f"The data are of type {block.dtype}, not numbers; convert or leave out such columns.")
    return block if block.dtype in (np.float32, np.float64) else block.astype(np.float64)


def is_single_use(data):
    """True for a generator or other iterator, which can be read through once only."""
    return isinstance(data, Iterator)


def _is_list_of_blocks(data):
    return isinstance(data, (list, tuple)) and len(data) > 0 and np.ndim(data[0]) == 2
