"""Blocks from a reader collected in one place: an array in memory, or a .npy file on disk."""

import os

import numpy as np

from leasc_core.data.guards import check_cells, refuse, size_text

HEADER_BYTES = 128
SPARE_BYTES = 4 << 20


def gather_in_memory(contents, name, limits):
    """The whole array; refused when the machine has not the memory for it."""
    if contents.array is not None:
        native = contents.array.dtype.newbyteorder("=")
        return contents.array if contents.array.dtype == native else contents.array.astype(native)
    if contents.n_rows is None:
        return _growing(contents, name, limits)
    check_cells(name, (contents.n_rows, contents.n_columns), limits)
    refuse_beyond_memory(name, contents.n_rows * contents.n_columns * contents.dtype.itemsize)
    whole = np.empty((contents.n_rows, contents.n_columns), contents.dtype)
    start = 0
    for block in contents.blocks():
        whole[start : start + len(block)] = block
        start += len(block)
    if start != contents.n_rows:
        raise refuse(name, f"has {start:,} of the {contents.n_rows:,} rows it promises", "save or download it again")
    return whole


def _growing(contents, name, limits):
    """Rows written into an array of about the right length, made longer or shorter as they turn out."""
    width, rows = contents.n_columns, 0
    row_bytes = max(1, width * contents.dtype.itemsize)
    room = min(contents.about_rows or 0, limits.cells // max(1, width)) + max(1, SPARE_BYTES // row_bytes)
    refuse_beyond_memory(name, room * row_bytes)
    whole = np.empty((room, width), contents.dtype)
    for block in contents.blocks():
        check_cells(name, (rows + len(block), width), limits)
        if rows + len(block) > len(whole):
            room = (rows + len(block)) * 5 // 4
            refuse_beyond_memory(name, (room - len(whole)) * row_bytes)
            whole.resize((room, width), refcheck=False)
        whole[rows : rows + len(block)] = block
        rows += len(block)
    whole.resize((rows, width), refcheck=False)
    return whole


def refuse_beyond_memory(name, size):
    """A DataError where so many bytes would take more than four fifths of the free memory."""
    import psutil

    available = psutil.virtual_memory().available
    if size > 0.8 * available:
        what = f"needs {size_text(size)} of memory and {size_text(available)} are free"
        raise refuse(name, what, "open it as a source on disk, or keep fewer rows or columns")


def write_npy(path, blocks, n_columns, dtype, on_rows=None):
    """Write blocks of rows to a .npy file whose length is only known at the end; synced before it returns.

    Parameters
    ----------
    on_rows : called with the number of rows written so far.

    Returns
    -------
    The number of rows.
    """
    dtype, rows = np.dtype(dtype).newbyteorder("="), 0
    with open(path, "wb") as file:
        file.write(b"\0" * HEADER_BYTES)
        for block in blocks:
            file.write(np.ascontiguousarray(block, dtype=dtype).data)
            rows += len(block)
            if on_rows is not None:
                on_rows(rows)
        file.seek(0)
        file.write(_header(rows, n_columns, dtype))
        file.flush()
        os.fsync(file.fileno())
    return rows


def _header(rows, columns, dtype):
    """A version 1.0 header of exactly `HEADER_BYTES` bytes, so that it can be filled in last."""
    text = str({"descr": dtype.str, "fortran_order": False, "shape": (rows, columns)})
    start = b"\x93NUMPY\x01\x00" + (HEADER_BYTES - 10).to_bytes(2, "little")
    return start + text.encode().ljust(HEADER_BYTES - 11) + b"\n"
