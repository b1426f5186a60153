"""Stage two: the representatives' codes (Eq. 8) and the function f that gives codes to everything else (Algorithm 2)."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..coding.closed_form import ridge_codes
from ..coding.paper import Schedule
from ..coding.solve import solve_codes
from ..coding.variants import VARIANTS
from ..encoder.mlp import MLP
from ..encoder.train import train_encoder
from ..errors import ParameterError
from ..events import Stopped
from .context import Context

STAGE = "network"
# Inside Algorithm 2, f learns the codes after so many iterations, and again each time as many have passed.
JOINT_AFTER = 10
# affine="auto": codes of unit points with so little weight on noise sum to one within so much, in the mean square.
FREE_RIDGE, FREE = 1e-2, 0.1
HIDDEN = (1500,)


@dataclass(frozen=True)
class Coding:
    """How representatives are coded and f is trained; the fields are :class:`~leasc_core.RPCM`'s parameters."""

    variant: str = "f2"
    beta: float | None = None
    alpha: float | None = None
    alpha_bar: float = 1.0
    noise: str = "auto"
    zero_diagonal: bool | str = "auto"
    affine: bool | str = False
    solver: str = "exact"
    tol: float = 1e-3
    max_iter: int | None = None
    train: str = "final"
    hidden: tuple[int, ...] | None = None
    activation: str = "relu"
    epochs: int = 5
    learning_rate: float = 1e-3

    def __post_init__(self):
        if self.train == "joint" and self.solver != "paper":
            raise ParameterError(
                f"train='joint' puts f inside Algorithm 2 and needs solver='paper', not {self.solver!r}; use train='final'."
            )

    @property
    def noise_used(self) -> str:
        """The penalty of the errors, "auto" resolved."""
        return VARIANTS[self.variant].noise if self.noise == "auto" else self.noise

    @property
    def beta_used(self) -> float:
        """The weight β of the errors, None resolved."""
        return VARIANTS[self.variant].beta if self.beta is None else self.beta

    @property
    def hidden_used(self) -> tuple[int, ...]:
        """Widths of the hidden layers of f; None is none where the codes are a linear function of the points, as in ``f2``
        with self-codes (Z = M XᵀX codes any point y by M Xᵀy), so that a linear f has no error on points held out.
        """
        if self.hidden is not None:
            return tuple(self.hidden)
        asked = self.of_problem()
        linear = (
            self.affine is False
            and self.variant == "f2"
            and self.noise_used == "f2"
            and not asked["zero_diagonal"]
            and self.train == "final"
        )
        return () if linear else HIDDEN

    def of_problem(self) -> dict:
        """The settings of :func:`~leasc_core.coding.solve.solve_codes`."""
        forbidden = VARIANTS[self.variant].rpcm_forbids_self_codes if self.zero_diagonal == "auto" else self.zero_diagonal
        return {
            "alpha_bar": self.alpha_bar,
            "alpha": 1.0 if self.alpha is None else self.alpha,
            "beta": self.beta_used,
            "noise": self.noise_used,
            "zero_diagonal": forbidden,
            "affine": self.affine is True,
            "solver": self.solver,
            "tol": self.tol,
            "max_iter": self.max_iter,
            "schedule": Schedule(),
        }

    def of_network(self) -> tuple:
        """Hidden widths, activation, epochs and learning rate of f."""
        return self.hidden_used, self.activation, self.epochs, self.learning_rate


@dataclass(frozen=True, eq=False)
class Learned:
    """f and, unless it was found finished in a store, what it was learned from.

    ``codes`` (n, n) has a row a point, ``errors`` (n, d) is E of Eq. 8, ``gap`` the relative duality gap (None for
    ``solver="paper"``), ``history`` and ``network_history`` are lists of events.
    """

    network: MLP
    n_iter: int
    codes: np.ndarray | None = None
    errors: np.ndarray | None = None
    gap: float | None = None
    history: Any = ()
    network_history: Any = ()
    converged: bool = True
    stopped: bool = False


def learn(points: np.ndarray, coding: Coding, context: Context) -> Learned:
    """The codes of ``points`` and f; found in the context's store where they were learned before.

    Raises :class:`~leasc_core.events.Stopped` with the half-learned result where a listener asked for it.
    """
    made = []

    def make():
        made.append(solve(points, coding, context))
        if made[0].stopped:
            raise Stopped(made[0])
        return pack_network(made[0].network, made[0].n_iter)

    settings, arrays = context.store.once(STAGE, make)
    return made[0] if made else Learned(unpack_network(settings, arrays), settings["n_iter"])


def solve(points: np.ndarray, coding: Coding, context: Context) -> Learned:
    """The codes of ``points`` (rows) by Eq. 8, then f; a listener that stops the coding still gets the f of what there is."""
    if coding.affine == "auto":
        coding = replace(coding, affine=sums_are_one(points))
    reporter, rng = context.reporter, context.seeds("network")
    joint = _JointTraining(points, coding, rng) if coding.train == "joint" else None
    with reporter.stage("coding"):
        columns = np.asarray(points.T, dtype=np.float64)
        result = solve_codes(columns, coding.variant, predictor=joint, reporter=reporter, **coding.of_problem())
    stopped, reporter.stop_requested = reporter.stop_requested, False
    codes, errors = np.ascontiguousarray(result.codes.T), np.ascontiguousarray(result.errors.T)
    with reporter.stage("network"):
        network, network_history = train_encoder(points, codes, *coding.of_network(), rng, reporter)
    return Learned(
        network,
        result.history[-1].iteration if result.history else 1,
        codes,
        errors,
        result.gap,
        result.history,
        network_history,
        result.converged,
        stopped or reporter.stop_requested,
    )


def sums_are_one(points: np.ndarray) -> bool:
    """Whether the points' codes by one another sum to about one by themselves, so that asking it of them costs nothing."""
    size = float(np.median(np.linalg.norm(points, axis=1))) or 1.0
    codes = ridge_codes(np.asarray(points.T, np.float64) / size, FREE_RIDGE, zero_diagonal=True)
    return bool(np.mean((codes.sum(axis=0) - 1.0) ** 2) <= FREE)


def pack_network(network: MLP, n_iter: int) -> tuple[dict, dict]:
    """f and the iterations its codes took, as a store keeps them: settings and arrays."""
    layers = {f"layer.{i}": W for i, W in enumerate(network.weights)}
    return {"activation": network.activation, "n_iter": int(n_iter)}, layers


def unpack_network(settings: dict, arrays: dict) -> MLP:
    """f as :func:`pack_network` wrote it; other arrays are left aside."""
    layers = sum(name.startswith("layer.") for name in arrays)
    return MLP(tuple(arrays[f"layer.{i}"] for i in range(layers)), settings["activation"])


class _JointTraining:
    """Lines 4–7 of Algorithm 2: once the codes have some shape, f learns them and gives them back."""

    def __init__(self, points, coding, rng):
        self.points, self.settings, self.rng = points, coding.of_network(), rng

    def __call__(self, iteration, Z):
        if iteration < JOINT_AFTER or iteration % JOINT_AFTER:
            return Z
        network, _ = train_encoder(self.points, Z.T, *self.settings, self.rng)
        return np.asarray(network(self.points), dtype=np.float64).T
