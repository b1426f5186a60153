"""An array as a file stores it, turned so that rows are samples, with pictures laid out row by row."""

import math

import numpy as np

from leasc_core.data.guards import refuse

COLOURS = (1, 3, 4)


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
    """(side, side) if each row looks like a square picture of grey levels 0..255, else None."""
    if not is_square(rows.shape[1]):
        return None
    levels = rows[np.isfinite(rows)] if rows.dtype.kind == "f" else rows.ravel()
    if levels.size == 0 or levels.min() < 0 or levels.max() > 255 or np.any(levels != np.floor(levels)):
        return None
    side = math.isqrt(rows.shape[1])
    return (side, side) if len(np.unique(levels)) > 8 else None
