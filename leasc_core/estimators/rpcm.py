"""RPCM (Eq. 8): the codes of a few representatives, and the function f that gives codes to everything else."""

import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from ..coding.paper import Schedule
from ..coding.problem import DEFAULT_BETA, DEFAULT_NOISE, NOISES, VARIANTS
from ..coding.solve import SOLVERS, solve_codes
from ..encoder.mlp import ACTIVATIONS
from ..encoder.train import train_encoder
from ..errors import ParameterError
from ..runs.events import Reporter
from .limits import Choice, Layers, Number, check_parameters
from .points import as_array
from .seeds import Seeds

JOINT_AFTER = 10
WEIGHT = Number(0.0, above=True, optional=True, remedy="a weight of zero or less makes the problem meaningless; try 1.0")

CODING_LIMITS = {
    "variant": Choice(VARIANTS),
    "beta": WEIGHT,
    "alpha": WEIGHT,
    "alpha_bar": Number(0.0, above=True, remedy="try 1.0"),
    "noise": Choice(("auto", *NOISES)),
    "zero_diagonal": Choice(("auto", True, False)),
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
    solver : {"exact", "paper"}
        To a relative duality gap of ``tol``, or Algorithm 2.
    train : {"final", "joint"}
        Fit f once after the codes, or inside Algorithm 2 (needs ``solver="paper"``).
    hidden, activation, epochs, learning_rate
        The network f.
    on_event : callable or None
        Receives the events of :mod:`leasc_core.runs.events`; returning True stops the fit early.

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

    def __init__(self, variant="f2", beta=None, alpha=None, alpha_bar=1.0, noise="auto", zero_diagonal="auto",
                 solver="exact", tol=1e-3, max_iter=None, train="final", hidden=(1500,), activation="relu", epochs=5,
                 learning_rate=1e-3, random_state=None, on_event=None):  # fmt: skip
        self.variant = variant
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
        self.random_state = random_state
        self.on_event = on_event

    def fit(self, X, y=None):
        """Find the codes of the rows of X, and f."""
        check_parameters(self, CODING_LIMITS)
        if self.train == "joint" and self.solver != "paper":
            raise ParameterError(
                f"train='joint' puts f inside Algorithm 2 and needs solver='paper', not {self.solver!r}; use train='final'."
            )
        X = as_array(self, X, reset=True)
        reporter = Reporter(self.on_event)
        rng = Seeds(self.random_state)("network")
        columns = np.asarray(X.T, dtype=np.float64)
        joint = _JointTraining(self, X, rng) if self.train == "joint" else None
        with reporter.stage("coding"):
            result = solve_codes(columns, self.variant, predictor=joint, reporter=reporter, **self.coding_settings())
        self._keep(result, reporter)
        reporter.stop_requested = False  # what the solver has is worth a function
        with reporter.stage("network"):
            self.network_, self.network_history_ = train_encoder(X, self.codes_, *self._network_settings(), rng, reporter)
        self.stopped_ |= reporter.stop_requested
        self._n_features_out = len(X)
        return self

    def transform(self, X):
        """The codes f(X), one row a point."""
        check_is_fitted(self)
        return self.network_(as_array(self, X, reset=False))

    def coding_settings(self):
        noise = DEFAULT_NOISE[self.variant] if self.noise == "auto" else self.noise
        diagonal = self.variant != "nuclear" if self.zero_diagonal == "auto" else self.zero_diagonal
        return {
            "alpha_bar": self.alpha_bar,
            "alpha": 1.0 if self.alpha is None else self.alpha,
            "beta": DEFAULT_BETA[self.variant] if self.beta is None else self.beta,
            "noise": noise,
            "zero_diagonal": diagonal,
            "solver": self.solver,
            "tol": self.tol,
            "max_iter": self.max_iter,
            "schedule": Schedule(),
        }

    def _network_settings(self):
        return tuple(self.hidden), self.activation, self.epochs, self.learning_rate

    def _keep(self, result, reporter):
        self.codes_, self.errors_ = np.ascontiguousarray(result.codes.T), np.ascontiguousarray(result.errors.T)
        self.gap_, self.history_ = result.gap, result.history
        self.n_iter_ = self.history_[-1].iteration if self.history_ else 1
        self.converged_, self.stopped_ = result.converged, reporter.stop_requested
        if not (self.converged_ or self.stopped_):
            reached = f"gap {self.gap_:.1e}" if self.gap_ is not None else f"residual {self.history_[-1].residual:.1e}"
            warnings.warn(
                f"RPCM stopped at {reached} before its tolerance; raise max_iter or tol.", ConvergenceWarning, stacklevel=3
            )


class _JointTraining:
    """Lines 4–7 of Algorithm 2: once the codes have some shape, f learns them and gives them back."""

    def __init__(self, model, X, rng):
        self.X, self.settings, self.rng = X, model._network_settings(), rng

    def __call__(self, iteration, Z):
        if iteration < JOINT_AFTER or iteration % JOINT_AFTER:
            return Z
        network, _ = train_encoder(self.X, Z.T, *self.settings, self.rng)
        return np.asarray(network(self.X), dtype=np.float64).T
