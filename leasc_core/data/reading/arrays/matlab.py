"""MATLAB v5 to v7: the variables' headers are walked here, a child process reads the values."""

import re
import struct
import zlib
from typing import NamedTuple

import numpy as np

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
CLASS_NUMBER, LEAST_CLASSES = re.compile(r"(.*\D)(\d{1,3})"), 3
# A cell takes so many times the room in memory that it has in the file.
BYTES_OF_CELLS = 8
SCENE_SIDES = ("nrow", "ncol")


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
    return max(dense, BYTES_OF_CELLS * variable.unpacked if variable.kind in ("char", "cell") else variable.unpacked)


def _infos(variables):
    return [_info(v) for v in variables if v.name]


def _info(variable):
    if variable.kind in ("char", "cell"):
        return ArrayInfo(variable.name, variable.shape, "text" if variable.kind == "char" else "cell", "not numeric")
    usable = variable.kind in NUMERIC.values() and not variable.is_complex
    return ArrayInfo(variable.name, variable.shape, variable.kind, "" if usable else "not numeric")


def arrays(blob, limits):
    """The variables by their headers; those inside of structs and cells where there is no other table."""
    variables = survey(blob, limits)
    nested = _nested(variables)
    return _inside(blob, limits, nested, list_only=True)[0] if nested else _infos(variables)


def read(blob, limits, array=None, label=None):
    """The proposed (or asked) variable and its labels."""
    variables = survey(blob, limits)
    unsafe = [v for v in variables if v.kind in RUNS_CODE]
    if unsafe and array is None:
        what = f"holds a MATLAB {unsafe[0].kind} ('{unsafe[0].name}'), which is not plain data"
        raise refuse(blob.name, what, "save it without, or name the array to read with array=")
    if nested := _nested(variables):
        found, about, files = _inside(blob, limits, nested, array=array, label=label)
        return _contents(blob, label, found, about, files)
    by_class = [] if array is not None or isinstance(label, str) else _by_class(variables)
    if by_class:
        return _joined(blob, limits, by_class, _infos(variables), label)
    found, data, labels = propose(_infos(variables), blob.name, array, label)
    sides = _sides_beside(variables, data)
    chosen = {"X": data.name} | ({"y": labels.name} if labels else {}) | sides
    by_name = {v.name: v for v in variables}
    needed = sum(_check(by_name[name], blob, limits) for name in chosen.values())
    about, files = read_isolated("matlab5", blob, limits, variables=chosen, bytes=needed)
    contents = _contents(blob, label, found, about | {"labels": labels and labels.name}, files)
    if sides:
        _lay_out(contents, *(int(files[side].ravel()[0]) for side in sides))
    return contents


def _contents(blob, label, found, about, files):
    """What the child left: the array, and labels as numbers or as names with the position of each row's."""
    contents = Contents(array=files["X"], matlab=True, arrays=found)
    if "y" in files:
        contents.labels = Labels(blob.name, f"'{about['labels']}'", certain=isinstance(label, str))
        if about.get("label_names") is not None:
            contents.labels.add_names(about["label_names"], files["y"])
        else:
            contents.labels.add_numbers(files["y"])
    elif about.get("labels") and isinstance(label, str):
        raise refuse(blob.name, f"'{label}' holds neither texts nor numbers", "choose other labels or pass label=False")
    elif about.get("labels"):
        contents.notes.append(f"'{about['labels']}' holds neither texts nor numbers, so it is not used as labels")
    return contents


def _nested(variables):
    """The structs and cells, and the lists beside them, where no variable is a table of numbers; else []."""
    numeric = [v for v in variables if v.kind in NUMERIC.values() and not v.is_complex]
    inside = [v for v in variables if v.kind in ("struct", "cell") and v.name]
    is_table = any(sum(length > 1 for length in v.shape) > 1 for v in numeric)
    return [] if is_table or not inside else inside + [v for v in numeric if max(v.shape) > 1]


def _inside(blob, limits, nested, **request):
    """`(arrays inside by path, what the child says, files)`."""
    for found in nested:
        check_expansion(blob.name, found.stored, found.unpacked, limits)
    names, needed = [found.name for found in nested], BYTES_OF_CELLS * sum(found.unpacked for found in nested)
    about, files = read_isolated("matlab5", blob, limits, nested=names, bytes=needed, **request)
    return [ArrayInfo(name, tuple(shape), dtype, role) for name, shape, dtype, role in about["arrays"]], about, files


def _by_class(variables):
    """Tables of one name with the number of their class (train0, train1, …), where there is no other table; else []."""
    tables = [v for v in variables if v.kind in NUMERIC.values() and len(v.shape) == 2 and min(v.shape) > 1]
    parts = [CLASS_NUMBER.fullmatch(v.name) for v in tables]
    lists = {max(v.shape) for v in variables if v.kind in NUMERIC.values() and len(v.shape) == 2 and min(v.shape) == 1}
    if not all(parts) or len({v.shape[1] for v in tables}) != 1 or lists & {v.shape[0] for v in tables} - {1}:
        return []  # tables with a list of labels for the rows of each are views of the same samples
    stems = {}
    for variable, part in zip(tables, parts, strict=True):
        stems.setdefault(part[1], []).append((int(part[2]), variable))
    rows = {stem: sum(variable.shape[0] for _, variable in found) for stem, found in stems.items()}
    members = sorted(stems[max(rows, key=rows.get)], key=lambda found: found[0]) if rows else []
    return members if len(members) >= LEAST_CLASSES else []


def _joined(blob, limits, members, found, label):
    """One array of tables that hold a class each."""
    check_cells(blob.name, (sum(v.shape[0] for _, v in members), members[0][1].shape[1]), limits)
    needed = sum(_check(variable, blob, limits) for _, variable in members)
    chosen = {f"X{number}": variable.name for number, variable in members}
    _, files = read_isolated("matlab5", blob, limits, variables=chosen, bytes=needed)
    names = list(chosen.values())
    contents = Contents(matlab=True, notes=[f"{len(members)} tables joined, {names[0]} to {names[-1]}, each of one class"])
    contents.array = np.concatenate([files[stem] for stem in chosen])
    contents.arrays = [info._replace(role="data") if info.name in names else info for info in found]
    if label is not False:
        contents.labels = Labels(blob.name, "the numbers in the names of the tables", certain=False)
        contents.labels.add_numbers(np.repeat([number for number, _ in members], [v.shape[0] for _, v in members]))
    return contents


def _sides_beside(variables, data):
    """The names of nRow and nCol, as they stand beside the pixels of a flat scene; {} where they do not."""
    there = {v.name.lower(): v.name for v in variables if v.kind in NUMERIC.values() and v.shape == (1, 1)}
    is_flat = len(data.shape) == 2 and all(name in there for name in SCENE_SIDES)
    return {name: there[name] for name in SCENE_SIDES} if is_flat else {}


def _lay_out(contents, rows, columns):
    """A flat scene (bands, pixels), pixels down its columns, as (rows, columns, bands)."""
    flat = contents.array if contents.array.shape[1] == rows * columns else contents.array.T
    if flat.shape[1] == rows * columns:
        contents.array = flat.reshape(len(flat), rows, columns, order="F").transpose(1, 2, 0)
        contents.beside["spectrum"] = 2
        contents.notes.append(f"pixels laid out as {rows} x {columns}, as {' and '.join(SCENE_SIDES)} say")


FORMAT = Format("MATLAB", (".mat",), recognises, read, arrays=arrays)
