"""Any file to rows of numbers: `load_data` reads one whole, `list_arrays` says what a container holds."""

import os
from dataclasses import replace
from typing import Any

import numpy as np

from leasc_core.data.dataset import Dataset, complete, draft
from leasc_core.data.gather import gather_in_memory
from leasc_core.data.guards import Limits, refuse
from leasc_core.data.reading.blobs import open_blob
from leasc_core.data.reading.contents import formats, given_path, read_contents, recognise
from leasc_core.data.reading.roles import propose

__all__ = ["formats", "list_arrays", "load_data", "recognise"]


def load_data(
    thing: Any,
    *,
    name: str | None = None,
    array: str | None = None,
    label: Any = None,
    transpose: bool | None = None,
    image_shape: tuple[int, ...] | None = None,
    spectrum: int | bool | None = None,
    background: float | None = None,
    window: int | None = None,
    tracks: bool | None = None,
    limits: Limits | None = None,
    **options: Any,
) -> Dataset:
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
    window : cut a table (or matrix) of one moment a row into windows of so many rows; series that a column tells apart are
        cut each by itself.
    tracks : whether a table of id, frame, x and y has a row for each track; judged by those names if not given.
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
    label = given_path(label) if isinstance(thing, (str, os.PathLike)) else label
    common = {"array": array, "label": label, "transpose": transpose, "image_shape": image_shape}
    moments = {"window": window, "tracks": tracks}
    contents, wishes = read_contents(blob, limits, **common, spectrum=spectrum, background=background, **moments, **options)
    data = draft(contents, gather_in_memory(contents, blob.name, limits), blob.name, wishes)
    if not isinstance(data.X, np.memmap):
        data = replace(data, X=np.ascontiguousarray(data.X))
    return complete(data, contents.matlab, wishes)


def list_arrays(thing: Any, name: str | None = None, limits: Limits | None = None) -> list:
    """The arrays of a container (.npz, .mat, .h5) as `(name, shape, dtype, role)`, roles proposed."""
    limits = limits or Limits()
    blob = open_blob(thing, name, limits)
    found = recognise(blob)
    if found.arrays is None:
        raise refuse(blob.name, f"is a {found.name} file, which holds one table", "load it directly")
    listed = found.arrays(blob, limits)
    if all(info.role == "not numeric" for info in listed):
        return listed
    return propose(listed, blob.name)[0]
