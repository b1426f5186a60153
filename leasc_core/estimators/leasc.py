"""LeaSC (Algorithm 1): representatives → codes → f → codes of everything → spectral map → labels."""

from collections.abc import Callable
from os import PathLike
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ..data.sources.source import Rows
from ..drawing.cards import model_card
from ..encoder.mlp import PRECISIONS
from ..engine import engine_of
from ..events import Reporter, Stopped
from ..features.patches import pixels_inside
from ..plan.verdict import Verdict, judge, rows_to_judge
from ..prepare import Preparation
from ..prepare.preparation import seen_through
from ..spectral.kept import KEPT_GRAPHS
from ..stages.context import Context, Seeds
from ..stages.encode import Encode, LabelPoints
from ..storage.bundle import read_bundle, save_bundle
from ..storage.checkpoint import MemoryStore
from .algorithm import Algorithm1
from .confidence import LabelWithConfidence
from .front import Preprocess, prepare
from .landmark import SPECTRAL_LIMITS
from .limits import Choice, Layers, Number, check_parameters
from .packing import pack, unpack
from .points import as_source
from .rpcm import CODING_LIMITS
from .start import begin

LIMITS = {
    **CODING_LIMITS,
    **SPECTRAL_LIMITS,
    "n_representatives": Number(2, whole=True, optional=True, remedy="None takes 1,000, or all points if fewer"),
    "unit_rows": Choice((True, False)),
    "affinity": Choice(("auto", "landmarks", "codes", *KEPT_GRAPHS)),
    "preprocess": Preprocess(),
    "hidden": Layers(optional=True),
    "image_shape": Layers(optional=True, noun="a side of the picture; try (28, 28)"),
    "code_dim": Number(1, whole=True, optional=True, remedy="None keeps every coordinate of a code"),
    "block_rows": Number(1, whole=True, optional=True, remedy="None takes 4,096"),
    "precision": Choice(PRECISIONS),
    "n_draws": Number(1, whole=True, remedy="1 is a single draw, 3 to 5 make an ensemble"),
    "confidence_draws": Number(0, whole=True, remedy="0 leaves confidence out, 2 are enough"),
}


class LeaSC(Algorithm1, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin, BaseEstimator):
    """Learnable subspace clustering.

    Parameters
    ----------
    n_clusters : int or None
        None finds it: the shortest description as subspaces, or what re-drawn samples agree on beyond one shapeless cloud;
        1 where there are no clusters. The labels are those of the same fit with that number given; rows that are told as
        subspaces are taken as they are.
    variant : {"f2", "l1", "nuclear", "elastic_net"}
        The norm of the codes.
    n_representatives : int or None
        None takes 1,000, or all points if they are fewer.
    selector : {"random", "kmeans", "ds3"} or an instance
        How representatives are chosen.
    preprocess : {"auto", "none"}, a name of :data:`leasc_core.prepare.NAMES`, a Preprocessor, a pair, or None
        What is done to raw rows: learned in ``fit``, repeated by ``predict``, carried by a saved model. "auto" recognises the
        kind of data and judges a few preparations on a sample, without labels; "none" and None do nothing. A Preprocessor
        cleans and scales; ``(Preprocessor("mean"), "auto")`` cleans first and then prepares.
    image_shape : (rows, columns) or (rows, columns, channels) of a picture, where neither the file nor the values say it
    unit_rows : bool
        Scale every point to length one first (a subspace is a set of directions).
    code_dim : int or None
        Codes are compared in so many of their principal coordinates (``affinity="landmarks"``), or in those that hold 99.9 % of
        their squared length, where these are at most half as many.
    beta, alpha, alpha_bar, noise, zero_diagonal, affine, solver, tol, max_iter, train, hidden, activation, epochs, learning_rate
        As in :class:`RPCM`, but ``zero_diagonal="auto"`` forbids self-codes only where they would be trivial
        (``l1``, ``elastic_net``): f learns the smooth codes better. The codes only teach f, so ``tol`` is looser. ``hidden=None``
        takes no hidden layer where codes are a linear function of the points (``f2``: f is found in closed form, and has no
        error on points held out), else (1500,).
    affinity : {"auto", "landmarks", "codes", "exact", "exact_even", "exact_soft", "neighbours", "shape"}
        The graph. "landmarks" (any size) joins codes to landmarks, "codes" to representatives (Eqs. 9–10). The others keep every
        point: "exact…" (up to 4,000) cut exact codes by k vectors, their square roots by k ("even") or softly by 2k + 1 ("soft"),
        "shape" (up to 4,000) is RSIM for tracks, "neighbours" (up to 100,000) joins prepared rows. "auto" is judged together with
        ``preprocess``; ``n_landmarks``, ``n_draws`` > 1 or a ``start`` mean landmarks.
    n_landmarks, n_neighbors, sign
        As in :class:`LandmarkSpectralClustering`.
    block_rows : int or None
        Points handled at a time; the labels do not depend on it. None takes 4,096.
    precision : {"float32", "bfloat16"}
        Of the network's products when everything is encoded; "bfloat16" is faster where the processor has it, and coarser.
    n_draws : int
        Representatives and landmarks are drawn so many times (with ``f2`` all but the first at ten times the β), and the clusters
        are the consensus; time grows as much. A kept graph takes every point: there it multiplies the starts of K-means.
    confidence_draws : int
        So many fits of a sample with representatives drawn anew say how sure each label is (``confidence_``); 0 does not ask.
    on_event : callable or None
        Receives the events of :mod:`leasc_core.events`; returning True stops the fit: what is finished stays,
        ``stopped_`` is True, and there are no labels.

    Attributes
    ----------
    labels_ : (m,) int32 array
    affinity_ : the graph that was used
    preparation_ : the fitted :class:`~leasc_core.prepare.Preparation`, or None
    choice_ : :class:`~leasc_core.prepare.Choice`, the kind of data, what was taken and why; None where nothing was left to choose
    representative_indices_, representatives_
    rpcm_ : the fitted :class:`RPCM` of the representatives (not saved in a bundle)
    network_ : f
    model_ : spectral map and cluster centres; ``model_.embed`` takes what ``encoder_`` gives (the prepared points themselves
        where a graph keeps them)
    n_clusters_, eigenvalues_, sign_ignored_, history_, stopped_
    counts_ : :class:`leasc_core.plan.Counts`, the numbers of clusters that can be believed, the most informative first, with
        their evidence, and how they nest; None where ``n_clusters`` was given
    counted_by_ : "description", "agreement" or "none" (no clusters) where the number was found, None where it was given
    verdict_ : :class:`leasc_core.plan.Verdict`: a mark, a sentence, and remedies that a program can carry out; made when it is
        first asked for, of at most 600 rows
    confidence_ : (m,) float32 array in [0, 1], where ``confidence_draws`` > 0: expected agreement with an independent draw
    passes_ : rows read in this fit (samples included), as a multiple of the number of points

    Examples
    --------
    >>> from leasc_core import LeaSC, make_union_of_subspaces
    >>> Y, y = make_union_of_subspaces(n_subspaces=3, n_per_subspace=60)
    >>> LeaSC(n_clusters=3, hidden=(100,), random_state=0).fit(Y).labels_.shape
    (180,)
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        variant: str = "f2",
        n_representatives: int | None = None,
        selector: Any = "random",
        beta: float | None = None,
        alpha: float | None = None,
        alpha_bar: float = 1.0,
        noise: str = "auto",
        zero_diagonal: bool | str = "auto",
        affine: bool | str = False,
        solver: str = "exact",
        tol: float = 1e-2,
        max_iter: int | None = None,
        train: str = "final",
        hidden: tuple[int, ...] | None = None,
        activation: str = "relu",
        epochs: int = 5,
        learning_rate: float = 1e-3,
        affinity: str = "auto",
        n_landmarks: int | None = None,
        n_neighbors: int = 5,
        sign: str = "auto",
        code_dim: int | None = 256,
        unit_rows: bool = True,
        preprocess: Any = "auto",
        image_shape: tuple[int, ...] | None = None,
        block_rows: int | None = None,
        precision: str = "float32",
        n_draws: int = 1,
        confidence_draws: int = 0,
        random_state: int | np.random.RandomState | None = None,
        on_event: Callable | None = None,
    ):
        self.n_clusters = n_clusters
        self.variant = variant
        self.n_representatives = n_representatives
        self.selector = selector
        self.beta = beta
        self.alpha = alpha
        self.alpha_bar = alpha_bar
        self.noise = noise
        self.zero_diagonal = zero_diagonal
        self.affine = affine
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
        self.image_shape = image_shape
        self.block_rows = block_rows
        self.precision = precision
        self.n_draws = n_draws
        self.confidence_draws = confidence_draws
        self.random_state = random_state
        self.on_event = on_event

    def fit(self, Y: Rows, y: Any = None, start: Any = None) -> "LeaSC":
        """Cluster the rows of ``Y``: an array, frame, memory map, path, ``DataSource`` or Dask array. ``y`` is ignored.

        ``start`` is a stage already done, which is not done again: the :class:`~leasc_core.stages.Representatives` that
        ``choose`` gave, or a pair of them and the :class:`RPCM` fitted to their points.
        """
        store = MemoryStore()
        if start is not None:
            begin(store, start)
        return self.fit_run(Y, store)

    def fit_run(self, Y: Rows, store: Any) -> "LeaSC":
        """:meth:`fit` that keeps each finished stage in ``store`` and finds there what an earlier, broken run had finished."""
        check_parameters(self, LIMITS)
        source = as_source(self, Y, reset=True)
        context = Context(engine_of(source, self.block_rows), store, Seeds(self.random_state), Reporter(self.on_event))
        self.stopped_ = False
        try:
            self._looked_at = self._verdict = None
            self._fit_inside(prepare(self, source, context), pixels_inside(source), context)
            self._looked_at = rows_to_judge(source, self.labels_)
            self.passes_ = context.engine.rows_read / len(source)
        except Stopped:
            self.stopped_ = True
        return self

    def predict(self, Y: Rows) -> np.ndarray:
        """The cluster of each row, by the function and the map learned in ``fit``; of a Dask array, as a Dask array."""
        check_is_fitted(self, "model_")
        source = self._preprocessed(as_source(self, Y, reset=False))
        label = LabelPoints(Encode(self.encoder_, self.unit_rows), self.model_)
        reporter = Reporter(self.on_event)
        count = reporter.counter("labels", len(source))
        return engine_of(source, self.block_rows).map(label, source, MemoryStore(), "labels", (), np.int32, count)

    def predict_with_confidence(self, Y: Rows) -> tuple[np.ndarray, np.ndarray]:
        """Labels as :meth:`predict` gives them and their confidence (as ``confidence_`` is that of ``fit``), in one pass."""
        check_is_fitted(self, "calibration_")
        source = self._preprocessed(as_source(self, Y, reset=False))
        sure = LabelWithConfidence(Encode(self.encoder_, self.unit_rows), self.model_, self.calibration_)
        count = Reporter(self.on_event).counter("labels", len(source))
        both = engine_of(source, self.block_rows).map(sure, source, MemoryStore(), "labels", (2,), np.float32, count)
        return both[:, 0].astype(np.int32), both[:, 1]

    def predict_confidence(self, Y: Rows) -> np.ndarray:
        """The confidence of each row's label."""
        return self.predict_with_confidence(Y)[1]

    def transform(self, Y: Rows) -> np.ndarray:
        """The codes f(Y), one row a point, one column a representative."""
        check_is_fitted(self, "network_")
        source = self._preprocessed(as_source(self, Y, reset=False))
        encode, width = Encode(self.network_, self.unit_rows, single=False), self.network_.weights[-1].shape[1]
        dtype = np.float64 if source.dtype == np.float64 else np.float32
        return engine_of(source, self.block_rows).map(encode, source, MemoryStore(), "codes", (width,), dtype)

    def save(self, path: str | PathLike) -> None:
        """Write the fitted model to one file (manifest and safetensors, no pickle)."""
        check_is_fitted(self, "model_")
        save_bundle(path, "LeaSC", *pack(self))

    @classmethod
    def load(cls, path: str | PathLike) -> "LeaSC":
        """The model that :meth:`save` wrote: it predicts and transforms as before."""
        return unpack(cls, LIMITS, path, *read_bundle(path, "LeaSC"))

    @property
    def verdict_(self) -> Verdict:
        """What to think of the labels (:mod:`leasc_core.plan.verdict`)."""
        check_is_fitted(self, "model_")
        if getattr(self, "_verdict", None) is None:
            if getattr(self, "_looked_at", None) is None:
                raise AttributeError("A loaded model keeps no rows to judge; its verdict is made after fit.")
            self._verdict = judge(*self._looked_at, self.counts_, getattr(self.preparation_, "name", None))
        return self._verdict

    @property
    def preparation_(self) -> Preparation | None:
        """The fitted preparation, or None."""
        return self.preprocess_ if isinstance(self.preprocess_, Preparation) else None

    def _repr_mimebundle_(self, **given):
        """For notebooks: a fitted model shows what it found above its parameters."""
        shown = super()._repr_mimebundle_(**given)
        if "text/html" in shown and hasattr(self, "model_"):
            shown["text/html"] = model_card(self) + shown["text/html"]
        return shown

    def _preprocessed(self, source):
        return seen_through(source, self.preprocess_)
