"""RPCM (Eq. 8): the codes of a few representatives, and the function f that gives codes to everything else."""

import warnings
from collections.abc import Callable
from os import PathLike
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from ..coding.problem import NOISES
from ..coding.solve import SOLVERS
from ..coding.variants import VARIANTS
from ..data.scale import LARGEST_SINGLE
from ..data.sources.source import Rows
from ..encoder.mlp import ACTIVATIONS
from ..stages.context import Context
from ..stages.learn import Coding, solve
from ..storage.bundle import read_bundle, save_bundle
from .limits import Choice, Layers, Number, check_parameters
from .packing_rpcm import pack_rpcm, unpack_rpcm
from .points import as_array

WEIGHT = Number(0.0, above=True, optional=True, remedy="a weight of zero or less makes the problem meaningless; try 1.0")

CODING_LIMITS = {
    "variant": Choice(tuple(VARIANTS)),
    "beta": WEIGHT,
    "alpha": WEIGHT,
    "alpha_bar": Number(0.0, above=True, remedy="try 1.0"),
    "noise": Choice(("auto", *NOISES)),
    "zero_diagonal": Choice(("auto", True, False)),
    "affine": Choice((False, True, "auto")),
    "solver": Choice(SOLVERS),
    "tol": Number(0.0, above=True, remedy="try 1e-3"),
    "max_iter": Number(1, whole=True, optional=True),
    "train": Choice(("final", "joint")),
    "hidden": Layers(),
    "activation": Choice(ACTIVATIONS),
    "epochs": Number(0, whole=True, remedy="0 leaves the hidden layers random"),
    "learning_rate": Number(0.0, above=True, remedy="try 1e-3"),
}


class RPCM(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Robust predictive coding machine.

    Parameters
    ----------
    variant : {"f2", "l1", "nuclear", "elastic_net"}
        The norm of the codes.
    beta : float or None
        Weight β of the noise term; None takes the variant's default (made for points of about unit length).
    alpha, alpha_bar : float
        Weights of R₂ (elastic net; None is 1.0) and R₁.
    noise : {"auto", "f2", "l1", "l21", "none"}
        The norm of the errors; "none" is plain PCM, "auto" the variant's own.
    zero_diagonal : {"auto", True, False}
        Whether a point may code itself; "auto" forbids it except for ``nuclear``.
    affine : {False, True, "auto"}
        Whether codes sum to one: subspaces that need not pass through the origin, such as tracks of one motion. "auto" asks it
        where the codes of the points do so by themselves.
    solver : {"exact", "paper"}
        To a relative duality gap of ``tol``, or Algorithm 2.
    train : {"final", "joint"}
        Fit f once after the codes, or inside Algorithm 2 (needs ``solver="paper"``).
    hidden, activation, epochs, learning_rate
        The network f.
    on_event : callable or None
        Receives the events of :mod:`leasc_core.events`; returning True stops the fit early.

    Attributes
    ----------
    codes_ : (n, n) array; row i codes point i: X ≈ codes_ @ X.
    errors_ : (n, d) array, E of Eq. 8.
    gap_ : relative duality gap, None for ``solver="paper"``.
    network_ : the function f.
    history_, network_history_ : lists of events.
    converged_, stopped_ : bool
    n_iter_ : iterations of the coding solver (1 where there is a closed form)

    Examples
    --------
    >>> from leasc_core import RPCM, make_union_of_subspaces
    >>> X, y = make_union_of_subspaces(n_per_subspace=20)
    >>> RPCM(variant="l1", hidden=(50,)).fit(X).codes_.shape
    (80, 80)
    """

    def __init__(
        self,
        variant: str = "f2",
        beta: float | None = None,
        alpha: float | None = None,
        alpha_bar: float = 1.0,
        noise: str = "auto",
        zero_diagonal: bool | str = "auto",
        affine: bool | str = False,
        solver: str = "exact",
        tol: float = 1e-3,
        max_iter: int | None = None,
        train: str = "final",
        hidden: tuple[int, ...] = (1500,),
        activation: str = "relu",
        epochs: int = 5,
        learning_rate: float = 1e-3,
        random_state: int | np.random.RandomState | None = None,
        on_event: Callable | None = None,
    ):
        self.variant = variant
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
        self.random_state = random_state
        self.on_event = on_event

    def fit(self, X: Rows, y: Any = None) -> "RPCM":
        """Find the codes of the rows of X, and f."""
        check_parameters(self, CODING_LIMITS)
        coding = self._coding()
        X = as_array(self, X, reset=True, limit=LARGEST_SINGLE)
        self._keep(solve(X, coding, Context.local(self.random_state, self.on_event)))
        return self

    def transform(self, X: Rows) -> np.ndarray:
        """The codes f(X), one row a point."""
        check_is_fitted(self)
        return self.network_(as_array(self, X, reset=False, limit=LARGEST_SINGLE))

    def save(self, path: str | PathLike) -> None:
        """Write the fitted model to one file (manifest and safetensors, no pickle)."""
        check_is_fitted(self)
        save_bundle(path, "RPCM", *pack_rpcm(self))

    @classmethod
    def load(cls, path: str | PathLike) -> "RPCM":
        """The model that :meth:`save` wrote, with its codes, errors and histories."""
        return unpack_rpcm(cls, CODING_LIMITS, path, *read_bundle(path, "RPCM"))

    def _coding(self) -> Coding:
        """The parameters as the stage takes them."""
        return Coding(**{name: getattr(self, name) for name in CODING_LIMITS})

    def _keep(self, learned) -> None:
        """Take over what the stage has learned."""
        self.codes_, self.errors_, self.gap_, self.history_ = learned.codes, learned.errors, learned.gap, learned.history
        self.network_, self.network_history_, self.n_iter_ = learned.network, learned.network_history, learned.n_iter
        self.converged_, self.stopped_ = learned.converged, learned.stopped
        self._n_features_out = len(self.codes_)
        if not (self.converged_ or self.stopped_):
            reached = f"gap {self.gap_:.1e}" if self.gap_ is not None else f"residual {self.history_[-1].residual:.1e}"
            warnings.warn(
                f"RPCM stopped at {reached} before its tolerance; raise max_iter or tol.", ConvergenceWarning, stacklevel=3
            )
