"""Child side of MATLAB v5 to v7: scipy reads the chosen variables, sparse ones become dense, texts their positions in a list."""

import numpy as np
from scipy.io import loadmat

from leasc_core.data.guards import Limits, check_members, refuse
from leasc_core.data.reading.isolated.confine import allow_memory, allow_work, confine
from leasc_core.data.reading.roles import ArrayInfo, propose

WHAT = "MATLAB"
SPARE_MEMORY = 96 << 20
DEEPEST = 8
# So few tables in a list of cells are views of the same samples, as are those with a list of labels for the rows of each; so
# many of one shape are pictures, not classes.
LEAST_CLASSES, MOST_CLASSES = 3, 100


def extract(request):
    """Write each variable of `request["variables"]` (file stem -> variable name) to its .npy file.

    With `nested` instead, the arrays inside of those structs and cells are listed by their paths, and the proposed (or asked)
    ones written.
    """
    limits = Limits(**request["limits"])
    confine(SPARE_MEMORY, limits.memory, limits.cells * 8 + (1 << 20))
    allow_memory(SPARE_MEMORY + 4 * request["bytes"])
    allow_work(request["bytes"])
    if "nested" in request:
        return _from_inside(request, limits)
    found = _loaded(request, list(request["variables"].values()))
    about = {}
    for stem, name in request["variables"].items():
        about |= _save(stem, found[name])
    return about


def _loaded(request, names):
    return loadmat(request["path"], variable_names=names, verify_compressed_data_integrity=True)


def _from_inside(request, limits):
    loaded, found = _loaded(request, request["nested"]), {}
    lists = {values.size for values in loaded.values() if isinstance(values, np.ndarray) and values.dtype.kind in "biuf"}
    for name in request["nested"]:
        _walk(name, loaded[name], found, lists, request["name"], limits)
    arrays = [_info(path, values) for path, values in found.items()]
    if request.get("list_only") and all(info.role == "not numeric" for info in arrays):
        return {"arrays": arrays}
    arrays, data, labels = propose(arrays, request["name"], request.get("array"), request.get("label"))
    about = {"arrays": arrays, "labels": labels and labels.name}
    if request.get("list_only"):
        return about
    return about | _save("X", found[data.name]) | (_save("y", found[labels.name]) if labels else {})


def _walk(path, values, found, lists, name, limits, depth=0):
    """The arrays inside of a struct or a cell, by their paths; those of lists of structs are left out.

    `lists` are the lengths of the lists of numbers beside them.
    """
    if values.dtype.kind == "O" and values.ndim == 2:
        found |= _of_cells(path, values, lists)
        return
    if values.dtype.names is None:
        found[path] = values
        return
    check_members(name, len(found) + len(values.dtype.names), limits)
    if depth > DEEPEST:
        raise refuse(name, f"has structs inside of one another more than {DEEPEST} deep", "save the array itself")
    for field in values.dtype.names if values.size == 1 else ():
        _walk(f"{path}/{field}", np.asarray(values[field].item()), found, lists, name, limits, depth + 1)


def _of_cells(path, cells, lists):
    """`{path: array}` of a cell array: its tables joined and their classes, else each by itself, else the cells as they are.

    The cells of a row of a two-dimensional one are of a class, and so are the rows (or columns) of each cell of a list.
    """
    arrays = [np.asarray(cell) for cell in cells.ravel()]
    full = [at for at, array in enumerate(arrays) if array.size]
    tables = [arrays[at] for at in full]
    if len(tables) < 2 or any(table.dtype.kind not in "biuf" or table.ndim > 3 or min(table.shape) < 2 for table in tables):
        return {path: cells}
    shapes = {table.shape for table in tables}
    if len(shapes) == 1 and tables[0].ndim == 2 and (min(cells.shape) > 1 or len(tables) > MOST_CLASSES):
        joined, classes = np.stack(tables, axis=-1), np.array(full) // cells.shape[1]
        return {path: joined} | ({f"{path}/class": classes} if min(cells.shape) > 1 else {})
    are_views = any(lists & set(table.shape) - {1} for table in tables)
    if are_views or len(tables) < LEAST_CLASSES or tables[0].ndim != len(max(shapes, key=len)) or min(cells.shape) > 1:
        return {f"{path}{{{at + 1}}}": arrays[at] for at in full}
    axis = 2 if tables[0].ndim == 3 else 0 if len({shape[1] for shape in shapes}) == 1 else 1
    if len({shape[:axis] + shape[axis + 1 :] for shape in shapes}) > 1:
        return {f"{path}{{{at + 1}}}": arrays[at] for at in full}
    classes = np.repeat(np.arange(len(tables)), [table.shape[axis] for table in tables])
    return {path: np.concatenate(tables, axis=axis), f"{path}/class": classes}


def _info(path, values):
    if values.dtype.kind in "OU":
        return ArrayInfo(path, values.shape, "text" if values.dtype.kind == "U" else "cell", "not numeric")
    return ArrayInfo(path, values.shape, str(values.dtype), "" if values.dtype.kind in "biuf" else "not numeric")


def _save(stem, values):
    """Write an array; of texts their positions in the list that is returned; nothing for what is neither."""
    values = values.toarray() if hasattr(values, "toarray") else values
    if values.dtype.kind == "O":
        cells = [np.asarray(cell) for cell in values.ravel()]
        if not cells or any(cell.size != 1 or cell.dtype.kind not in "biufU" for cell in cells):
            return {}
        values = np.array([cell.item() for cell in cells])
    names = None
    if values.dtype.kind == "U":
        texts, values = np.unique(np.char.strip(values.ravel()), return_inverse=True)
        names = texts.tolist()
    np.save(f"{stem}.npy", values, allow_pickle=False)
    return {} if names is None else {"label_names": names}
