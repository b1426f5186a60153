"""Rows on their way downstream: shape, type, fingerprint and blocks, from arrays, memory maps and files."""

import os
from collections.abc import Iterator
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from leasc_core.data.finite import not_finite
from leasc_core.data.guards import STREAMED, check_cells, check_dtype, refuse
from leasc_core.errors import ParameterError

BLOCK_BYTES = 8 << 20
# Up to this size a fingerprint reads everything, above it SPANS evenly spaced stretches, the ends among them.
HASHED_WHOLE = 64 << 20
SPANS = 32


class DataSource:
    """Rows of real numbers that need not fit in memory.

    Attributes
    ----------
    shape : (n_samples, n_features)
    dtype : the numpy type of every block, in native byte order
    name : what to call the data in a message
    labels, label_names, feature_names, image_shape : what the file said besides the numbers, or None
    columns : ColumnInfo of every column of a table, or ()
    metadata : Metadata of the columns that are no features, or None
    layout : Layout of pictures, cubes, tracks, series, ..., or None
    """

    def __init__(self, shape: tuple[int, ...], dtype: Any, name: str, about: Any = None):
        self.shape = (int(shape[0]), int(shape[1]))
        self.dtype = np.dtype(dtype).newbyteorder("=")
        self.name = name
        self.labels = getattr(about, "y", None)
        self.label_names = getattr(about, "label_names", None)
        self.feature_names = getattr(about, "feature_names", None)
        self.image_shape = getattr(about, "image_shape", None)
        self.notes = tuple(getattr(about, "notes", ()))
        self.columns = tuple(getattr(about, "columns", ()))
        self.metadata = getattr(about, "metadata", None)
        self.layout = getattr(about, "layout", None)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self):
        return f"{type(self).__name__}({self.name!r}, {self.shape[0]:,} x {self.shape[1]:,}, {self.dtype})"

    def rows(self, start: int, stop: int) -> np.ndarray:
        """Rows `start` to `stop` as an array."""
        raise NotImplementedError

    def raw_blocks(self, rows: int, start: int = 0) -> Iterator[tuple[int, np.ndarray]]:
        """`(first row, block)` in order from row `start` on, as stored; formats that only go forward have their own way."""
        for first in range(start, self.shape[0], rows):
            yield first, self.rows(first, min(first + rows, self.shape[0]))

    def blocks(self, rows: int | None = None) -> Iterator[tuple[int, np.ndarray]]:
        """Iterate over `(start, block)`, at most `rows` rows each; infinite values are refused on the way."""
        for start, block in self.raw_blocks(self.block_rows(rows)):
            refuse_infinite(block, self.name, start, self.feature_names)
            yield start, block

    def take(self, indices: ArrayLike) -> np.ndarray:
        """The rows at `indices`, in that order, without reading all the others into memory."""
        indices = self._checked_indices(indices)
        if not indices.size:
            return np.empty((0, self.shape[1]), self.dtype)
        wanted, back = np.unique(indices, return_inverse=True)
        return self._take_sorted(wanted)[back]

    def _take_sorted(self, wanted):
        picked = np.empty((len(wanted), self.shape[1]), self.dtype)
        for position, row in enumerate(wanted):
            picked[position] = self.rows(row, row + 1)[0]
        return picked

    @cached_property
    def fingerprint(self):
        """Hash of the shape, the type and the values; sampled evenly above 64 MB.

        The same numbers of the same type have the same fingerprint whatever holds them. Of a larger
        source 32 stretches of 2 MB are read; a change that falls between them goes unnoticed.
        """
        digest = sha256(f"{self.shape} {self.dtype.newbyteorder('<').str}".encode())
        for block in self._fingerprint_blocks():
            digest.update(np.ascontiguousarray(block).astype(self.dtype.newbyteorder("<"), copy=False))
        return digest.hexdigest()[:32]

    def _fingerprint_blocks(self):
        row_bytes = max(1, self.shape[1] * self.dtype.itemsize)
        if self.shape[0] * row_bytes <= HASHED_WHOLE:
            return (block for _, block in self.raw_blocks(self.block_rows(None)))
        count = max(1, HASHED_WHOLE // SPANS // row_bytes)
        starts = np.unique(np.linspace(0, self.shape[0] - count, SPANS).astype(int))
        return self._spans(starts, count)

    def _spans(self, starts, count):
        """Stretches of `count` rows, in order and without overlap."""
        return (self.rows(start, start + count) for start in starts.tolist())

    def block_rows(self, rows: int | None = None) -> int:
        """`rows` if it is a size, or as many rows as make a block of 8 MB."""
        if rows is None:
            return max(1, BLOCK_BYTES // max(1, self.shape[1] * self.dtype.itemsize))
        if int(rows) != rows or rows < 1:
            raise ParameterError(f"rows={rows!r} is not a block size: give a whole number of at least 1.")
        return int(rows)

    def _checked_indices(self, indices):
        indices = np.asarray(indices)
        if indices.ndim != 1 or (indices.size and indices.dtype.kind not in "iu"):
            raise ParameterError("indices must be a one-dimensional array of whole numbers.")
        if indices.size and (indices.min() < 0 or indices.max() >= self.shape[0]):
            bad = indices[(indices < 0) | (indices >= self.shape[0])][0]
            raise ParameterError(f"Row {bad} does not exist: {self.name} has rows 0 to {self.shape[0] - 1}.")
        return indices.astype(np.intp)


# What estimators take: rows are points.
Rows = ArrayLike | str | os.PathLike | DataSource


class ArraySource(DataSource):
    """Rows of an array (or of a strided view of a memory map)."""

    def __init__(self, array, name="array", about=None):
        check_dtype(name, array.dtype)
        super().__init__(array.shape, array.dtype, name, about)
        self.array = array

    def rows(self, start, stop):
        return np.asarray(self.array[start:stop], dtype=self.dtype)

    def _take_sorted(self, wanted):
        return np.asarray(self.array[wanted], dtype=self.dtype)


class FileSource(DataSource):
    """Rows stored one after the other in a file; read, not mapped, so that memory stays at one block."""

    def __init__(self, path, shape, dtype, offset, name=None, about=None):
        super().__init__(shape, dtype, name or os.path.basename(path), about)
        self.path, self.stored, self.offset = os.fspath(path), np.dtype(dtype), offset

    def rows(self, start, stop):
        count = (stop - start) * self.shape[1]
        skipped = self.offset + start * self.shape[1] * self.stored.itemsize
        values = np.fromfile(self.path, self.stored, count, offset=skipped)
        if len(values) != count:
            raise refuse(self.name, "became shorter while it was read", "open it again")
        return values.astype(self.dtype, copy=False).reshape(-1, self.shape[1])

    def _take_sorted(self, wanted):
        # Read, not mapped: a page fault here and there would bring in megabytes around every row.
        picked = np.empty((len(wanted), self.shape[1]), self.stored)
        row_bytes = self.shape[1] * self.stored.itemsize
        first = np.flatnonzero(np.diff(wanted, prepend=-2) != 1)
        with open(self.path, "rb") as file:
            for start, stop in zip(first, [*first[1:], len(wanted)], strict=True):
                file.seek(self.offset + int(wanted[start]) * row_bytes)
                if file.readinto(memoryview(picked[start:stop]).cast("B")) != (stop - start) * row_bytes:
                    raise refuse(self.name, "became shorter while it was read", "open it again")
        return picked.astype(self.dtype, copy=False)


class PlanesSource(FileSource):
    """Rows of a file that stores column after column, as the bands of a scene: each block is gathered from every column."""

    def rows(self, start, stop):
        return np.stack([self._stretch(column, start, stop) for column in range(self.shape[1])], axis=1).astype(
            self.dtype, copy=False
        )

    def _take_sorted(self, wanted):
        picked = np.empty((len(wanted), self.shape[1]), self.dtype)
        step = BLOCK_BYTES // self.stored.itemsize
        for column in range(self.shape[1]):
            for first in range(int(wanted[0]), int(wanted[-1]) + 1, step):
                here = slice(*np.searchsorted(wanted, [first, first + step]))
                if here.start < here.stop:
                    last = int(wanted[here.stop - 1]) + 1
                    picked[here, column] = self._stretch(column, first, last)[wanted[here] - first]
        return picked

    def _stretch(self, column, start, stop):
        skipped = self.offset + (column * self.shape[0] + start) * self.stored.itemsize
        values = np.fromfile(self.path, self.stored, stop - start, offset=skipped)
        if len(values) != stop - start:
            raise refuse(self.name, "became shorter while it was read", "open it again")
        return values


class SomeRows(DataSource):
    """The rows of ``base`` numbered ``indices``, rising."""

    def __init__(self, base, indices):
        super().__init__((len(indices), base.shape[1]), base.dtype, base.name)
        self.base, self.indices = base, indices

    def rows(self, start, stop):
        return self.base.take(self.indices[start:stop])

    def _take_sorted(self, wanted):
        return self.base.take(self.indices[wanted])


def refuse_infinite(block, name, first_row, feature_names=None):
    """Raise a `DataError` that says where, if `block` holds an infinite value."""
    infinite = not_finite(block, missing_allowed=True)
    if len(infinite):
        row, column = infinite[0]
        label = repr(feature_names[column]) if feature_names else str(column)
        what = f"holds an infinite value at row {first_row + row}, column {label} (counted from 0)"
        raise refuse(name, what, "replace it with a number or leave it empty")


def source_of_array(thing, name, about=None):
    """The source of an array already in memory, or of a memory map, which is then read from its file."""
    array = thing if isinstance(thing, np.ndarray) else _as_array(thing, name)
    if array.ndim != 2:
        raise refuse(name, f"has {array.ndim} dimensions", "give a table with one sample a row")
    check_cells(name, array.shape, STREAMED)
    root = _mapped_root(array)
    if root is not None and (array.flags.c_contiguous or array.flags.f_contiguous):
        check_dtype(name, array.dtype)
        kind = FileSource if array.flags.c_contiguous else PlanesSource
        start = array.__array_interface__["data"][0] - root.__array_interface__["data"][0]
        return kind(root.filename, array.shape, array.dtype, root.offset + start, name, about)
    return ArraySource(array, name, about)


def _mapped_root(array):
    """The memory map of a file, opened for reading only, that `array` is or is a view of; None for all else."""
    while isinstance(array, np.memmap):
        if type(array.base).__name__ == "mmap":
            return array if array.filename and array.mode == "r" else None
        array = array.base
    return None


def _as_array(thing, name):
    if type(thing).__module__.startswith("scipy.sparse"):
        raise refuse(name, "is a sparse matrix", "call toarray() first, or save it as libsvm and load that")
    try:
        return np.asarray(thing)
    except ValueError:
        raise refuse(name, "has rows of different lengths", "give rows of equal length") from None
