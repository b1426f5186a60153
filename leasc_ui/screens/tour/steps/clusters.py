"""Step 6, from codes to clusters: the affinity, its spectrum, the embedding, and a label for every place."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import streamlit as st

from leasc_ui.charts.cluster.spectrum import gap_chart
from leasc_ui.frame.components import planes
from leasc_ui.frame.page import show
from leasc_ui.screens.tour.clusters import clustered, order_of
from leasc_ui.screens.tour.lines import BOX, pairs, paper_example
from leasc_ui.screens.tour.linked import symbol
from leasc_ui.screens.tour.matrices import block_means, caption_html, matrices_html, spread
from leasc_ui.screens.tour.step import Equation, Question, Step, StepSettings
from leasc_ui.session.fields import buttons, hidden, slider

AFFINITIES = {"landmarks": "Landmarks", "codes": "The codes"}
PLANES = "tour_clusters_planes"
# A box of the plane's own shape for coordinates from −1 to 1.
SHAPE = (BOX[1] - BOX[0]) / (BOX[3] - BOX[2])
EMBEDDING = (-1.1 * SHAPE, 1.1 * SHAPE, -1.1, 1.1)
PICTURE_ROWS, HEIGHT = 200, 262
SQUARES = r"\Sigma^2"
SIGNS_LOST = " By the codes alone a helper that adds looks like one that takes away, so lines mix."


@dataclass(frozen=True)
class ClustersSettings(StepSettings):
    k: int = slider(4, "Clusters k", range(2, 9))
    affinity: str = buttons(
        "landmarks",
        "Joined through",
        AFFINITIES,
        help="**Landmarks**, some typical codes: two points are joined when their codes are near the same ones. **The "
        "codes**: when the same representatives help them, added or taken away alike (the paper’s Eq. 9).",
    )
    order: str = buttons("sorted", "Order of the points in picture 1", {"sorted": "By cluster", "mixed": "As they come"})
    point: int = hidden(-1, range(-1, 800))


def draw(settings, memory):
    made = clustered(settings.k, settings.affinity)
    left, right = st.columns(2, gap="small")
    with left:
        st.html(_affinity(settings.k, settings.affinity, settings.order))
    with right:
        st.html(caption_html("2 · Its eigenvalues: as many close to 1 as there are pieces"))
        show(gap_chart(made.eigenvalues, settings.k, height=HEIGHT), "tour_clusters_spectrum")
    panes = [_embedding(made), _plane(made, settings)]
    for pane in panes:
        pane |= {"groups": made.labels.tolist(), "pick": True}
        if settings.point >= 0:
            pane["marks"] = [[*pane["points"][settings.point], 12]]
    planes(PLANES, panes, settings.point, lambda: memory.hear(PLANES, "point"))
    st.caption("Click a point in either picture to find it in the other." + SIGNS_LOST * (settings.affinity == "codes"))


@lru_cache(maxsize=32)
def _affinity(k, affinity, order):
    """The first picture: 800 × 800 joins, averaged to what a screen can show."""
    made = clustered(k, affinity)
    rows = order_of(made.labels, order == "sorted")
    shown = block_means(made.affinity[np.ix_(rows, rows)], PICTURE_ROWS)
    alt = f"An 800 by 800 affinity, its points {'in blocks by cluster' if order == 'sorted' else 'as they come'}."
    return matrices_html([("1 · The affinity: how strongly two points are joined", shown, alt, "joins")], spread(shown), HEIGHT)


def _embedding(made):
    return {
        "title": "3 · The embedding: joined points fall together",
        "box": EMBEDDING,
        "points": pairs(made.embedded),
        "alt": "The points by their spectral coordinates, coloured by cluster.",
    }


def _plane(made, settings):
    points, _ = paper_example()
    pane = {
        "title": "4 · Back in the plane: labels of the points",
        "box": BOX,
        "points": pairs(points),
        "alt": f"The 800 points coloured by their {settings.k} clusters.",
    }
    if settings.revealed:
        pane |= {
            "title": "4 · Back in the plane: a label for every place",
            "regions": made.regions.tolist(),
            "alt": f"The plane, every place coloured by the cluster it would get of {settings.k}.",
        }
    return pane


def question(settings):
    made = clustered(settings.k, settings.affinity)
    labelled, largest = np.mean(made.regions >= 0), np.bincount(made.regions.ravel()).max() / made.regions.size
    near = "every" if labelled == 1 else "near" if labelled > 0 else "none"
    return Question(
        "Ask the finished model about a place with no data near. Does it get a label?",
        {"none": "No: there is nothing to go by", "near": "Only close to a line", "every": "Yes, every place"},
        near,
        f"All **{made.regions.size:,}** places asked got one, {100 * largest:.0f} % of them the same. f codes any place, "
        "and some centre is nearest. A label far from data is a rule, not evidence.",
    )


def warm():
    """Every picture of this step: a fit each."""
    for affinity in AFFINITIES:
        for k in range(2, 9):
            clustered(k, affinity)


STEP = Step(
    name="clusters",
    title="Points mixed alike belong together",
    sentence="Points with like codes are joined. Put joined points together: each line becomes a blob, which K-means finds.",
    story="Tie two [points](points) together when their codes are alike: these are the [joins](joins), as springs of many "
    "strengths. Now shake the whole: a part that hangs together moves as one. An [eigenvalue](pieces) says how well a "
    "way of moving keeps to such parts, from 1, where no spring at all is stretched, downwards. Four parts that "
    "hardly hang together give four values near 1, and then a gap. So the values tell how many groups there are, and "
    "the ways of moving tell who is in which.",
    kind=ClustersSettings,
    knobs=("k",),
    draw=draw,
    question=question,
    answers=("none", "near", "every"),
    equation=Equation(
        "Eqs. 9–10",
        rf"\begin{{gathered}}{symbol('joins', 'W')}"
        rf"=\tilde Z^{{\top}}\tilde Z,\quad \tilde Z=D^{{-1/2}}|f({symbol('points', 'Y')})|\\"
        r"\tilde Z\tilde Z^{\top}=U"
        rf"{symbol('pieces', SQUARES)}"
        r"U^{\top},\quad "
        r"V=\Sigma^{-1}U^{\top}\tilde Z\end{gathered}",
        "$W$ joins all points, but only the small $\\tilde Z\\tilde Z^{\\top}$ is decomposed. K-means on the columns of $V$ "
        "gives the labels. With landmarks, their joins take the place of $|f(Y)|$.",
    ),
    presets={
        "As they come": {"order": "mixed"},
        "Plus is minus": {"affinity": "codes"},
        "Too many": {"k": 7},
    },
    warm=warm,
)
