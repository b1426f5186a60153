"""The Theory page's own memory: its choices in the address, and what has been computed before."""

from dataclasses import dataclass, replace

import streamlit as st

from leasc_ui import core
from leasc_ui.remembered import Remembered
from leasc_ui.theory_subject import four_lines, subject_of
from leasc_ui.theory_work import contraction_of, norms_by_angle, parse_sizes, radius_of, spans_of, written_sizes

SECTIONS = {
    "picks": "Enough picks?",
    "radius": "Radius",
    "contraction": "Theorem 1",
    "subspaces": "Subspaces",
    "cost": "Table II",
}
YOURS, LINES = "yours", "lines"
UNLABELLED = 10
PAPER = {"sizes": "2 × 50", "picks": 7}
MOST_PICKS = 10**9


@dataclass(frozen=True)
class TheoryChoices:
    """What the page remembers; None is what belongs to the data at hand."""

    on: str = YOURS
    section: str = "picks"
    sizes: str | None = None
    picks: int | None = None
    seen: str = "directions"
    against: str = "distance"
    rule: str = "energy"
    energy: int = 95
    points: int = 0
    iterations: int = 100


class _Address(Remembered):
    """Sizes and picks are free: whatever can be read is taken from an address."""

    def now(self) -> TheoryChoices:
        """The choices before any widget is drawn: of a link that is followed, else what is kept."""
        given = self.kept.address.asked()
        return self.from_address(given) if given else self.kept.settings

    def from_address(self, parameters):
        settings = super().from_address(parameters)
        sizes, picks = parameters.get("sizes"), parameters.get("picks", "")
        if sizes and parse_sizes(sizes):
            settings = replace(settings, sizes=sizes)
        if picks.isdecimal() and len(picks) < 11 and int(picks) <= MOST_PICKS:
            settings = replace(settings, picks=int(picks))
        return settings


REMEMBERED = _Address(
    "theory",
    TheoryChoices,
    {
        "on": (YOURS, LINES),
        "section": tuple(SECTIONS),
        "sizes": (),
        "picks": (),
        "seen": ("directions", "data"),
        "against": ("distance", "bound"),
        "rule": ("energy", "gap"),
        "energy": (80, 90, 95, 99),
        "points": (0, *(10**power for power in range(3, 10))),
        "iterations": (1, 10, 20, 50, 100, 200, 500, 1000),
    },
)


def subject_for(mine, on):
    """The visitor's own, the example, or None."""
    return _example() if on == LINES else subject_of(mine.pipeline)


def usual_for(mine):
    """The sizes and the number of picks that belong to what is looked at."""

    def usual(settings):
        subject = subject_for(mine, settings.on)
        if subject is None:
            return {"sizes": PAPER["sizes"], "picks": PAPER["picks"]}
        return {"sizes": written_sizes(group_sizes(subject)[0]), "picks": usual_picks(subject)}

    return usual


def group_sizes(subject):
    """Points in each subspace, and where that is known from: "class", "cluster" or "" for a guess."""
    import numpy as np

    labels, name = (subject.known, "class") if subject.known is not None else subject.groups
    if labels is None:
        points = len(subject.source)
        count = min(UNLABELLED, points)
        return (points // count + (np.arange(count) < points % count)).tolist(), ""
    return np.unique(labels, return_counts=True)[1].tolist(), name


def show_on(mine, on):
    """Look at something else; its own sizes and picks come with it."""
    REMEMBERED.put(replace(REMEMBERED.kept.settings, on=on, sizes=None, picks=None), usual_for(mine))


def take_paper(mine):
    """The paper's example of Proposition 1."""
    REMEMBERED.put(replace(REMEMBERED.kept.settings, **PAPER), usual_for(mine))


def take_usual(mine):
    """Back to the sizes of the data at hand."""
    REMEMBERED.put(replace(REMEMBERED.kept.settings, sizes=None, picks=None), usual_for(mine))


def usual_picks(subject):
    """As many as there are representatives, or would usually be."""
    from leasc_ui.representatives_work import usual_count

    return usual_count(len(subject.source)) if subject.indices is None else len(subject.indices)


@st.cache_resource(max_entries=1, show_spinner="Computing the four lines …")
def _example():
    with core.small_run():
        return four_lines()


@st.cache_resource(max_entries=32, show_spinner="Measuring distances to representatives …")
def radius_for(fingerprint, unit, _subject):
    with core.single_thread():
        return radius_of(_subject, unit)


@st.cache_resource(max_entries=32, show_spinner="Differentiating f …")
def contraction_for(fingerprint, _subject):
    with core.single_thread():
        return contraction_of(_subject)


@st.cache_resource(max_entries=32, show_spinner=False)
def circle_for(fingerprint, _subject):
    with core.single_thread():
        return norms_by_angle(_subject.network)


@st.cache_resource(max_entries=32, show_spinner="Finding the subspaces …")
def spans_for(fingerprint, _subject):
    with core.single_thread():
        return spans_of(_subject)
