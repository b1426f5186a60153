"""AnnData (.h5ad): one row a cell, one column a gene, what is known of the cells beside them; read in a child process."""

import numpy as np

from leasc_core.data.columns.info import ENCODINGS, ColumnInfo, check_roles
from leasc_core.data.columns.metadata import metadata_of
from leasc_core.data.dataset import Contents
from leasc_core.data.guards import one_line, refuse
from leasc_core.data.labels import Labels
from leasc_core.data.layout import Layout
from leasc_core.data.reading.format import Format, is_hdf5
from leasc_core.data.reading.isolated import read_isolated
from leasc_core.data.reading.roles import ArrayInfo
from leasc_core.data.reading.sparse import sparse_blocks

SHOWN, FEW_LEVELS = 4, 50
SAMPLED_ROWS = 200


def recognises(head, blob):
    """HDF5 by its signature, AnnData by its name."""
    return blob.name.lower().endswith(".h5ad") and is_hdf5(head)


def arrays(blob, limits):
    """The matrices: X, raw/X, layers and obsm."""
    about, _ = read_isolated("anndata", blob, limits, list_only=True)
    return _infos(about)


def read(blob, limits, array=None, label=None, roles=None):
    """The matrix asked for, else X; labels are the column of `obs` asked for, else one that is named like cell types.

    Parameters
    ----------
    array : "X", "raw/X", "layers/NAME" or "obsm/NAME".
    label : a column of `obs`, or False.
    roles : of the columns of `obs`, by name.
    """
    about, files = read_isolated("anndata", blob, limits, array=array)
    shape, kind, _ = next(said for key, *said in about["matrices"] if key == about["chosen"])
    others = [key for key, *_ in about["matrices"] if key != about["chosen"]]
    notes = [f"the matrix {about['chosen']} is taken" + (f"; array= takes another: {', '.join(others[:8])}" if others else "")]
    contents = Contents(arrays=_infos(about), notes=notes, feature_names=_unique(about["genes"]))
    if kind in ("csr", "csc"):
        contents.blocks, contents.dtype = sparse_blocks(files, kind, shape, blob.name)
        contents.n_rows, contents.n_columns = shape
        sample = files["data"][: 1 << 16]
    else:
        contents.array = files["X"]
        sample = np.asarray(files["X"][:SAMPLED_ROWS])
    contents.layout = _layout(about["chosen"], shape, sample)
    _add_cells(contents, about, files.get("obs"), blob.name, *_asked(about, label, check_roles(roles), blob.name))
    return contents


def _infos(about):
    listed = [ArrayInfo(key, tuple(shape), f"{kind} {dtype}") for key, shape, kind, dtype in about["matrices"]]
    return [info._replace(role="data") if info.name == about.get("chosen") else info for info in listed]


def _unique(names):
    """Names of genes, a repeated one with a number."""
    seen, unique = set(names or ()), []
    for name, count in zip(names or (), _occurrences(names or ()), strict=True):
        while count and f"{name}-{count}" in seen:
            count += 1
        unique.append(f"{name}-{count}" if count else name)
        seen.add(unique[-1])
    return unique if names is not None else None


def _occurrences(names):
    """How often each name has stood before."""
    before = {}
    for name in names:
        yield before.setdefault(name, 0)
        before[name] += 1


def _layout(chosen, shape, sample):
    if chosen.startswith("obsm/"):
        return Layout("embeddings", tuple(shape), f"A row is a cell, described by the {shape[1]} numbers of {chosen}.")
    if sample.size and sample.min() >= 0 and np.all(sample == np.round(sample)):
        return Layout("counts", tuple(shape), "A row is a cell, a column the count of a gene.")
    return None


def _asked(about, label, roles, name):
    """`(label, roles)`: a column of `obs` may be called the label in either way, and none is a feature."""
    known = ["cell", *(key for key, *_ in about["columns"])]
    for key, role in roles.items():
        if key not in known:
            some = ", ".join(one_line(each, 30) for each in known[:8])
            raise refuse(name, f"has no column '{one_line(key, 40)}' in obs", f"choose one of: {some}")
        if role in ("feature", *ENCODINGS):
            what = f"has '{one_line(key, 40)}' beside the cells (obs), where no features are"
            raise refuse(name, what, "give it another role, or put it into X")
    asked = next((key for key, role in roles.items() if role == "label"), None)
    return (asked if label is None and asked is not None else label), roles


def _add_cells(contents, about, table, name, label, roles):
    """Columns of `obs` with their roles, one of them as the labels."""
    known = {key: at for at, (key, *_) in enumerate(about["columns"])}
    if isinstance(label, str) and label not in known:
        some = ", ".join(one_line(key, 30) for key in list(known)[:8]) or "none"
        raise refuse(name, f"has no column '{one_line(label, 40)}' in obs", f"choose one of: {some}")
    chosen = (
        label if isinstance(label, str) else about["cell_type"] if label is None and about["cell_type"] not in roles else None
    )
    infos, kept = [], {}
    if about["cells"] is not None:
        infos.append(ColumnInfo("cell", "id", "text", "names of the cells", tuple(about["cells"][:SHOWN])))
        kept["cell"] = np.array(about["cells"], dtype=object)
    for at, (key, levels, kind) in enumerate(about["columns"]):
        values = _values(table[at], levels, kind)
        role, why = _role(key, levels, "label" if key == chosen else roles.get(key), isinstance(label, str))
        infos.append(ColumnInfo(key, role, "text" if levels is not None else "number", why, tuple(map(str, values[:SHOWN]))))
        kept[key] = values
    contents.columns, contents.metadata = tuple(infos), metadata_of(kept)
    if chosen is not None:
        contents.labels = Labels(name, f"obs column '{one_line(chosen, 40)}'", certain=isinstance(label, str))
        levels = about["columns"][known[chosen]][1]
        if levels is None:
            contents.labels.add_numbers(table[known[chosen]])
        else:
            contents.labels.add_names(levels, table[known[chosen]].astype(np.int64))


def _role(key, levels, asked, label_asked):
    """`(role, why)` of a column of `obs`."""
    if asked == "label":
        return "label", "as asked" if label_asked else "named like cell types"
    if asked is not None:
        return asked, "as asked"
    few = levels is not None and len(levels) <= FEW_LEVELS
    return "category" if few else "text" if levels else "left out", "of the cells (obs), no gene"


def _values(column, levels, kind):
    if levels is None:
        return column.astype(np.int64) if kind in "biu" and np.isfinite(column).all() else np.asarray(column)
    codes = column.astype(np.int64)
    return np.where(codes < 0, "", np.array([*levels, ""], dtype=object)[codes])


FORMAT = Format("AnnData", (".h5ad",), recognises, read, arrays=arrays, rank=-2)
