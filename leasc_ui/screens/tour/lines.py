"""The four lines of the tour: the paper's rays, turned to an angle, with noise and outliers. No Streamlit in here."""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

BOX = (-4.0, 4.0, -2.3, 2.8)
# The paper's example alone needs less room.
CLOSE = (-3.7, 4.0, -1.9, 2.5)
# Rays that are neighbours: the upper and the lower one of each side.
SIDES = ((0, 3), (1, 2))


# The largest angle at which all points stay in the box.
WIDEST = 60


@dataclass(frozen=True, eq=False)
class Lines:
    """Points and the line of each (-1 for an outlier); ``along`` is how they are made from the direction of every line.

    Point j of line k is along[j, 0] in the line's direction and along[j, 1] across it; an outlier stays where it is.
    """

    points: np.ndarray = field(repr=False)
    labels: np.ndarray = field(repr=False)
    directions: np.ndarray = field(repr=False)
    along: np.ndarray = field(repr=False)


@lru_cache(maxsize=1)
def paper_example():
    """The paper's 800 points and the ray of each."""
    from leasc_core.data.synthetic import four_rays

    return four_rays(0)


@lru_cache(maxsize=64)
def lines(angle, noise, outliers):
    """The paper's 800 points with neighbouring rays ``angle`` degrees apart.

    Each ray turns about the origin, its noise with it, which is multiplied by ``noise``; ``outliers`` of the points
    (a share) lie anywhere in the box.
    """
    from leasc_core.data.synthetic import four_rays

    _, rays, truth = four_rays(0, return_truth=True)
    noisy, old = truth.clean + noise * truth.errors, _bearings(truth.clean, rays)
    along = _turned(noisy, -old[rays])
    new = bearings(angle)
    points, labels = _turned(along, new[rays]), rays.copy()
    rng = np.random.default_rng(7)
    strays = rng.permutation(len(points))[: round(outliers * len(points))]
    anywhere = 0.95 * rng.uniform((BOX[0], BOX[2]), (BOX[1], BOX[3]), (len(points), 2))
    points[strays] = along[strays] = anywhere[strays]
    labels[strays] = -1
    return Lines(points, labels, np.column_stack([np.cos(new), np.sin(new)]), along)


@lru_cache(maxsize=1)
def hinges():
    """Of each ray the direction half-way to its neighbour, and to which side of it the ray opens (+1 or −1)."""
    from leasc_core.data.synthetic import four_rays

    _, rays, truth = four_rays(0, return_truth=True)
    old, middles, sides = _bearings(truth.clean, rays), np.empty(4), np.empty(4)
    for pair in SIDES:
        middles[list(pair)] = old[list(pair)].mean()
        sides[list(pair)] = np.sign(old[list(pair)] - old[list(pair)].mean())
    return middles, sides


def bearings(angle):
    """The direction of each ray, in radians, where neighbours are ``angle`` degrees apart."""
    middles, sides = hinges()
    return middles + sides * np.radians(angle) / 2


def _bearings(points, rays):
    """The direction of each ray's first point; those to the left count from π, so that no neighbours are torn apart."""
    firsts = np.array([points[rays == ray][0] for ray in range(4)])
    found = np.arctan2(firsts[:, 1], firsts[:, 0])
    return np.where(firsts[:, 0] < 0, found % (2 * np.pi), found)


def _turned(points, angles):
    """Each row turned about the origin by its angle."""
    x, y = points.T
    return np.column_stack([x * np.cos(angles) - y * np.sin(angles), x * np.sin(angles) + y * np.cos(angles)])


def pairs(array, digits=3):
    """An array as lists short enough to be sent."""
    return np.round(array, digits).tolist()
