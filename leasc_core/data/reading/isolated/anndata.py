"""Child side of AnnData: the chosen matrix as it is stored (dense, or the arrays of CSR and CSC), the tables of cells and genes.

Both layouts on disk are read: groups with a column each (since 2019), and tables of records (before); and what 10x writes: a
group with a row for each gene, the names of genes and cells inside of it.
"""

import re
from contextlib import ExitStack

import h5py
import numpy as np

from leasc_core.data.guards import Limits, check_cells, check_members, one_line, refuse
from leasc_core.data.reading.isolated.confine import allow_memory, confine, forbid_more_files
from leasc_core.data.reading.isolated.hdf5 import WALKING_MEMORY, _check, _child, _copy, _save

WHAT = "AnnData"
# Columns of `obs` that name cell types; clusters that somebody found only where they have names, not numbers.
CELL_TYPES = re.compile(
    r"(.*[ _.-])?(cell[ _.]?types?|cell[ _]?ontology[ _]?class|cell[ _]?labels?|annotations?)"
    r"([ _.-]?(\d|original|fine|coarse|name))?"
    r"|bulk[ _]?labels?|true[ _]?labels?|labels?|class(es)?|group",
    re.I,
)
CLUSTERS = re.compile(r"(.*[ _.-])?clusters?([ _.-]names?)?|louvain|leiden", re.I)
FOLDERS = ("layers", "obsm")
NULLABLE = frozenset({"values", "mask"})
TENX = frozenset({"data", "indices", "indptr", "shape", "barcodes"})
RAW = {"raw.X": "raw/X", "raw/X": "raw/X"}


def extract(request):
    """Write the matrix and the numbers of the cells; names and texts go into the answer."""
    limits, name = Limits(**request["limits"]), request["name"]
    confine(WALKING_MEMORY, limits.memory, limits.cells * 8 + (1 << 20))
    with ExitStack() as stack:
        file = stack.enter_context(h5py.File(request["path"], "r", locking=False))
        out = {part: stack.enter_context(open(f"{part}.npy", "wb")) for part in ("X", "data", "indices", "indptr", "obs")}
        forbid_more_files()
        matrices = _matrices(file, name, limits)
        about = {"matrices": [[key, *_said(item, name)] for key, item in matrices.items()]}
        if request.get("list_only"):
            return about
        about["chosen"] = chosen = _chosen(matrices, request.get("array"), name)
        shape, kind, _ = _said(matrices[chosen], name)
        if shape[0] == 0:
            raise refuse(name, "holds 0 cells", "choose a file that holds some")
        _write(matrices[chosen], kind, shape, out, name, limits)
        tenx = isinstance(matrices[chosen], h5py.Group) and set(matrices[chosen]) >= TENX
        if tenx:
            return about | {"columns": [], "cell_type": None} | _names_of_tenx(matrices[chosen], shape, name, limits)
        about |= _cells(file, shape[0], out["obs"], name, limits)
        about["genes"] = _gene_names(file, chosen, shape[1], name, limits)
    return about


def _matrices(file, name, limits):
    """Every matrix with a row for each cell: X, raw/X, layers and obsm."""
    check_members(name, len(file), limits)
    found = {"X": _child(file, "X", name)} if "X" in file else {}
    if "raw" in file and isinstance(raw := _child(file, "raw", name), h5py.Group) and "X" in raw:
        found["raw/X"] = _child(raw, "X", name)
    if "raw.X" in file:
        found["raw/X"] = _child(file, "raw.X", name)
    for folder in FOLDERS:
        group = _child(file, folder, name) if folder in file else None
        if isinstance(group, h5py.Group):
            check_members(name, len(group), limits)
            found |= {f"{folder}/{key}": _child(group, key, name) for key in group}
        elif isinstance(group, h5py.Dataset) and group.dtype.names:
            found |= {f"{folder}/{key}": (group, key) for key in group.dtype.names}
    for key in () if found else file:
        if isinstance(group := _child(file, key, name), h5py.Group) and set(group) >= TENX:
            found[key] = group
    return {key: item for key, item in found.items() if item is not None and _said(item, name) is not None}


def _said(item, name):
    """`(shape, how it is stored, type)`, or None where it is no matrix of numbers."""
    if isinstance(item, tuple):
        plain, shape = item[0].dtype[item[1]].subdtype or (item[0].dtype[item[1]], ())
        return ([int(item[0].shape[0]), int(np.prod(shape, dtype=int))], "records", str(plain)) if plain.kind in "biuf" else None
    if isinstance(item, h5py.Dataset):
        usable = item.shape is not None and len(item.shape) == 2 and item.dtype.kind in "biuf" and item.dtype.itemsize <= 8
        return (list(map(int, item.shape)), "dense", str(item.dtype)) if usable else None
    if set(item) >= TENX:
        sides = _plain(_child(item, "shape", name), name, Limits())
        return (sides[::-1].astype(int).tolist(), "csr", "sparse") if len(sides) == 2 else None
    kind, shape = (
        item.attrs.get("encoding-type", item.attrs.get("h5sparse_format")),
        item.attrs.get("shape", item.attrs.get("h5sparse_shape")),
    )
    kind = kind.decode() if isinstance(kind, bytes) else kind
    if (
        kind not in ("csr_matrix", "csc_matrix", "csr", "csc")
        or shape is None
        or len(shape) != 2
        or not {"data", "indices", "indptr"} <= set(item)
    ):
        return None
    return list(map(int, shape)), kind[:3], "sparse"


def _chosen(matrices, asked, name):
    known = ", ".join(matrices) or "none"
    if asked is not None:
        if RAW.get(asked, asked) not in matrices:
            raise refuse(name, f"has no matrix '{one_line(asked, 40)}'", f"choose one of: {known}")
        return RAW.get(asked, asked)
    if not matrices:
        raise refuse(name, "holds no matrix of cells", "save it again with X")
    return next(iter(matrices))


def _write(item, kind, shape, out, name, limits):
    if kind == "records":
        table, field = item
        _check(table, name, limits)
        check_cells(name, shape, limits)
        allow_memory(WALKING_MEMORY + 3 * table.nbytes)
        values = table[()][field]
        _save(out["X"], values.reshape(len(values), -1))
    elif kind == "dense":
        _copy(item, out["X"], name, limits)
    else:
        check_cells(name, shape, limits)
        parts = {key: _child(item, key, name) for key in ("data", "indices", "indptr")}
        if not all(isinstance(part, h5py.Dataset) and part.ndim == 1 and part.dtype.kind in "biuf" for part in parts.values()):
            raise refuse(name, "has a sparse matrix whose parts are not plain lists of numbers", "save it again with anndata")
        _check_sparse(parts, kind, shape, name, limits)
        for key, part in parts.items():
            _copy(part, out[key], name, limits)


def _check_sparse(parts, kind, shape, name, limits):
    """Starts that rise from 0 to the number of values: all else would lead to values that are not there."""
    rows = shape[0] if kind == "csr" else shape[1]
    _check(parts["indptr"], name, limits)
    allow_memory(WALKING_MEMORY + 6 * parts["indptr"].nbytes)
    starts = parts["indptr"][()].astype(np.int64)
    fits = len(starts) == rows + 1 and starts[0] == 0 and starts[-1] == len(parts["data"]) == len(parts["indices"])
    if not fits or np.any(np.diff(starts) < 0):
        raise refuse(name, "has a sparse matrix whose parts do not fit together", "save or download it again")


def _cells(file, rows, numbers, name, limits):
    """The columns of `obs`: numbers into one array, texts as codes with their levels; and the cells' names."""
    columns, index = _table(file, "obs", name, limits)
    table, described = [], []
    for key, values, levels in columns:
        if len(values) != rows:
            raise refuse(name, f"has {rows:,} cells but {len(values):,} values in '{one_line(key, 40)}'", "save it again")
        if levels is not None and (
            values.dtype.kind not in "iu" or values.min(initial=0) < -1 or values.max(initial=-1) >= len(levels)
        ):
            raise refuse(name, f"has values without a name in '{one_line(key, 40)}'", "save it again with anndata")
        described.append([key, levels, values.dtype.kind])
        table.append(values.astype(np.float64))
    _save(numbers, np.array(table, dtype=np.float64).reshape(len(table), rows))
    return {"columns": described, "cells": index, "cell_type": _cell_type(described, table, rows)}


def _cell_type(described, table, rows):
    """The column of `obs` that names cell types; None where there is none."""
    few = [at for at, values in enumerate(table) if 1 < _count_different(values) <= rows // 2]
    whole = [described[at][0] for at in few if described[at][1] is not None or described[at][2] in "biu"]
    types = [key for key in whole if CELL_TYPES.fullmatch(key)]
    in_words = [described[at][0] for at in few if not all(map(str.isdigit, described[at][1] or ["0"]))]
    return min(types or [key for key in in_words if CLUSTERS.fullmatch(key)], key=len, default=None)


def _count_different(values):
    return 1 + int(np.count_nonzero(np.diff(np.sort(values)))) if len(values) else 0


def _gene_names(file, chosen, width, name, limits):
    """Names of the columns of the chosen matrix, if there is one for each."""
    if chosen.startswith("obsm/"):
        return None
    where = ("raw", "raw.var") if chosen == "raw/X" else (None, "var")
    if where[0] and where[0] in file and isinstance(raw := _child(file, "raw", name), h5py.Group):
        _, index = _table(raw, "var", name, limits)
    else:
        _, index = _table(file, where[1], name, limits)
    return index if index is not None and len(index) == width else None


def _names_of_tenx(group, shape, name, limits):
    """The names of genes and cells."""
    features = _child(group, "features", name) if "features" in group else None
    named = (features, "name") if isinstance(features, h5py.Group) else (group, "gene_names")
    genes = _strings(_child(*named, name), name, limits) if named[1] in named[0] else []
    cells = _strings(_child(group, "barcodes", name), name, limits)
    return {"cells": cells if len(cells) == shape[0] else None, "genes": genes if len(genes) == shape[1] else None}


def _table(parent, key, name, limits):
    """`([(column, values, levels or None)], names of the rows or None)` of a table in either layout."""
    table = _child(parent, key, name) if key in parent else None
    if isinstance(table, h5py.Dataset) and table.dtype.names:
        return _records(table, parent, name, limits)
    if not isinstance(table, h5py.Group):
        return [], None
    check_members(name, len(table), limits)
    of_rows = table.attrs.get("_index", "_index")
    of_rows = of_rows.decode() if isinstance(of_rows, bytes) else of_rows
    columns, index = [], None
    for column in list(table.attrs.get("column-order", [])) + [of_rows]:
        column = column.decode() if isinstance(column, bytes) else str(column)
        read = _column(table, column, name, limits) if column in table else None
        if read is None:
            continue
        if column == of_rows:
            index = _texts(*read)
        else:
            columns.append((column, *read))
    return columns, index


def _column(table, key, name, limits):
    """`(values or codes, levels or None)` of one column; None for what is neither numbers nor texts."""
    item = _child(table, key, name)
    if isinstance(item, h5py.Group):
        if {"categories", "codes"} <= set(item):
            levels = _strings(_child(item, "categories", name), name, limits)
            return _plain(_child(item, "codes", name), name, limits), levels
        if set(item) >= NULLABLE and _is_of_texts(_child(item, "values", name)):
            missing = _plain(_child(item, "mask", name), name, limits).astype(bool)
            codes, levels = _coded(_strings(_child(item, "values", name), name, limits))
            codes[missing] = -1
            return codes, levels
        if set(item) >= NULLABLE:
            values = _plain(_child(item, "values", name), name, limits).astype(np.float64)
            values[_plain(_child(item, "mask", name), name, limits).astype(bool)] = np.nan
            return values, None
        return None
    if not isinstance(item, h5py.Dataset) or item.ndim != 1:
        return None
    if _is_of_texts(item):
        return _coded(_strings(item, name, limits))
    if item.dtype.kind not in "biuf":
        return None
    if isinstance(item.attrs.get("categories"), h5py.Reference):
        folder = _child(table, "__categories", name) if "__categories" in table else None
        if isinstance(folder, h5py.Group) and key in folder:
            return _plain(item, name, limits), _strings(_child(folder, key, name), name, limits)
    return _plain(item, name, limits), None


def _records(table, parent, name, limits):
    _check(table, name, limits)
    allow_memory(WALKING_MEMORY + 4 * table.nbytes)
    values, uns = table[()], _child(parent, "uns", name) if "uns" in parent else None
    columns, index = [], None
    for at, key in enumerate(values.dtype.names):
        column = values[key]
        if column.ndim != 1 or column.dtype.kind not in "biufSUO":
            continue
        levels = f"{key}_categories"
        if at == 0 and column.dtype.kind in "SUO":
            index = _texts(*_coded([_text(value) for value in column.tolist()]))
        elif column.dtype.kind in "SUO":
            columns.append((key, *_coded([_text(value) for value in column.tolist()])))
        elif isinstance(uns, h5py.Group) and levels in uns and column.dtype.kind in "iu":
            columns.append((key, column, _strings(_child(uns, levels, name), name, limits)))
        else:
            columns.append((key, column, None))
    return columns, index


def _plain(item, name, limits):
    if not isinstance(item, h5py.Dataset) or item.ndim != 1 or item.dtype.kind not in "biuf":
        raise refuse(name, "has a column that is no list of numbers", "save it again with anndata")
    _check(item, name, limits)
    allow_memory(WALKING_MEMORY + 4 * item.nbytes)
    return item[()]


def _is_of_texts(item):
    return isinstance(item, h5py.Dataset) and (h5py.check_string_dtype(item.dtype) is not None or item.dtype.kind in "SO")


def _strings(item, name, limits):
    if isinstance(item, h5py.Group) and set(item) >= NULLABLE:  # names of rows and of levels are not missing
        item = _child(item, "values", name)
    if not isinstance(item, h5py.Dataset) or item.ndim != 1:
        raise refuse(name, "has a column of texts that is no list", "save it again with anndata")
    check_cells(name, item.shape, limits)
    allow_memory(WALKING_MEMORY + 16 * item.nbytes + 200 * item.shape[0])
    return [_text(value) for value in item[()].tolist()]


def _text(value):
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _coded(texts):
    levels, codes = np.unique(np.array(texts, dtype=str), return_inverse=True)
    return codes.astype(np.int64), levels.tolist()


def _texts(codes, levels):
    if levels is None:
        return [str(code) for code in codes.tolist()]
    return ["" if code < 0 else levels[code] for code in codes.tolist()]
