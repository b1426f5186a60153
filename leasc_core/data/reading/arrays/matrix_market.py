"""Matrix Market (.mtx, .mtx.gz), read in a child process; with barcodes and genes beside it, cells are the rows."""

import csv
import io

import numpy as np

from leasc_core.data.columns.info import ColumnInfo
from leasc_core.data.columns.metadata import metadata_of
from leasc_core.data.dataset import Contents
from leasc_core.data.guards import MEGABYTE, Limits, check_cells, check_header, parsing, refuse
from leasc_core.data.reading.blobs import Blob, open_blob
from leasc_core.data.reading.format import Format
from leasc_core.data.reading.isolated import read_isolated
from leasc_core.data.reading.sparse import counts_layout, sparse_blocks

MAGIC = b"%%MatrixMarket"
GENES, CELLS = ("features.tsv", "genes.tsv"), ("barcodes.tsv",)
LEAST_BYTES_PER_VALUE = 2
COMPANION = Limits(bytes=256 * MEGABYTE)


def recognises(head, blob):
    return head.startswith(MAGIC)


def read(blob, limits, array=None, label=None):
    """The matrix; turned so that cells are rows where the 10x files `barcodes.tsv` and `features.tsv` lie beside it."""
    if isinstance(label, str):
        raise refuse(blob.name, f"has no part named {label!r}: it holds one matrix", "leave the label out")
    shape, stored = _declared(blob, limits)
    genes, cells = _companion(blob, GENES), _companion(blob, CELLS)
    turned = genes is not None and cells is not None
    if turned and (len(genes), len(cells)) != shape:
        what = f"is {shape[0]:,} x {shape[1]:,} and beside it are {len(genes):,} genes and {len(cells):,} barcodes"
        raise refuse(blob.name, what, "put the files of one experiment in one folder")
    _, parts = read_isolated("matrix_market", _plain(blob), limits, shape=shape, stored=stored, turned=turned)
    if "X" in parts:
        return Contents(array=parts["X"])
    rows, columns = shape[::-1] if turned else shape
    blocks, dtype = sparse_blocks(parts, "csr", (rows, columns), blob.name)
    contents = Contents(blocks=blocks, n_rows=rows, n_columns=columns, dtype=dtype)
    contents.layout = counts_layout((rows, columns), parts["data"])
    contents.notes.append(f"a sparse matrix: {len(parts['data']):,} of {rows * columns:,} values are stored")
    if turned:
        contents.feature_names = _gene_names(genes)
        barcodes = [row[0] for row in cells]
        contents.columns = (ColumnInfo("barcode", "id", "text", "names of the cells", tuple(barcodes[:4])),)
        contents.metadata = metadata_of({"barcode": np.array(barcodes, dtype=object)})
        contents.notes.append("cells are the rows: barcodes and genes found beside it")
    return contents


def _plain(blob):
    """The same file, unpacked."""
    if not blob.packed:
        return blob
    with blob.open() as file:
        return Blob(blob.name, data=file.read())


def _gene_names(rows):
    """Symbols where no two genes share one, else the first column, which names each gene once."""
    symbols = [row[1] if len(row) > 1 else row[0] for row in rows]
    return symbols if len(set(symbols)) == len(symbols) else [row[0] for row in rows]


def _declared(blob, limits):
    """The shape and the number of values that the file's own header promises, before anything is made for it."""
    with blob.open() as file:
        line = file.readline(limits.header)
        while line.startswith(b"%") or (line and not line.strip()):
            line = file.readline(limits.header)
            check_header(blob.name, len(line), "line", limits)
    with parsing(blob.name, "Matrix Market"):
        rows, columns, *values = [int(part) for part in line.split()]
    check_cells(blob.name, (rows, columns), limits)
    stored = values[0] if values else rows * columns
    size = limits.bytes if blob.packed else blob.size
    if stored < 0 or stored * LEAST_BYTES_PER_VALUE > size:
        what = f"promises {stored:,} values in a file of {size:,} bytes"
        raise refuse(blob.name, what, "save or download it again")
    return (rows, columns), stored


def _companion(blob, names):
    """The rows of `barcodes.tsv(.gz)` or `features.tsv(.gz)` in the same folder, also behind the matrix's own prefix."""
    if blob.path is None:
        return None
    prefix = blob.path.name.lower().removesuffix(".gz").removesuffix(".mtx").removesuffix("matrix")
    for name in names:
        for path in (blob.path.with_name(start + name + end) for start in dict.fromkeys((prefix, "")) for end in ("", ".gz")):
            if path.is_file() and not path.is_symlink():
                with open_blob(path, None, COMPANION).open() as file:
                    text = file.read(COMPANION.bytes).decode("utf-8", "replace")
                return [row for row in csv.reader(io.StringIO(text), delimiter="\t") if row]
    return None


def companions(path):
    """Barcodes and genes: a result depends on them."""
    prefix = path.name.lower().removesuffix(".gz").removesuffix(".mtx").removesuffix("matrix")
    names = (start + name + end for start in dict.fromkeys((prefix, "")) for name in (*GENES, *CELLS) for end in ("", ".gz"))
    return [found for found in map(path.with_name, names) if found.is_file()]


FORMAT = Format("Matrix Market", (".mtx",), recognises, read, companions=companions, in_gzip=True)
