"""The choices of the Theory page: which statement, and what it may be asked. Their facts are the subject."""

from dataclasses import dataclass

import streamlit as st

from leasc_ui.frame.words import from_data
from leasc_ui.screens.theory.compute import group_sizes, parse_sizes, usual_picks, written_sizes
from leasc_ui.session.fields import buttons, hidden, ladder, number, words
from leasc_ui.session.form import SHARED, Form, headed, reset_button

YOURS, LINES = "yours", "lines"
PAPER = {"sizes": "2 × 50", "picks": 7}
MOST_PICKS = 10**9
POINTS = {0: "as many as there are", **{10**power: f"{10**power:,}" for power in range(3, 10)}}
POINTS |= {10**6: "a million", 10**9: "a billion"}
SECTIONS = {
    "picks": "Enough picks?",
    "radius": "Radius",
    "contraction": "Theorem 1",
    "subspaces": "Subspaces",
    "cost": "Table II",
}
# The settings that belong to each section.
OWN = {
    "picks": ("sizes", "picks"),
    "radius": ("seen",),
    "contraction": ("against",),
    "subspaces": ("rule", "energy"),
    "cost": ("points", "iterations"),
}
WHERE = {"class": "the labels’ counts", "cluster": "the found clusters", "": "a guess: ten equal ones"}


def _sizes(text):
    if not parse_sizes(text):
        raise ValueError(text)
    return text


def _picks(text):
    if not (text.isdecimal() and len(text) < 11 and int(text) <= MOST_PICKS):
        raise ValueError(text)
    return int(text)


@dataclass(frozen=True)
class TheoryChoices:
    """What the page remembers; None is what belongs to the data at hand."""

    on: str = hidden(YOURS, (YOURS, LINES))
    section: str = buttons("picks", "Statement", SECTIONS, look={"label_visibility": "collapsed", "width": "content"})
    sizes: str | None = words(
        None,
        "Points in each subspace",
        _sizes,
        usual=lambda settings, subject: PAPER["sizes"] if subject is None else written_sizes(group_sizes(subject)[0]),
        help=lambda settings, subject: f"As “50, 50” or “10 × 6000, 25”. At first {WHERE[group_sizes(subject)[1]]}.",
    )
    picks: int | None = number(
        None,
        "Random picks",
        range(MOST_PICKS + 1),
        parse=_picks,
        usual=lambda settings, subject: PAPER["picks"] if subject is None else usual_picks(subject),
        help="At first as many as there are representatives.",
    )
    seen: str = buttons(
        "directions",
        "Distance",
        {"directions": "Of directions", "data": "As given"},
        help="f sees every point scaled to length one, so Theorem 1’s ρ is a distance of directions.",
    )
    against: str = buttons(
        "distance",
        "Codes against",
        {"distance": "The distance", "bound": "Its own bound"},
        help="Every representative has its own bound, a line as steep as ‖J(x)‖. Against its own bound, each point is judged by "
        "one and the same line.",
    )
    rule: str = buttons(
        "energy",
        "Dimension by",
        {"energy": "Energy", "gap": "Largest gap"},
        help="**Energy** counts directions until they hold a share of the sum of squares. **Largest gap** stops where the "
        "singular values fall by the largest factor, if that is at least 2.",
    )
    energy: int = ladder(
        95,
        "Share to hold",
        {share: f"{share} %" for share in (80, 90, 95, 99)},
        when=lambda settings, subject: settings.rule == "energy",
    )
    points: int = ladder(0, "Points m", POINTS, help="What if there were more, with the same representatives and the same f?")
    iterations: int = ladder(
        100,
        "Iterations t₂",
        (1, 10, 20, 50, 100, 200, 500, 1000),
        help="Of the solver. The closed forms, F² and LSR, need none.",
    )


FORM = Form("theory", TheoryChoices, stays=("on", "section"))


def show_on(on):
    """Look at something else; its own sizes and picks come with it."""
    FORM.change(on=on, sizes=None, picks=None)


def theory_form(session, top, subject):
    """Draw the sections at ``top`` and what belongs to the one looked at; ``subject(on)`` gives what that is about."""
    FORM.field("section", place=top)
    with headed("Settings"):
        reset_button("theory_reset", FORM.reset, SHARED)
    found = subject(FORM.settings.on)
    FORM.all_fields(found, *OWN[FORM.settings.section])
    if FORM.settings.section == "picks":
        with st.container(horizontal=True, gap="small"):
            _action("The paper’s example", "menu_book", "theory_paper", FORM.change, **PAPER)
            _action("These data", "undo", "theory_usual", FORM.change, sizes=None, picks=None)
    if FORM.settings.on == LINES:
        st.caption("Shown on the 800 points of four lines, computed here and stored nowhere.")
        label = "Back to your data" if session.pipeline.ready("data") is not None else "Close the example"
        _action(label, "arrow_back", "theory_yours", show_on, on=YOURS)
    else:
        st.caption(f"Shown on {from_data(found.name)}.")
        _action("Show it on four lines", "scatter_plot", "theory_lines", show_on, on=LINES)


def _action(label, icon, key, do, **values):
    st.button(label, icon=f":material/{icon}:", type="tertiary", key=key, on_click=do, kwargs=values)
