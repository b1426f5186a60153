"""IDX, the format of MNIST and its kin: big-endian pictures, labels in a second file beside them."""

import math
import re
from pathlib import PurePath

import numpy as np

from leasc_core.data.arrange import COLOURS
from leasc_core.data.dataset import Contents
from leasc_core.data.guards import check_cells, check_expansion, check_member_name, one_line, parsing, refuse
from leasc_core.data.labels import Labels
from leasc_core.data.reading.blobs import open_blob
from leasc_core.data.reading.format import Format
from leasc_core.data.values import check_shape

TYPES = {0x08: "u1", 0x09: "i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}
BLOCK_BYTES = 8 << 20


def recognises(head, blob):
    """Two zero bytes, a type and a number of dimensions."""
    return len(head) >= 4 and head[:2] == b"\0\0" and head[2] in TYPES and 1 <= head[3] <= 4


def read_header(stream, name, limits):
    """Shape and type, checked; leaves the stream at the data."""
    start = stream.read(4)
    if not recognises(start, None):
        raise refuse(name, "does not begin as an IDX file", "save or download it again")
    sizes = stream.read(4 * start[3])
    if len(sizes) < 4 * start[3]:
        raise refuse(name, "ends inside its header", "save or download it again")
    shape = tuple(np.frombuffer(sizes, ">u4").tolist())
    check_cells(name, shape, limits)
    return shape, np.dtype(TYPES[start[2]])


def _read_rows(blob, limits):
    """Shape, type and a function giving the rows in blocks; the file must hold exactly what it promises."""
    with blob.open() as stream, parsing(blob.name, "IDX"):
        shape, dtype = read_header(stream, blob.name, limits)
    promised = math.prod(shape) * dtype.itemsize
    check_expansion(blob.name, blob.stored if blob.packed else blob.size, promised, limits)
    width = math.prod(shape[1:])
    rows = max(1, BLOCK_BYTES // max(1, width * dtype.itemsize))

    def blocks():
        with blob.open() as stream, parsing(blob.name, "IDX"):
            stream.read(4 + 4 * len(shape))
            for start in range(0, shape[0], rows):
                count = min(rows, shape[0] - start) * width
                data = stream.read(count * dtype.itemsize)
                if len(data) != count * dtype.itemsize:
                    raise refuse(blob.name, f"ends before the {shape[0]:,} rows it promises", "download it again")
                yield (np.frombuffer(data, dtype).astype(dtype.newbyteorder("="), copy=False).reshape(-1, width))
            if stream.read(1):
                raise refuse(blob.name, f"goes on after the {shape[0]:,} rows it promises", "download it again")

    return shape, dtype, blocks


def companions(path):
    """The labels file beside an images file: `images` becomes `labels`, `idx3` becomes `idx1`, .gz or not."""
    name = re.sub(r"idx\d", "idx1", path.name.replace("images", "labels"))
    plain = name.removesuffix(".gz")
    found = [path.with_name(other) for other in (name, plain, plain + ".gz") if other != path.name]
    return [other for other in found if other.is_file()][:1]


def read(blob, limits, array=None, label=None):
    """Pictures one a row, with the labels of the file beside them (`label` may name another one there)."""
    shape, dtype, blocks = _read_rows(blob, limits)
    if len(shape) == 1:
        raise refuse(blob.name, f"holds {shape[0]:,} single numbers (labels?)", "load the images file instead")
    check_shape(blob.name, (shape[0], math.prod(shape[1:])))
    is_picture = len(shape) == 3 or (len(shape) == 4 and shape[3] in COLOURS)
    contents = Contents(
        blocks=blocks,
        n_rows=shape[0],
        n_columns=math.prod(shape[1:]),
        dtype=dtype.newbyteorder("="),
        image_shape=tuple(shape[1:]) if is_picture else None,
    )
    path = _labels_path(blob, label)
    if path is not None:
        contents.labels = _labels(path, limits)
    return contents


def _labels_path(blob, label):
    if label is False or blob.path is None:
        return None
    if isinstance(label, str):
        check_member_name(blob.name, label)
        if PurePath(label).name != label:
            what = f"has no file '{one_line(label, 60)}' beside it"
            raise refuse(blob.name, what, "name a file of the same folder, or pass label=False")
        return blob.path.with_name(label)
    found = companions(blob.path)
    return found[0] if found else None


def _labels(path, limits):
    blob = open_blob(path, None, limits)
    shape, _, blocks = _read_rows(blob, limits)
    if len(shape) != 1:
        raise refuse(
            path.name,
            f"holds an array of {len(shape)} dimensions where labels are expected",
            "pass label=False",
        )
    labels = Labels(path.name, f"'{path.name}'")
    for block in blocks():
        labels.add_numbers(block)
    return labels


FORMAT = Format("IDX", (".idx", "-ubyte", ".ubyte"), recognises, read, companions=companions, in_gzip=True)
