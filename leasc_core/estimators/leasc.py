"""LeaSC (Algorithm 1): representatives → codes → f → codes of everything → spectral map → labels."""

from copy import deepcopy

import numpy as np
from scipy import linalg
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ..data.preprocessing import PreprocessedSource, Preprocessor
from ..errors import ParameterError
from ..runs.bundle import read_bundle, write_bundle
from ..runs.events import Reporter, Stopped
from ..selectors import get_selector
from ..spectral.landmarks import default_landmarks, unit_rows
from .landmark import SPECTRAL_LIMITS, check_cluster_count, decide_sign, fit_spectral
from .limits import Choice, Kind, Number, check_parameters
from .points import as_source, checked_blocks, directions, refuse_non_finite
from .rpcm import CODING_LIMITS, RPCM
from .seeds import generator

DEFAULT_REPRESENTATIVES = 1000
BLOCK_ROWS = 4096
SAMPLE_PER_LANDMARK = 20
DIRECTIONS_FROM = 10_000

LIMITS = {
    **CODING_LIMITS,
    **SPECTRAL_LIMITS,
    "n_representatives": Number(2, whole=True, optional=True, remedy="None takes 1,000, or all points if fewer"),
    "unit_rows": Choice((True, False)),
    "preprocess": Kind(Preprocessor),
    "code_dim": Number(1, whole=True, optional=True, remedy="None keeps every coordinate of a code"),
}


class LeaSC(ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin, BaseEstimator):
    """Learnable subspace clustering.

    Parameters
    ----------
    n_clusters : int or None
        None finds it by the eigengap.
    variant : {"f2", "l1", "nuclear", "elastic_net"}
        The norm of the codes.
    n_representatives : int or None
        None takes 1,000, or all points if they are fewer.
    selector : {"random", "kmeans", "ds3"} or an instance
        How representatives are chosen.
    preprocess : Preprocessor or None
        Cleaning and scaling learned in ``fit``, repeated by ``predict`` and carried by a saved model.
    unit_rows : bool
        Scale every point to length one first (a subspace is a set of directions).
    code_dim : int or None
        Codes are compared in this many of their principal coordinates (``affinity="landmarks"``).
    beta, alpha, alpha_bar, noise, zero_diagonal, solver, tol, max_iter, train, hidden, activation, epochs, learning_rate
        As in :class:`RPCM`, but ``zero_diagonal="auto"`` forbids self-codes only where they would be trivial
        (``l1``, ``elastic_net``): f learns the smooth codes better. The codes only teach f, so ``tol`` is looser.
    affinity, n_landmarks, n_neighbors, sign
        As in :class:`LandmarkSpectralClustering`.
    on_event : callable or None
        Receives the events of :mod:`leasc_core.runs.events`; returning True stops the fit: what is finished stays,
        ``stopped_`` is True, and there are no labels.

    Attributes
    ----------
    labels_ : (m,) int32 array
    representative_indices_, representatives_
    rpcm_ : the fitted :class:`RPCM` of the representatives (not saved in a bundle)
    network_ : f
    model_ : spectral map and cluster centres
    n_clusters_, eigenvalues_, sign_ignored_, history_, stopped_

    Examples
    --------
    >>> from leasc_core import LeaSC, make_union_of_subspaces
    >>> Y, y = make_union_of_subspaces(n_subspaces=3, n_per_subspace=60)
    >>> LeaSC(n_clusters=3, hidden=(100,), random_state=0).fit(Y).labels_.shape
    (180,)
    """

    def __init__(self, n_clusters=None, variant="f2", n_representatives=None, selector="random", beta=None, alpha=None,
                 alpha_bar=1.0, noise="auto", zero_diagonal="auto", solver="exact", tol=1e-2, max_iter=None,
                 train="final", hidden=(1500,), activation="relu", epochs=5, learning_rate=1e-3, affinity="landmarks",
                 n_landmarks=None, n_neighbors=5, sign="auto", code_dim=256, unit_rows=True, preprocess=None, random_state=None,
                 on_event=None):  # fmt: skip
        self.n_clusters = n_clusters
        self.variant = variant
        self.n_representatives = n_representatives
        self.selector = selector
        self.beta = beta
        self.alpha = alpha
        self.alpha_bar = alpha_bar
        self.noise = noise
        self.zero_diagonal = zero_diagonal
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.train = train
        self.hidden = hidden
        self.activation = activation
        self.epochs = epochs
        self.learning_rate = learning_rate
        self.affinity = affinity
        self.n_landmarks = n_landmarks
        self.n_neighbors = n_neighbors
        self.sign = sign
        self.code_dim = code_dim
        self.unit_rows = unit_rows
        self.preprocess = preprocess
        self.random_state = random_state
        self.on_event = on_event

    def fit(self, Y, y=None):
        """Cluster the rows of ``Y``: an array, frame, memory map, path or ``DataSource``. ``y`` is ignored."""
        check_parameters(self, LIMITS)
        source = as_source(self, Y, reset=True)
        self.preprocess_ = None if self.preprocess is None else deepcopy(self.preprocess).fit(source)
        source = self._preprocessed(source)
        rng, reporter = generator(self.random_state), Reporter(self.on_event)
        self.stopped_ = False
        try:
            self._fit(source, rng, reporter)
        except Stopped:
            self.stopped_ = True
        return self

    def _fit(self, source, rng, reporter):
        """Algorithm 1, line by line."""
        n = self._count_representatives(len(source))
        with reporter.stage("representatives"):
            self.representative_indices_ = get_selector(self.selector).select(source, n, rng)
            self.representatives_ = self._points(source.take(self.representative_indices_), 0)
            check_cluster_count(self.n_clusters, self.representatives_, "representatives")
            self.sign_ignored_ = decide_sign(self.sign, self.representatives_, rng)
        reporter.checkpoint()
        self.rpcm_ = self._make_rpcm(rng).fit(self.representatives_)
        self.network_, self.history_, self.n_iter_ = self.rpcm_.network_, self.rpcm_.history_, self.rpcm_.n_iter_
        if self.rpcm_.stopped_:
            raise Stopped
        self.encoder_ = self._narrow(source, rng)
        sample = self._sample_codes(source, self._landmark_sample(len(source)), self.encoder_, rng)
        self.model_, self.labels_, self.n_clusters_ = fit_spectral(
            self, lambda: self._code_blocks(source), len(source), n, sample, self.sign_ignored_, rng, reporter
        )
        self.eigenvalues_ = self.model_.map.eigenvalues
        self._n_features_out = n

    def predict(self, Y):
        """The cluster of each row, by the function and the map learned in ``fit``."""
        check_is_fitted(self, "model_")
        source = self._preprocessed(as_source(self, Y, reset=False))
        return np.concatenate([self.model_.label(codes) for _, codes in self._code_blocks(source)])

    def transform(self, Y):
        """The codes f(Y), one row a point, one column a representative."""
        check_is_fitted(self, "network_")
        source = self._preprocessed(as_source(self, Y, reset=False))
        return np.vstack([self.network_(self._points(b, s)) for s, b in checked_blocks(source, BLOCK_ROWS)])

    def save(self, path):
        """Write the fitted model to one file (manifest and safetensors, no pickle)."""
        check_is_fitted(self, "model_")
        from .packing import pack

        write_bundle(path, "LeaSC", *pack(self))

    @classmethod
    def load(cls, path):
        """The model that :meth:`save` wrote: it predicts and transforms as before."""
        from .packing import unpack

        return unpack(cls, path, *read_bundle(path, "LeaSC"))

    def _count_representatives(self, m):
        n = min(DEFAULT_REPRESENTATIVES, m) if self.n_representatives is None else self.n_representatives
        if n > m:
            raise ParameterError(f"n_representatives={n} is more than the {m} points; ask for at most {m}.")
        if self.n_clusters is not None and self.n_clusters > m:
            raise ParameterError(f"n_clusters={self.n_clusters} is more than the {m} points; ask for fewer clusters.")
        return n

    def _make_rpcm(self, rng):
        names = (*CODING_LIMITS, "on_event")
        settings = {name: getattr(self, name) for name in names}
        if self.zero_diagonal == "auto":
            settings["zero_diagonal"] = self.variant in ("l1", "elastic_net")
        return RPCM(**settings, random_state=int(rng.integers(2**31 - 1)))

    def _preprocessed(self, source):
        return source if self.preprocess_ is None else PreprocessedSource(source, self.preprocess_)

    def _points(self, block, start):
        """Rows as the network sees them: finite, floating, of length one where asked."""
        block = block if block.dtype in (np.float32, np.float64) else block.astype(np.float32)
        if not np.isfinite(np.sum(block, dtype=np.float64)):
            refuse_non_finite(block, start)
        return directions(block, start) if self.unit_rows else block

    def _landmark_sample(self, m):
        """How many points the landmarks are placed by."""
        return max(DIRECTIONS_FROM, SAMPLE_PER_LANDMARK * (self.n_landmarks or default_landmarks(m)))

    def _sample_codes(self, source, count, network, rng):
        """Codes of at most ``count`` random points, in their order."""
        m = len(source)
        rows = np.arange(m) if count >= m else np.sort(rng.choice(m, count, replace=False))
        parts = (source.take(rows[i : i + BLOCK_ROWS]) for i in range(0, len(rows), BLOCK_ROWS))
        return np.vstack([network(self._points(part, 0).astype(np.float32, copy=False)) for part in parts])

    def _narrow(self, source, rng):
        """f with its output turned to the main directions of the codes, where that is narrower."""
        width = self.network_.weights[-1].shape[1]
        if self.affinity != "landmarks" or self.code_dim is None or self.code_dim >= width:
            return self.network_
        some = unit_rows(self._sample_codes(source, DIRECTIONS_FROM, self.network_, rng))
        gram = (some.T @ some).astype(np.float64)
        _, vectors = linalg.eigh(gram, subset_by_index=[width - self.code_dim, width - 1])
        self.directions_ = np.ascontiguousarray(vectors[:, ::-1], dtype=np.float32)
        return self.network_.project(self.directions_)

    def _code_blocks(self, source):
        """``(start, codes)`` of the whole source, in the coordinates the clustering uses."""
        for start, block in checked_blocks(source, BLOCK_ROWS):
            yield start, self.encoder_(self._points(block, start).astype(np.float32, copy=False))
