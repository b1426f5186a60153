"""The coding problem of Eq. 8 for a fixed function f, its objective and its dual bound."""

from dataclasses import dataclass

import numpy as np

from ..errors import ParameterError
from ..penalties import L1, L21, ElasticNet, Penalty, Scaled, SquaredFrobenius
from .variants import VARIANTS

NOISES = ("f2", "l1", "l21", "none")
DEFAULT_NOISE = {name: each.noise for name, each in VARIANTS.items()}
DEFAULT_BETA = {name: each.beta for name, each in VARIANTS.items()}
SEPARABLE = (SquaredFrobenius, L1, ElasticNet)


@dataclass(frozen=True)
class CodingProblem:
    """min R(Z) + N(E)  s.t.  X = AZ + E, and diag(Z) = 0 where asked; ``noise=None`` is plain PCM (E = 0).

    ``dictionary`` A is (d, r), ``points`` X is (d, n). For self-expression A is X. ``affine`` says that the last row of both asks
    codes to sum to one and has no noise (:class:`~leasc_core.penalties.Pinned`).
    """

    dictionary: np.ndarray
    points: np.ndarray
    codes: Penalty
    noise: Penalty | None
    zero_diagonal: bool = False
    affine: bool = False

    @property
    def diagonal_is_separable(self) -> bool:
        """Whether diag(Z) = 0 may be imposed entry by entry, inside the prox of the code penalty."""
        penalty = self.codes.penalty if isinstance(self.codes, Scaled) else self.codes
        return isinstance(penalty, SEPARABLE)

    def feasible(self, Z):
        """Codes whose sums are one, where that is asked: each divided by its own."""
        if not self.affine:
            return Z
        sums = (self.dictionary[-1] @ Z) / self.points[-1]
        return Z / np.where(np.abs(sums) > 1e-12, sums, 1.0)

    def errors(self, Z):
        """E = X − AZ."""
        return self.points - self.dictionary @ Z

    def terms(self, Z, E):
        """(R(Z), N(E)), the two terms of the objective."""
        return self.codes.value(Z), self.noise.value(E) if self.noise else 0.0

    def dual_bound(self, Q, diagonal=None):
        """A lower bound of the objective from any multiplier Q of X = AZ + E.

        max ⟨Q, X⟩ − R*(AᵀQ + Diag(λ)) − N*(Q), λ free on the diagonal where diag(Z) = 0. Q is shrunk into the
        domain of both conjugates first, so what comes back is always a true bound.
        """
        gradient = self.dictionary.T @ Q
        if self.zero_diagonal:
            at = np.arange(gradient.shape[1])
            free = -gradient[at, at] if self.diagonal_is_separable else diagonal
            gradient[at, at] += 0.0 if free is None else free
        excess = np.maximum(self.codes.excess(gradient), self.noise.excess(Q) if self.noise else 0.0)
        shrink = 1.0 / np.maximum(1.0, excess)
        Q, gradient = Q * shrink, gradient * shrink
        bound = float(np.vdot(Q, self.points)) - self.codes.conjugate(gradient)
        return bound - (self.noise.conjugate(Q) if self.noise else 0.0)


@dataclass(frozen=True)
class CodingResult:
    """Codes Z, errors E, the relative duality gap (None without a certificate) and the events of the iterations."""

    codes: np.ndarray
    errors: np.ndarray
    gap: float | None
    history: list
    converged: bool


def relative_gap(objective, bound):
    """(primal − dual) / max(|primal|, tiny): the certificate every exact solution carries."""
    return max(objective - bound, 0.0) / max(abs(objective), 1e-300)


def code_penalty(variant, alpha_bar, alpha):
    """ᾱR₁ + αR₂ of the table in METHOD (the paper's Table I)."""
    if variant not in VARIANTS:
        raise ParameterError(f"variant={variant!r} is unknown; choose one of {', '.join(map(repr, VARIANTS))}.")
    return VARIANTS[variant].penalty(alpha_bar, alpha)


def noise_penalty(noise, beta):
    """βR₃, or None for plain PCM."""
    norms = {"f2": SquaredFrobenius(), "l1": L1(), "l21": L21()}
    if noise == "none":
        return None
    if noise not in norms:
        raise ParameterError(f"noise={noise!r} is unknown; choose one of {', '.join(map(repr, NOISES))}.")
    return Scaled(norms[noise], beta)
