"""Which kind of data this is, from shape, type and values alone, and the sentence that says why."""

from dataclasses import dataclass

import numpy as np

from ..data.arrange import LEAST_SIDE, picture_sides
from ..data.layout import Layout
from ..data.shapes import LEAST_FRAMES, STEP
from ..features.patches import RADIUS

# Counts: whole numbers, this share of them 0, and rows that differ in their sums.
ZEROS, LEAST_COLUMNS = 0.5, 100
# A column whose spread is so many times the median one is in another unit.
MIXED = 5.0


@dataclass(frozen=True)
class Kind:
    """``name`` is "pictures", "scene" (a cube), "tracks", "counts", "table" (mixed units) or "plain"; ``why`` is for the user."""

    name: str
    why: str
    shape: tuple | None = None


# What a layout calls rows, and the kind they are prepared as; windows and embeddings have no preparation of their own.
OF_LAYOUT = {
    "pictures": "pictures",
    "tracks": "tracks",
    "counts": "counts",
    "cube": "scene",
    "series": "plain",
    "embeddings": "plain",
}


def recognise(sample: np.ndarray, image_shape: tuple | None = None, layout: Layout | None = None) -> Kind:
    """The kind of some rows (n, d), finite.

    ``image_shape`` is what the file said of its pictures; a ``layout`` is trusted before any value. None says nothing.
    """
    if layout is not None and (found := _as_laid_out(layout, np.shape(sample)[1])):
        return found
    sample = np.asarray(sample, np.float64)
    for look in (_pictures, _tracks, _counts, _mixed_units):
        found = look(sample, image_shape)
        if found is not None:
            return found
    return Kind("plain", "Columns are of one unit and in no order that could be seen, so rows are taken as plain points.")


def _as_laid_out(layout, width):
    """The kind that a layout says, where it fits rows of this width."""
    name, shape = OF_LAYOUT[layout.kind], None
    if name == "scene" and min(layout.sides) <= 2 * RADIUS:
        name = "plain"
    if name == "pictures":
        shape = tuple(layout.shape)
        if int(np.prod(shape)) != width or min(shape[:2]) < LEAST_SIDE:
            return None
    return Kind(name, layout.why or f"The file says that its rows are {layout.kind}.", shape)


def _pictures(sample, image_shape):
    width = sample.shape[1]
    if image_shape is not None and min(image_shape[:2]) >= LEAST_SIDE:
        if int(np.prod(image_shape)) == width:
            return Kind("pictures", f"The file says that a row is a picture of {_sides(image_shape)}.", tuple(image_shape))
        return None
    sides, alike = picture_sides(sample) if image_shape is None else (None, 0.0)
    if sides is None:
        return None
    what = "a square" if sides[0] == sides[1] else "a picture"
    why = f"A row of {width} values is {what} of {_sides(sides)} with neighbours alike (correlation {alike:.2f})."
    return Kind("pictures", why, sides)


def _tracks(sample, _):
    frames, odd = divmod(sample.shape[1], 2)
    if odd or frames < LEAST_FRAMES or len(sample) < 5 or np.all(sample == np.round(sample)):
        return None  # trackers place points between pixels; whole numbers are spectra, whose bands are as smooth
    spread = sample.std(axis=0)
    if spread.min() <= 0:
        return None
    interleaved, apart = _step(sample, 2, spread), _step(sample, 1, spread)
    halves = _step(sample[:, frames - 1 : frames + 1], 1, spread[frames - 1 : frames + 1])
    if interleaved <= STEP < apart or (apart <= STEP < halves and _halves_are_smooth(sample, spread, frames)):
        return Kind("tracks", f"{frames} frames of two coordinates: from frame to frame a point moves by little.")
    return None


def _halves_are_smooth(sample, spread, frames):
    return all(_step(sample[:, part], 1, spread[part]) <= STEP for part in (slice(None, frames), slice(frames, None)))


def _counts(sample, _):
    whole = sample.min() >= 0 and np.all(sample == np.round(sample))
    zeros = float((sample == 0).mean())
    if not whole or zeros < ZEROS or sample.shape[1] < LEAST_COLUMNS or sample.max() <= 1:
        return None
    return Kind("counts", f"All values are whole numbers from 0 on and {zeros:.0%} of them are 0: these are counts.")


def _mixed_units(sample, _):
    spread = sample.std(axis=0)
    spread = spread[spread > 0]
    if spread.size < 2 or spread.max() < MIXED * np.median(spread):
        return None
    ratio = spread.max() / np.median(spread)
    return Kind(
        "table", f"One column spreads {ratio:,.0f} times as far as the median column: the columns are in different units."
    )


def _step(sample, lag, spread):
    """Median over columns of the change to the column ``lag`` later (after the common motion), beside its spread."""
    change = sample[:, lag:] - sample[:, :-lag]
    return float(np.median(change.std(axis=0) / spread[lag:]))


def _sides(shape):
    return "×".join(str(side) for side in shape)
