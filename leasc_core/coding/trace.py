"""Algorithm 2 watched: every variable of every iteration, also where it is broken on purpose, beside the certified solver."""

from dataclasses import dataclass, field
from itertools import islice

import numpy as np
from scipy import linalg

from ..penalties import Rescaled
from .paper import Iterate, Schedule, iterates, proximal_weights
from .problem import code_penalty, noise_penalty, relative_gap
from .solve import solve_codes

# Beyond this residual an iteration has diverged, and watching on shows nothing new.
DIVERGED = 1e12


@dataclass(frozen=True)
class Trace:
    """What Algorithm 2 did.

    Attributes
    ----------
    steps : the :class:`Iterate` of each iteration
    gaps : after each, by how much its codes J may cost more than the best (a relative duality gap, from a certified bound)
    stopped : whether ‖r‖² fell below ε₂
    """

    steps: tuple[Iterate, ...] = field(repr=False)
    gaps: np.ndarray = field(repr=False)
    stopped: bool

    @property
    def diverged(self):
        return not self.steps[-1].residual < DIVERGED


def trace_paper(X, variant, beta, noise, zero_diagonal, bound, schedule=None, sign=1.0, max_iter=120):
    """Algorithm 2 on X (d, n) until it stops, diverges or has done ``max_iter`` iterations.

    ``bound`` is a lower bound of the objective (:func:`certified_bound`). ``sign=-1`` is Eq. 13 as printed. Where γ ≥ 2
    no τ meets Eq. 17; the least it ever asks for is taken.
    """
    schedule = schedule or Schedule()
    unit = linalg.norm(X, 2) or 1.0
    R, N = code_penalty(variant, 1.0, 0.0), noise_penalty(noise, beta)
    weights = proximal_weights(X / unit, schedule.gamma if schedule.gamma < 2 else 0.0)
    steps, stopped = [], False
    for now in islice(iterates(X / unit, R, Rescaled(N, unit), zero_diagonal, 0.0, schedule, weights, sign=sign), max_iter):
        steps.append(now)
        stopped = now.residual < schedule.tolerance
        if stopped or not now.residual < DIVERGED:
            break
    gaps = [relative_gap(R.value(now.J) + N.value(X - X @ now.J), bound) for now in steps]
    return Trace(tuple(steps), np.array(gaps), stopped)


def certified_bound(X, variant, beta, noise, zero_diagonal, tol=1e-3):
    """A lower bound of the objective within ``tol`` of it, and the gap that ``exact`` has left after each of its checks."""
    result = solve_codes(X, variant, beta=beta, noise=noise, zero_diagonal=zero_diagonal, tol=tol)
    R, N = code_penalty(variant, 1.0, 0.0), noise_penalty(noise, beta)
    best = R.value(result.codes) + N.value(X - X @ result.codes)
    return best * (1.0 - result.gap), [(event.iteration, event.gap) for event in result.history]
