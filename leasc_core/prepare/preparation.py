"""A preparation: the steps between raw rows and what is coded, learned once, saved with the model, repeated on new raw rows."""

from copy import deepcopy

import numpy as np

from ..data.finite import refuse_non_finite
from ..data.preprocessing import PreprocessedSource, Preprocessor
from ..data.scale import divided, exponent_of
from ..data.sources import open_source
from ..errors import BundleError, DataError, ParameterError
from ..features.counts import CountFeatures
from ..features.noise import axes_above_noise
from ..features.patches import PatchSource, pixels_inside

NAMES = (
    "centred",
    "denoised",
    "standard",
    "counts",
    "tracks",
    "patches",
    "scattering1",
    "scattering2",
    "scattering3",
    "scattering4",
)
# Steps are learned from at most so many rows, drawn evenly; components kept at most, of pictures and of counts.
LEARNED_FROM, MOST_COMPONENTS, COUNT_COMPONENTS = 10_000, 500, 50
# Pictures scattered between two looks whether someone wants to stop.
AT_A_TIME = 512
STATE_VERSION = 1


class Preparation:
    """One named preparation. Used where a :class:`Preprocessor` is: ``fit``, ``transform``, ``state``, ``from_state``.

    Parameters
    ----------
    name : one of ``NAMES``
        "centred" (principal axes), "denoised" (those that stand above noise), "standard" (mean 0, deviation 1), "counts" (size,
        logarithm, 50 axes), "tracks" (centred, one scale, a column of ones: affine subspaces), "patches" (pixels of a scene,
        each the mean of 5 × 5, then principal axes), "scatteringJ" (wavelets over 2^J pixels, then principal axes).
    shape : (rows, columns) or (rows, columns, channels) of a picture, for scattering
    cleaning : what is done to rows before, such as filling in missing values; learned here, or None

    Attributes
    ----------
    n_features_in_, n_features_out_ : columns before and after
    """

    def __init__(self, name: str, shape: tuple | None = None, cleaning: Preprocessor | None = None):
        self.name, self.shape = name, None if shape is None else tuple(int(side) for side in shape)
        self.cleaning, self.missing = cleaning, "error" if cleaning is None else cleaning.missing
        if name not in NAMES:
            raise ParameterError(f"preprocess={name!r} is no preparation; choose auto, none, {', '.join(NAMES)}.")
        if name.startswith("scattering") and shape is None:
            raise ParameterError(
                f"preprocess={name!r} needs the shape of a picture and the rows have none; name it when the file is read "
                '(image shape), or take preprocess="centred".'
            )

    def fit(self, source, pause=lambda: None) -> "Preparation":
        """Learn every step from a source or array; returns itself. ``pause()`` is called now and then and may raise."""
        self._learn(source, pause)
        return self

    def fit_transform(self, rows: np.ndarray, pause=lambda: None) -> np.ndarray:
        """``fit(rows).transform(rows)``, but what is slow (scattering) is done once where all rows are learned from."""
        features = self._learn(rows, pause)
        once = self.cleaning is None and self.rest_ is not None and len(features) == len(rows)
        return self.rest_.transform(features) if once else self.transform(rows)

    def _learn(self, source, pause):
        """The features of the rows learned from, as they are before centring or principal axes."""
        if self.cleaning is not None:
            self.cleaning = deepcopy(self.cleaning).fit(source)
        source = self._before(source)
        sample = _drawn(source, LEARNED_FROM)
        self.exponent_ = exponent_of(sample)
        sample = divided(sample, self.exponent_).astype(np.float32)
        self.n_features_in_ = sample.shape[1] if self.cleaning is None else self.cleaning.n_features_in_
        self._check_width()
        self.front_, features = self._learn_front(sample, pause)
        self.scale_, self.rest_ = 0.0, None
        if self.name == "tracks":
            centred = features - features.mean(axis=0)
            self.mean_ = features.mean(axis=0)
            self.scale_ = float(np.sqrt((centred**2).mean())) or 1.0
            self.n_features_out_ = features.shape[1] + 1
        else:
            self.rest_ = self._rest(features).fit(features)
            self.n_features_out_ = self.rest_.n_features_out_
        return features

    def seen(self, source) -> PreprocessedSource:
        """The rows of a source as they are prepared; pixels of a scene are seen with those around them."""
        return PreprocessedSource(self._before(source) if self.name == "patches" else source, self)

    def transform(self, rows: np.ndarray) -> np.ndarray:
        """Prepared rows (n, n_features_out_) float32; what comes out does not depend on how rows are cut into blocks.

        A row by itself does not know those around it: for "patches" rows are means of windows already (:meth:`seen`).
        """
        rows, width = np.asarray(rows), self._cleaned_width() if self.name == "patches" else self.n_features_in_
        if rows.ndim != 2 or rows.shape[1] != width:
            raise DataError(f"The rows have shape {rows.shape} and the preparation was learned on {width} features; give those.")
        if self.cleaning is not None and self.name != "patches":
            rows = self.cleaning.transform(rows)
        rows = divided(rows, self.exponent_).astype(np.float32, copy=False)
        if self.front_ is not None:
            rows = self.front_.transform(rows)
        if self.rest_ is not None:
            return self.rest_.transform(rows)
        return np.hstack([(rows - self.mean_.astype(np.float32)) / np.float32(self.scale_), np.ones((len(rows), 1), np.float32)])

    def state(self) -> tuple[dict, dict]:
        """``(settings, arrays)``: a dict that JSON can carry and named arrays."""
        settings = {
            "version": STATE_VERSION,
            "preparation": self.name,
            "shape": None if self.shape is None else list(self.shape),
            "n_features_in": self.n_features_in_,
            "n_features_out": self.n_features_out_,
            "scale": self.scale_,
            "exponent": self.exponent_,
        }
        arrays = {} if self.rest_ is not None else {"mean": self.mean_}
        for part, made in (("cleaning", self.cleaning), ("front", self.front_), ("rest", self.rest_)):
            if made is not None:
                settings[part], own = made.state()
                arrays |= {f"{part}.{name}": A for name, A in own.items()}
        return settings, arrays

    @classmethod
    def from_state(cls, settings: dict, arrays: dict) -> "Preparation":
        """The preparation that :meth:`state` recorded; BundleError where the record is not sound."""
        if settings.get("version") != STATE_VERSION:
            raise BundleError(f"The recorded preparation is not of version {STATE_VERSION}; save the model again.")
        try:
            made = cls(settings["preparation"], settings["shape"])
            if "cleaning" in settings:
                made.cleaning = Preprocessor.from_state(settings["cleaning"], _named(arrays, "cleaning."))
                made.missing = made.cleaning.missing
            made.n_features_in_, made.n_features_out_ = int(settings["n_features_in"]), int(settings["n_features_out"])
            made.scale_, made.exponent_ = float(settings["scale"]), int(settings.get("exponent", 0))
            made._check_width()
        except (KeyError, TypeError, ValueError, ParameterError, DataError) as error:
            raise BundleError(f"The recorded preparation is not sound ({error}); save the model again.") from None
        front = _scattering() if made.name.startswith("scattering") else CountFeatures if made.name == "counts" else None
        made.front_ = None if front is None else front.from_state(settings.get("front"), _named(arrays, "front."))
        made.rest_ = None
        if made.name == "tracks":
            made.mean_ = arrays.get("mean")
            if made.mean_ is None or made.mean_.shape != (made.n_features_in_,) or not made.scale_ > 0:
                raise BundleError("The recorded preparation of tracks is not sound; save the model again.")
        else:
            made.rest_ = Preprocessor.from_state(settings.get("rest"), _named(arrays, "rest."))
        return made

    def describe(self) -> str:
        """One sentence on what is done."""
        return WORDS[self.name.rstrip("1234")].format(
            J=self.name[-1], shape="×".join(map(str, self.shape or ())), axes=self.n_features_out_
        )

    def sentences(self) -> list[str]:
        """What is done, step by step."""
        return [*(self.cleaning.sentences() if self.cleaning else ()), self.describe()]

    def _learn_front(self, sample, pause):
        """The step before principal axes (None where there is none), and what it makes of the sample."""
        if self.name.startswith("scattering"):
            front = _scattering()(self.shape, int(self.name[-1]), batch=AT_A_TIME, on_progress=lambda *_: pause())
            features = front.fit_transform(sample)
            front.batch = front.on_progress = None
            return front, features
        if self.name == "counts":
            front = CountFeatures().fit(sample)
            return front, front.transform(sample)
        return None, sample

    def _rest(self, features):
        if self.name == "standard":
            return Preprocessor(drop_constant=True, standardise=True)
        most = COUNT_COMPONENTS if self.name == "counts" else MOST_COMPONENTS
        if self.name == "denoised":
            most = min(most, max(2, axes_above_noise(features)))
        return Preprocessor(n_components=max(1, min(most, len(features) - 1, features.shape[1])))

    def _before(self, source):
        """The source after cleaning, and for "patches" as means of windows."""
        layout = getattr(source, "layout", None)
        if self.cleaning is not None:
            source = PreprocessedSource(open_source(source), self.cleaning)
        return PatchSource(open_source(source), layout) if self.name == "patches" else source

    def _cleaned_width(self):
        return self.n_features_in_ if self.cleaning is None else self.cleaning.n_features_out_

    def _check_width(self):
        width = self._cleaned_width()
        if self.shape is not None and self.name.startswith("scattering") and int(np.prod(self.shape)) != width:
            raise DataError(
                f"A picture of {'×'.join(map(str, self.shape))} has {int(np.prod(self.shape))} values and a row has "
                f"{width}; name the shape that the pictures have."
            )


WORDS = {
    "centred": "Rows are centred and turned to their principal axes.",
    "denoised": "Rows are centred and turned to the {axes} principal axes that stand above noise.",
    "standard": "Each column gets mean 0 and standard deviation 1.",
    "counts": "Rows are brought to one size, logarithms taken, and 50 principal axes of the most variable columns kept.",
    "tracks": "Tracks are centred, brought to one scale, and given a column of ones (affine subspaces).",
    "patches": "Each pixel becomes the mean of the 5 × 5 around it, centred and turned to principal axes.",
    "scattering": "Pictures of {shape} become scattering features over 2^{J} pixels, then principal axes.",
}


def _scattering():
    """Loaded when first needed: it brings a compiler with it."""
    from ..features.scattering import ScatteringFeatures

    return ScatteringFeatures


def recorded_from(settings: dict, arrays: dict):
    """The :class:`Preparation` or :class:`Preprocessor` whose ``state()`` this is; BundleError where it is neither."""
    kind = Preparation if isinstance(settings, dict) and "preparation" in settings else Preprocessor
    return kind.from_state(settings, arrays)


def sample_rows(source, count: int, seed: int = 0) -> np.ndarray:
    """At most ``count`` rows of a source or array, drawn evenly, in order, finite (or a DataError), as float32 of usual size."""
    rows = _drawn(source, count, seed)
    return divided(rows, exponent_of(rows)).astype(np.float32)


def seen_through(source, step):
    """The rows of a source after a :class:`Preparation` or Preprocessor; None does nothing."""
    if step is None:
        return source
    return step.seen(source) if isinstance(step, Preparation) else PreprocessedSource(source, step)


def drawn(source, count: int, seed: int = 0) -> np.ndarray:
    """The numbers of at most ``count`` rows of a source or array, drawn evenly, rising; none of the background of a scene."""
    inside = pixels_inside(source)
    total = len(source) if inside is None else len(inside)
    some = np.arange(total) if count >= total else np.sort(np.random.default_rng(seed).choice(total, count, replace=False))
    return some if inside is None else inside[some]


def _drawn(source, count, seed=0):
    some = drawn(source, count, seed)
    rows = np.asarray(source.take(some) if hasattr(source, "take") and not isinstance(source, np.ndarray) else source[some])
    refuse_non_finite(rows, some)
    return rows


def _named(arrays, prefix):
    return {name.removeprefix(prefix): A for name, A in arrays.items() if name.startswith(prefix)}
