"""Sparse matrices as blocks of dense rows: memory stays at the values and one block."""

import mmap

import numpy as np

from leasc_core.data.guards import refuse
from leasc_core.data.layout import Layout

BLOCK_BYTES = 8 << 20
SAMPLED = 1 << 16


def counts_layout(shape, values) -> Layout | None:
    """The layout of counts, where the stored values are whole numbers from 0 on."""
    values = values[:SAMPLED]
    if len(values) and values.min() >= 0 and np.all(values == np.round(values)):
        return Layout("counts", tuple(shape), "A row is a cell or a document, a column the count of a gene or a word.")
    return None


def sparse_blocks(parts, kind, shape, name):
    """`(blocks, dtype)` of a matrix given as the arrays `data`, `indices`, `indptr` of CSR or CSC."""
    rows, columns = shape
    data, indices, starts = parts["data"], parts["indices"], parts["indptr"].astype(np.int64)
    most = columns if kind == "csr" else rows
    if not _are_within(indices, most):
        raise refuse(name, "has a sparse matrix with values outside of its shape", "save or download it again")
    dtype = (
        data.dtype.newbyteorder("=")
        if data.dtype.kind == "f"
        else np.dtype(np.float32 if data.dtype.itemsize <= 2 else np.float64)
    )
    if kind == "csc":
        from scipy.sparse import csc_matrix

        turned = csc_matrix((data, indices, starts), shape=shape).tocsr()
        data, indices, starts = turned.data, turned.indices, turned.indptr.astype(np.int64)
    step = max(1, BLOCK_BYTES // max(1, columns * dtype.itemsize))

    def blocks():
        for first in range(0, rows, step):
            last = min(first + step, rows)
            part = slice(int(starts[first]), int(starts[last]))
            block = np.zeros((last - first, columns), dtype)
            where = np.repeat(np.arange(last - first), np.diff(starts[first : last + 1]))
            with np.errstate(over="ignore", invalid="ignore"):  # what is no number is found where all readers look for it
                np.add.at(block, (where, indices[part]), data[part])
            let_go(data)
            let_go(indices)
            yield block

    return blocks, dtype


def _are_within(indices, most):
    """Are all of them from 0 to below `most`? A mapped array is read a part at a time."""
    for start in range(0, len(indices), BLOCK_BYTES):
        part = indices[start : start + BLOCK_BYTES]
        if int(part.min()) < 0 or int(part.max()) >= most:
            return False
        let_go(indices)
    return True


def let_go(array):
    """Give back the memory that pages of a mapped file take; they are read again when they are asked for."""
    while array is not None and not isinstance(array, mmap.mmap):
        array = getattr(array, "base", None)
    if array is not None and hasattr(mmap, "MADV_DONTNEED"):
        array.madvise(mmap.MADV_DONTNEED)
