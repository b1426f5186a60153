"""Does the sign of a point mean anything? Asked of the data, never of labels."""

import numpy as np

from ..data.scale import unit_rows
from .nearest import nearest

SAMPLE = 2000
NEIGHBOURS = 5
TWO_SIDED_UP_TO = 1.25


def flip_ratio(points, rng):
    """Median over points of (mean distance from −x to its 5 nearest points) / (the same from x, itself left out).

    About 1 where subspaces are two-sided (x and −x are equally at home), large where data lie on one side.
    """
    points = np.unique(unit_rows(np.asarray(points, dtype=np.float32)), axis=0)
    if len(points) > SAMPLE:
        points = points[rng.choice(len(points), SAMPLE, replace=False)]
    count = min(NEIGHBOURS, len(points) - 1)
    if count < 1:
        return float(np.finfo(np.float32).max)
    same = np.sqrt(nearest(points, points, count + 1)[0][:, 1:]).mean(axis=1)
    flipped = np.sqrt(nearest(-points, points, count)[0]).mean(axis=1)
    return float(np.median((flipped + 1e-6) / (same + 1e-6)))


def sign_is_noise(points, rng):
    """True where a code and its negative should count as the same."""
    return flip_ratio(points, rng) <= TWO_SIDED_UP_TO
