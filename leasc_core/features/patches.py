"""Pixels of a scene seen with those around them: each becomes the mean of its window, so that single noisy spectra count less."""

from typing import Any

import numpy as np

from leasc_core.data.finite import refuse_non_finite
from leasc_core.data.sources.source import DataSource
from leasc_core.errors import DataError

# A window reaches so many pixels in each direction; so many pixels are read at a time when single ones are asked for.
RADIUS, PIXELS = 2, 16_384


class PatchSource(DataSource):
    """Every pixel of ``base`` (a cube's pixels, line by line) as the mean of its window of 2·``radius`` + 1 pixels a side.

    Windows end at the borders of the scene and leave out its background; a background pixel stays as it is. A value does
    not depend on how the rows are cut into blocks.
    """

    def __init__(self, base: DataSource, layout: Any, radius: int = RADIUS):
        if layout is None or layout.kind != "cube":
            raise DataError(
                f"{base.name} does not say where its pixels lie, and patches need that; give the cube itself "
                "(its file, or what load_data makes of it), not rows of pixels."
            )
        self.sides, self.radius = layout.sides, int(radius)
        if 2 * self.radius >= min(self.sides):
            raise DataError(
                f"Patches of {2 * self.radius + 1} pixels a side are larger than {base.name}, a scene of {self.sides[0]} × "
                f'{self.sides[1]} pixels; take preprocess="centred".'
            )
        super().__init__(base.shape, base.dtype if base.dtype == np.float64 else np.float32, base.name)
        self.base, self.layout = base, layout

    def rows(self, start, stop):
        lines, columns = self.sides
        first = max(0, start // columns - self.radius)
        last = min(lines, -(-stop // columns) + self.radius)
        band = np.asarray(self.base.rows(first * columns, last * columns), self.dtype)
        refuse_non_finite(band, first * columns)
        background = self.layout.background
        inside = np.ones(len(band), bool) if background is None else ~background[first * columns : last * columns]
        means = window_means(band.reshape(-1, columns, band.shape[1]), inside.reshape(-1, columns), self.radius)
        return means.reshape(band.shape)[start - first * columns : stop - first * columns]

    def _take_sorted(self, wanted):
        picked, columns = np.empty((len(wanted), self.shape[1]), self.dtype), self.sides[1]
        step = max(1, PIXELS // columns) * columns
        for first in range(int(wanted[0]) // columns * columns, int(wanted[-1]) + 1, step):
            here = slice(*np.searchsorted(wanted, [first, first + step]))
            if here.start < here.stop:
                picked[here] = self.rows(first, min(first + step, len(self)))[wanted[here] - first]
        return picked


def window_means(pixels: np.ndarray, inside: np.ndarray, radius: int) -> np.ndarray:
    """The mean of the pixels ``inside`` (rows, columns) in each window of (rows, columns, bands); others stay as they are."""
    inside = inside[..., None]
    count = _window_sums(inside.astype(pixels.dtype), radius)
    means = _window_sums(np.where(inside, pixels, 0), radius) / np.maximum(count, 1)
    return np.where(inside, means, pixels)


def pixels_inside(source: Any) -> np.ndarray | None:
    """The numbers of the pixels of a scene that are not its background; None where every row counts."""
    background = getattr(getattr(source, "layout", None), "background", None)
    inside = None if background is None else np.flatnonzero(~background)
    return inside if inside is not None and 0 < len(inside) < len(background) else None


def _window_sums(values, radius):
    """Sums along lines, then across; terms are added in one order, so that blocks do not show."""
    for axis in (0, 1):
        widths = [(radius, radius) if axis == each else (0, 0) for each in range(3)]
        padded, length = np.pad(values, widths), values.shape[axis]
        values = sum(np.take(padded, range(at, at + length), axis) for at in range(2 * radius + 1))
    return values
