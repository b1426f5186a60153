"""NumPy's .npy: one plain array; objects and records are refused by their header alone."""

import math

import numpy as np

from leasc_core.data.dataset import Contents
from leasc_core.data.guards import check_cells, check_dtype, check_header, parsing, refuse
from leasc_core.data.reading.format import Format

MAGIC = b"\x93NUMPY"
MAPPED_ABOVE = 64 << 20
BLOCK_BYTES = 8 << 20


def read_header(file, name, limits):
    """Shape, Fortran order, type and data offset of a .npy stream, which is left at its data."""
    with parsing(name, "NumPy"):
        version = np.lib.format.read_magic(file)
        reader = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
        if version not in reader:
            raise refuse(name, f"uses NumPy format version {version[0]}.{version[1]}", "save a plain array of numbers")
        start = file.read(4 if version == (2, 0) else 2)
        length = int.from_bytes(start, "little")
        check_header(name, length, "header", limits)
        shape, fortran, dtype = reader[version](_Replayed(start, file, length))
    check_cells(name, shape, limits)
    return shape, fortran, dtype, 8 + len(start) + length


class _Replayed:
    """The length field, already read to be checked, and then exactly the header behind it."""

    def __init__(self, start, file, length):
        self.start, self.rest = start, file.read(length)

    def read(self, count):
        taken, self.start = self.start[:count], self.start[count:]
        if not taken:
            taken, self.rest = self.rest[:count], self.rest[count:]
        return taken


def blocks_of_stream(open_stream, name, shape, dtype, limits):
    """A function that reads a C-ordered matrix block by block from a fresh stream each time."""
    rows = max(1, BLOCK_BYTES // max(1, shape[1] * dtype.itemsize))

    def blocks():
        with open_stream() as stream:
            read_header(stream, name, limits)
            for start in range(0, shape[0], rows):
                count = min(rows, shape[0] - start)
                yield read_values(stream, name, count * shape[1], dtype).reshape(count, shape[1])

    return blocks


def read_values(stream, name, count, dtype):
    """Exactly `count` values from a stream, in native byte order."""
    with parsing(name, "NumPy"):
        values, filled = np.empty(count, dtype), 0
        room = memoryview(values.view(np.uint8))
        while filled < len(room) and (taken := stream.readinto(room[filled:])):
            filled += taken
    if filled < len(room):
        raise refuse(name, "ends before the data its header promises", "save or download it again")
    return values.astype(dtype.newbyteorder("="), copy=False)


def whole_array(stream, name, limits):
    """The complete array of a .npy stream."""
    shape, fortran, dtype, _ = read_header(stream, name, limits)
    if dtype.kind not in "US" or dtype.itemsize == 0:
        check_dtype(name, dtype)
    return read_values(stream, name, math.prod(shape), dtype).reshape(shape, order="F" if fortran else "C")


def mapped_array(blob, limits):
    """The array of a .npy file, memory-mapped when large; the file must be as long as its header says."""
    with blob.open() as file:
        shape, fortran, dtype, offset = read_header(file, blob.name, limits)
        check_dtype(blob.name, dtype)
        expected = offset + math.prod(shape) * dtype.itemsize
        if blob.size != expected:
            what = f"is {blob.size:,} bytes long where its header promises {expected:,}"
            raise refuse(blob.name, what, "save or download it again")
        if blob.path is None or blob.size <= MAPPED_ABOVE:
            values = read_values(file, blob.name, math.prod(shape), dtype)
            return values.reshape(shape, order="F" if fortran else "C")
    return np.memmap(blob.path, dtype, "r", offset, shape, "F" if fortran else "C")


def recognises(head, blob):
    return head.startswith(MAGIC)


def read(blob, limits, array=None, label=None):
    """The array itself, or its blocks when it comes out of a .gz."""
    if isinstance(label, str):
        raise refuse(blob.name, f"has no part named {label!r}: it holds one array without names", "leave the label out")
    if not blob.packed:
        return Contents(array=mapped_array(blob, limits))
    with blob.open() as stream:
        shape, fortran, dtype, _ = read_header(stream, blob.name, limits)
    check_dtype(blob.name, dtype)
    if len(shape) == 2 and not fortran:
        blocks = blocks_of_stream(blob.open, blob.name, shape, dtype, limits)
        return Contents(blocks=blocks, n_rows=shape[0], n_columns=shape[1], dtype=dtype.newbyteorder("="))
    with blob.open() as stream:
        return Contents(array=whole_array(stream, blob.name, limits))


def shape_of(blob, limits):
    """The array's sides, from its header."""
    with blob.open() as stream:
        return read_header(stream, blob.name, limits)[0]


FORMAT = Format("NumPy array", (".npy",), recognises, read, shape=shape_of, in_place=True, in_gzip=True)
