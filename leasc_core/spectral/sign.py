"""Does the sign of a point mean anything? Asked of the data, never of labels."""

import numpy as np

from .kmeans import nearest
from .landmarks import unit_rows

SAMPLE = 2000
TWO_SIDED_UP_TO = 1.2


def flip_ratio(points, rng):
    """Median over points of (distance from −x to its nearest point) / (distance from x to its nearest other point).

    About 1 where subspaces are two-sided (x and −x are equally at home), large where data lie on one side.
    """
    points = unit_rows(np.asarray(points, dtype=np.float32))
    if len(points) > SAMPLE:
        points = points[rng.choice(len(points), SAMPLE, replace=False)]
    same = nearest(points, points, min(2, len(points)))[0][:, -1]
    flipped = nearest(-points, points, 1)[0][:, 0]
    return float(np.median(np.sqrt(flipped + 1e-12) / np.sqrt(same + 1e-12)))


def sign_is_noise(points, rng):
    """True where a code and its negative should count as the same."""
    return flip_ratio(points, rng) <= TWO_SIDED_UP_TO
