"""Arrays of three axes that are no stack of pictures: cubes, whose pixels are the rows, and tracks of points."""

import re
from dataclasses import replace

import numpy as np

from leasc_core.data.arrange import COLOURS
from leasc_core.data.guards import one_line, refuse
from leasc_core.data.labels import Labels
from leasc_core.data.layout import Layout
from leasc_core.errors import ParameterError

LEAST_BANDS, LEAST_SIDE = 8, 4
# Neighbours along every axis of a scene are at least so alike (correlation, the mean taken off), and along its spectrum more so.
ALIKE, SPECTRUM_ALIKE = 0.6, 0.9
# Whole numbers of two bytes, as detectors give them, and these names are enough without that; stacks of pictures have others.
SCENES = re.compile(r"(.*[^a-z])?(cube|scene|hsi|hyperspectral|corrected|reflectance|radiance)([^a-z].*)?", re.IGNORECASE)
PICTURES = re.compile(r"(.*[^a-z])?(images?|imgs?|ims|faces|pictures|photos|digits|letters|frames)([^a-z].*)?", re.IGNORECASE)
# The last axis is the usual one: the first must be more alike than it by so much.
CLEARLY = 0.02
SLICES, SAMPLED_SIDE = 24, 48
# Vectors of pixels grouped by classes: so alike are neighbouring pixels at least, neighbouring samples and classes at most.
LEAST_PIXELS, PIXELS_ALIKE, SAMPLES_ALIKE = 64, 0.4, 0.3
# Tracks: a coordinate moves less than this between frames, beside its spread over the points.
LEAST_FRAMES, STEP = 10, 0.2


def find_layout(contents, array, name, labels, wishes):
    """`(rows, labels, contents, notes)`: a cube or tracks as rows with their layout, anything else as it came."""
    notes = list(contents.notes)
    if contents.beside.get("single band"):
        raise refuse(
            name, "is a picture of a single band", "give a scene of several bands, or this file as the truth of one (label=)"
        )
    if contents.layout is not None and contents.layout.kind == "cube":
        _check_truth(labels, contents.layout.sides, contents.layout.shape, name)
    n_labels = None if labels is None else len(labels)
    asked = wishes.spectrum is not None and wishes.spectrum is not False
    if contents.layout is not None or array.ndim != 3:
        if asked and contents.layout is None:
            raise ParameterError(f"spectrum={wishes.spectrum} applies to arrays of three axes; {name} has {array.ndim}.")
        return _background(contents, array, name, labels, wishes, notes)
    tracks = None if asked else _as_tracks(array, n_labels)
    if tracks is not None:
        return _tracks(contents, tracks, name, labels, notes)
    if wishes.spectrum is False or contents.image_shape is not None:
        return array, labels, contents, notes
    axis, why = _spectrum_axis(array, contents, name, labels, wishes.spectrum)
    if axis is None:
        return array, labels, contents, notes
    scene = np.moveaxis(array, axis, -1)
    *sides, bands = (int(length) for length in scene.shape)
    wavelengths = contents.beside.get("wavelengths")
    if wavelengths is not None and len(wavelengths) != bands:
        wavelengths = None
    layout = Layout(
        "cube",
        (*sides, bands),
        f"A scene of {sides[0]} × {sides[1]} pixels and {bands} bands: {why}.",
        unit=contents.beside.get("unit", ""),
        wavelengths=wavelengths,
    )
    notes.append(f"a cube of {sides[0]} x {sides[1]} pixels: {why}; say spectrum=0, 1 or 2 for another axis, False for pictures")
    names = [f"{value:g} {layout.unit}".strip() for value in wavelengths] if wavelengths is not None else None
    contents = replace(contents, layout=layout, feature_names=names)
    return _background(contents, scene.reshape(-1, bands), name, labels, wishes, notes)


def of_classes(array):
    """`(rows (n, d), class of each, (h, w) or None)` where the last axis counts classes and the one before it their samples.

    So MATLAB users keep pictures (h, w, samples, classes) and vectors (d, samples, classes); None for any other array.
    """
    if array.ndim == 4 and not set(array.shape[1:]) & set(COLOURS) and array.shape[3] < array.shape[2]:
        sides, rows = array.shape[:2], array.transpose(3, 2, 0, 1)
    elif array.ndim == 3 and 2 < array.shape[2] < array.shape[1] and array.shape[0] >= LEAST_PIXELS:
        alike = [_likeness(array, axis) for axis in range(3)]
        if alike[0] < PIXELS_ALIKE or max(alike[1:]) > SAMPLES_ALIKE:
            return None
        sides, rows = None, array.transpose(2, 1, 0)
    else:
        return None
    classes, samples = rows.shape[:2]
    return rows.reshape(classes * samples, -1), np.repeat(np.arange(classes), samples), sides


def _spectrum_axis(array, contents, name, labels, asked):
    """Which axis is the spectrum, and why; None for a stack of pictures."""
    shape, n_labels = array.shape, None if labels is None else len(labels)
    if asked is not None and asked is not True:
        if not isinstance(asked, int) or not -3 <= asked < 3:
            raise ParameterError(f"spectrum={asked!r} is no axis of three: give 0, 1, 2 or False.")
        return asked % 3, f"axis {asked % 3} is the spectrum as asked"
    truth = getattr(labels, "sides", None)
    fitting = [axis for axis in (2, 0, 1) if truth is not None and truth == tuple(np.delete(shape, axis))]
    if fitting:
        return fitting[0], f"axis {fitting[0]} is the spectrum, the truth has the two other sides"
    _check_truth(labels, None, shape, name)
    if "spectrum" in contents.beside:
        return contents.beside["spectrum"], f"axis {contents.beside['spectrum']} is the spectrum, the file says"
    if n_labels is not None:
        fitting = [axis for axis in (2, 0, 1) if n_labels == array.size // shape[axis]] if n_labels not in shape else []
        return (fitting[0], f"there is a label for each of {n_labels:,} pixels") if fitting else (None, "")
    names = [name, *(info.name for info in contents.arrays if info.role == "data")]
    if any(map(PICTURES.fullmatch, names)):
        return None, ""
    as_of_detectors = array.dtype.kind in "iu" or any(map(SCENES.fullmatch, names))
    return _guessed_axis(array, ALIKE if as_of_detectors else SPECTRUM_ALIKE)


def _check_truth(labels, sides, shape, name):
    """Refuse a truth map of other sides than the cube's."""
    truth = getattr(labels, "sides", None)
    if truth is not None and min(truth) > 1 and tuple(truth) != sides:
        what = f"is a cube of {_sides(shape)} and its truth map has the sides {_sides(truth)}"
        raise refuse(name, what, "give a map of the cube's own rows and columns, or label=False")


def _guessed_axis(array, least):
    """The spectrum's axis, along which neighbours are at least so alike, and what is said of it; `(None, "")` for a stack."""
    if min(array.shape) < LEAST_SIDE or array.dtype == np.uint8:
        return None, ""  # bytes are grey levels: no detector of spectra gives so few steps
    alike = [_likeness(array, axis) for axis in range(3)]
    axis = 0 if alike[0] > alike[2] + CLEARLY else 2
    if min(alike) < ALIKE or alike[axis] < least or array.shape[axis] < LEAST_BANDS:
        return None, ""
    return axis, f"axis {axis} taken for the spectrum, neighbours along it are most alike (correlation {alike[axis]:.2f})"


def _likeness(array, axis):
    """Median correlation of neighbouring slices along an axis, the mean over all slices taken off first."""
    length = array.shape[axis]
    first = np.unique(np.linspace(0, length - 2, min(SLICES, length - 1)).astype(int))
    steps = tuple(slice(None, None, -(-side // SAMPLED_SIDE)) for side in np.delete(array.shape, axis))

    def slices(at):
        picked = [array[(slice(None),) * axis + (index,)][steps] for index in at]
        return np.array(picked, dtype=np.float64).reshape(len(at), -1)

    one, two = slices(first), slices(first + 1)
    if not (np.isfinite(one).all() and np.isfinite(two).all()):
        one, two = np.nan_to_num(one), np.nan_to_num(two)
    mean = (one.mean(axis=0) + two.mean(axis=0)) / 2
    one, two = one - mean, two - mean
    one, two = one - one.mean(axis=1, keepdims=True), two - two.mean(axis=1, keepdims=True)
    norms = np.sqrt((one**2).sum(axis=1) * (two**2).sum(axis=1))
    seen = norms > 0
    return float(np.median((one * two).sum(axis=1)[seen] / norms[seen])) if seen.any() else 0.0


def _background(contents, rows, name, labels, wishes, notes):
    """Pixels without a class in the truth, or of nothing but the file's empty value, belong to the background."""
    layout = contents.layout
    if layout is None or layout.kind != "cube":
        return rows, labels, contents, notes
    if labels is not None:
        values = np.concatenate(labels.chunks) if labels.chunks else np.empty(0)
        empty = values == (0 if wishes.background is None else wishes.background)
        if not labels.codes and len(values) == len(rows) and 0 < empty.sum() < len(values):
            kept = Labels(labels.file_name, labels.source, labels.certain)
            kept.add_numbers(np.where(empty, -1, values.astype(np.int64)))
            notes.append(f"{int(empty.sum()):,} of {len(values):,} pixels are background in the truth, coded -1")
            return rows, kept, replace(contents, layout=replace(layout, background=empty)), notes
        return rows, labels, contents, notes
    value = contents.beside.get("background") if wishes.background is None else wishes.background
    if value is not None:
        step = max(1, (8 << 20) // max(1, rows.shape[1] * rows.itemsize))
        parts = [(np.asarray(rows[at : at + step]) == value).all(axis=1) for at in range(0, len(rows), step)]
        empty = np.concatenate(parts) if parts else np.empty(0, bool)
        if empty.any():
            notes.append(f"{int(empty.sum()):,} of {len(rows):,} pixels are background: all their values are {value:g}")
            contents = replace(contents, layout=replace(layout, background=empty))
    return rows, labels, contents, notes


def _as_tracks(array, n_labels):
    """Tracks as (2 or 3, points, frames); None for any other array.

    They are known by homogeneous coordinates, by two coordinates with a label for each point, or by two coordinates that
    change by little from frame to frame, which may be the last axis: (points, frames, 2) and (frames, points, 2).
    """
    if min(array.shape) < 2 or array.dtype.kind != "f":
        return None
    points = array.shape[1]
    if array.shape[0] == 3 and bool(np.all((array[2] == 1) | np.isnan(array[2]))):
        return array
    if array.shape[0] == 2 and (n_labels == points or (n_labels is None and _is_steady(array))):
        return array
    if array.shape[2] == 2:
        turned = (np.moveaxis(array, -1, 0), np.moveaxis(array, (2, 1, 0), (0, 1, 2)))
        fitting = [tracks for tracks in turned if n_labels in (None, tracks.shape[1]) and _is_steady(tracks)]
        return fitting[0] if fitting else None
    return None


def _is_steady(tracks):
    """Do points (2, points, frames) move by little from frame to frame, beside their spread?"""
    if tracks.shape[2] < LEAST_FRAMES or not np.isfinite(tracks).all():
        return False
    change, spread = np.diff(tracks, axis=2).std(axis=1), tracks.std(axis=1)[:, 1:]
    return bool(np.all(spread > 0)) and float(np.median(change / spread)) <= STEP


def _tracks(contents, array, name, labels, notes):
    points, frames = array.shape[1:]
    rows = np.ascontiguousarray(np.moveaxis(array[:2], 0, -1).reshape(points, 2 * frames))
    layout = tracks_layout(rows, name, contents.beside.get("picture"))
    notes.append(f"{points:,} tracks of {frames} frames: a row is one point, x and y of a frame beside each other")
    return rows, labels, replace(contents, layout=layout, feature_names=track_names(frames)), notes


def tracks_layout(rows, name, picture=None, ids=None) -> Layout:
    """The layout of tracks (points, 2 frames); refuses tracks with gaps."""
    points, frames = len(rows), rows.shape[1] // 2
    gaps = ~np.isfinite(rows).all(axis=1)
    if gaps.any():
        at = int(np.flatnonzero(gaps)[0])
        frame = int(np.flatnonzero(~np.isfinite(rows[at]))[0]) // 2
        who = f"track {at}" if ids is None else f"track '{one_line(ids[at], 30)}'"
        what = f"has tracks with gaps: {who} has no position in frame {frame}, as {int(gaps.sum()):,} of {points:,} tracks"
        raise refuse(name, what, "fill the gaps or leave those tracks out")
    why = f"{points:,} points tracked over {frames} frames, x and y of a frame beside each other."
    return Layout("tracks", (points, frames, 2), why, picture=picture, to_pixels=_to_pixels(rows, picture))


def track_names(frames):
    """Names of the features of tracks: x0, y0, x1, y1, …"""
    return [f"{axis}{frame}" for frame in range(frames) for axis in "xy"]


def _to_pixels(rows, picture):
    """Coordinates within about ±1 count from the picture's middle in half widths and heights; others are pixels."""
    if picture is None or np.abs(rows).max() > 2:
        return (1.0, 1.0, 0.0, 0.0)
    height, width = picture.shape[:2]
    return (width / 2, height / 2, width / 2, height / 2)


def _sides(shape):
    return " × ".join(str(int(length)) for length in shape)
