"""What a reader finds (`Contents`), what the program gets (`Dataset`), and the way from one to the other."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from leasc_core.data.arrange import arrange, guess_image_shape
from leasc_core.data.guards import refuse
from leasc_core.data.labels import Labels
from leasc_core.data.sources import source_of_array
from leasc_core.data.values import check_shape, check_values

ROWS_LOOKED_AT = 256


@dataclass(frozen=True, eq=False)
class Dataset:
    """Samples in rows, with what their file said about them.

    Attributes
    ----------
    X : (n_samples, n_features) array or memory map of real numbers
    y : (n_samples,) int64 labels, or None; only metrics may read them
    label_names : names of classes 0, 1, ... when the file gave names, else None
    feature_names : list of str or None
    image_shape : (h, w) or (h, w, c) when each row is a picture, else None
    image_order : "C", or "F" when a picture's pixels run down its columns, as MATLAB stores them
    name : the file's name
    fingerprint : hash of X alone (labels change no result), the same as `open_source(X).fingerprint`
    notes : short sentences on what was decided
    arrays : the arrays of a container with the role each was given
    """

    X: np.ndarray
    y: np.ndarray | None = None
    label_names: list | None = None
    feature_names: list | None = None
    image_shape: tuple | None = None
    image_order: str = "C"
    name: str = "data"
    fingerprint: str = ""
    notes: list = field(default_factory=list)
    arrays: list = field(default_factory=list)


@dataclass
class Contents:
    """One file as its reader sees it: either a whole `array` or `blocks` of rows, plus what goes with them.

    Attributes
    ----------
    array : of two to four dimensions, in the file's own orientation; a memory map if it is large
    blocks : function returning an iterator of two-dimensional blocks of rows, each of type `dtype`
    n_rows, n_columns, dtype : of the blocks; `n_rows` may be None when only reading tells
    about_rows : a guess at the number of rows then, for progress bars
    labels : filled at the latest when the blocks have been read
    matlab : the array has MATLAB's orientation
    """

    array: np.ndarray | None = None
    blocks: Callable | None = None
    n_rows: int | None = None
    n_columns: int | None = None
    about_rows: int | None = None
    dtype: np.dtype | None = None
    labels: Labels | None = None
    feature_names: list | None = None
    image_shape: tuple | None = None
    matlab: bool = False
    notes: list = field(default_factory=list)
    arrays: list = field(default_factory=list)


@dataclass(frozen=True)
class Wishes:
    """What the caller of `load_data` asked for, whatever the format."""

    labels: np.ndarray | None = None
    transpose: bool | None = None
    image_shape: tuple | None = None


def turn(contents, array, name, wishes):
    """`(X, y, label_names, image_shape, notes)` with samples in the rows of X."""
    notes = list(contents.notes)
    y, label_names, n_labels = None, None, None
    labels = contents.labels
    if wishes.labels is not None:
        labels = Labels(name, "the array given as label=")
        labels.add_texts(wishes.labels) if wishes.labels.dtype.kind in "US" else labels.add_numbers(
            wishes.labels
        )
    if labels is not None:
        n_labels = sum(len(chunk) for chunk in labels.chunks)
    X, image_shape, more = arrange(array, name, n_labels, wishes.transpose, contents.matlab)
    check_shape(name, X.shape)
    if labels is not None:
        y, label_names, label_notes = labels.finish(X.shape[0])
        more = more + label_notes
    return X, y, label_names, contents.image_shape or image_shape, notes + more


def complete(contents, X, parts, name, wishes):
    """Check the values of `X` and make the `Dataset`; `parts` is what `turn` said besides `X`."""
    y, label_names, image_shape, notes = parts
    about = Dataset(X, y, label_names, _names_of(contents, X, wishes), image_shape, name=name)
    source = source_of_array(X, name, about)
    notes = notes + check_values(source)
    image_order = "C"
    if wishes.image_shape is not None:
        image_shape = _asked_image_shape(wishes.image_shape, X.shape[1], name)
    elif image_shape is None and contents.feature_names is None:
        image_shape = guess_image_shape(source.rows(0, min(ROWS_LOOKED_AT, len(source))))
        if image_shape:
            notes.append(f"each row looks like a picture of {image_shape[0]} x {image_shape[1]} grey levels")
            image_order = "F" if contents.matlab else "C"
    return Dataset(
        X, y, label_names, about.feature_names, image_shape, image_order,
        name, source.fingerprint, notes, list(contents.arrays),
    )  # fmt: skip


def _names_of(contents, X, wishes):
    names = None if wishes.transpose else contents.feature_names
    return list(names) if names is not None and len(names) == X.shape[1] else None


def _asked_image_shape(shape, n_features, name):
    shape = tuple(int(length) for length in shape)
    if len(shape) not in (2, 3) or min(shape) < 1 or np.prod(shape) != n_features:
        raise refuse(
            name,
            f"has {n_features} features, which do not fill pictures of {shape}",
            "give (h, w) or (h, w, c)",
        )
    return shape
