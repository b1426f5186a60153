"""Any file to rows of numbers: `load_data` finds the format by the first bytes, then by the name.

A format is one module in `arrays/`, `tables/`, `pictures/` or `series/` with a `FORMAT`; adding the module is all it takes.
"""

import inspect
import pkgutil
from dataclasses import replace
from functools import cache
from importlib import import_module

import numpy as np

from leasc_core.data.dataset import Wishes, complete, draft
from leasc_core.data.gather import gather_in_memory
from leasc_core.data.guards import Limits, refuse
from leasc_core.data.reading.beside import add_picture, add_truth, asked_truth
from leasc_core.data.reading.blobs import open_blob
from leasc_core.errors import ParameterError

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
    folders = [import_module(f"{__name__}.{folder}") for folder in FOLDERS]
    modules = [import_module(f"{f.__name__}.{m.name}") for f in folders for m in pkgutil.iter_modules(f.__path__)]
    return tuple(sorted((m.FORMAT for m in modules if hasattr(m, "FORMAT")), key=lambda found: found.rank))


def recognise(blob):
    """The format of a file: its first bytes decide; a name that they contradict is an error, not a guess."""
    head = b"" if blob.is_folder else blob.head()
    found = next((f for f in formats() if f.rank < 2 and f.recognises(head, blob)), None)
    if found is None:
        _refuse_strangers(blob, head)
        named = next((f for f in formats() if blob.name.lower().endswith(f.extensions)), None)
        if named is not None and named.rank < 2:
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


def load_data(
    thing, *, name=None, array=None, label=None, transpose=None, image_shape=None, spectrum=None, background=None,
    limits=None, **options,
):  # fmt: skip
    """Load a file into memory as rows of numbers.

    Parameters
    ----------
    thing : path, bytes or open binary file; a folder of pictures too.
    name : the file's name when `thing` does not tell it.
    array : which array of a container to take; one is proposed otherwise.
    label : where the labels are: an array's name, a column's name or position, False for none, or the labels
        themselves, one for each row, or a map of a cube's sides, or the path of a file that holds one. Found if not given.
    transpose : True when columns are samples, False when rows are; judged if not given.
    image_shape : (h, w) or (h, w, c) when each row is a picture and the file does not say so.
    spectrum : of an array of three axes: which axis is the spectrum (0, 1 or 2), so that pixels are the rows; False for a stack
        of pictures. Judged if not given.
    background : the value that marks pixels without a class in a cube's truth (0 if not given), or empty pixels in a cube.
    limits : Limits of what the file may ask for.
    options : the format's own; for tables `roles` (what columns are for, by name, as in {"year": "left out"}; guessed where
        not said), for text tables also `separator`, `header`, `decimal` and `encoding`.

    Returns
    -------
    Dataset

    Raises
    ------
    DataError : one sentence on what is wrong with the file and what to do.

    Examples
    --------
    >>> data = load_data(b"x,y,label\\n1,2,a\\n3,4,b\\n", name="points.csv")
    >>> data.X.shape, data.label_names
    ((2, 2), ['a', 'b'])
    """
    limits = limits or Limits()
    blob = open_blob(thing, name, limits)
    common = {"array": array, "label": label, "transpose": transpose, "image_shape": image_shape}
    contents, wishes = read_contents(blob, limits, **common, spectrum=spectrum, background=background, **options)
    data = draft(contents, gather_in_memory(contents, blob.name, limits), blob.name, wishes)
    if not isinstance(data.X, np.memmap):
        data = replace(data, X=np.ascontiguousarray(data.X))
    return complete(data, contents.matlab, wishes)


def read_contents(
    blob, limits, *, array=None, label=None, transpose=None, image_shape=None, spectrum=None, background=None,
    beside=True, **options,
):  # fmt: skip
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
    if not blob.is_folder and blob.name.lower().endswith(_other_extensions(found)):
        contents.notes.append(f"the file is {found.name} in spite of its name")
    is_cube = contents.layout is not None and contents.layout.kind == "cube"
    if beside and (is_cube or (contents.array is not None and contents.array.ndim == 3)):
        if not is_cube and contents.array.shape[0] in (2, 3) and "spectrum" not in contents.beside:
            add_picture(contents, blob)
        elif contents.labels is None and values is None and label is not False and spectrum is not False:
            add_truth(contents, blob, limits)
    return contents, Wishes(values, transpose, image_shape, spectrum, background)


def takes(found, option):
    """Does the reader of a format know this option?"""
    return option in inspect.signature(found.read).parameters


def _check_options(found, array, label, options):
    accepted = set(inspect.signature(found.read).parameters) - {"blob", "limits", "array", "label"}
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


def list_arrays(thing, name=None, limits=None):
    """The arrays of a container (.npz, .mat, .h5) as `(name, shape, dtype, role)`, roles proposed."""
    limits = limits or Limits()
    blob = open_blob(thing, name, limits)
    found = recognise(blob)
    if found.arrays is None:
        raise refuse(blob.name, f"is a {found.name} file, which holds one table", "load it directly")
    from leasc_core.data.reading.roles import propose

    listed = found.arrays(blob, limits)
    if all(info.role == "not numeric" for info in listed):
        return listed
    return propose(listed, blob.name)[0]
