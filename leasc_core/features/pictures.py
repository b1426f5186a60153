"""Images in whatever form they come: cut into batches, checked, and laid side by side in blocks."""

import numpy as np

from leasc_core.errors import DataError

# Far below where the square of a sum of values leaves the range of float32.
LARGEST_VALUE = 1e12


def as_sliceable(images):
    """As they are if they know their length and can be cut, else as an array."""
    if hasattr(images, "blocks"):
        return images
    try:
        images = np.asarray(images)
    except ValueError as error:
        raise DataError("The images differ in shape; give images of one size.") from error
    if images.ndim == 0:
        raise DataError(f"A single value of type {images.dtype} is no set of images; give an array of images.")
    return images


def batches(images, batch):
    if hasattr(images, "blocks"):
        yield from images.blocks(batch)
        return
    for start in range(0, len(images), batch):
        yield start, images[start : start + batch]


def block_of(part, size, first):
    """Images as float32 (rows, columns, images), filled up with zeros to the size of a block."""
    if part.dtype.kind not in "buif":
        raise DataError(f"The images hold values of type {part.dtype}; convert them to real numbers.")
    block = np.zeros((*part.shape[1:], size), np.float32)
    with np.errstate(over="ignore"):
        block[..., : len(part)] = np.moveaxis(part, 0, -1)
    sound = np.abs(block).max(axis=(0, 1)) <= LARGEST_VALUE
    if not sound.all():
        raise DataError(
            f"Image {first + np.argmin(sound)} (counting from 0) has a value that is missing, infinite or above "
            f"{LARGEST_VALUE:g}; leave it out or scale the images."
        )
    return block
