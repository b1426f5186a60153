"""Where the method fails, each with one dial from bad to good; all of it computed when asked for. No Streamlit in here."""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from leasc_ui.screens.tour.lines import paper_example
from leasc_ui.screens.tour.naming import like_truth
from leasc_ui.work import core

# The values of each dial, from left to right.
DIALS = {
    "few": (8, 12, 16, 20, 30, 40, 80),
    "curves": (0, 40, 80, 120, 160, 200, 240),
    "k": (2, 3, 4, 5, 6, 7, 8),
    "parallel": (2, 4, 6, 8, 12, 16, 24),
    "units": (1, 2, 5, 10, 30, 100),
    "blobs": (0, 5, 10, 20, 40, 80),
}
WORST = {"few": 16, "curves": 240, "k": 7, "parallel": 4, "units": 100, "blobs": 0}
# Boxes of one shape: for the whole plane, for coordinates from −1 to 1, and for the right-hand side.
WIDE, FLAT, CLOSE = (-4.0, 4.0, -2.9, 3.1), (-1.44, 1.44, -1.08, 1.08), (0.4, 4.0, -0.85, 1.85)
REPRESENTATIVES, HIDDEN, TOLERANCE = 80, 100, 1e-2


@dataclass(frozen=True, eq=False)
class Attempt:
    """Labels named like the truth, and the share that is right."""

    title: str
    labels: np.ndarray = field(repr=False)
    accuracy: float


@dataclass(frozen=True, eq=False)
class Failure:
    """Points as drawn in ``box``, the group each came from, and what was made of them.

    ``marked``: wrong points are hard to tell by colour here, so they are drawn in red.
    """

    points: np.ndarray = field(repr=False)
    truth: np.ndarray = field(repr=False)
    attempts: tuple
    box: tuple = WIDE
    marked: bool = False


@lru_cache(maxsize=64)
def failure(case, dial) -> Failure:
    """The ``case`` with its dial at that value."""
    with core.working():
        return CASES[case](dial)


def _few(n):
    """Four subspaces of dimension 3 in 10 dimensions, n representatives, ℓ1 and F²; drawn in their two main directions."""
    from leasc_core import make_union_of_subspaces

    points, truth = make_union_of_subspaces(4, 3, 10, 50, noise=0.02, random_state=0)
    _, _, directions = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    flat = points @ directions[:2].T
    attempts = tuple(
        _attempt(f"{name}, {n} representatives", points, truth, 4, n, variant=variant)
        for name, variant in (("ℓ1", "l1"), ("F²", "f2"))
    )
    return Failure(flat / np.abs(flat).max(), truth, attempts, FLAT, marked=True)


def _curves(bend):
    """Two arms from the origin that turn by ``bend`` degrees on their way out."""
    rng = np.random.default_rng(0)
    truth, far = np.repeat([0, 1], 200), rng.uniform(0.4, 2.4, 400)
    turn = np.radians(20 + 120 * truth + bend * (far - 0.4) / 2.0)
    points = np.column_stack([far * np.cos(turn), far * np.sin(turn)]) + 0.04 * rng.standard_normal((400, 2))
    return Failure(points, truth, (_attempt("What it finds", points, truth, 2),))


def _wrong_number(k):
    """The four lines cut into k."""
    points, truth = paper_example()
    return Failure(points, truth, (_attempt(f"Told to find {k}", points, truth, k),))


def _parallel(angle):
    """Two lines ``angle`` degrees apart, with the same noise at any angle."""
    rng = np.random.default_rng(0)
    truth, far = np.repeat([0, 1], 200), rng.uniform(1.0, 3.6, 400)
    turn = np.radians(12 + angle * (truth - 0.5))
    points = np.column_stack([far * np.cos(turn), far * np.sin(turn)]) + 0.06 * rng.standard_normal((400, 2))
    return Failure(points, truth, (_attempt("What it finds", points, truth, 2),), CLOSE, marked=True)


def _units(factor):
    """The four lines with the second column told in a unit ``factor`` times as large, and read to 0.02 of that unit."""
    points, truth = paper_example()
    points = points / [1.0, factor] + 0.02 * np.random.default_rng(0).standard_normal(points.shape) * [0.0, 1.0]
    return Failure(points, truth, (_attempt("What it finds", points, truth, 4),))


def _blobs(angle):
    """Two round groups, one near the origin and one far, in directions ``angle`` degrees apart; K-means beside ours."""
    rng = np.random.default_rng(0)
    truth, turn = np.repeat([0, 1], 200), np.radians([20, 20 + angle])
    centres = np.array([1.0, 2.5])[:, None] * np.column_stack([np.cos(turn), np.sin(turn)])
    points = centres[truth] + 0.14 * rng.standard_normal((400, 2))
    return Failure(points, truth, (_attempt("What it finds", points, truth, 2), _k_means(points, truth, 2)))


def _attempt(title, points, truth, k, n=REPRESENTATIVES, variant="f2"):
    from leasc_core import LeaSC

    settings = {"variant": variant, "n_representatives": n, "hidden": (HIDDEN,), "tol": TOLERANCE, "random_state": 0}
    return _judged(title, LeaSC(k, preprocess=None, affinity="landmarks", **settings).fit(points).labels_, truth)


def _k_means(points, truth, k):
    from leasc_core import baselines

    return _judged("K-means", baselines.get("kmeans").run(points, k, seed=0).labels, truth)


def _judged(title, labels, truth):
    from leasc_core import clustering_accuracy

    return Attempt(title, like_truth(labels, truth), clustering_accuracy(truth, labels))


CASES = {"few": _few, "curves": _curves, "k": _wrong_number, "parallel": _parallel, "units": _units, "blobs": _blobs}
