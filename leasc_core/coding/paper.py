"""``solver="paper"``: Algorithm 2, Jacobi-proximal ADMM, line by line.

The paper prints −Q/μ in Eq. 13; that sign diverges. The + of Eq. 12 is right and is what stands here. Its growing μ
freezes the iterates before they are optimal: compare ``objective`` with what ``solver="exact"`` reaches.

X is measured in units of its spectral norm, which changes nothing in the problem (E and β follow) and makes the paper's
constants fit data of any size; the residuals of the history are in that unit.
"""

from dataclasses import dataclass
from itertools import count, islice

import numpy as np
from scipy import linalg

from ..events import CodeSnapshot, CodingIteration, Reporter
from ..penalties import Rescaled, SquaredFrobenius
from .problem import CodingResult

SNAPSHOT_EVERY = 5


@dataclass(frozen=True)
class Schedule:
    """The constants of Algorithm 2's second line; 0 < γ < 2 (Eq. 17)."""

    gamma: float = 1.0
    mu: float = 1e-2
    rho: float = 1.2
    mu_max: float = 1e6
    tolerance: float = 1e-4


def proximal_weights(X, gamma):
    """τ_Z/μ and τ_E/μ of Eq. 17: just above 2/(2−γ)·‖A₁‖² and 2/(2−γ)·‖A₂‖², with A₁ = [[I, −I], [0, X]], A₂ = I."""
    top = linalg.norm(X, 2) ** 2
    A1_squared = (2.0 + top + np.sqrt(top**2 + 4.0)) / 2.0
    damping = 1.01 * 2.0 / (2.0 - gamma)
    return damping * A1_squared, damping


@dataclass(frozen=True)
class Iterate:
    """Every variable of Algorithm 2 as an iteration leaves it, in the paper's letters; arrays are the solver's own.

    ``mu`` is what the iteration used; X, E, Q₂ and r₂ = X − XZ − E are in units of X's spectral norm. r₁ = Z − J.
    """

    iteration: int
    mu: float
    Z: np.ndarray
    J: np.ndarray
    E: np.ndarray
    Q1: np.ndarray
    Q2: np.ndarray
    r1: np.ndarray
    r2: np.ndarray

    @property
    def residual(self) -> float:
        """‖r‖², which line 11 compares with ε₂."""
        return float(np.vdot(self.r1, self.r1) + np.vdot(self.r2, self.r2))


def iterates(X, codes_penalty, noise_penalty, zero_diagonal, alpha, schedule, weights, predictor=None, sign=1.0):
    """The iterates of Algorithm 2 without end, on X in units of its spectral norm.

    ``weights`` are τ_Z/μ and τ_E/μ (:func:`proximal_weights`); ``sign=-1`` is Eq. 13 as printed, which diverges.
    """
    gamma, mu = schedule.gamma, schedule.mu
    weight_Z, weight_E = weights
    n = X.shape[1]
    Z, J, E = np.zeros((n, n)), np.zeros((n, n)), np.zeros_like(X)
    Q1, Q2 = np.zeros((n, n)), np.zeros_like(X)
    ridge = SquaredFrobenius()
    for iteration in count(1):
        tau, tau_E = weight_Z * mu, weight_E * mu
        # Line 8 (Eq. 14): every block from the old ones.
        push1, push2 = Z - J + sign * Q1 / mu, X - X @ Z - E + sign * Q2 / mu
        J = codes_penalty.prox(J + (mu / tau) * push1, 1.0 / tau)
        Z = ridge.prox(Z + (mu / tau) * (X.T @ push2 - push1), alpha / tau)
        if zero_diagonal:
            np.fill_diagonal(J, 0.0)
            np.fill_diagonal(Z, 0.0)
        if noise_penalty is not None:
            E = noise_penalty.prox(E + (mu / tau_E) * push2, 1.0 / tau_E)
        # Lines 4-7: f learns the codes and gives them back (train="joint").
        if predictor is not None:
            Z = predictor(iteration, Z)
        # Lines 9-10: multipliers, penalty parameter.
        r1, r2 = Z - J, X - X @ Z - E
        Q1, Q2 = Q1 + gamma * mu * r1, Q2 + gamma * mu * r2
        yield Iterate(iteration, mu, Z, J, E, Q1, Q2, r1, r2)
        mu = min(schedule.rho * mu, schedule.mu_max)


def solve_paper(
    X, codes_penalty, noise_penalty, zero_diagonal, alpha=0.0, schedule=None, max_iter=1000, predictor=None, reporter=None
):
    """Algorithm 2 on X (d, n).

    Parameters
    ----------
    codes_penalty, noise_penalty : ᾱR₁ on J, and βR₃ on E (None: E = 0).
    alpha : weight of R₂ = ‖Z‖²_F.
    predictor : callable or None
        ``train="joint"``: given (iteration, Z̄) it fits f to Z̄ and returns f(X), lines 4–7. None leaves them out.
    """
    reporter, schedule = reporter or Reporter(), schedule or Schedule()
    unit = linalg.norm(X, 2) or 1.0
    X = X / unit
    if noise_penalty is not None:
        noise_penalty = Rescaled(noise_penalty, unit)
    weights = proximal_weights(X, schedule.gamma)
    ridge = SquaredFrobenius()
    history, converged = [], False

    steps = iterates(X, codes_penalty, noise_penalty, zero_diagonal, alpha, schedule, weights, predictor)
    for now in islice(steps, max_iter):
        residual = now.residual
        terms = codes_penalty.value(now.J) + alpha * ridge.value(now.Z), noise_penalty.value(now.E) if noise_penalty else 0.0
        history.append(CodingIteration(now.iteration, residual, sum(terms), *terms, now.mu))
        reporter(history[-1])
        if reporter.listening and now.iteration % SNAPSHOT_EVERY == 0:
            reporter(CodeSnapshot(now.iteration, now.J.T, unit * now.E.T))
        # Line 11: check.
        converged = residual < schedule.tolerance
        if converged or reporter.stop_requested or not np.isfinite(residual):
            break

    return CodingResult(now.J, unit * now.E, None, history, converged)
