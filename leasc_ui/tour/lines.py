"""The four lines of the tour: the paper's rays, turned to an angle, with noise and outliers. No Streamlit in here."""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

BOX = (-4.0, 4.0, -2.9, 3.1)
# The paper's example alone needs less room.
CLOSE = (-3.7, 4.0, -1.9, 2.5)
# Rays that are neighbours: the upper and the lower one of each side.
SIDES = ((0, 3), (1, 2))


@dataclass(frozen=True, eq=False)
class Lines:
    """Points, the line of each (-1 for an outlier), and the direction of every line."""

    points: np.ndarray = field(repr=False)
    labels: np.ndarray = field(repr=False)
    directions: np.ndarray = field(repr=False)


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
    points, directions = np.empty_like(truth.clean), np.empty((4, 2))
    for upper, lower in SIDES:
        for ray, side in ((upper, 1), (lower, -1)):
            old = _angle(truth.clean[rays == ray][0])
            middle = _middle(truth.clean[rays == upper][0], truth.clean[rays == lower][0])
            # Left of the origin, up is the smaller angle.
            new = middle + side * np.sign(np.cos(middle)) * np.radians(angle) / 2
            points[rays == ray] = (truth.clean + noise * truth.errors)[rays == ray] @ _turn(new - old).T
            directions[ray] = np.cos(new), np.sin(new)
    rng = np.random.default_rng(7)
    strays = rng.permutation(len(points))[: round(outliers * len(points))]
    points[strays] = rng.uniform((BOX[0], BOX[2]), (BOX[1], BOX[3]), (len(points), 2))[strays] * 0.95
    labels = rays.copy()
    labels[strays] = -1
    return Lines(points, labels, directions)


def _angle(point):
    return np.arctan2(point[1], point[0]) % (2 * np.pi)


def _middle(one, other):
    """The direction half-way between two."""
    middle = one / np.linalg.norm(one) + other / np.linalg.norm(other)
    return _angle(middle)


def _turn(angle):
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def pairs(array, digits=3):
    """An array as lists short enough to be sent."""
    return np.round(array, digits).tolist()
