"""Child side of HDF5 and MATLAB v7.3: walk the file without leaving it, copy the chosen arrays out.

HDF5 knows several ways out of a file: external links, soft links to them, external storage, virtual datasets (already when asked
for their shape). Only hard links are followed here; and once the file and the results are open, the operating system refuses this
process any other file.
"""

import math
from typing import NamedTuple

import h5py
import numpy as np

from leasc_core.data.guards import Limits, check_cells, check_expansion, check_members, one_line, refuse
from leasc_core.data.reading.isolated.confine import allow_memory, allow_work, confine, forbid_more_files
from leasc_core.data.reading.roles import ArrayInfo, propose

WHAT = "HDF5"
WALKING_MEMORY = 96 << 20
BLOCK_BYTES = 64 << 20
LONGEST_CHUNK = 256 << 20


class Sparse(NamedTuple):
    """A MATLAB sparse matrix: how many rows it has, the row of each value, where each column starts, the values."""

    n_rows: int
    rows: h5py.Dataset
    columns: h5py.Dataset
    values: h5py.Dataset


def extract(request):
    """Write X.npy and y.npy for the proposed arrays; with `list_only` nothing but the list."""
    limits = Limits(**request["limits"])
    confine(WALKING_MEMORY, limits.memory, limits.cells * 8 + (1 << 20))
    with (
        h5py.File(request["path"], "r", locking=False) as file,
        open("X.npy", "wb") as numbers,
        open("y.npy", "wb") as labels_out,
    ):
        forbid_more_files()
        found = _walk(file, request, limits)
        if not request["matlab"] and any(name.endswith("/barcodes") and name[:-8] + "indptr" in found for name in found):
            return {"is_of_cells": True}
        arrays = [_info(name, item, request["matlab"]) for name, item in found.items()]
        if request.get("list_only") and all(info.role == "not numeric" for info in arrays):
            return {"arrays": arrays}
        arrays, data, labels = propose(arrays, request["name"], request.get("array"), request.get("label"))
        about = {"arrays": arrays, "data": data.name, "labels": labels and labels.name}
        if request.get("list_only"):
            return about
        _copy(found[data.name], numbers, request["name"], limits)
        if labels is not None:
            about["label_names"] = _copy_labels(found[labels.name], labels_out, request["name"], limits)
    return about


def _walk(file, request, limits):
    """Every dataset (and MATLAB sparse group, as its three parts) reachable by hard links, by its path."""
    found, seen, waiting = {}, set(), [("", file["/"])]
    while waiting:
        prefix, group = waiting.pop()
        check_members(request["name"], len(group) + len(found), limits)
        for key in group:
            if request["matlab"] and key.startswith("#"):
                continue
            item = _child(group, key, request["name"])
            if item is None or (place := h5py.h5o.get_info(item.id).addr) in seen:
                continue
            seen.add(place)
            if isinstance(item, h5py.Dataset):
                found[prefix + key] = item
            elif (parts := _sparse_parts(item, request["name"])) is not None:
                found[prefix + key] = parts
            elif isinstance(item, h5py.Group):
                waiting.append((f"{prefix}{key}/", item))
    return found


def _child(group, key, name):
    """What a hard link leads to; None for a soft link; anything kept in another file is refused before it is looked at."""
    link = group.get(key, getlink=True)
    if isinstance(link, h5py.ExternalLink):
        raise refuse(name, f"has the external link '{one_line(key, 60)}' to another file", "copy the data into one file")
    item = group.get(key) if isinstance(link, h5py.HardLink) else None
    if isinstance(item, h5py.Dataset) and (item.is_virtual or item.external):
        raise refuse(name, f"keeps '{one_line(key, 60)}' in other files", "copy the data into one file")
    return item


def _sparse_parts(item, name):
    """The rows, column starts and values of a MATLAB sparse matrix, or None where `item` is not one."""
    if not isinstance(item, h5py.Group) or "MATLAB_sparse" not in item.attrs or not {"data", "ir", "jc"} <= set(item):
        return None
    parts = [_child(item, key, name) for key in ("ir", "jc", "data")]
    if not all(isinstance(part, h5py.Dataset) and part.ndim == 1 for part in parts):
        raise refuse(name, "has a sparse matrix whose parts are not plain lists of numbers", "save it again, dense if you can")
    return Sparse(int(item.attrs["MATLAB_sparse"]), *parts)


def _info(name, item, matlab):
    if isinstance(item, Sparse):
        return ArrayInfo(name, (item.n_rows, max(0, len(item.columns) - 1)), "float64 (sparse)")
    shape = tuple(reversed(item.shape or ())) if matlab else tuple(item.shape or ())
    if h5py.check_string_dtype(item.dtype) is not None:
        return ArrayInfo(name, shape, "text", "not numeric")
    kind = item.attrs.get("MATLAB_class", b"")
    plain = item.dtype.kind in "biuf" and item.dtype.itemsize <= 8 and item.shape is not None
    usable = plain and "MATLAB_empty" not in item.attrs and kind not in (b"char", b"cell", b"struct")
    what = str(item.dtype) if plain else "records" if item.dtype.names else "objects"
    return ArrayInfo(name, shape, what, "" if usable else "not numeric")


def _copy(item, target, name, limits):
    """One dataset to an open .npy file, in blocks of its first axis and whole chunks."""
    if isinstance(item, Sparse):
        _save(target, _dense(item, name, limits))
        return
    chunk = _check(item, name, limits)
    row_bytes = max(1, item.nbytes // max(1, item.shape[0]))
    step = max(1, BLOCK_BYTES // row_bytes)
    if item.chunks:
        step = max(item.chunks[0], step // item.chunks[0] * item.chunks[0])
    block_bytes = min(item.nbytes, step * row_bytes)
    allow_memory(WALKING_MEMORY + 3 * block_bytes + 2 * chunk)
    allow_work(item.nbytes)
    dtype = item.dtype.newbyteorder("=")
    _write_header(target, dtype, item.shape)
    for start in range(0, item.shape[0], step):
        target.write(np.ascontiguousarray(item[start : start + step], dtype=dtype).data)


def _write_header(target, dtype, shape):
    said = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_2_0(target, said)


def _save(target, array):
    """What `numpy.save` does, without the second handle on the file that it asks for."""
    _write_header(target, array.dtype, array.shape)
    target.write(np.ascontiguousarray(array).data)


def _check(item, name, limits):
    """Refuse sizes that cannot be; return the bytes of one chunk."""
    if not item.shape:
        raise refuse(name, f"holds a single number in '{item.name}'", "choose an array of samples")
    check_cells(name, item.shape, limits)
    check_expansion(name, item.id.get_storage_size(), item.nbytes, limits)
    chunk = math.prod(item.chunks) * item.dtype.itemsize if item.chunks else 0
    if chunk > LONGEST_CHUNK:
        raise refuse(name, f"packs '{item.name}' in chunks of {chunk:,} bytes", "save it with smaller chunks")
    return chunk


def _dense(sparse, name, limits):
    """A MATLAB sparse matrix as a dense array, one row for each of its columns (HDF5's order)."""
    for part in (sparse.rows, sparse.columns, sparse.values):
        _check(part, name, limits)
    shape = (len(sparse.columns) - 1, sparse.n_rows)
    check_cells(name, shape, limits)
    bytes_needed = 8 * math.prod(shape)
    check_expansion(name, sum(part.nbytes for part in (sparse.rows, sparse.columns, sparse.values)), bytes_needed, limits)
    allow_memory(WALKING_MEMORY + 2 * bytes_needed + 4 * sparse.rows.nbytes)
    allow_work(bytes_needed)
    dense = np.zeros(shape)
    columns = np.repeat(np.arange(shape[0]), np.diff(sparse.columns[()].astype(np.int64)))
    dense[columns, sparse.rows[()].astype(np.int64)] = sparse.values[()]
    return dense


def _copy_labels(item, target, name, limits):
    """Numbers to `target`; texts as their positions in the sorted list of names that is returned."""
    _check(item, name, limits)
    allow_memory(WALKING_MEMORY + 4 * item.nbytes)
    if h5py.check_string_dtype(item.dtype) is None:
        _save(target, item[()])
        return None
    names, positions = np.unique(np.array(item.asstr()[()].ravel().tolist(), dtype=str), return_inverse=True)
    _save(target, positions.astype(np.int64))
    return names.tolist()
