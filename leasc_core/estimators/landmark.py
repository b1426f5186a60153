"""LandmarkSpectralClustering: the last rooms of the pipeline on their own, for codes or any features."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from ..data.scale import single, single_unit_rows
from ..data.sources import open_source
from ..data.sources.source import Rows
from ..events import Stopped
from ..stages.cluster import cluster
from ..stages.context import Context, Seeds
from ..stages.encode import as_it_is
from ..stages.represent import check_cluster_count, decide_sign
from .limits import Choice, Number, check_parameters
from .points import as_array

SPECTRAL_LIMITS = {
    "n_clusters": Number(1, whole=True, optional=True, remedy="None finds the number by the eigengap"),
    "affinity": Choice(("landmarks", "codes")),
    "n_landmarks": Number(2, whole=True, optional=True, remedy="None chooses it from the number of points"),
    "n_neighbors": Number(1, whole=True, remedy="try 5"),
    "sign": Choice(("auto", "keep", "ignore")),
}


class LandmarkSpectralClustering(ClusterMixin, BaseEstimator):
    """Spectral clustering through landmarks (METHOD, "Clustering the codes"); linear in the number of points.

    Parameters
    ----------
    n_clusters : int or None
        None finds it by the eigengap.
    affinity : {"landmarks", "codes"}
        Join points to K-means landmarks, or use |X| itself (Eqs. 9–10).
    n_landmarks, n_neighbors
        p (None: m^¾ or m/10, up to 8,000) and r.
    sign : {"auto", "keep", "ignore"}
        Whether x and −x are the same; "auto" asks the data.

    Attributes
    ----------
    labels_, n_clusters_, eigenvalues_, sign_ignored_, model_
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        affinity: str = "landmarks",
        n_landmarks: int | None = None,
        n_neighbors: int = 5,
        sign: str = "auto",
        random_state: int | np.random.RandomState | None = None,
        on_event: Callable | None = None,
    ):
        self.n_clusters = n_clusters
        self.affinity = affinity
        self.n_landmarks = n_landmarks
        self.n_neighbors = n_neighbors
        self.sign = sign
        self.random_state = random_state
        self.on_event = on_event

    def fit(self, X: Rows, y: Any = None) -> "LandmarkSpectralClustering":
        """Cluster the rows of X."""
        check_parameters(self, SPECTRAL_LIMITS)
        X = self._codes(X, reset=True)
        check_cluster_count(self.n_clusters, X)
        self.sign_ignored_ = decide_sign(self.sign, X, Seeds(self.random_state)("sign"))
        self.stopped_ = False
        try:
            self.model_, self.labels_, self.n_clusters_, _ = self._fit(X)
            self.eigenvalues_ = self.model_.map.eigenvalues
        except Stopped:
            self.stopped_ = True
        return self

    def _codes(self, X, reset):
        """The rows in single precision; what they are joined to landmarks by is where they point to."""
        X = as_array(self, X, reset)
        return single_unit_rows(X) if self.affinity == "landmarks" else single(X)

    def _fit(self, X):
        return cluster(
            open_source(X),
            as_it_is,
            self.n_clusters,
            Context.local(self.random_state, self.on_event),
            affinity=self.affinity,
            n_landmarks=self.n_landmarks,
            n_neighbors=self.n_neighbors,
            sign_ignored=self.sign_ignored_,
            sample=len(X),
        )

    def predict(self, X: Rows) -> np.ndarray:
        """The cluster of each row of X, by the map learned in ``fit``."""
        check_is_fitted(self, "model_")
        return self.model_.label(self._codes(X, reset=False))
