"""What a file holds: its format is found by the first bytes, then by the name, and its reader is asked.

A format is one module in `arrays/`, `tables/`, `pictures/` or `series/` with a `FORMAT`; adding the module is all it takes.
"""

import inspect
import os
import pkgutil
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np

from leasc_core.data.dataset import Wishes
from leasc_core.data.gather import gather_in_memory
from leasc_core.data.guards import refuse
from leasc_core.data.labels import Labels
from leasc_core.data.reading.beside import TRUTH_FILES, add_picture, is_plain_file, labels_beside, truth_beside
from leasc_core.data.reading.blobs import open_blob
from leasc_core.data.reading.moments import rearranged
from leasc_core.data.reading.roles import named_as_labels
from leasc_core.data.shapes import of_classes
from leasc_core.errors import DataError, ParameterError

# Where the formats are.
FOLDERS = ("arrays", "tables", "pictures", "series")
# Files people bring that are not tables of numbers, and what to do with each.
STRANGERS = (
    (b"%PDF", "a PDF document", "copy its table into a CSV file"),
    (b"PK\x03\x04", "an Office document", "give a workbook (.xlsx, .ods) or a CSV file"),
    (b"\xd0\xcf\x11\xe0", "an old Office document", "give a workbook (.xls, .xlsx) or a CSV file"),
    (b"SQLite format 3", "an SQLite database", "export the table as CSV"),
    (b"\x80\x02", "a Python pickle, which could run code when opened", "save the array with numpy.save"),
    (b"\x80\x03", "a Python pickle, which could run code when opened", "save the array with numpy.save"),
    (b"\x80\x04", "a Python pickle, which could run code when opened", "save the array with numpy.save"),
    (b"\x80\x05", "a Python pickle, which could run code when opened", "save the array with numpy.save"),
    (b"7z\xbc\xaf", "a 7z archive", "unpack it first"),
    (b"Rar!", "a RAR archive", "unpack it first"),
    (b"BZh", "a bzip2 file", "unpack it first"),
    (b"\xfd7zXZ", "an xz file", "unpack it first"),
    (b"\x28\xb5\x2f\xfd", "a zstandard file", "unpack it first"),
    (b"\x1f\x8b", "a gzip file inside another", "unpack it first"),
    (b"\x89PNG", "a single picture", "give a zip or a folder of pictures"),
    (b"\xff\xd8\xff", "a single picture", "give a zip or a folder of pictures"),
)


@cache
def formats():
    """Every format in this package, in the order in which they are asked."""
    folders = [import_module(f"{__package__}.{folder}") for folder in FOLDERS]
    modules = [import_module(f"{f.__name__}.{m.name}") for f in folders for m in pkgutil.iter_modules(f.__path__)]
    return tuple(sorted((m.FORMAT for m in modules if hasattr(m, "FORMAT")), key=lambda found: found.rank))


def recognise(blob):
    """The format of a file: its first bytes decide; a name that they contradict is an error, not a guess."""
    head = b"" if blob.is_folder else blob.head()
    found = next((f for f in formats() if f.rank < 2 and f.recognises(head, blob)), None)
    if found is None:
        _refuse_strangers(blob, head)
        named = next((f for f in formats() if blob.name.lower().endswith(f.extensions)), None)
        if named is not None and named.rank < 2 and not (blob.name.lower().endswith(".xls") and b"\0" not in head):
            what = f"is named like a {named.name} file but does not begin like one"
            raise refuse(blob.name, what, "check the name, or save or download it again")
        found = next((f for f in formats() if f.rank >= 2 and f.recognises(head, blob)), None)
    if found is None:
        raise refuse(blob.name, "is in no format known here", "save it as CSV, .npy, .mat, HDF5 or Parquet")
    if blob.packed and not found.in_gzip:
        raise refuse(blob.name, f"is a gzipped {found.name} file", "unpack it first")
    return found


def _refuse_strangers(blob, head):
    for magic, what, remedy in STRANGERS:
        if head.startswith(magic):
            raise refuse(blob.name, f"is {what}", remedy)


def read_contents(
    blob,
    limits,
    *,
    array=None,
    label=None,
    transpose=None,
    image_shape=None,
    spectrum=None,
    background=None,
    window=None,
    tracks=None,
    beside=True,
    **options,
):
    """`(Contents, Wishes)`: what the format's reader found and what is left to do for any format.

    `beside=False` looks at no other file in the folder.
    """
    found = recognise(blob)
    values, label = None, asked_truth(blob, label, limits)
    if label is not None and not isinstance(label, (bool, str, int, np.integer)):
        values, label = np.asarray(label), False
    label = int(label) if isinstance(label, np.integer) else label
    if label is True:
        raise ParameterError("label=True says nothing: give a name, a position, the labels themselves or False.")
    _check_options(found, array, label, options)
    contents = found.read(blob, limits, array=array, label=label, **options)
    _drop_strange_labels(contents)
    if contents.matlab and contents.labels is None and transpose is spectrum is image_shape is None:
        _regroup(contents, blob.name, label)
    if window is not None or tracks or (found.columns is not None and not transpose):

        def read_again(roles):
            asked = roles | (options.get("roles") or {})
            return found.read(blob, limits, array=array, label=label, **options | {"roles": asked})

        contents = rearranged(contents, read_again, blob, limits, window, tracks)
    if not blob.is_folder and blob.name.lower().endswith(_other_extensions(found)):
        contents.notes.append(f"the file is {found.name} in spite of its name")
    is_cube = contents.layout is not None and contents.layout.kind == "cube"
    if beside and (is_cube or (contents.array is not None and contents.array.ndim == 3)):
        if not is_cube and contents.array.shape[0] in (2, 3) and "spectrum" not in contents.beside:
            add_picture(contents, blob)
        elif contents.labels is None and values is None and label is not False and spectrum is not False:
            add_truth(contents, blob, limits)
    if beside and label is None and values is None and contents.labels is None:
        add_labels(contents, blob, limits)
    return contents, Wishes(values, transpose, image_shape, spectrum, background)


def _drop_strange_labels(contents):
    """Labels found by their shape alone have to look like classes; a table that is no map has to name a class in each row."""
    name = next((info.name for info in contents.arrays if info.role == "labels"), None)
    labels = contents.labels
    if name is None or labels is None or labels.certain:
        return
    is_map = labels.sides is not None and min(labels.sides) > 1
    is_strange = is_map and (contents.array is None or contents.array.ndim != 3)
    if is_strange or not (named_as_labels(name) or labels.repeat()):
        contents.labels = None
        contents.arrays = [info._replace(role="") if info.role == "labels" else info for info in contents.arrays]


def _regroup(contents, name, label):
    """The rows of an array that has an axis for the classes, and their labels."""
    found = of_classes(contents.array)
    if found is None:
        return
    contents.array, classes, contents.image_shape = found
    contents.notes.append(f"the last axis taken for {classes[-1] + 1} classes, the one before it for the samples of each")
    if label is None:
        contents.labels = Labels(name, "the last axis", certain=False)
        contents.labels.add_numbers(classes)


def options_of(found) -> frozenset:
    """The names of the options that the reader of a format knows."""
    return frozenset(inspect.signature(found.read).parameters) - {"blob", "limits", "array", "label"}


def _check_options(found, array, label, options):
    accepted = options_of(found)
    unknown = sorted(set(options) - accepted)
    if unknown:
        known = ", ".join(sorted(accepted)) or "none"
        raise ParameterError(f"{unknown[0]!r} is not an option of {found.name} files: known here: {known}.")
    if array is not None and found.arrays is None:
        raise ParameterError(f"array={array!r} only applies to files that hold several arrays, not to {found.name}.")
    if isinstance(label, int) and label is not False and found.arrays is not None:
        raise ParameterError(f"label={label!r} is a column position; in {found.name} files give an array's name.")


def _other_extensions(found):
    return tuple(e for f in formats() if f is not found for e in f.extensions if e not in found.extensions)


def given_path(label):
    """A label that names a file in some folder, as a path: for those who call the library, not for what comes from a page."""
    is_path = isinstance(label, str) and label.lower().endswith(TRUTH_FILES) and Path(label).name != label
    return Path(label) if is_path and Path(label).is_file() else label


def asked_truth(blob, label, limits):
    """The map in a file given as `label`: a path, or the name of a file in the same folder; any other label as it is."""
    if isinstance(label, os.PathLike):
        return read_map(Path(label), limits)
    if isinstance(label, str) and blob.path is not None and label.lower().endswith(TRUTH_FILES):
        beside = blob.path.with_name(Path(label).name)
        is_there = Path(label).name == label or Path(label).absolute().parent == blob.path.absolute().parent
        if is_there and is_plain_file(beside):
            return read_map(beside, limits)
    return label


def add_truth(contents, blob, limits):
    """Labels of a cube from the truth map in its folder, if there is one."""
    path = truth_beside(blob.path)
    if path is not None:
        contents.labels = Labels(blob.name, f"the map in {path.name}", certain=False)
        contents.labels.add_numbers(read_map(path, limits))
        contents.notes.append(f"truth map found beside it: {path.name}")


def add_labels(contents, blob, limits):
    """Labels of samples from the file of labels in their folder, if there is one with a label for each."""
    path = labels_beside(blob.path)
    if path is None or contents.array is None:
        return
    labels = Labels(blob.name, f"{path.name}, found beside it", certain=False)
    try:
        labels.add(read_map(path, limits))
    except DataError as error:
        contents.notes.append(f"{path.name} lies beside it and is not used as labels: {error}")
        return
    if min(labels.sides or (1,)) == 1 and len(labels) in (contents.array.shape[0], contents.array.shape[-1]) and labels.repeat():
        contents.labels = labels


def read_map(path, limits) -> np.ndarray:
    """The one map of labels in a file: a vector or two axes of whole numbers."""
    blob = open_blob(path, None, limits)
    contents, _ = read_contents(blob, limits, label=False, beside=False)
    values = gather_in_memory(contents, blob.name, limits)
    if contents.layout is not None and contents.layout.kind == "cube":
        values = values.reshape(contents.layout.shape)
    values = values[..., 0] if values.ndim == 3 and values.shape[-1] == 1 else values
    if values.ndim > 2:
        raise refuse(blob.name, f"holds an array of {values.ndim} axes", "give a map of one class for each pixel as the truth")
    return values
