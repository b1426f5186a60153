"""Which methods the seeds tell apart from the best: a paired test over the seeds they share, corrected for how many there are."""

from dataclasses import dataclass

import numpy as np

LEVEL = 0.05
# Scores are kept to six digits; a difference below is none.
SAME = 1e-6


@dataclass(frozen=True)
class Verdict:
    """One method against the best one: ``kind`` is best, equal, open, worse or alone.

    ``p`` is Holm's corrected p of a paired t-test over ``seeds`` seeds; None where there is nothing to test: too few seeds, or
    the same difference on every seed (``fixed``), which says nothing of other data.
    """

    kind: str
    seeds: int
    difference: float = 0.0
    p: float | None = None
    fixed: bool = False


def verdicts(scores, larger_is_better=True):
    """A :class:`Verdict` for every method of ``{method: {seed: score}}``; the best is the best mean (of equals the first)."""
    scored = {method: by_seed for method, by_seed in scores.items() if by_seed}
    if not scored:
        return {}
    sign = 1.0 if larger_is_better else -1.0
    best = max(scored, key=lambda method: sign * np.mean(list(scored[method].values())))
    found = {method: _against(scored[best], by_seed, sign) for method, by_seed in scored.items() if method != best}
    tested = {method: verdict.p for method, verdict in found.items() if verdict.p is not None}
    corrected = holm(tested)
    told = {method: _judged(verdict, corrected.get(method)) for method, verdict in found.items()}
    return {best: Verdict("best", len(scored[best])), **told}


def holm(values):
    """Holm's step-down correction of p-values by name: each may then be held against the level by itself."""
    corrected, highest = {}, 0.0
    for place, name in enumerate(sorted(values, key=values.get)):
        highest = max(highest, min(1.0, (len(values) - place) * values[name]))
        corrected[name] = highest
    return corrected


def paired_p(differences):
    """The two-sided p of a paired t-test: the mean difference against its spread over seeds."""
    from scipy import stats

    n = len(differences)
    t = np.mean(differences) / (np.std(differences, ddof=1) / np.sqrt(n))
    return float(2.0 * stats.t.sf(abs(t), n - 1))


def _against(best, other, sign):
    """The uncorrected comparison over the seeds that both have."""
    shared = sorted(best.keys() & other.keys())
    differences = sign * np.array([best[seed] - other[seed] for seed in shared])
    if len(shared) < 2:
        return Verdict("alone", len(shared), float(differences.mean()) if len(shared) else 0.0)
    mean = float(differences.mean())
    if np.abs(differences).max() <= SAME:
        return Verdict("equal", len(shared))
    if np.ptp(differences) <= SAME:
        return Verdict("worse", len(shared), mean, fixed=True)
    return Verdict("open", len(shared), mean, paired_p(differences))


def _judged(verdict, p):
    if p is None:
        return verdict
    return Verdict("worse" if p < LEVEL else "open", verdict.seeds, verdict.difference, p)
