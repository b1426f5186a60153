"""Scattering features of images: what two layers of wavelets and moduli see, averaged over a neighbourhood.

`Scattering2D` is the transform (Bruna and Mallat 2013), with the filters and the borders of kymatio;
`ScatteringFeatures` also divides each map by its largest value on the data it was fitted on, and remembers it.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import prod
from numbers import Integral
from typing import Any

import numpy as np

from leasc_core.errors import BundleError, DataError, ParameterError
from leasc_core.features.layers import Layers
from leasc_core.features.morlet import padded_size
from leasc_core.features.pictures import as_sliceable, batches, block_of

# Preparing the filters takes about 500 bytes for each of their values.
MOST_FILTER_VALUES = 4_000_000
MOST_ANGLES = 32
BATCH_BYTES = 64 << 20
STATE_VERSION = 1
NO_IMAGES = "There are no images, so no map has a largest value; give at least one image."


class Scattering2D:
    """The scattering transform of grey or colour images.

    Parameters
    ----------
    shape : (rows, columns) or (rows, columns, channels) of an image; channels are scattered separately
    J : int, averages run over about 2**J pixels; 2**J may not exceed the sides
    L : int, number of angles
    max_order : 1 or 2 layers of wavelets
    zero_pad : bool, first surround the images with zeros so that their sides are multiples of 2**J
        (28 x 28 becomes 32 x 32); without it, and beyond it, images go on as their reflections

    Attributes
    ----------
    n_maps : maps a channel, `1 + J L + L^2 J (J-1) / 2` for two layers
    output_shape : (channels * n_maps, rows, columns) of the features of one image
    n_features : product of `output_shape`

    Notes
    -----
    The maps come in this order: the average; the first layer by scale and angle; the second layer by first scale,
    first angle, second scale (always the larger one), second angle.

    Examples
    --------
    >>> Scattering2D((32, 32)).output_shape
    (217, 4, 4)
    """

    def __init__(self, shape, J=3, L=8, max_order=2, zero_pad=False):
        self.shape, self.J, self.L, self.max_order, self.zero_pad = shape, J, L, max_order, zero_pad
        _check_parameters(shape, J, L, max_order)
        self.channels = shape[2] if len(shape) == 3 else 1
        margins = [_margin(side, J) if zero_pad else (0, 0) for side in shape[:2]]
        self._layers = Layers(shape[:2], J, L, max_order, margins)
        self.n_maps = self._layers.n_maps
        self.output_shape = (self.channels * self.n_maps, *self._layers.outputs)
        self.n_features = prod(self.output_shape)

    def __call__(self, images):
        return self.transform(images)

    def transform(self, images, out=None, batch=None, on_progress=None):
        """Features (n, n_features) in float32, ordered by channel, map, row, column.

        Parameters
        ----------
        images : (n, *shape) or (n, product of shape) array, memory map or source of real numbers, taken as they
            are: pixels from 0 to 255 give features 255 times those of pixels from 0 to 1
        out : float32 array of that shape to write to, such as a memory map, or None
        batch : images read and scattered at a time; the features do not depend on it
        on_progress : callable(done, total) after each batch, or None
        """
        images = as_sliceable(images)
        if out is None:
            out = np.empty((len(images), self.n_features), np.float32)
        elif out.shape != (len(images), self.n_features) or out.dtype != np.float32:
            raise ParameterError(
                f"out has shape {out.shape} and type {out.dtype}; give float32 of shape {(len(images), self.n_features)}."
            )
        for start, features in self.stream(images, batch, on_progress):
            out[start : start + len(features)] = features
        return out

    def stream(self, images, batch=None, on_progress=None):
        """Yield `(start, features)`, one batch of images after the other; about 64 MB of features if None."""
        import numba

        threads = numba.config.NUMBA_NUM_THREADS
        if batch is None:
            together = threads * self._layers.block_images
            batch = max(1, BATCH_BYTES // (4 * self.n_features * together)) * together
        elif not _is_count(batch):
            raise ParameterError(f"batch={batch!r} is not a whole number of at least 1; give one.")
        images = as_sliceable(images)
        with ThreadPoolExecutor(threads) as pool:
            for start, rows in batches(images, batch):
                features = self._scatter(self._as_pictures(rows), start, pool)
                yield start, features
                if on_progress is not None:
                    on_progress(start + len(features), len(images))

    def _as_pictures(self, rows):
        """(n, rows, columns, channels), whichever of the two shapes they had."""
        whole, flat = tuple(self.shape), (prod(self.shape),)
        if rows.shape[1:] not in (whole, flat):
            raise DataError(
                f"The images have shape {rows.shape[1:]} where {whole} or rows of {flat[0]} values are expected; "
                f"reshape them or make the transform for their shape."
            )
        return rows.reshape(len(rows), *whole[:2], self.channels)

    def _scatter(self, pictures, first, pool):
        size = self._layers.block_images
        features = np.empty((len(pictures), self.channels, self.n_features // self.channels), np.float32)

        def scatter(task):
            start, channel = task
            part = pictures[start : start + size, :, :, channel]
            maps = self._layers.maps_of(block_of(part, size, first + start))
            features[start : start + size, channel] = maps[:, : len(part)].T

        starts = range(0, len(pictures), size)
        list(pool.map(scatter, [(start, channel) for start in starts for channel in range(self.channels)]))
        return features.reshape(len(pictures), -1)


class ScatteringFeatures:
    """Scattering with zero padding, each map divided by its largest value on the fitted data.

    Parameters
    ----------
    shape, J, L, max_order : as in `Scattering2D`
    normalise_maps : bool, divide the maps; without it there is nothing to fit
    batch : images at a time, or None for about 64 MB of features
    on_progress : callable(done, total) after each batch, or None

    Attributes
    ----------
    scattering : the `Scattering2D`
    maxima_ : (channels * n_maps,) largest absolute value of each map; None before `fit`
    """

    def __init__(
        self,
        shape: tuple[int, ...],
        J: int = 3,
        L: int = 8,
        max_order: int = 2,
        normalise_maps: bool = True,
        batch: int | None = None,
        on_progress: Callable | None = None,
    ):
        self.scattering = Scattering2D(shape, J, L, max_order, zero_pad=True)
        self.normalise_maps = normalise_maps
        self.batch = batch
        self.on_progress = on_progress
        self.maxima_ = None

    def fit(self, images: Any) -> "ScatteringFeatures":
        """Learn the largest value of each map, one batch at a time."""
        if self.normalise_maps:
            n_maps = self.scattering.output_shape[0]
            batches_of_features = self.scattering.stream(images, self.batch, self.on_progress)
            maxima = [map_maxima(features, n_maps) for _, features in batches_of_features]
            if not maxima:
                raise DataError(NO_IMAGES)
            self.maxima_ = np.max(maxima, axis=0)
        return self

    def transform(self, images: Any, out: np.ndarray | None = None) -> np.ndarray:
        """Features (n, n_features); new images are divided by what was learned."""
        if self.normalise_maps and self.maxima_ is None:
            raise ParameterError("The largest values of the maps are not known yet; call fit first.")
        features = self.scattering.transform(images, out, self.batch, self.on_progress)
        return normalise_maps(features, self.maxima_) if self.normalise_maps else features

    def fit_transform(self, images: Any, out: np.ndarray | None = None) -> np.ndarray:
        """Both with one pass over the images."""
        features = self.scattering.transform(images, out, self.batch, self.on_progress)
        if not self.normalise_maps:
            return features
        self.maxima_ = map_maxima(features, self.scattering.output_shape[0])
        return normalise_maps(features, self.maxima_)

    def state(self) -> tuple[dict, dict]:
        """`(settings, arrays)`: a dict that JSON can carry and named arrays, all that `from_state` needs."""
        parameters = {name: int(getattr(self.scattering, name)) for name in ("J", "L", "max_order")}
        parameters["shape"] = [int(length) for length in self.scattering.shape]
        parameters["normalise_maps"] = bool(self.normalise_maps)
        arrays = {} if self.maxima_ is None else {"maxima": self.maxima_}
        return {"version": STATE_VERSION, "parameters": parameters}, arrays

    @classmethod
    def from_state(cls, settings: dict, arrays: dict) -> "ScatteringFeatures":
        """The features that `state` recorded; BundleError where the record is not sound."""
        if not isinstance(settings, dict) or settings.get("version") != STATE_VERSION:
            raise BundleError(f"The recorded scattering is not of version {STATE_VERSION}; save the model again.")
        try:
            parameters = dict(settings["parameters"])
            made = cls(tuple(parameters.pop("shape")), **parameters)
        except (KeyError, TypeError, ValueError) as error:
            raise BundleError("The recorded scattering has unsound parameters; save the model again.") from error
        maxima = arrays.get("maxima")
        if maxima is not None:
            maxima = np.asarray(maxima)
            numbers = maxima.dtype.kind == "f" and maxima.shape == made.scattering.output_shape[:1]
            if not numbers or not np.all(np.isfinite(maxima) & (maxima >= 0)):
                raise BundleError("The recorded scattering has unsound maxima; save the model again.")
            made.maxima_ = maxima.astype(np.float32)
        return made


def scattering_features(
    images: Any,
    J: int = 3,
    L: int = 8,
    max_order: int = 2,
    normalise_maps: bool = False,
    batch: int | None = None,
    on_progress: Callable | None = None,
) -> np.ndarray:
    """Features of images (n, rows, columns) or (n, rows, columns, channels), zero-padded to multiples of 2**J.

    28 x 28 digits give (n, 3472). See `ScatteringFeatures`, which can repeat the same on new images.
    """
    images = as_sliceable(images)
    if images.ndim not in (3, 4):
        raise DataError(f"The images have {images.ndim} dimensions; give (n, rows, columns) or (n, rows, columns, channels).")
    made = ScatteringFeatures(images.shape[1:], J, L, max_order, normalise_maps, batch, on_progress)
    return made.fit_transform(images)


def map_maxima(features, n_maps):
    """Largest absolute value of each map: the maximum, for images without negative values."""
    if len(features) == 0:
        raise DataError(NO_IMAGES)
    by_map = features.reshape(len(features), n_maps, -1)
    return np.maximum(by_map.max(axis=(0, 2)), -by_map.min(axis=(0, 2)))


def normalise_maps(features, maxima):
    """Divide each map by its maximum, in place; a map without any value but 0 stays."""
    divisors = np.where(maxima > 0, maxima, 1).astype(np.float32)
    features /= np.repeat(divisors, features.shape[1] // len(maxima))
    return features


def _check_parameters(shape, J, L, max_order):
    if not (isinstance(shape, tuple | list) and len(shape) in (2, 3) and all(map(_is_count, shape))):
        raise ParameterError(f"shape={shape!r} is no shape of images; give (rows, columns) or (rows, columns, channels).")
    most = int(min(shape[:2])).bit_length() - 1
    if not _is_count(J) or most < J:
        raise ParameterError(
            f"J={J!r} does not suit images of {shape[0]} x {shape[1]}; give a whole number from 1 to {most}."
            if most
            else f"Images of {shape[0]} x {shape[1]} are too small to scatter; give sides of at least 2."
        )
    if not _is_count(L) or L > MOST_ANGLES:
        raise ParameterError(f"L={L!r} is no number of angles; give a whole number from 1 to {MOST_ANGLES}.")
    if max_order not in (1, 2):
        raise ParameterError(f"max_order={max_order!r} is not known; choose 1 or 2.")
    filter_values = L * padded_size(shape[0], J) * padded_size(shape[1], J)
    if filter_values > MOST_FILTER_VALUES:
        raise ParameterError(
            f"Images of {shape[0]} x {shape[1]} with J={J} and L={L} need filters of {filter_values:,} values, above "
            f"{MOST_FILTER_VALUES:,}; make the images smaller or lower J or L."
        )


def _is_count(value):
    return isinstance(value, Integral) and not isinstance(value, bool) and value >= 1


def _margin(side, J):
    """Zeros before and after, to the next multiple of 2**J."""
    lacking = -side % 2**J
    return lacking // 2, lacking - lacking // 2
