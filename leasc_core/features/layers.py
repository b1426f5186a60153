"""The layers of the scattering transform: everything that depends on the sizes alone, prepared once."""

from math import prod
from typing import NamedTuple

import numpy as np

from leasc_core.features import cascade
from leasc_core.features.morlet import averaging, cropped, padded_size, wavelets
from leasc_core.features.trigonometric import Axis, couple_axes

# Images a block: enough to keep the loops long, few enough for a block's arrays to stay in the cache.
MOST_IMAGES, FEWEST_IMAGES = 128, 32
BLOCK_PIXELS = 1 << 21


class Grid(NamedTuple):
    """The matrices of one resolution, as `cascade.propagate` takes them."""

    to_rows: np.ndarray
    to_columns: np.ndarray
    from_rows: np.ndarray
    from_columns: np.ndarray
    row_average: np.ndarray
    column_average: np.ndarray


class Layers:
    """Scattering of blocks of images with one channel.

    Parameters
    ----------
    sides : (rows, columns) of an image
    J, L, max_order : as in `Scattering2D`
    margins : zeros to put before and after the rows and the columns, ((top, bottom), (left, right))

    Attributes
    ----------
    outputs : (rows, columns) of a map
    n_maps : number of maps
    block_images : number of images `maps_of` takes at a time
    axes : (rows, columns) of each level, every level having half the samples of the one before
    couplings : by level of the source and scale of the wavelets
    """

    def __init__(self, sides, J, L, max_order, margins=((0, 0), (0, 0))):
        self.J, self.L, self.max_order = J, L, max_order
        sizes = [padded_size(side + sum(margin), J) for side, margin in zip(sides, margins, strict=True)]
        self.outputs = tuple((size >> J) - 2 for size in sizes)
        self.n_maps = 1 + J * L + (L * L * J * (J - 1) // 2 if max_order == 2 else 0)
        self.block_images = int(np.clip(BLOCK_PIXELS // prod(sizes), FEWEST_IMAGES, MOST_IMAGES)) // 32 * 32
        self.axes = [[Axis(size >> level) for size in sizes] for level in range(J)]
        borders = [_border(*args) for args in zip(sides, margins, sizes, strict=True)]
        self._smooth = [_float32(averaging(len(b), J, 0) @ b)[None] for b in borders]
        self._analyse = [
            _float32(axis.functions(np.arange(axis.size)) @ b)[None] for axis, b in zip(self.axes[0], borders, strict=True)
        ]
        self._grids = [self._grid(level, sizes) for level in range(J)]
        self._moves = {(level, steps): self._move(level, steps) for level in range(J) for steps in range(1, J - level)}
        self.couplings = self._all_couplings(sizes)

    def maps_of(self, block):
        """All maps of a block (rows, columns, images), as (maps * rows * columns, images)."""
        n = block.shape[-1]
        maps = np.empty((self.n_maps, self.outputs[0], self.outputs[1] * n), np.float32)
        maps[0] = cascade.combine_both(*self._smooth, block).reshape(maps.shape[1:])
        source = self._coefficients(block)
        second = 1 + self.J * self.L
        for j in range(self.J):
            self._recentre(source, 0, j)
            first = maps[1 + j * self.L : 1 + (j + 1) * self.L]
            if self.max_order == 1 or j == self.J - 1:
                self._propagate(source, 0, j, first)
                continue
            kept = np.empty((prod(self._classes(j)), n), np.float32)
            for angle in range(self.L):
                self._propagate(source, 0, j, first[angle : angle + 1], angle, kept)
                for next_j in range(j + 1, self.J):
                    self._recentre(kept, j, next_j - j)
                    self._propagate(kept, j, next_j, maps[second : second + self.L])
                    second += self.L
        return maps.reshape(-1, n)

    def _coefficients(self, block):
        """Of the reflected images, a row for each (row class, column class, row slot, column slot)."""
        rows, columns, height, width = self._classes(0)
        values = cascade.combine_both(*self._analyse, block)
        return values.reshape(rows, height, columns, width, -1).swapaxes(1, 2).reshape(values.shape)

    def _recentre(self, coefficients, level, steps):
        """Move the centre from that of every 2**(steps-1)-th sample to that of every 2**steps-th."""
        if steps:
            cascade.recentre(coefficients, self._classes(level), *self._moves[level, steps])

    def _propagate(self, coefficients, level, j, averages, first_filter=0, kept=None):
        kept = np.empty((0, coefficients.shape[1]), np.float32) if kept is None else kept
        averages = averages.reshape(-1, averages.shape[-1])
        coupling, grid = self.couplings[level, j], self._grids[j]
        cascade.propagate(coefficients, *coupling, first_filter, *grid, averages, kept)

    def _classes(self, level):
        (rows, height), (columns, width) = (axis.frequencies.shape for axis in self.axes[level])
        return rows, columns, height, width

    def _move(self, level, steps):
        shift = 0.5 if steps == 1 else 2.0 ** (steps - 2)
        arguments = []
        for axis in self.axes[level]:
            angles = axis.pair_angles(shift)
            arguments += [axis.pairs(), _float32(np.stack([np.cos(angles), np.sin(angles)], axis=1))]
        return arguments

    def _grid(self, level, sizes):
        bases = [axis.basis.transpose(0, 2, 1) for axis in self.axes[level]]
        bases += [axis.basis for axis in self.axes[level]]
        averages = [averaging(size, self.J, level) for size in sizes]
        by_rows, by_columns = (average[:, axis.places] for average, axis in zip(averages, self.axes[level], strict=True))
        return Grid(*map(_float32, [*bases, by_rows, by_columns.reshape(1, len(by_columns), -1)]))

    def _all_couplings(self, sizes):
        """From the level of the source and to the scale of the wavelet; the first layer starts at level 0."""
        levels = self.J if self.max_order == 2 else 1
        couplings = {}
        for j in range(self.J):
            filters = wavelets(sizes, j, self.L)
            for level in range(min(levels, max(j, 1))):
                narrowed = cropped(filters, level, axes=(1, 2))
                couplings[level, j] = couple_axes(narrowed, self.axes[level], self.axes[j])
        return couplings


def _border(side, margin, size):
    """Matrix that puts zeros at both ends of a line, then reflects it to `size` samples."""
    line = np.pad(np.eye(side), (margin, (0, 0)))
    lacking = size - len(line)
    return np.pad(line, ((lacking // 2, (lacking + 1) // 2), (0, 0)), mode="reflect")


def _float32(array):
    return np.ascontiguousarray(array, np.float32)
