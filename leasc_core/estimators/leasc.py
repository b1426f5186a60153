"""LeaSC (Algorithm 1): representatives → codes → f → codes of everything → spectral map → labels."""

from copy import deepcopy
from dataclasses import replace
from functools import partial

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ..data.preprocessing import PreprocessedSource, Preprocessor
from ..encoder.mlp import MLP, PRECISIONS
from ..engine import engine_of
from ..errors import ParameterError
from ..runs.bundle import read_bundle, write_bundle
from ..runs.checkpoint import MemoryStore
from ..runs.events import Reporter, Stopped
from ..selectors import get_selector
from ..spectral.model import fit_codes, fit_landmarks, place_landmarks
from .blocks import Encode, LabelPoints, SurePoints, main_directions, some_rows
from .confidence import SAMPLE as CONFIDENCE_FROM
from .confidence import Calibration, agreement_of_draws
from .counting import COUNTED, count_from_codes
from .counting import SAMPLE as COUNT_FROM
from .ensemble import JointGraph, Together, other_draws
from .landmark import SPECTRAL_LIMITS, check_cluster_count, count_landmarks, decide_sign
from .limits import Choice, Kind, Number, check_parameters
from .packing import pack_network
from .points import as_source, prepared
from .rpcm import CODING_LIMITS, RPCM
from .seeds import Seeds

DEFAULT_REPRESENTATIVES = 1000
SAMPLE_PER_LANDMARK = 20
DIRECTIONS_FROM = 10_000

LIMITS = {
    **CODING_LIMITS,
    **SPECTRAL_LIMITS,
    "n_representatives": Number(2, whole=True, optional=True, remedy="None takes 1,000, or all points if fewer"),
    "unit_rows": Choice((True, False)),
    "preprocess": Kind(Preprocessor),
    "code_dim": Number(1, whole=True, optional=True, remedy="None keeps every coordinate of a code"),
    "block_rows": Number(1, whole=True, optional=True, remedy="None takes 4,096"),
    "precision": Choice(PRECISIONS),
    "n_draws": Number(1, whole=True, remedy="1 is a single draw, 3 to 5 make an ensemble"),
    "confidence_draws": Number(0, whole=True, remedy="0 leaves confidence out, 2 are enough"),
}


class LeaSC(ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin, BaseEstimator):
    """Learnable subspace clustering.

    Parameters
    ----------
    n_clusters : int or None
        None finds it: the shortest description as subspaces, a wide gap of the spectrum, or what draws agree on most.
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
    block_rows : int or None
        Points handled at a time; the labels do not depend on it. None takes 4,096.
    precision : {"float32", "bfloat16"}
        Of the network's products when everything is encoded; "bfloat16" is faster where the processor has it, and coarser.
    n_draws : int
        Representatives and landmarks are drawn so many times (with ``f2`` all but the first at ten times the β), and the clusters
        are the consensus; time grows as much.
    confidence_draws : int
        So many fits of a sample with representatives drawn anew say how sure each label is (``confidence_``); 0 does not ask.
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
    counted_by_ : "description", "agreement" or "eigengap" where the number of clusters was found, None where it was given
    confidence_ : (m,) float32 array in [0, 1], where ``confidence_draws`` > 0: expected agreement with an independent draw
    passes_ : rows read in this fit (samples included), as a multiple of the number of points

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
                 n_landmarks=None, n_neighbors=5, sign="auto", code_dim=256, unit_rows=True, preprocess=None, block_rows=None,
                 precision="float32", n_draws=1, confidence_draws=0, random_state=None, on_event=None):  # fmt: skip
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
        self.block_rows = block_rows
        self.precision = precision
        self.n_draws = n_draws
        self.confidence_draws = confidence_draws
        self.random_state = random_state
        self.on_event = on_event

    def fit(self, Y, y=None):
        """Cluster the rows of ``Y``: an array, frame, memory map, path, ``DataSource`` or Dask array. ``y`` is ignored."""
        return self.fit_run(Y, MemoryStore())

    def fit_run(self, Y, store):
        """:meth:`fit` that keeps each finished stage in ``store`` and finds there what an earlier, broken run had finished."""
        check_parameters(self, LIMITS)
        source = as_source(self, Y, reset=True)
        engine, reporter = engine_of(source, self.block_rows), Reporter(self.on_event)
        self.stopped_ = False
        try:
            self.preprocess_ = self._learn_preprocessing(source, store)
            self._fit(self._preprocessed(source), engine, store, Seeds(self.random_state), reporter)
            self.passes_ = engine.rows_read / len(source)
        except Stopped:
            self.stopped_ = True
        return self

    def _fit(self, source, engine, store, seeds, reporter):
        """Algorithm 1, line by line."""
        n = self._count_representatives(len(source))
        self._front(source, n, engine, store, seeds, reporter)
        k = self._count_clusters(source, engine, store, seeds, reporter)
        draws = [(self, store, seeds), *other_draws(self, source, n, engine, store, seeds, reporter)]
        graphs = tuple(draw._place_landmarks(source, engine, own, drawn, reporter) for draw, own, drawn in draws)
        if self.n_draws > 1:
            self.encoder_ = Together(tuple(draw.encoder_ for draw, _, _ in draws))
        encode = Encode(self.encoder_, self.unit_rows)
        if self.affinity == "codes":
            fitted = fit_codes(source, encode, k, engine, store, seeds, reporter)
        else:
            graph = graphs[0] if self.n_draws == 1 else JointGraph(graphs)
            fitted = fit_landmarks(source, encode, graph, k, engine, store, seeds, reporter)
        self.model_, self.labels_, self.n_clusters_ = fitted.model, fitted.labels, fitted.n_clusters
        self.eigenvalues_ = self.model_.map.eigenvalues
        self._n_features_out = n
        if self.confidence_draws:
            self._learn_confidence(source, fitted.margins, engine, store, seeds, reporter)

    def _front(self, source, n, engine, store, seeds, reporter):
        """One draw: representatives, their codes, and f."""
        self._choose_representatives(source, n, engine, store, seeds, reporter)
        self._learn_network(store, seeds, reporter)
        self._narrow(source, engine, store, seeds)

    def _place_landmarks(self, source, engine, store, seeds, reporter):
        if self.affinity == "codes":
            return None
        count = count_landmarks(self, len(source))
        wanted = max(DIRECTIONS_FROM, SAMPLE_PER_LANDMARK * count)
        sample = partial(self._sample_codes, source, wanted, self.encoder_, engine, seeds("sample"))
        return place_landmarks(sample, count, self.n_neighbors, self.sign_ignored_, store, seeds, reporter)

    def _count_clusters(self, source, engine, store, seeds, reporter):
        """The number of clusters, as asked or as found in a sample."""
        self.counted_by_ = None
        if self.n_clusters is not None:
            return self.n_clusters

        def count():
            with reporter.stage("clusters"):
                rng = seeds("clusters")
                rows = some_rows(len(source), COUNT_FROM, rng)
                points = rng.permutation(prepared(engine.take(source, rows), rows, False))
                codes = Encode(self.encoder_, self.unit_rows)(points[:COUNTED], 0)
                k, how = count_from_codes(points, codes, self.affinity, self.n_neighbors, self.sign_ignored_, self.unit_rows, rng,
                                          reporter.checkpoint)  # fmt: skip
                return {"n_clusters": int(k), "how": how}, {}

        settings, _ = store.once("clusters", count)
        self.counted_by_ = settings["how"]
        return settings["n_clusters"]

    def _learn_confidence(self, source, margins, engine, store, seeds, reporter):
        """How sure each label is, by draws on a sample (:mod:`leasc_core.estimators.confidence`)."""

        def calibrate():
            with reporter.stage("confidence"):
                rng = seeds("confidence")
                rows = some_rows(len(source), CONFIDENCE_FROM, rng)
                points, labels = engine.take(source, rows), np.asarray(self.labels_[rows])
                agreement = agreement_of_draws(self, points, labels, self.n_clusters_, self.confidence_draws, rng)
                found = Calibration.fit(np.asarray(margins[rows]), agreement)
                return {}, {"margins": found.margins, "agreement": found.agreement}

        margins = margins()
        self.calibration_ = Calibration(**store.once("confidence", calibrate)[1])
        self.confidence_ = self.calibration_(np.asarray(margins))

    def _choose_representatives(self, source, n, engine, store, seeds, reporter):
        def choose():
            with reporter.stage("representatives"):
                indices = get_selector(self.selector).select(source, n, seeds("representatives"))
                points = prepared(engine.take(source, indices), indices, self.unit_rows)
                sign = decide_sign(self.sign, points, seeds("sign"))
                return {"sign_ignored": bool(sign)}, {"indices": indices, "points": points}

        settings, arrays = store.once("representatives", choose)
        self.representative_indices_, self.representatives_ = arrays["indices"], arrays["points"]
        self.sign_ignored_ = settings["sign_ignored"]
        check_cluster_count(self.n_clusters, self.representatives_, "representatives")

    def _learn_network(self, store, seeds, reporter):
        def learn():
            self.rpcm_ = self._make_rpcm(seeds("coding")).fit(self.representatives_)
            if self.rpcm_.stopped_:
                self.network_, self.history_, self.n_iter_ = self.rpcm_.network_, self.rpcm_.history_, self.rpcm_.n_iter_
                raise Stopped
            return pack_network(self.rpcm_)

        reporter.checkpoint()
        settings, arrays = store.once("network", learn)
        self.network_ = MLP(tuple(arrays[f"layer.{i}"] for i in range(len(arrays))), settings["activation"])
        self.history_ = self.rpcm_.history_ if hasattr(self, "rpcm_") else []
        self.n_iter_ = settings["n_iter"]

    def _learn_preprocessing(self, source, store):
        if self.preprocess is None:
            return None
        return Preprocessor.from_state(*store.once("preprocess", lambda: deepcopy(self.preprocess).fit(source).state()))

    def predict(self, Y):
        """The cluster of each row, by the function and the map learned in ``fit``; of a Dask array, as a Dask array."""
        check_is_fitted(self, "model_")
        source = self._preprocessed(as_source(self, Y, reset=False))
        label = LabelPoints(Encode(self.encoder_, self.unit_rows), self.model_)
        reporter = Reporter(self.on_event)
        count = reporter.counter("labels", len(source))
        return engine_of(source, self.block_rows).map(label, source, MemoryStore(), "labels", (), np.int32, count)

    def predict_surely(self, Y):
        """Labels as :meth:`predict` gives them and their confidence (as ``confidence_`` is that of ``fit``), in one pass."""
        check_is_fitted(self, "calibration_")
        source = self._preprocessed(as_source(self, Y, reset=False))
        sure = SurePoints(Encode(self.encoder_, self.unit_rows), self.model_, self.calibration_)
        count = Reporter(self.on_event).counter("labels", len(source))
        both = engine_of(source, self.block_rows).map(sure, source, MemoryStore(), "labels", (2,), np.float32, count)
        return both[:, 0].astype(np.int32), both[:, 1]

    def predict_confidence(self, Y):
        """The confidence of each row's label."""
        return self.predict_surely(Y)[1]

    def transform(self, Y):
        """The codes f(Y), one row a point, one column a representative."""
        check_is_fitted(self, "network_")
        source = self._preprocessed(as_source(self, Y, reset=False))
        encode, width = Encode(self.network_, self.unit_rows, single=False), self.network_.weights[-1].shape[1]
        dtype = np.float64 if source.dtype == np.float64 else np.float32
        return engine_of(source, self.block_rows).map(encode, source, MemoryStore(), "codes", (width,), dtype)

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

    def _sample_codes(self, source, count, network, engine, rng):
        """Codes of at most ``count`` random points, in their order."""
        rows, encode = some_rows(len(source), count, rng), Encode(network, self.unit_rows)
        parts = (rows[i : i + engine.block_rows] for i in range(0, len(rows), engine.block_rows))
        return np.vstack([encode(engine.take(source, part), part) for part in parts])

    def _narrow(self, source, engine, store, seeds):
        """f with its output turned to the main directions of the codes, where that is narrower."""
        width = self.network_.weights[-1].shape[1]
        self.encoder_ = self.network_
        if self.affinity == "landmarks" and self.code_dim is not None and self.code_dim < width:
            rng = seeds("directions")
            sample = partial(self._sample_codes, source, DIRECTIONS_FROM, self.network_, engine, rng)
            settings, arrays = store.once("directions", lambda: ({}, {"directions": main_directions(sample(), self.code_dim)}))
            self.directions_ = arrays["directions"]
            self.encoder_ = self.network_.project(self.directions_)
        self.encoder_ = replace(self.encoder_, precision=self.precision)
