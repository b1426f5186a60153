"""Sparse matrices of scipy (`save_npz`): CSR, CSC and COO, given back as blocks of dense rows."""

import numpy as np

from leasc_core.data.dataset import Contents
from leasc_core.data.guards import check_cells, check_expansion, refuse
from leasc_core.data.reading.archives import open_archive, open_member
from leasc_core.data.reading.arrays.npy import whole_array
from leasc_core.data.reading.format import Format
from leasc_core.data.reading.sparse import counts_layout, sparse_blocks

PARTS = {"csr": ("data", "indices", "indptr"), "csc": ("data", "indices", "indptr"), "coo": ("data", "row", "col")}
DIRECTORY = 1 << 16


def recognises(head, blob):
    """A zip archive that lists `format.npy`, `shape.npy` and `data.npy`, as `scipy.sparse.save_npz` writes it."""
    if not head.startswith(b"PK") or not blob.name.lower().endswith(".npz") or blob.packed:
        return False
    directory = blob.tail(DIRECTORY)
    return all(name in directory for name in (b"format.npy", b"shape.npy", b"data.npy"))


def read(blob, limits, array=None, label=None):
    """The matrix, densified a block of rows at a time."""
    if isinstance(label, str):
        raise refuse(blob.name, f"has no part named {label!r}: it holds one sparse matrix", "leave the label out")
    with open_archive(blob, limits) as archive:
        names = {member.filename: member for member in archive.infolist()}

        def part(name):
            if f"{name}.npy" not in names:
                raise refuse(
                    blob.name, f"is a sparse matrix without its part '{name}'", "save it again with scipy.sparse.save_npz"
                )
            with open_member(archive, names[f"{name}.npy"], blob.name) as stream:
                return whole_array(stream, f"{blob.name}/{name}.npy", limits)

        kind = part("format").item()
        kind = kind.decode("ascii", "replace") if isinstance(kind, bytes) else str(kind)
        if kind not in PARTS:
            raise refuse(blob.name, f"holds a sparse matrix of kind {kind!r}", "save it as CSR: matrix.tocsr()")
        shape = part("shape").ravel()
        if shape.dtype.kind not in "iu" or len(shape) != 2:
            raise refuse(blob.name, "holds a sparse array that is no matrix", "save a matrix of two axes")
        shape = tuple(int(length) for length in shape)
        check_cells(blob.name, shape, limits)
        parts = {name: part(name) for name in PARTS[kind]}
    parts, kind = checked_parts(parts, kind, shape, blob.name)
    check_expansion(blob.name, sum(values.nbytes for values in parts.values()), 8 * shape[0] * shape[1], limits)
    blocks, dtype = sparse_blocks(parts, kind, shape, blob.name)
    return Contents(
        blocks=blocks,
        n_rows=shape[0],
        n_columns=shape[1],
        dtype=dtype,
        layout=counts_layout(shape, parts["data"]),
        notes=[f"a sparse matrix: {len(parts['data']):,} of {shape[0] * shape[1]:,} values are stored"],
    )


def checked_parts(parts, kind, shape, name):
    """`(parts, kind)` of CSR or CSC with parts that fit together; COO is turned into CSR."""
    lengths = {len(values) for key, values in parts.items() if key != "indptr"}
    numeric = parts["data"].dtype.kind in "biuf" and all(v.dtype.kind in "iu" for key, v in parts.items() if key != "data")
    if not numeric or len(lengths) != 1 or any(values.ndim != 1 for values in parts.values()):
        raise refuse(name, "has a sparse matrix whose parts do not fit together", "save or download it again")
    if kind == "coo":
        from scipy.sparse import coo_matrix

        inside = all(
            not len(parts[key]) or 0 <= parts[key].min() <= parts[key].max() < side
            for key, side in zip(("row", "col"), shape, strict=True)
        )
        if not inside:
            raise refuse(name, "has a sparse matrix with values outside of its shape", "save or download it again")
        turned = coo_matrix((parts["data"], (parts["row"], parts["col"])), shape=shape).tocsr()
        return {key: getattr(turned, key) for key in PARTS["csr"]}, "csr"
    starts = parts["indptr"].astype(np.int64)
    rows = shape[0] if kind == "csr" else shape[1]
    if len(starts) != rows + 1 or starts[0] != 0 or starts[-1] != len(parts["data"]) or np.any(np.diff(starts) < 0):
        raise refuse(name, "has a sparse matrix whose parts do not fit together", "save or download it again")
    return parts, kind


FORMAT = Format("sparse matrix of scipy", (".npz",), recognises, read, rank=-1)
