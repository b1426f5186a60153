"""An array as a file stores it, turned so that rows are samples, with pictures laid out row by row."""

import math

import numpy as np

from leasc_core.data.guards import refuse

COLOURS = (1, 3, 4)
# Pictures: neighbouring pixels are so alike (correlation over the rows) along both sides, and those half a picture apart by
# so much less, those two rows apart a little; values of a spectrum are less alike with every step, those of a series that
# repeats itself are as much after two rounds as after one, columns of a table anywhere.
ALIKE, APART, FADING = 0.4, 0.05, 0.01
LEAST_SIDE, LONGEST, MOST_PIXELS, MOST_COMPARED = 8, 4, 1 << 16, 300


def arrange(array, name, n_labels=None, transpose=None, matlab=False):
    """Put samples in rows.

    Parameters
    ----------
    array : of two to four dimensions; three and four hold pictures.
    n_labels : number of labels; it tells which axis counts the samples.
    transpose : True when the last axis counts the samples, False when the first does, None to judge.
    matlab : pictures without labels then lie along the last axis.

    Returns
    -------
    X : two-dimensional view (a copy where pictures had to be moved)
    image_shape : (h, w), (h, w, c) or None
    notes : list of str
    """
    if not 2 <= array.ndim <= 4:
        what = f"holds an array of {array.ndim} dimensions"
        raise refuse(name, what, "give a matrix with one sample a row, or a stack of pictures")
    samples_last = _samples_last(array.shape, n_labels, matlab and array.ndim > 2) if transpose is None else transpose
    notes = ["columns were samples: transposed"] if samples_last else []
    if array.ndim == 2:
        return (array.T if samples_last else array), None, notes
    stack = np.moveaxis(array, -1, 0) if samples_last else array
    stack, image_shape = _picture_shape(stack)
    return stack.reshape(stack.shape[0], math.prod(stack.shape[1:])), image_shape, notes


def _samples_last(shape, n_labels, default):
    if n_labels == shape[0]:
        return False
    return True if n_labels == shape[-1] else default


def _picture_shape(stack):
    """Move a leading colour axis to the end; drop a colour axis of length one."""
    if stack.ndim == 4 and stack.shape[-1] not in COLOURS and stack.shape[1] in COLOURS:
        stack = np.moveaxis(stack, 1, -1)
    if stack.ndim == 4 and stack.shape[-1] == 1:
        stack = stack[..., 0]
    is_picture = stack.ndim == 3 or stack.shape[-1] in COLOURS
    return stack, tuple(int(length) for length in stack.shape[1:]) if is_picture else None


def is_square(count, smallest_side=8):
    """Is `count` the number of pixels of a square picture?"""
    side = math.isqrt(count)
    return side >= smallest_side and side * side == count


def guess_image_shape(rows):
    """(side, side) if each row looks like a square picture: grey levels 0..255, or pixels alike beside one another; else None."""
    if not is_square(rows.shape[1]):
        return None
    levels, side = rows[np.isfinite(rows)] if rows.dtype.kind == "f" else rows.ravel(), math.isqrt(rows.shape[1])
    whole = levels.size and levels.min() >= 0 and levels.max() <= 255 and not np.any(levels != np.floor(levels))
    if whole and len(np.unique(levels)) > 8:
        return (side, side)
    return picture_sides(np.asarray(rows, np.float64), square=True)[0] if levels.size == rows.size else None


def _likeness(sample, lags) -> list[float]:
    """For each lag the median correlation of columns that are so far apart, over the rows; constant columns are left out."""
    centred = sample - sample.mean(axis=0)
    norms = np.sqrt((centred**2).sum(axis=0))
    alike = []
    for lag in lags:
        both = (norms[:-lag] > 0) & (norms[lag:] > 0)
        products = np.einsum("ij,ij->j", centred[:, :-lag], centred[:, lag:])[both]
        alike.append(float(np.median(products / (norms[:-lag] * norms[lag:])[both])) if both.any() else 0.0)
    return alike


def _is_usual(width, height):
    return max(width, height) <= LONGEST * min(width, height)


def picture_sides(sample, square=False) -> tuple[tuple[int, int] | None, float]:
    """`((h, w), likeness of neighbours)` where rows (n, d) of finite numbers are pictures of one plane, else `(None, 0.0)`.

    The width is the step at which values are alike again. Other shapes than squares are only looked for where no value is
    below 0, as pictures have none.
    """
    sample, width = sample[:: -(-len(sample) // MOST_COMPARED) or 1], sample.shape[1]
    widths = [side for side in range(LEAST_SIDE, width // LEAST_SIDE + 1) if width % side == 0 and _is_usual(side, width // side)]
    if square or sample.min(initial=0) < 0:
        widths = [side for side in widths if side * side == width]
    if not widths or len(sample) < 3:
        return None, 0.0
    across, *down = _likeness(sample, [1, *widths])
    side, alike = max(zip(widths, down, strict=True), key=lambda found: found[1])
    half, twice = _likeness(sample, [side // 2, 2 * side])
    if min(across, alike) < ALIKE or alike < max(half + APART, twice + FADING):
        return None, 0.0
    return (width // side, side), min(across, alike)


def columns_are_pictures(array) -> bool:
    """Is each column of a matrix a square picture, and no row one?"""
    rows, columns = array.shape
    if not is_square(rows, LEAST_SIDE) or rows > MOST_PIXELS or columns < 3 or array.dtype.kind not in "biuf":
        return False

    def looked_at(part):
        sample = np.asarray(part, dtype=np.float64)
        return bool(np.isfinite(sample).all()) and picture_sides(sample, square=True)[0] is not None

    down, across = (slice(None, None, -(-length // MOST_COMPARED)) for length in array.shape)
    return looked_at(array[:, across].T) and not (is_square(columns, LEAST_SIDE) and looked_at(array[down]))
