"""Step 1, the problem: points on lines, and K-means, which looks for blobs."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import streamlit as st

from leasc_ui.frame.components import picture
from leasc_ui.screens.tour.lines import BOX, WIDEST, hinges, lines, pairs
from leasc_ui.screens.tour.linked import symbol
from leasc_ui.screens.tour.naming import like_truth
from leasc_ui.screens.tour.step import IN_ONE_BREATH, Equation, Question, Step, StepSettings
from leasc_ui.session.fields import buttons, ladder, slider
from leasc_ui.work import core

NARROWEST = 4
METHODS = {"kmeans": "K-means", "leasc": "This tour’s method, LeaSC"}


@dataclass(frozen=True)
class ProblemSettings(StepSettings):
    angle: int = slider(20, "Angle between neighbouring lines", range(NARROWEST, WIDEST + 1), look={"format": "%d°"})
    noise: float = ladder(
        0.5,
        "Noise",
        {value: f"{value:g} ×" for value in (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0)},
        help="1 × is the noise of the example that the next steps use.",
    )
    outliers: int = slider(
        0,
        "Outliers",
        range(0, 31, 5),
        look={"step": 5, "format": "%d %%"},
        help="Points from nowhere, on no line. They are not counted, right or wrong.",
    )
    method: str = buttons("kmeans", "Groups found by", METHODS, when=lambda settings, facts: bool(settings.guess))


@lru_cache(maxsize=256)
def found(angle, noise, outliers, method):
    """The labels a method finds, named after the lines they fit best, and the share that is right; outliers do not count."""
    from leasc_core import clustering_accuracy

    drawn = lines(angle, noise, outliers / 100)
    with core.working():
        labels = _by_kmeans(drawn.points) if method == "kmeans" else _by_leasc(drawn.points)
    honest = drawn.labels >= 0
    return like_truth(labels, drawn.labels), clustering_accuracy(drawn.labels[honest], labels[honest])


def _by_kmeans(points):
    from leasc_core.spectral.kmeans import kmeans_centres, nearest_centre

    return nearest_centre(points, kmeans_centres(points, 4, np.random.default_rng(0)))


def _by_leasc(points):
    from leasc_core import LeaSC

    as_told = {"preprocess": None, "affinity": "landmarks", "n_representatives": 88, "hidden": (50,), "tol": 1e-2}
    return LeaSC(4, **as_told, random_state=0).fit(points).labels_


def draw(settings, memory):
    drawn, key = lines(settings.angle, settings.noise, settings.outliers / 100), "tour_problem_planes"
    middles, sides = hinges()
    right, title = _right(settings)
    data = {
        "box": BOX,
        "angle": settings.angle,
        "swing": settings == ProblemSettings(),
        "limits": [NARROWEST, WIDEST],
        "along": pairs(drawn.along),
        "labels": drawn.labels.tolist(),
        "middles": middles.tolist(),
        "sides": sides.tolist(),
        "found": right,
        "titles": ["The truth: which line made each point", title],
    }
    picture("problem.js", key, data, {"angle": lambda: memory.hear(key, "angle")})
    st.info(f"The tour in one breath. {IN_ONE_BREATH}", icon=":material/explore:")


def _right(settings):
    """The groups of the second picture and its title; none before they are revealed."""
    if not settings.revealed:
        return None, "What K-means makes of them: predict first"
    labels, share = found(settings.angle, settings.noise, settings.outliers, settings.method)
    return labels.tolist(), f"{METHODS[settings.method]}: {100 * share:.0f} % right"


def question(settings):
    _, share = found(settings.angle, settings.noise, settings.outliers, "kmeans")
    truth = "few" if share < 0.6 else "some" if share < 0.9 else "most"
    seen = "and here the lines lie apart like blobs" if truth == "most" else "and so it cuts across lines"
    return Question(
        "**K-means** sets four centres and puts each point with the nearest. How many end up with their own line?",
        {"few": "Fewer than 60 %", "some": "60 to 90 %", "most": "More than 90 %"},
        truth,
        f"**{100 * share:.0f} %**. K-means looks for blobs, {seen}.",
    )


STEP = Step(
    name="problem",
    title="K-means cuts across lines",
    sentence="Points on four lines. A method sees them without colours: which belong together? Drag a line.",
    story="K-means puts four centres among the [points](points) and gives each point to the nearest. But a [line](lines) is "
    "long: its two ends lie near different centres, so it is cut in two, and halves of different lines are put "
    "together. What makes a line one group is not nearness but direction: each of its points is a multiple of any "
    "other.",
    kind=ProblemSettings,
    knobs=("angle", "method"),
    draw=draw,
    question=question,
    answers=("few", "some", "most"),
    equation=Equation(
        "A union of subspaces",
        rf"{symbol('points', 'y_j')} = {symbol('lines', 'U_{k(j)}')}\,c_j + e_j,\qquad k(j)\in\{{1,\dots,4\}}",
        "Each point lies on one of a few **subspaces** $U_k$ (lines, planes and the like through the origin), up to noise $e_j$. "
        "We look for $k(j)$.",
    ),
    wide=True,
    kept=("guess", "method"),
    presets={
        "The paper’s example": {"angle": 47, "noise": 1.0},
        "Nearly one line": {"angle": 8, "noise": 0.25},
        "Noisy": {"angle": 24, "noise": 2.0},
        "Outliers": {"angle": 30, "outliers": 20},
    },
)
