"""Child side of HDF5 and MATLAB v7.3: walk the file without leaving it, copy the chosen arrays out."""

import math

import h5py
import numpy as np

from leasc_core.data.guards import Limits, check_cells, check_expansion, check_members, refuse
from leasc_core.data.isolated.confine import allow_memory, allow_work, confine
from leasc_core.data.roles import ArrayInfo, propose

WHAT = "HDF5"
WALKING_MEMORY = 96 << 20
BLOCK_BYTES = 64 << 20
LONGEST_CHUNK = 256 << 20


def extract(request):
    """Write X.npy and y.npy for the proposed arrays; with `list_only` nothing but the list."""
    limits = Limits(**request["limits"])
    confine(WALKING_MEMORY, limits.memory, limits.cells * 8 + (1 << 20))
    with h5py.File(request["path"], "r", locking=False) as file:
        found = _walk(file, request, limits)
        arrays = [_info(name, item, request["matlab"]) for name, item in found.items()]
        if request.get("list_only") and all(info.role == "not numeric" for info in arrays):
            return {"arrays": arrays}
        arrays, data, labels = propose(arrays, request["name"], request.get("array"), request.get("label"))
        about = {"arrays": arrays, "data": data.name, "labels": labels and labels.name}
        if request.get("list_only"):
            return about
        _copy(found[data.name], "X.npy", request["name"], limits)
        if labels is not None:
            about["label_names"] = _copy_labels(found[labels.name], request["name"], limits)
    return about


def _walk(file, request, limits):
    """Every dataset (and MATLAB sparse group) reachable by hard links, by its path."""
    found, seen, waiting = {}, set(), [("", file["/"])]
    while waiting:
        prefix, group = waiting.pop()
        check_members(request["name"], len(group) + len(found), limits)
        for key in group:
            if request["matlab"] and key.startswith("#"):
                continue
            link = group.get(key, getlink=True)
            if isinstance(link, h5py.ExternalLink):
                what = f"has the external link '{prefix}{key}' to another file"
                raise refuse(request["name"], what, "copy the data into one file")
            item = group.get(key) if isinstance(link, h5py.HardLink) else None
            if item is None or (place := h5py.h5o.get_info(item.id).addr) in seen:
                continue
            seen.add(place)
            if isinstance(item, h5py.Dataset) or _is_sparse(item):
                found[prefix + key] = item
            elif isinstance(item, h5py.Group):
                waiting.append((f"{prefix}{key}/", item))
    return found


def _is_sparse(item):
    return isinstance(item, h5py.Group) and "MATLAB_sparse" in item.attrs and {"data", "ir", "jc"} <= set(item)


def _info(name, item, matlab):
    if isinstance(item, h5py.Group):
        shape = (int(item.attrs["MATLAB_sparse"]), max(0, len(item["jc"]) - 1))
        return ArrayInfo(name, shape, "float64 (sparse)")
    shape = tuple(reversed(item.shape or ())) if matlab else tuple(item.shape or ())
    if h5py.check_string_dtype(item.dtype) is not None:
        return ArrayInfo(name, shape, "text", "not numeric")
    kind = item.attrs.get("MATLAB_class", b"")
    plain = item.dtype.kind in "biuf" and item.dtype.itemsize <= 8 and item.shape is not None
    usable = plain and "MATLAB_empty" not in item.attrs and kind not in (b"char", b"cell", b"struct")
    what = str(item.dtype) if plain else "records" if item.dtype.names else "objects"
    return ArrayInfo(name, shape, what, "" if usable else "not numeric")


def _copy(item, target, name, limits):
    """One dataset to a .npy file, in blocks of its first axis and whole chunks."""
    if isinstance(item, h5py.Group):
        np.save(target, _dense(item, name, limits), allow_pickle=False)
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
    with open(target, "wb") as file:
        header = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": item.shape}
        np.lib.format.write_array_header_2_0(file, header)
        for start in range(0, item.shape[0], step):
            file.write(np.ascontiguousarray(item[start : start + step], dtype=dtype).data)


def _check(item, name, limits):
    """Refuse data kept in other files and sizes that cannot be; return the bytes of one chunk."""
    if item.external or item.is_virtual:
        raise refuse(name, f"keeps '{item.name}' in other files", "copy the data into one file")
    if not item.shape:
        raise refuse(name, f"holds a single number in '{item.name}'", "choose an array of samples")
    check_cells(name, item.shape, limits)
    check_expansion(name, item.id.get_storage_size(), item.nbytes, limits)
    chunk = math.prod(item.chunks) * item.dtype.itemsize if item.chunks else 0
    if chunk > LONGEST_CHUNK:
        raise refuse(name, f"packs '{item.name}' in chunks of {chunk:,} bytes", "save it with smaller chunks")
    return chunk


def _dense(group, name, limits):
    """A MATLAB sparse matrix as a dense array, one row for each of its columns (HDF5's order)."""
    n_rows, jc, ir = int(group.attrs["MATLAB_sparse"]), group["jc"], group["ir"]
    for part in (jc, ir, group["data"]):
        _check(part, name, limits)
    check_cells(name, (n_rows, len(jc) - 1), limits)
    bytes_needed = 8 * n_rows * (len(jc) - 1)
    check_expansion(name, jc.nbytes + ir.nbytes + group["data"].nbytes, bytes_needed, limits)
    allow_memory(WALKING_MEMORY + 2 * bytes_needed + 4 * ir.nbytes)
    allow_work(bytes_needed)
    dense = np.zeros((len(jc) - 1, n_rows))
    columns = np.repeat(np.arange(len(jc) - 1), np.diff(jc[()].astype(np.int64)))
    dense[columns, ir[()].astype(np.int64)] = group["data"][()]
    return dense


def _copy_labels(item, name, limits):
    """Numbers to y.npy; texts as their positions in the sorted list of names that is returned."""
    _check(item, name, limits)
    allow_memory(WALKING_MEMORY + 4 * item.nbytes)
    if h5py.check_string_dtype(item.dtype) is None:
        np.save("y.npy", item[()].ravel(), allow_pickle=False)
        return None
    names, positions = np.unique(np.array(item.asstr()[()].ravel().tolist(), dtype=str), return_inverse=True)
    np.save("y.npy", positions.astype(np.int64), allow_pickle=False)
    return names.tolist()
