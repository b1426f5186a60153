"""The result of any method as a model: it labels new rows, and is saved and loaded, as a LeaSC is."""

import numpy as np

from ..data.sources import open_source
from ..errors import BundleError, DataError, ParameterError
from ..plan.verdict import lifted
from ..spectral.kmeans import nearest_centre
from ..spectral.nearest import nearest
from ..storage.bundle import read_bundle, write_bundle
from . import get

KIND = "MethodModel"
# Rows kept at most for new ones to be compared with.
MOST_KEPT = 20_000


class MethodModel:
    """A baseline on rows in standard units, compared by distance.

    Parameters
    ----------
    method : a name of :func:`leasc_core.baselines.names`
    n_clusters : int
    random_state : int

    Attributes
    ----------
    labels_ : (m,) int32 array
    n_clusters_ : how many there are
    """

    def __init__(self, method: str = "kmeans", n_clusters: int = 2, random_state: int = 0):
        self.method, self.n_clusters, self.random_state = method, n_clusters, random_state

    def fit(self, Y, y=None) -> "MethodModel":
        """Cluster the rows of an array or source; ``y`` is ignored."""
        source = open_source(Y)
        rows = np.vstack([block for _, block in source.blocks()]).astype(np.float64)
        if not np.isfinite(rows).all():
            raise DataError(f"{source.name} holds missing values; fill them in or drop those rows before {self.method}.")
        if len(rows) > MOST_KEPT and self.method != "kmeans":
            raise ParameterError(f"{self.method} keeps every row and {len(rows):,} are more than {MOST_KEPT:,}; draw that many.")
        self.n_features_in_, self.mean_, self.spread_ = rows.shape[1], rows.mean(axis=0), rows.std(axis=0)
        placed = lifted(rows, self.mean_, self.spread_)
        labels = get(self.method).run(placed, self.n_clusters, seed=self.random_state).labels
        names, labels = np.unique(labels, return_inverse=True)
        self.labels_, self.n_clusters_ = labels.astype(np.int32), len(names)
        if self.method == "kmeans":
            placed = np.vstack([placed[labels == label].mean(axis=0) for label in range(len(names))])
            labels = np.arange(len(names))
        self.kept_, self.names_ = placed.astype(np.float32), labels.astype(np.int32)
        return self

    def predict(self, Y) -> np.ndarray:
        """The cluster of each row: that of the nearest centre (K-means) or of the nearest row of ``fit``."""
        source, found = open_source(Y), []
        if source.shape[1] != self.n_features_in_:
            raise DataError(f"The rows have {source.shape[1]} features and the model knows {self.n_features_in_}; give those.")
        for _, block in source.blocks():
            placed = lifted(np.asarray(block, np.float64), self.mean_, self.spread_)
            at = nearest_centre(placed, self.kept_) if self.method == "kmeans" else nearest(placed, self.kept_, 1)[1].ravel()
            found.append(self.names_[at])
        return np.concatenate(found)

    def save(self, path) -> None:
        """Write the model to one file (manifest and safetensors, no pickle)."""
        settings = {"method": self.method, "n_clusters": int(self.n_clusters), "random_state": int(self.random_state)}
        arrays = {"kept": self.kept_, "names": self.names_, "mean": self.mean_, "spread": self.spread_, "labels": self.labels_}
        write_bundle(path, KIND, settings, arrays)

    @classmethod
    def load(cls, path) -> "MethodModel":
        """The model that :meth:`save` wrote."""
        settings, arrays = read_bundle(path, KIND)
        try:
            model = cls(settings["method"], settings["n_clusters"], settings["random_state"])
            model.kept_, model.names_, model.labels_ = arrays["kept"], arrays["names"], arrays["labels"]
            model.mean_, model.spread_ = arrays["mean"], arrays["spread"]
            model.n_features_in_, model.n_clusters_ = len(model.mean_), int(model.labels_.max()) + 1
            sound = model.kept_.shape == (len(model.names_), len(model.mean_) + 1) and model.spread_.shape == model.mean_.shape
        except (KeyError, TypeError, ValueError) as error:
            raise BundleError(f"{path} does not hold a complete model of a method ({error}); save it again.") from None
        if not sound:
            raise BundleError(f"{path}: the kept rows and their scale do not fit together; save the model again.")
        return model
