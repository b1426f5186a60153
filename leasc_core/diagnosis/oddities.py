"""Points that no few others can write: outliers, counted beside what one shapeless cloud would show."""

import numpy as np

from .expression import MOST_ATOMS, pursue
from .nulls import one_cloud

# A point is odd when more is left of it than the usual plus so many times the usual spread.
SPREADS = 5.0


def share_of_outliers(points, steps, rng):
    """Shares of odd points in the data and in one cloud of the same mean and spread."""
    return _share(points, steps, rng), _share(one_cloud(points, rng), steps, rng)


def outlier_scores(left):
    """How many usual spreads (1.48 median deviations) each residual lies above the usual one."""
    usual = np.median(left)
    spread = 1.4826 * np.median(np.abs(left - usual))
    return (left - usual) / max(spread, 0.02)


def _share(points, steps, rng):
    units = points / np.linalg.norm(points, axis=1, keepdims=True)
    order = rng.permutation(len(points))
    half = min(MOST_ATOMS, len(points) // 2)
    left = np.linalg.norm(pursue(units[order[half:]], units[order[:half]], steps)[-1], axis=1)
    return float((outlier_scores(left) > SPREADS).mean())
