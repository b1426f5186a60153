"""The four lines in more directions, spoiled in a known way, and what each norm of E makes of it. No Streamlit in here."""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from leasc_ui.work import core

LINES, FEATURES, EACH = 4, 20, 15
# How far from the origin the nearest point of a line is; the farthest is at 1.
NEAREST = 0.5
# How much of each kind, in per cent: of the entries, of the points, of a point's length.
AMOUNTS = {"entries": (1, 2, 5, 8, 10, 15), "points": (2, 5, 10, 15, 20, 30), "noise": (15, 20, 25, 30, 35, 40)}
# What an error costs under each norm, fixed once for all pictures.
BETA = {"f2": 1.0, "l21": 0.2, "l1": 0.1}
# The size of a wrong entry and of a wrong point.
ENTRY, POINT = 0.6, 1.5
TOLERANCE = 1e-2


@dataclass(frozen=True, eq=False)
class Corrupted:
    """Rows are points: what they were, what was added, and the line of each."""

    clean: np.ndarray = field(repr=False)
    corruption: np.ndarray = field(repr=False)
    lines: np.ndarray = field(repr=False)

    @property
    def points(self):
        return self.clean + self.corruption


@dataclass(frozen=True, eq=False)
class Explained:
    """The errors E that a norm leaves, the share of the corruption in them, and how right the codes' clusters are."""

    errors: np.ndarray = field(repr=False)
    removed: float
    accuracy: float


@lru_cache(maxsize=64)
def corrupted(kind, step) -> Corrupted:
    """60 points on four lines in 20 dimensions; a larger ``step`` keeps what a smaller one spoiled and adds to it."""
    ways, lines = _unit(np.random.default_rng(0).standard_normal((LINES, FEATURES))), np.repeat(np.arange(LINES), EACH)
    clean = np.tile(np.linspace(NEAREST, 1, EACH), LINES)[:, None] * ways[lines]
    rng, share = np.random.default_rng(1), AMOUNTS[kind][step] / 100
    directions = _unit(rng.standard_normal(clean.shape))
    if kind == "noise":
        return Corrupted(clean, share * directions, lines)
    wrong = np.zeros_like(clean)
    if kind == "points":
        at = rng.permutation(len(clean))[: round(share * len(clean))]
        wrong[at] = POINT * directions[at]
    else:
        at = rng.permutation(clean.size)[: round(share * clean.size)]
        wrong.flat[at] = ENTRY * np.sign(directions.flat[at])
    return Corrupted(clean, wrong, lines)


def _unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@lru_cache(maxsize=256)
def explained(kind, step, norm) -> Explained:
    """Low-rank codes of the corrupted points with errors under ``norm``, to a gap of one per cent."""
    from leasc_core import clustering_accuracy
    from leasc_core.coding.solve import solve_codes
    from leasc_core.spectral.ncut import ncut, symmetric_affinity

    made = corrupted(kind, step)
    with core.working():
        result = solve_codes(made.points.T, "nuclear", beta=BETA[norm], noise=norm, zero_diagonal=False, tol=TOLERANCE)
        labels = ncut(symmetric_affinity(result.codes.T), LINES, np.random.default_rng(0))
    errors = result.errors.T
    return Explained(errors, share_removed(errors, made.corruption), clustering_accuracy(made.lines, labels))


def share_removed(errors, corruption):
    """1 − ‖E − E*‖² / ‖E*‖²: 1 where E is the true corruption, 0 (and never less) where nothing would have been as good."""
    left = np.sum((errors - corruption) ** 2) / np.sum(corruption**2)
    return max(0.0, 1.0 - float(left))
