"""Tables with a moment a row: those of tracks (id, frame, x, y) get a row a track, series a row a window."""

import re
from dataclasses import replace

import numpy as np

from leasc_core.data.columns.gathering import MetadataSink
from leasc_core.data.columns.metadata import metadata_of
from leasc_core.data.gather import gather_in_memory
from leasc_core.data.guards import check_cells, one_line, refuse
from leasc_core.data.labels import Labels
from leasc_core.data.layout import Layout
from leasc_core.data.reading.beside import add_picture
from leasc_core.data.shapes import track_names, tracks_layout
from leasc_core.errors import ParameterError

# What columns of tracks are called: whose position, when, where.
NUMBER = r"[ _.-]?(id|nr|no|number|index)"
OWNER = re.compile(f"(track|point|trajectory|particle|object|feature|cell|marker)({NUMBER})?|{NUMBER}")
MOMENT = re.compile(r"(frame|time|t|moment|image|slice)([ _.-]?(id|nr|no|number|index))?")
SERIES = re.compile(r"(series|session|run|recording|sensor|subject|machine|unit|segment)([ _.-]?(id|nr|no|number|name))?")
LEAST_MOMENTS = 2


def rearranged(contents, read_again, blob, limits, window, tracks):
    """The contents with a row for each track or window, where the table is one of tracks or a window is asked for.

    `read_again(roles)` reads the table with other roles; `tracks` is None to judge by the names of the columns.
    """
    if window is not None:
        return _windows(contents, blob.name, limits, window)
    found = None if tracks is False else track_columns(contents.columns)
    if found is None:
        if tracks:
            raise refuse(blob.name, "has no columns of tracks", "name them id, frame, x and y")
        return contents
    owner, moment, *places = found
    roles = {owner: "id", moment: "time"} | dict.fromkeys(places, "feature")
    contents = read_again(roles)
    add_picture(contents, blob)
    return _tracks(contents, blob.name, limits, owner, moment, places)


def track_columns(columns):
    """Names of the columns of whose position, when, across, down; None where this is no table of tracks."""
    names = {column.name.strip().lower(): column.name for column in columns if column.kind in ("number", "whole")}
    every = {column.name.strip().lower(): column.name for column in columns}
    if "x" not in names or "y" not in names or "z" in names:
        return None
    owners, moments = ([name for name in every if kind.fullmatch(name)] for kind in (OWNER, MOMENT))
    moments = [name for name in moments if name in names and name not in owners]
    if len(owners) != 1 or len(moments) != 1:
        return None
    return every[owners[0]], names[moments[0]], names["x"], names["y"]


def _tracks(contents, name, limits, owner, moment, places):
    values, beside, labels, told = _whole(contents, name, limits)
    at = [contents.feature_names.index(place) for place in places]
    owners, track = np.unique(beside[owner].astype(str), return_inverse=True)
    moments, frame = np.unique(beside[moment], return_inverse=True)
    if len(owners) == len(values):
        raise refuse(name, f"has another value of '{one_line(owner, 40)}' in each row", "say tracks=False to take rows as points")
    check_cells(name, (len(owners), 2 * len(moments)), limits)
    where = track * len(moments) + frame
    if len(np.unique(where)) < len(where):
        twice = np.flatnonzero(np.bincount(where) > 1)[0]
        what = (
            f"has two positions of track '{one_line(owners[twice // len(moments)], 30)}' in frame {moments[twice % len(moments)]}"
        )
        raise refuse(name, what, "keep one, or say tracks=False to take rows as points")
    rows = np.full((len(owners) * len(moments), 2), np.nan)
    rows[where] = values[:, at]
    rows = rows.reshape(len(owners), -1)
    first = np.full(len(owners), len(values))
    np.minimum.at(first, track, np.arange(len(values)))
    by_size = np.argsort(first, kind="stable")
    rows, first, owners = rows[by_size], first[by_size], owners[by_size]
    layout = tracks_layout(rows, name, contents.beside.get("picture"), ids=owners)
    note = f"{len(rows):,} tracks of {len(moments):,} frames, a row each '{one_line(owner, 30)}'; tracks=False: rows are points"
    return _arranged(
        contents,
        rows,
        track_names(len(moments)),
        layout,
        note,
        told,
        beside,
        first,
        None if labels is None else (labels[0][first], labels[1]),
    )


def _windows(contents, name, limits, window):
    if not isinstance(window, (int, np.integer)) or isinstance(window, bool) or window < LEAST_MOMENTS:
        raise ParameterError(f"window={window!r} is no length of a window: give a whole number of at least {LEAST_MOMENTS} rows.")
    if contents.array is not None and contents.array.ndim != 2:
        raise ParameterError(
            f"window={window} applies to tables and matrices; {name} has an array of {contents.array.ndim} axes."
        )
    values, beside, labels, told = _whole(contents, name, limits)
    owner = next(
        (column.name for column in contents.columns if SERIES.fullmatch(column.name.strip().lower()) and column.name in beside),
        None,
    )
    series = np.zeros(len(values), int) if owner is None else np.unique(beside[owner].astype(str), return_inverse=True)[1]
    changes = np.flatnonzero(np.r_[True, np.diff(series) != 0])
    lengths = np.diff(np.r_[changes, len(values)])
    starts = np.concatenate(
        [start + window * np.arange(length // window) for start, length in zip(changes, lengths, strict=True)]
    )
    if not len(starts):
        raise refuse(
            name, f"has no series of {window:,} rows, the longest has {int(lengths.max(initial=0)):,}", "choose a shorter window"
        )
    channels = contents.feature_names or [f"c{at}" for at in range(values.shape[1])]
    rows = values[starts[:, None] + np.arange(window)].reshape(len(starts), -1)
    names = [f"{channel} t{moment}" for moment in range(window) for channel in channels]
    number = np.searchsorted(changes, starts, side="right") - 1
    left = len(values) - len(starts) * window
    why = f"A row is a window of {window:,} moments of {len(channels):,} channels."
    layout = Layout(
        "series",
        (len(starts), window, len(channels)),
        why,
        tuple(channels),
        step=window,
        starts=starts - changes[number],
        series=number,
    )
    note = f"cut into {len(starts):,} windows of {window:,} rows" + (
        f"; {left:,} rows at ends of series left out" if left else ""
    )
    most = None if labels is None else (np.array([_commonest(labels[0][start : start + window]) for start in starts]), labels[1])
    return _arranged(contents, rows, names, layout, note, told, beside, starts, most)


def _whole(contents, name, limits):
    """`(numbers, columns beside them, (labels, their names) or None, what is said of those)`, all read."""
    values = gather_in_memory(contents, name, limits)
    kept = contents.metadata.finish() if isinstance(contents.metadata, MetadataSink) else contents.metadata
    beside = {} if kept is None else {column: kept.column(column) for column in kept.names}
    y, names, told = (None, None, []) if contents.labels is None else contents.labels.finish(len(values))
    return values, beside, None if y is None else (y, names), told


def _commonest(labels):
    found, counts = np.unique(labels, return_counts=True)
    return found[counts.argmax()]


def _arranged(contents, rows, names, layout, note, told, beside, first, labels):
    """The contents of rows whose columns beside them are those of the rows `first`."""
    kept = None
    if labels is not None:
        labels, names = labels
        kept = Labels(contents.labels.file_name, contents.labels.source, contents.labels.certain)
        kept.add_names(names, labels) if names else kept.add_numbers(labels)
    return replace(
        contents,
        array=rows,
        blocks=None,
        n_rows=len(rows),
        n_columns=rows.shape[1],
        labels=kept,
        feature_names=names,
        layout=layout,
        notes=[*contents.notes, note, *told],
        metadata=metadata_of({column: values[first] for column, values in beside.items()}),
    )
