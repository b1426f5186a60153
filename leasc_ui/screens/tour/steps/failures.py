"""Step 9, when it fails, and what one may not conclude: six cases, each with its dial; the commonest come first."""

from dataclasses import dataclass

import streamlit as st

from leasc_ui.frame.components import planes
from leasc_ui.screens.tour.failures import DIALS, WORST, failure
from leasc_ui.screens.tour.lines import pairs
from leasc_ui.screens.tour.linked import symbol
from leasc_ui.screens.tour.step import Equation, Question, Step, StepSettings
from leasc_ui.session.fields import hidden, ladder


@dataclass(frozen=True)
class Words:
    """How a case is called, its dial, what is drawn, why it fails, and what may not be concluded."""

    title: str
    dial: str
    unit: str
    drawn: str
    why: str
    not_concluded: str


WORDS = {
    "units": Words(
        "Unscaled columns",
        "Unit of the upright column",
        "×",
        "The four lines, one column in a larger unit",
        "The column with small numbers hardly counts, and all lines lean towards the other.",
        "that groups are alike because they look alike in these units: bring columns to one scale first.",
    ),
    "blobs": Words(
        "Round blobs",
        "Directions apart",
        "°",
        "A near and a far group",
        "Only directions count here, and a near and a far blob can share theirs; K-means sees how far apart they are.",
        "that there are no groups: they are no lines, and K-means is the tool for them.",
    ),
    "parallel": Words(
        "Nearly parallel",
        "Angle",
        "°",
        "Two noisy lines",
        "Where noise is wider than the gap, even the best border guesses.",
        "from a sharp border that every point near it is on the right side.",
    ),
    "curves": Words(
        "Curves",
        "Bend",
        "°",
        "Two arms that bend",
        "f looks at a point’s direction from the origin, and bent arms share directions.",
        "from two clusters that there are two subspaces.",
    ),
    "few": Words(
        "Too few for ℓ1",
        "Representatives",
        "",
        "Four groups in ten dimensions, each a space of three; flattened",
        "To be mixed from its own group a point here needs three helpers there, and few representatives leave groups short.",
        "that ℓ1 is the worse norm: give it more to choose from.",
    ),
    "k": Words(
        "Wrong k",
        "Clusters asked for",
        "",
        "Four lines",
        "It cuts as often as it is told.",
        "that there are k groups because k came out.",
    ),
}


def _dial(case):
    words = WORDS[case]
    return ladder(
        WORST[case],
        f"{words.title}: {words.dial.lower()}",
        {value: f"{value}{words.unit}" for value in DIALS[case]},
        when=lambda settings, facts: settings.case == case,
    )


@dataclass(frozen=True)
class FailureSettings(StepSettings):
    case: str = hidden("units", tuple(WORDS))
    few: int = _dial("few")
    curves: int = _dial("curves")
    k: int = _dial("k")
    parallel: int = _dial("parallel")
    units: int = _dial("units")
    blobs: int = _dial("blobs")


def draw(settings, memory):
    words, made = WORDS[settings.case], _made(settings)
    common = {"box": made.box, "points": pairs(made.points), "groups": made.truth.tolist()}
    truth = {"title": words.drawn, "alt": f"{words.drawn}, coloured by where each point came from."}
    panes = [truth | common] if len(made.attempts) == 1 else []
    for attempt in made.attempts:
        panes.append(common | (_found(made, attempt) if settings.revealed else _hidden(made, attempt)))
    planes("tour_failures_planes", panes)
    if settings.revealed:
        if made.marked:
            st.caption("Red outlines: points in the wrong group.")
        st.markdown(f"**You may not conclude** {words.not_concluded}")


def _hidden(made, attempt):
    title = f"{attempt.title}: predict first"
    known = {} if len(made.attempts) > 1 else {"groups": [-1] * len(made.truth)}
    return {"title": title, "alt": f"The same points. {title}."} | known


def _found(made, attempt):
    title = f"{attempt.title}: {100 * attempt.accuracy:.0f} % right"
    wrong = ["missed" if made.marked and miss else "" for miss in attempt.labels != made.truth]
    return {"title": title, "alt": f"The points by cluster. {title}.", "groups": attempt.labels.tolist(), "styles": wrong}


def _made(settings):
    return failure(settings.case, getattr(settings, settings.case))


def question(settings):
    words, attempt = WORDS[settings.case], _made(settings).attempts[0]
    share = attempt.accuracy
    subject = "ℓ1" if settings.case == "few" else "it"
    return Question(
        f"How many points does {subject} put with their own group?",
        {"few": "Fewer than 75 %", "some": "75 to 95 %", "most": "More than 95 %"},
        "few" if share < 0.75 else "some" if share <= 0.95 else "most",
        f"**{100 * share:.0f} %**. {words.why} Turn the dial, and see.",
    )


def warm():
    for case, values in DIALS.items():
        for value in values:
            failure(case, value)


STEP = Step(
    name="failures",
    title="It always answers, even when it is wrong",
    sentence="Each case shows how. Click one, predict, then turn its dial until the answer can be trusted.",
    story="All of this assumes that [points](points) lie on flat pieces through one centre, that these pieces differ by "
    "more than the noise, and that each has enough representatives. Nothing in the answer says whether that is so: a "
    "number of groups is always found, as it is asked for. Two faults come first in practice: columns in different "
    "units, where the one with the large numbers decides alone, and round heaps, which differ by their place and not "
    "by their direction.",
    kind=FailureSettings,
    draw=draw,
    question=question,
    answers=("few", "some", "most"),
    equation=Equation(
        "What is assumed",
        rf"\begin{{gathered}}{symbol('points', 'y')}=U_kc+e\\\|e\|\ll\sin\theta\,\|{symbol('points', 'y')}\|\\"
        r"n_k\ge\dim U_k+1\end{gathered}",
        "Points lie on linear subspaces $U_k$; noise is small against the angle $\\theta$ between them; enough representatives "
        "$n_k$ lie on each, so that the others can write every one of them. Nothing in the result says whether this holds.",
    ),
    presets={words.title: {"case": case, "guess": ""} for case, words in WORDS.items()},
    warm=warm,
)
