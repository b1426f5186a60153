"""What a reader finds (`Contents`), what the program gets (`Dataset`), and the way from one to the other."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from leasc_core.data.arrange import arrange, columns_are_pictures, guess_image_shape
from leasc_core.data.columns.gathering import MetadataSink
from leasc_core.data.columns.metadata import Metadata, PixelMetadata
from leasc_core.data.columns.plan import without_label
from leasc_core.data.guards import refuse
from leasc_core.data.labels import Labels
from leasc_core.data.layout import Layout
from leasc_core.data.shapes import find_layout
from leasc_core.data.sources.source import source_of_array
from leasc_core.data.values import check_shape, check_values

ROWS_LOOKED_AT = 256
TOTAL = re.compile(
    r"((grand|sub)[ -]?)?totals?|sum|(gesamt)?summe|(ins)?gesamt|mean|average|mittelwert|durchschnitt", re.IGNORECASE
)
PIXEL_NAME = re.compile(r"(?:pixel|px|p|x)?[-_ ]?\d+(?:x\d+)?", re.IGNORECASE)


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
    notes : short sentences on what was decided
    arrays : the arrays of a container with the role each was given
    columns : ColumnInfo of every column of a table, in the file's order
    metadata : Metadata, the columns that are no features, a value for each row; or None
    layout : Layout of pictures, cubes, tracks, series, ...; or None
    """

    X: np.ndarray
    y: np.ndarray | None = None
    label_names: list | None = None
    feature_names: list | None = None
    image_shape: tuple | None = None
    image_order: str = "C"
    name: str = "data"
    notes: list = field(default_factory=list)
    arrays: list = field(default_factory=list)
    columns: tuple = ()
    metadata: Metadata | None = None
    layout: Layout | None = None

    @cached_property
    def fingerprint(self):
        """Hash of X alone (labels change no result), the same as `open_source(X).fingerprint`."""
        return source_of_array(self.X, self.name).fingerprint


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
    columns, metadata, layout : as of a `Dataset`; `metadata` may also be a `MetadataSink`, filled like the labels
    beside : what a reader found beside the numbers of a cube: `wavelengths`, `unit`, `background` (a value), `spectrum` (an axis)
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
    columns: tuple = ()
    metadata: Metadata | MetadataSink | None = None
    layout: Layout | None = None
    beside: dict = field(default_factory=dict)

    @property
    def has_bare_rows(self):
        """Is it a matrix of which the file says no more than its numbers?"""
        described = self.columns or self.feature_names or self.image_shape
        return self.array is not None and self.array.ndim == 2 and not described


@dataclass(frozen=True)
class Wishes:
    """What the caller of `load_data` asked for, whatever the format."""

    labels: np.ndarray | None = None
    transpose: bool | None = None
    image_shape: tuple | None = None
    spectrum: int | bool | None = None
    background: float | None = None


def draft(contents, array, name, wishes):
    """The `Dataset` of an array as its file stores it: rows turned to samples, labels matched, values unseen."""
    labels, notes = contents.labels, list(contents.notes)
    if wishes.labels is not None:
        labels = Labels(name, "the array given as label=")
        labels.add(wishes.labels)
    if wishes.transpose is None and wishes.image_shape is None:
        array, labels, contents, notes = find_layout(contents, array, name, labels, wishes)
    layout = contents.layout
    if layout is not None:
        X, image_shape, turned = array, None, []
    else:
        transpose = wishes.transpose
        if transpose is None and labels is None and contents.has_bare_rows and columns_are_pictures(array):
            transpose = True
        X, image_shape, turned = arrange(array, name, None if labels is None else len(labels), transpose, contents.matlab)
    check_shape(name, X.shape)
    y, label_names, told = (None, None, []) if labels is None else labels.finish(X.shape[0])
    names = None if wishes.transpose else contents.feature_names
    columns, metadata = ((), None) if wishes.transpose else (contents.columns, contents.metadata)
    metadata = metadata.finish() if isinstance(metadata, MetadataSink) else metadata
    if metadata is not None and len(metadata) != len(X):
        metadata = None
    if layout is not None and layout.kind == "cube":
        metadata = PixelMetadata(layout.sides)
    if labels is not None and y is None:
        columns = without_label(columns)
    told = told + _total(metadata, columns)
    return Dataset(
        X=X,
        y=y,
        label_names=label_names,
        feature_names=None if names is None else list(names),
        image_shape=contents.image_shape or image_shape,
        name=name,
        notes=notes + turned + told,
        arrays=list(contents.arrays),
        columns=tuple(columns),
        metadata=metadata,
        layout=layout,
    )


def _total(metadata, columns):
    """A sentence where the last row of a table is named as the sum of the others."""
    if metadata is None or not len(metadata) or not columns or columns[0].name not in metadata.names:
        return []
    last = str(metadata.take([len(metadata) - 1], [columns[0].name])[columns[0].name][0]).strip()
    if not TOTAL.fullmatch(last):
        return []
    return [f"the last row is named '{last}': take it out of the file if it sums up the others"]


def complete(data, matlab, wishes):
    """The same `Dataset` once its values have passed, with the shape of its pictures if it has any."""
    source = source_of_array(data.X, data.name, data)
    notes = data.notes + check_values(source)
    if wishes.image_shape is not None:
        shape = _asked_image_shape(wishes.image_shape, data.X.shape[1], data.name)
        return replace(data, notes=notes, image_shape=shape)
    if data.layout is not None or data.image_shape is not None or not all(map(PIXEL_NAME.fullmatch, data.feature_names or [])):
        return replace(data, notes=notes)
    shape = guess_image_shape(source.rows(0, min(ROWS_LOOKED_AT, len(source))))
    if shape is None:
        return replace(data, notes=notes)
    notes = [*notes, f"each row looks like a picture of {shape[0]} x {shape[1]} grey levels"]
    return replace(data, notes=notes, image_shape=shape, image_order="F" if matlab else "C")


def _asked_image_shape(shape, n_features, name):
    shape = tuple(int(length) for length in shape)
    if len(shape) not in (2, 3) or min(shape) < 1 or np.prod(shape) != n_features:
        what = f"has {n_features} features, which do not fill pictures of {shape}"
        raise refuse(name, what, "give (h, w) or (h, w, c)")
    return shape
