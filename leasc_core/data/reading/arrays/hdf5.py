"""HDF5, read in a child process that never follows a link out of the file."""

from leasc_core.data.dataset import Contents
from leasc_core.data.labels import Labels
from leasc_core.data.reading.arrays import anndata
from leasc_core.data.reading.format import Format, is_hdf5
from leasc_core.data.reading.isolated import read_isolated
from leasc_core.data.reading.roles import ArrayInfo


def arrays(blob, limits, matlab=False):
    """The datasets by name; nothing is read. What 10x keeps in plain HDF5 is read as single cells are."""
    about, _ = read_isolated("hdf5", blob, limits, matlab=matlab, list_only=True)
    return anndata.arrays(blob, limits) if about.get("is_of_cells") else _infos(about)


def read(blob, limits, array=None, label=None):
    """The proposed (or asked) dataset and its labels."""
    return read_datasets(blob, limits, array, label, matlab=False)


def read_datasets(blob, limits, array, label, matlab):
    """The same for both kinds of file: with `matlab` the axes are turned round, as MATLAB counts them."""
    about, files = read_isolated("hdf5", blob, limits, matlab=matlab, array=array, label=label)
    if about.get("is_of_cells"):
        return anndata.read(blob, limits, array, label)
    is_loom = about["data"] == "matrix" and any(name.startswith("col_attrs/") for name, *_ in about["arrays"])
    contents = Contents(array=files["X"].T if matlab or is_loom else files["X"], matlab=matlab, arrays=_infos(about))
    if is_loom:
        contents.notes.append("a Loom file: its columns, the cells, are taken as rows")
    if "y" in files:
        contents.labels = Labels(blob.name, f"'{about['labels']}'", certain=isinstance(label, str))
        if about["label_names"] is None:
            contents.labels.add_numbers(files["y"].T if matlab else files["y"])
        else:
            contents.labels.add_names(about["label_names"], files["y"])
    return contents


def _infos(about):
    return [ArrayInfo(name, tuple(shape), dtype, role) for name, shape, dtype, role in about["arrays"]]


FORMAT = Format("HDF5", (".h5", ".hdf5", ".hdf", ".he5", ".loom"), is_hdf5, read, arrays=arrays)
