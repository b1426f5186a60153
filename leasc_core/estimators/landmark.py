"""LandmarkSpectralClustering: the last rooms of the pipeline on their own, for codes or any features."""

import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from ..data.sources import open_source
from ..engine.local import LocalEngine
from ..errors import DataError, ParameterError
from ..runs.checkpoint import MemoryStore
from ..runs.events import Reporter, Stopped
from ..spectral.landmarks import default_landmarks
from ..spectral.model import fit_codes, fit_landmarks, place_landmarks
from ..spectral.sign import sign_is_noise
from .limits import Choice, Number, check_parameters
from .points import as_array
from .seeds import Seeds

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

    def __init__(self, n_clusters=None, affinity="landmarks", n_landmarks=None, n_neighbors=5, sign="auto",
                 random_state=None, on_event=None):  # fmt: skip
        self.n_clusters = n_clusters
        self.affinity = affinity
        self.n_landmarks = n_landmarks
        self.n_neighbors = n_neighbors
        self.sign = sign
        self.random_state = random_state
        self.on_event = on_event

    def fit(self, X, y=None):
        """Cluster the rows of X."""
        check_parameters(self, SPECTRAL_LIMITS)
        X = as_array(self, X, reset=True).astype(np.float32, copy=False)
        check_cluster_count(self.n_clusters, X)
        self.sign_ignored_ = decide_sign(self.sign, X, Seeds(self.random_state)("sign"))
        self.stopped_ = False
        try:
            self.model_, self.labels_, self.n_clusters_, _ = self._fit(X)
            self.eigenvalues_ = self.model_.map.eigenvalues
        except Stopped:
            self.stopped_ = True
        return self

    def _fit(self, X):
        seeds, reporter = Seeds(self.random_state), Reporter(self.on_event)
        engine, store, points = LocalEngine(), MemoryStore(), open_source(X)
        if self.affinity == "codes":
            return fit_codes(points, as_it_is, self.n_clusters, engine, store, seeds, reporter)
        count = count_landmarks(self, len(X))
        graph = place_landmarks(lambda: X, count, self.n_neighbors, self.sign_ignored_, store, seeds, reporter)
        return fit_landmarks(points, as_it_is, graph, self.n_clusters, engine, store, seeds, reporter)

    def predict(self, X):
        """The cluster of each row of X, by the map learned in ``fit``."""
        check_is_fitted(self, "model_")
        return self.model_.label(as_array(self, X, reset=False).astype(np.float32, copy=False))


def count_landmarks(settings, n_points):
    """How many landmarks: as asked, or enough for the points and the clusters."""
    k = settings.n_clusters
    landmarks = settings.n_landmarks or max(default_landmarks(n_points), min(n_points, 4 * (k or 2)))
    if k is not None and landmarks < k:
        raise ParameterError(f"n_landmarks={landmarks} cannot hold n_clusters={k}; give at least {4 * k} landmarks.")
    return landmarks


def as_it_is(block, start):
    """The features are the codes."""
    return block


def decide_sign(sign, points, rng):
    """Whether codes are compared without regard to their sign."""
    return sign_is_noise(points, rng) if sign == "auto" else sign == "ignore"


def check_cluster_count(k, points, what="points"):
    """As many different points as clusters, at the least (``what`` names them)."""
    wanted = 2 if k is None else k
    if k == 1:
        warnings.warn("n_clusters=1 puts every point into one cluster; ask for at least 2 to divide them.", stacklevel=3)
    if k is not None and k > len(points):
        raise ParameterError(f"n_clusters={k} is more than the {len(points)} {what}; ask for fewer clusters.")
    distinct = len(np.unique(points[: max(1000, 20 * wanted)], axis=0))
    if distinct < wanted:
        distinct = len(np.unique(points, axis=0))
    if distinct < wanted:
        raise DataError(
            f"The {what} hold {distinct} distinct point(s), fewer than the {wanted} clusters asked for; "
            "remove duplicates or ask for fewer clusters."
        )
