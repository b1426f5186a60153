"""Real Fourier coefficients about the point -1/2, and how filtering and sampling couple them.

Along an axis of even length N a signal is `sum_u A_u cos t_u(x) + B_u sin t_u(x)` with
`t_u(x) = 2 pi u (x + 1/2) / N`: cosines for `u = 0 .. N/2-1`, sines for `u = 1 .. N/2`, N real numbers. Each of
these functions is even or odd under `x -> N-1-x` and, if N/2 is even, also under `x -> N/2-1-x`. The functions
of one symmetry form a class; a quarter of the places is then enough to know them everywhere, so that the
transform is four small matrices, one a class, and additions (`cascade._hadamard`).
"""

from typing import NamedTuple

import numpy as np

# Couplings below this share of the largest are left out: they change no value by more than float32 rounds it.
NEGLIGIBLE = 1e-6
# The kernel adds this many weighted rows at a time, so every row of couplings is filled up to a multiple.
TERMS = 4


class Axis:
    """One axis: its classes of functions and their values.

    Attributes
    ----------
    size : number of samples
    is_sine : (classes,) whether the functions of a class are sines
    frequencies : (classes, slots)
    basis : (classes, slots, slots) value of each function at the first place of each group of mirror images
    places : (classes, slots) the mirror images, in the order in which `cascade._hadamard` leaves them
    """

    def __init__(self, size):
        half = size // 2
        cosines, sines, first = np.arange(half), np.arange(1, half + 1), np.arange(half)
        if half % 2:
            frequencies, is_sine = [cosines, sines], [False, True]
            places = [first, size - 1 - first]
        else:
            frequencies = [cosines[::2], cosines[1::2], sines[::2], sines[1::2]]
            is_sine, first = [False, False, True, True], first[: half // 2]
            places = [first, half - 1 - first, size - 1 - first, half + first]
        self.size, self.half = size, half
        self.is_sine, self.frequencies, self.places = map(np.array, (is_sine, frequencies, places))
        self.basis = self.functions(self.places[0]).reshape(*self.frequencies.shape, -1)

    def functions(self, places):
        """Every function, class by class, at the given places: `(size, places)`."""
        phase = 2 * np.pi * np.outer(self.frequencies, places + 0.5) / self.size
        return np.where(self._sine_flags()[:, None], np.sin(phase), np.cos(phase))

    def pairs(self):
        """`(class, slot)` of the cosine and of the sine of each frequency that has both: `(N/2-1, 4)`."""
        flags, frequencies = self._sine_flags(), self.frequencies.ravel()
        found = [[np.flatnonzero((frequencies == u) & (flags == sine))[0] for sine in (False, True)] for u in range(1, self.half)]
        slots = self.frequencies.shape[1]
        return np.stack(np.divmod(np.array(found, int).reshape(-1, 2), slots), -1).reshape(-1, 4)

    def pair_angles(self, shift):
        """By how much a move of the centre by `shift` samples turns each pair of `pairs`."""
        return 2 * np.pi * np.arange(1, self.half) * shift / self.size

    def signed_frequencies(self):
        return np.arange(1 - self.half, self.half + 1)

    def analysis(self, step):
        """Complex spectrum from the real coefficients, the centre moved by `(step - 1) / 2`: (N, N).

        The pairs have been turned by then (`pair_angles`); the highest sine has no partner and turns here.
        """
        u, frequencies = self.signed_frequencies()[:, None], self.frequencies.ravel()
        weights = np.where(self._sine_flags(), -1j * np.sign(u), 1)
        turned = np.where(frequencies == self.half, np.exp(-0.5j * np.pi * (step - 1)), 1)
        return np.where(np.abs(u) == frequencies, weights * turned, 0)

    def synthesis(self, source):
        """Real coefficients here from the complex spectrum of `source`, which is sampled more finely."""
        u, size = source.signed_frequencies(), self.size
        folded = (u + self.half - 1) % size - self.half + 1
        alternating = np.where((u - folded) // size % 2, -1, 1)
        weights = np.where(self._sine_flags()[:, None], 1j * np.sign(folded), 1) * alternating / source.size
        return np.where(np.abs(folded) == self.frequencies.ravel()[:, None], weights, 0)

    def _sine_flags(self):
        return np.repeat(self.is_sine, self.frequencies.shape[1])


class Coupling(NamedTuple):
    """Sparse matrix from the coefficients of a map to those of its filtered and sampled versions.

    Rows run over (filter, row class, column class, row slot, column slot, real or imaginary part); row `i` holds
    `weights[starts[i]:starts[i+1]]` at the source coefficients `sources[...]`.
    """

    starts: np.ndarray
    sources: np.ndarray
    weights: np.ndarray


def couple_axes(filters, source_axes, target_axes):
    """The Coupling of `filters` (L, M, N), given in Fourier on the grid of the source."""
    step = source_axes[0].size // target_axes[0].size
    row_folds, column_folds = (_fold(source, target, step) for source, target in zip(source_axes, target_axes, strict=True))
    met = filters[:, row_folds.frequencies][:, :, :, column_folds.frequencies]
    weights = np.einsum("akm,takbl,bln->tabmn", row_folds.weights, met, column_folds.weights, optimize=True)
    (rows, row_slots), (columns, column_slots) = (axis.frequencies.shape for axis in target_axes)
    split = (rows, row_slots, columns, column_slots, -1)
    weights = weights.reshape(len(filters), *split).transpose(0, 1, 3, 2, 4, 5)
    weights = np.stack([weights.real, weights.imag], axis=-2)
    sources = _source_places(row_folds.sources, column_folds.sources, source_axes)
    sources = sources.reshape(split).transpose(0, 2, 1, 3, 4)[..., None, :]
    sources = np.broadcast_to(sources, weights.shape)
    return _compressed(weights.reshape(-1, weights.shape[-1]), sources.reshape(-1, weights.shape[-1]))


class _Fold(NamedTuple):
    """For each target coefficient: the frequencies it meets, the source coefficients, the weight of each pair."""

    frequencies: np.ndarray
    sources: np.ndarray
    weights: np.ndarray


def _fold(source, target, step):
    """Along one axis; at most `2 step` frequencies meet in one, and as many coefficients carry them."""
    synthesis, analysis = target.synthesis(source), source.analysis(step)
    frequencies = np.zeros((target.size, 2 * step), int)
    sources = np.zeros((target.size, 2 * step), int)
    weights = np.zeros((target.size, 2 * step, 2 * step), complex)
    for row, line in enumerate(synthesis):
        met = np.flatnonzero(line)
        carriers = np.flatnonzero(np.abs(analysis[met]).sum(axis=0))
        frequencies[row, : met.size] = source.signed_frequencies()[met]
        sources[row, : carriers.size] = carriers
        weights[row, : met.size, : carriers.size] = line[met, None] * analysis[np.ix_(met, carriers)]
    return _Fold(frequencies, sources, weights)


def _source_places(row_coefficients, column_coefficients, axes):
    """Where the source keeps each pair of coefficients: by classes first, then by slots."""
    (_, row_slots), (column_classes, column_slots) = (axis.frequencies.shape for axis in axes)
    row_class, row_slot = np.divmod(row_coefficients, row_slots)
    column_class, column_slot = np.divmod(column_coefficients, column_slots)
    from_rows = (row_class * column_classes * row_slots + row_slot) * column_slots
    from_columns = column_class * row_slots * column_slots + column_slot
    return from_rows[:, None, :, None] + from_columns[None, :, None, :]


def _compressed(weights, sources):
    """Keep what counts of each row, filled up with zeros to a multiple of `TERMS`."""
    weights = np.pad(weights, ((0, 0), (0, -weights.shape[1] % TERMS)))
    sources = np.pad(sources, ((0, 0), (0, weights.shape[1] - sources.shape[1])))
    kept = np.abs(weights) > NEGLIGIBLE * np.abs(weights).max()
    order = np.argsort(~kept, axis=1, kind="stable")
    weights = np.take_along_axis(np.where(kept, weights, 0), order, axis=1)
    counts = np.maximum(-(-kept.sum(axis=1) // TERMS), 1) * TERMS
    filled = np.arange(weights.shape[1]) < counts[:, None]
    return Coupling(
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        np.take_along_axis(sources, order, axis=1)[filled].astype(np.int32),
        weights[filled].astype(np.float32),
    )
