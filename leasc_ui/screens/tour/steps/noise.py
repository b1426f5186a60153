"""Step 7, noise: what was spoiled beside what each norm of E takes for an error."""

from dataclasses import dataclass

import streamlit as st

from leasc_ui.screens.tour.linked import symbol
from leasc_ui.screens.tour.matrices import matrices_html
from leasc_ui.screens.tour.noise import AMOUNTS, BETA, corrupted, explained
from leasc_ui.screens.tour.step import Equation, Question, Step, StepSettings
from leasc_ui.session.fields import hidden, ladder

ERRORS, POINTS = symbol("errors", "E"), symbol("points", "X")
OF = {"entries": "of the entries", "points": "of the points", "noise": "of the longest point"}
NORMS = {"f2": "all a little (squares)", "l21": "whole points (ℓ2,1)", "l1": "single entries (ℓ1)"}
WHY = {
    "entries": "Few entries are wrong, and ℓ1 blames few. The paper’s ℓ2,1 must blame whole points; squares blame everybody.",
    "points": "Few points are wrong, and ℓ2,1 blames a point as a whole or not at all.",
    "noise": "Everything is a little wrong, and squares blame everything a little.",
}
LIMIT, HEIGHT = 0.6, 150


@dataclass(frozen=True)
class NoiseSettings(StepSettings):
    kind: str = hidden("entries", tuple(OF))
    amount: int = ladder(2, "How much", range(6))


def controls(memory):
    kind = memory.settings.kind
    memory.field("amount", label=f"How much, {OF[kind]}", format_func=lambda step: f"{AMOUNTS[kind][step]} %")


def draw(settings, memory):
    made = corrupted(settings.kind, settings.amount)
    amount = f"{AMOUNTS[settings.kind][settings.amount]} % {OF[settings.kind]}"
    st.html(
        matrices_html(
            [
                (
                    "The data: four lines, side by side; a row is a feature",
                    made.points.T,
                    f"60 points of 20 features, {amount} spoiled.",
                    "points",
                ),
                (f"What was spoiled: {amount}", made.corruption.T, f"The true corruption: {amount}.", "errors"),
            ],
            LIMIT,
            HEIGHT,
        )
    )
    if not settings.revealed:
        st.caption("The method sees only the data. Predict, and see what it takes for errors.")
        return
    found = {norm: explained(settings.kind, settings.amount, norm) for norm in NORMS}
    st.html(
        matrices_html(
            [
                (
                    f"Blames {NORMS[norm]}: finds {_percent(each.removed)}",
                    each.errors.T,
                    f"Errors found with {NORMS[norm]}.",
                    "errors",
                )
                for norm, each in found.items()
            ],
            LIMIT,
            HEIGHT,
        )
    )
    right = ", ".join(f"{_percent(each.accuracy)} where it blames {NORMS[norm]}" for norm, each in found.items())
    st.caption(f"Points that end up in the right cluster: {right}.")


def _percent(share):
    return f"{100 * share:.0f} %"


def question(settings):
    found = {norm: explained(settings.kind, settings.amount, norm).removed for norm in NORMS}
    best = max(found, key=found.get)
    figures = ", ".join(f"{NORMS[norm]} {_percent(share)}" for norm, share in found.items())
    return Question(
        "What should the method blame, to find most of what was spoiled?",
        {norm: words[0].upper() + words[1:] for norm, words in NORMS.items()},
        best,
        f"Found: {figures}. {WHY[settings.kind]}",
    )


def warm():
    for kind in OF:
        for norm in NORMS:
            explained(kind, NoiseSettings.amount, norm)


STEP = Step(
    name="noise",
    title="Whom you blame decides what you find",
    sentence="The four lines again, now in 20 directions: 15 points of each, a column a point. Some are spoiled, and what "
    "cannot be mixed from other points is the error, E.",
    story="A point that was spoiled cannot be mixed from the others: what is left over is its [error](errors). Errors have "
    "a norm too, which says whom to blame. Squares spread the blame over all [points](points). The length of each "
    "point’s error (ℓ2,1) blames a whole point or none. The sum of sizes (ℓ1) blames single numbers. The one that is "
    "like the damage finds it.",
    kind=NoiseSettings,
    knobs=("amount",),
    controls=controls,
    draw=draw,
    question=question,
    answers=tuple(NORMS),
    equation=Equation(
        "Eq. 8, three norms of E",
        rf"\begin{{gathered}}\min_{{Z,E}}\|Z\|_*+\beta\,R_3({ERRORS})\quad\text{{s.t.}}\quad "
        rf"{POINTS}={POINTS}Z+{ERRORS}\\"
        r"R_3\in\Big\{\textstyle\sum_{ij}e_{ij}^2,\ \sum_j\|e_j\|_2,\ \sum_{ij}|e_{ij}|\Big\}\end{gathered}",
        f"Squares, ℓ2,1 and ℓ1, with β = {BETA['f2']:g}, {BETA['l21']:g} and {BETA['l1']:g}: chosen once, by looking at these "
        "data. With $E^*$ what was spoiled, “found” is $1-\\|E-E^*\\|^2/\\|E^*\\|^2$.",
    ),
    presets={
        "Typing errors": {"kind": "entries", "amount": 2, "guess": ""},
        "Strangers": {"kind": "points", "amount": 3, "guess": ""},
        "Hiss everywhere": {"kind": "noise", "amount": 2, "guess": ""},
        "Too much": {"kind": "entries", "amount": 5, "guess": ""},
    },
    warm=warm,
)
