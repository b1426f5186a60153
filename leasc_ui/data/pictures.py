"""Pictures turned into scattering features, once, with what it takes to do the same to new ones. No Streamlit."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from leasc_core.data.sources import DataSource, open_source
from leasc_core.errors import DataError
from leasc_ui.data.cleaning import fitted
from leasc_ui.session.pipeline import LoadedData

# Features above this go to a file instead of memory.
MOST_BYTES_HELD = 64 << 20
MOST_BYTES_STORED = 16 << 30


@dataclass(frozen=True, eq=False)
class PictureData(LoadedData):
    """Pictures whose features are kept: scattering them again for every pass would take all the time."""

    features: DataSource | None = field(default=None, repr=False)

    @cached_property
    def points(self):
        if self.preprocess.after is None:
            return self.features
        from leasc_core.data.preprocessing import PreprocessedSource

        return PreprocessedSource(self.features, self.preprocess.after)


class PicturePreprocessor:
    """Scattering, and then an ordinary Preprocessor (or None); the two methods and three facts that later rooms ask for."""

    missing = "error"

    def __init__(self, scattering, after):
        self.scattering, self.after = scattering, after
        count = scattering.scattering.n_features
        self.before_ = (f"Scattering turns every picture into {count:,} features that small shifts hardly change.",)
        self.steps_ = [] if after is None else after.steps_
        self.n_features_out_ = count if after is None else after.n_features_out_

    def transform(self, X):
        features = self.scattering.transform(np.asarray(X, dtype=np.float32))
        return features if self.after is None else self.after.transform(features)

    def state(self):
        """``(settings, arrays)`` of both."""
        settings, arrays = self.scattering.state()
        arrays = {f"scattering.{name}": array for name, array in arrays.items()}
        if self.after is None:
            return {"scattering": settings}, arrays
        more, others = self.after.state()
        return {"scattering": settings, "after": more}, arrays | {f"after.{name}": array for name, array in others.items()}


def scale_of(image_shape):
    """J: averages over at most 8 pixels, and always at least two of them a side."""
    return max(1, min(3, int(min(image_shape[:2])).bit_length() - 2))


def scattered(data, wanted, say) -> PictureData:
    """The pictures' features, computed once, and whatever cleaning is asked for on top of them."""
    from leasc_core.features.scattering import ScatteringFeatures

    if data.image_shape is None:
        raise DataError(f"{data.name}: its rows are not pictures, so they cannot be scattered; switch scattering off.")
    if wanted.pop("missing") != "error":
        raise DataError(f"{data.name}: pictures with missing values cannot be scattered; switch scattering off.")

    def on_progress(done, total):
        say(f"Scattering picture {done:,} of {total:,}", done / total)

    scattering = ScatteringFeatures(tuple(data.image_shape), J=scale_of(data.image_shape), on_progress=on_progress)
    features = scattering.fit_transform(data.source, out=_room(data, scattering.scattering.n_features))
    scattering.on_progress = None
    source = open_source(features, name=data.name)
    preprocess = PicturePreprocessor(scattering, fitted(source, {"missing": "error", **wanted}, say))
    kept = {name: getattr(data, name) for name in ("name", "recipe", "source", "labels", "label_names", "image_shape")}
    return PictureData(**kept, preprocess=preprocess, features=source)


def _room(data, n_features):
    """None for an array in memory, or a memory map in the cache folder where the features are large."""
    size = 4 * len(data) * n_features
    if size <= MOST_BYTES_HELD:
        return None
    if size > MOST_BYTES_STORED:
        raise DataError(
            f"{data.name}: scattering {len(data):,} pictures takes {size / 1e9:.0f} GB, above {MOST_BYTES_STORED / 1e9:.0f} GB; "
            f"bring fewer or smaller pictures."
        )
    from leasc_ui.work.slots import visitor
    from leasc_ui.work.uploads import new_folder

    return np.lib.format.open_memmap(new_folder(visitor()) / "features.npy", "w+", np.float32, (len(data), n_features))
