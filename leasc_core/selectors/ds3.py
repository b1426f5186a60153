"""Representatives that stand for every point at the least cost: dissimilarity-based sparse subset selection (DS3)."""

from dataclasses import dataclass, replace
from math import log
from typing import Any, ClassVar

import numpy as np
from threadpoolctl import threadpool_limits

from leasc_core.errors import ParameterError

from ..data.scale import divided, exponent_of
from .base import opened, read_rows
from .ds3_solver import NORMS, solve_from
from .kmeans import KMeansSelector

# A representative usually pays once it serves so many neighbours: about 88 in the paper's 800-point example.
NEIGHBOURS = {"inf": 8, 2: 32}
# A row whose entries all stay below this share of the largest entry writes nobody.
FAINT = 0.01
# Relative duality gaps: where DS3 decides how many, and where n is given and the strongest n are taken anyway.
FINE, COARSE = 1e-5, 1e-4
TRIALS, NEWTON_STEPS = 6, 120


@dataclass(frozen=True)
class DS3Selector:
    """DS3 (Elhamifar, Sapiro, Sastry 2016) on Euclidean distances; ``n=None`` lets it decide how many.

    Parameters
    ----------
    norm : "inf" or 2, what a representative costs: its largest weight or the length of its weights
    regularisation : λ over `largest_strength`; larger means fewer. None asks the neighbourhoods (`usual_strength`).
        Unused where ``n`` is given: then the λ is sought that leaves ``n`` of them
    coreset : above this many points only the real points nearest to so many K-means centres, at most, take part
    """

    norm: str | int = "inf"
    regularisation: float | None = None
    coreset: int = 1500

    name: ClassVar[str] = "ds3"
    label: ClassVar[str] = "DS3"
    short: ClassVar[str] = "found by DS3"
    blurb: ClassVar[str] = "finds the points that stand for all others at the least cost; the paper’s choice."
    takes: ClassVar[str] = "five seconds to half a minute"

    def select(self, source: Any, n: int | None, rng: Any) -> np.ndarray:
        """The sorted indices (int64) of ``n`` different rows of ``source``, or of as many as DS3 finds (None)."""
        self._check()
        source = opened(source, 1 if n is None else n)
        candidates = self._candidates(source, n, rng)
        rows = read_rows(source, candidates)
        D = _distances(divided(rows, exponent_of(rows)))
        if not D.any():
            return candidates[: n or 1]
        # The matrices are small: threads of BLAS would wait for each other longer than they work.
        with threadpool_limits(1, "blas"):
            chosen = self._as_many_as_found(D) if n is None else _exactly(n, _solution_with(n, D, self.norm), D)
        return candidates[np.sort(chosen)]

    def _as_many_as_found(self, D):
        if self.regularisation is None:
            strength = usual_strength(D, self.norm, NEIGHBOURS[self.norm])
        else:
            strength = self.regularisation * largest_strength(D, self.norm)
        return _by_importance(solve_from(None, D, strength, self.norm, FINE))

    def _candidates(self, source, n, rng):
        if len(source) <= self.coreset:
            return np.arange(len(source))
        if n is not None and n > self.coreset:
            raise ParameterError(
                f"n={n} representatives are more than the coreset={self.coreset} points that DS3 chooses from; "
                f"lower n, raise coreset, or use another selector."
            )
        size = self.coreset if n is None else min(self.coreset, max(600, 4 * n))
        return KMeansSelector().select(source, size, rng)

    def _check(self):
        if self.norm not in tuple(NORMS):
            raise ParameterError(f"norm={self.norm!r} is not known; choose 'inf' or 2.")
        if self.regularisation is not None and not 0 < self.regularisation < np.inf:
            raise ParameterError(
                f"regularisation={self.regularisation} is not a positive number; give one, or None for the usual."
            )
        if isinstance(self.coreset, bool) or not isinstance(self.coreset, (int, np.integer)) or self.coreset < 2:
            raise ParameterError(f"coreset={self.coreset!r} is not a whole number of at least 2; give one.")


def largest_strength(D, norm):
    """λ_max: from here on, one representative stands for all.

    For p = ∞ it is max_i ‖d_i − d_l‖₁ / 2, l the most central point. For p = 2 no such λ exists where two points are
    equally central, so it is the λ at which one representative of all costs what it does under p = ∞.
    """
    central = D.sum(axis=1).argmin()
    largest = np.abs(D - D[central]).sum(axis=1).max() / 2
    return largest if norm == "inf" else largest / np.sqrt(D.shape[1])


def usual_strength(D, norm, neighbours):
    """The λ at which prices equal to the distance to a point's last neighbour exhaust its row's dual constraint.

    So a representative pays once it serves about so many neighbours, whatever the scale, number and dimension of the points.
    """
    last = min(neighbours, D.shape[1] - 1)
    reach = np.partition(D, last, axis=1)[:, last, None]
    saved = NORMS[norm].dual(np.maximum(reach - D, 0)).mean()
    return saved or largest_strength(D, norm)


def _distances(points):
    from scipy.spatial.distance import cdist

    return cdist(points, points)


def _by_importance(found):
    """The representatives, those with the largest weights first, then those that write most points."""
    largest, mass = found.weights.max(axis=1), found.weights.sum(axis=1)
    order = np.lexsort((-mass, -np.round(largest, 2)))
    return found.rows[order[largest[order] > FAINT * largest.max()]]


def _solution_with(n, D, norm):
    """A solution with n representatives or slightly more, by warm-started bisection over λ."""
    most = largest_strength(D, norm)
    strength = min(usual_strength(D, norm, NEIGHBOURS[norm] * len(D) // (9 * n) or 1), most)
    found = best = low = high = None
    for _ in range(TRIALS):
        found = solve_from(_nearby(found, strength), D, strength, norm, COARSE, NEWTON_STEPS)
        count = len(_by_importance(found))
        if count >= n:
            low, best = (strength, count), found
        else:
            high = (strength, count)
        if n <= count <= n + max(3, n // 10) or (count >= n and strength == most):
            break
        strength = min(_next_strength(n, len(D), low, high), most)
    return best or found


def _nearby(found, strength):
    """A start for the next λ: prices shrink with λ, so that none is worse than before."""
    if found is None:
        return None
    return replace(found, prices=found.prices * min(1.0, strength / found.strength))


def _next_strength(n, size, low, high):
    """Where the count meets n if its odds fall as a power of λ: through both sides, or a guess from one."""
    aim = min(1.05 * n, size)
    if low is None or high is None:
        strength, count = low or high
        return strength * np.clip((count / aim) ** 1.5, 1 / 50, 50)
    more, fewer, wanted = (log(count / (size + 1 - count)) for count in (low[1], high[1], aim))
    share = (more - wanted) / (more - fewer)
    return low[0] * (high[0] / low[0]) ** np.clip(share, 0.1, 0.9)


def _exactly(n, found, D):
    """n representatives: the most important, and if they are too few, the points farthest from all chosen."""
    chosen = _by_importance(found)[:n]
    distance = D[chosen].min(axis=0)
    distance[chosen] = -1.0
    while len(chosen) < n:
        farthest = distance.argmax()
        chosen = np.append(chosen, farthest)
        distance = np.minimum(distance, D[farthest])
        distance[chosen] = -1.0
    return chosen


SELECTOR = DS3Selector
