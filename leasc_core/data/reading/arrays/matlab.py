"""MATLAB v5 to v7: the variables' headers are walked here, a child process reads the values."""

import struct
import zlib
from typing import NamedTuple

from leasc_core.data.dataset import Contents
from leasc_core.data.guards import check_cells, check_expansion, check_members, parsing, refuse
from leasc_core.data.labels import Labels
from leasc_core.data.reading.format import Format
from leasc_core.data.reading.isolated import read_isolated
from leasc_core.data.reading.roles import ArrayInfo, propose

HEADER_BYTES = 128
MATRIX, COMPRESSED = 14, 15
VARIABLE_HEADER = 1024
NUMERIC = {5: "sparse", 6: "float64", 7: "float32"}
NUMERIC |= {8: "int8", 9: "uint8", 10: "int16", 11: "uint16", 12: "int32", 13: "uint32", 14: "int64", 15: "uint64"}
CLASSES = NUMERIC | {1: "cell", 2: "struct", 3: "object", 4: "char", 16: "function", 17: "opaque"}
RUNS_CODE = {"object", "function", "opaque"}
COMPLEX_FLAG = 0x08


class Variable(NamedTuple):
    """One variable's header: its name, class and shape, the bytes it takes packed and unpacked."""

    name: str
    kind: str
    shape: tuple
    stored: int
    unpacked: int
    is_complex: bool


def recognises(head, blob):
    """The text header, then version 0x0100 and the byte-order mark."""
    return len(head) >= HEADER_BYTES and head[124:128] in (b"\x00\x01IM", b"\x01\x00MI")


def survey(blob, limits):
    """Every variable's header, without unpacking more than its first kilobyte."""
    variables = []
    with blob.open() as file, parsing(blob.name, "MATLAB"):
        order = "<" if file.read(HEADER_BYTES)[126:] == b"IM" else ">"
        while tag := file.read(8):
            kind, size = struct.unpack(order + "II", tag)
            start = file.tell()
            if kind not in (MATRIX, COMPRESSED) or start + size > blob.size:
                what = f"is damaged or cut short at byte {start - 8:,}"
                raise refuse(blob.name, what, "save or download it again")
            variables.append(_variable(file.read(min(size, 4 * VARIABLE_HEADER)), kind, size, order))
            check_members(blob.name, len(variables), limits)
            file.seek(start + size)
    return variables


def _variable(start, kind, size, order):
    stored, unpacked = size, size
    if kind == COMPRESSED:
        start = zlib.decompressobj().decompress(start, VARIABLE_HEADER)
        kind, unpacked = struct.unpack_from(order + "II", start)
        start = start[8:]
        if kind != MATRIX:
            raise ValueError(f"element of type {kind} where a matrix belongs")
    flags_type, flags_size, flags, _ = struct.unpack_from(order + "IIII", start)
    dims_type, dims_size = struct.unpack_from(order + "II", start, 16)
    if (flags_type, flags_size, dims_type) != (6, 8, 5) or dims_size % 4 or not 8 <= dims_size <= 128:
        if CLASSES.get(flags & 0xFF) == "opaque":
            return Variable("", "opaque", (), stored, unpacked, False)
        raise ValueError("a variable's header is out of order")
    shape = struct.unpack_from(f"{order}{dims_size // 4}i", start, 24)
    name = _name(start, 24 + -(-dims_size // 8) * 8, order)
    kind = CLASSES.get(flags & 0xFF, "unknown")
    return Variable(name, kind, shape, stored, unpacked, bool(flags >> 8 & COMPLEX_FLAG))


def _name(start, offset, order):
    """The name element: short ones keep their length in the upper half of the tag."""
    tag, size = struct.unpack_from(order + "II", start, offset)
    if tag >> 16:
        return start[offset + 4 : offset + 4 + min(4, tag >> 16)].decode("latin-1")
    return start[offset + 8 : offset + 8 + min(size, 64)].decode("latin-1")


def _check(variable, blob, limits):
    """Refuse sizes that cannot be, before a child is asked to unpack them."""
    cells = check_cells(blob.name, variable.shape, limits)
    check_expansion(blob.name, variable.stored, variable.unpacked, limits)
    dense = 8 * cells
    if variable.kind == "sparse":
        check_expansion(blob.name, variable.unpacked, dense, limits)
    elif cells > variable.unpacked:
        what = f"declares {cells:,} numbers in '{variable.name}' but stores {variable.unpacked:,} bytes"
        raise refuse(blob.name, what, "save or download it again")
    return max(dense, variable.unpacked)


def _infos(variables):
    return [
        ArrayInfo(v.name, v.shape, v.kind, "" if v.kind in NUMERIC.values() and not v.is_complex else "not numeric")
        for v in variables
        if v.name
    ]


def arrays(blob, limits):
    """The variables by their headers."""
    return _infos(survey(blob, limits))


def read(blob, limits, array=None, label=None):
    """The proposed (or asked) variable and its labels."""
    variables = survey(blob, limits)
    unsafe = [v for v in variables if v.kind in RUNS_CODE]
    if unsafe and array is None:
        what = f"holds a MATLAB {unsafe[0].kind} ('{unsafe[0].name}'), which is not plain data"
        raise refuse(blob.name, what, "save it without, or name the array to read with array=")
    found, data, labels = propose(_infos(variables), blob.name, array, label)
    chosen = {"X": data.name} | ({"y": labels.name} if labels else {})
    by_name = {v.name: v for v in variables}
    needed = sum(_check(by_name[name], blob, limits) for name in chosen.values())
    _, files = read_isolated("matlab5", blob, limits, variables=chosen, bytes=needed)
    contents = Contents(array=files["X"], matlab=True, arrays=found)
    if labels:
        contents.labels = Labels(blob.name, f"'{labels.name}'", certain=isinstance(label, str))
        contents.labels.add_numbers(files["y"])
    return contents


FORMAT = Format("MATLAB", (".mat",), recognises, read, arrays=arrays)
