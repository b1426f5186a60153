"""The Representatives page's own memory: its form, and the choice that is being made or was made before."""

from dataclasses import dataclass, field

import streamlit as st

from leasc_ui.choices import SELECTORS, Words
from leasc_ui.jobs import Job
from leasc_ui.pipeline import RepresentativeSettings
from leasc_ui.remembered import Remembered
from leasc_ui.representatives_work import FEWEST, MOST, choose, usual_count

KEPT = 32
# A choice that takes no longer than this is simply there; a longer one is waited for in sight.
AT_ONCE_SECONDS = 0.6
SLOW = ("ds3",)
BLURBS = {
    **SELECTORS,
    "random": Words("", "Random", "takes points blindly, each part of the data by its share; at once, at any size."),
    "kmeans": Words("", "K-means", "takes the real points nearest to K-means centres, all over the data; in seconds."),
}


@dataclass(frozen=True)
class RepresentativeChoices:
    """What the page remembers; ``count=None`` is the usual number for the data, ``subspaces`` only serves Proposition 1."""

    selector: str = "random"
    count: int | None = None
    seed: int = 0
    subspaces: int = 10


REMEMBERED = Remembered(
    "representatives",
    RepresentativeChoices,
    {
        "selector": tuple(SELECTORS),
        "count": range(FEWEST, MOST + 1),
        "seed": range(10_000),
        "subspaces": range(1, 1001),
    },
)


@dataclass
class Room:
    """One visitor's: the job at work, what it is for, and earlier choices, so that going back is free."""

    job: Job | None = None
    wanted: tuple | None = None
    earlier: dict = field(default_factory=dict)

    def ask(self, data, settings):
        """Start choosing unless that is what is going on; an older wish is dropped."""
        wanted = (data.fingerprint, settings)
        if self.wanted == wanted and self.job is not None:
            return
        self.drop()
        self.wanted = wanted
        self.job = Job(lambda report: choose(data, settings), owner=self, name="choosing representatives").start()

    def drop(self):
        """Stop what is going on, and forget what it was for."""
        if self.job is not None:
            self.job.cancel()
        self.job = self.wanted = None

    def keep(self, chosen):
        self.earlier[chosen.made_from, chosen.settings] = chosen
        while len(self.earlier) > KEPT:
            del self.earlier[next(iter(self.earlier))]


def room() -> Room:
    """The visitor's own, made on first use."""
    if "representatives_room" not in st.session_state:
        st.session_state["representatives_room"] = Room()
    return st.session_state["representatives_room"]


def usual_for(points):
    """What stands for None in the choices, for so many points."""
    return lambda settings: {"count": usual_count(points)}


def choices_form(data, more):
    """Draw the settings; the ``RepresentativeSettings`` and the number of subspaces assumed. ``more`` goes into the link."""
    points = len(data.points)
    usual = usual_for(points)
    chosen = REMEMBERED.form(
        lambda: _widgets(points, data.labels is not None), usual, more,
        "Back to the usual choice for this data. The page’s address holds your choices: share it to share the view.",
    )  # fmt: skip
    count = min(usual_count(points) if chosen.count is None else chosen.count, points)
    return RepresentativeSettings(chosen.selector, count, chosen.seed), chosen.subspaces


def _widgets(points, labelled):
    key = REMEMBERED.key
    st.segmented_control(
        "How they are chosen", tuple(SELECTORS), required=True, key=key("selector"), width="stretch",
        format_func=lambda name: SELECTORS[name].label,
        help="\n\n".join(f"**{each.label}** {each.meaning}" for each in BLURBS.values()),
    )  # fmt: skip
    selector = st.session_state[key("selector")]
    st.caption(f"{BLURBS[selector].label} {BLURBS[selector].meaning}")
    most = min(MOST, points)
    REMEMBERED.within("count", min(FEWEST, most), most)
    if most > FEWEST:
        st.slider(
            "How many", FEWEST, most, key=key("count"),
            help=f"More cover better; training grows with their cube. Usual for {points:,} points: {usual_count(points):,}.",
        )  # fmt: skip
    st.number_input("Seed", 0, 9_999, key=key("seed"), help="Another seed draws another choice.")
    if not labelled:
        st.number_input(
            "Subspaces to assume", 1, 1000, key=key("subspaces"),
            help="Your data has no labels, so Proposition 1 needs a guess: so many subspaces with equally many points.",
        )  # fmt: skip


def default_settings(data):
    """The choice that one click makes."""
    return RepresentativeSettings("random", usual_count(len(data.points)), 0)


def take(mine, data, settings, asked):
    """The choice for these settings if it is there or takes but a moment, else None; a made one becomes the pipeline's.

    A slow selector begins only when ``asked``.
    """
    here = room()
    ready = mine.pipeline.ready("representatives")
    if ready is not None and ready.settings == settings:
        return ready
    wanted = (data.fingerprint, settings)
    if wanted in here.earlier:
        here.drop()
        mine.pipeline.representatives = here.earlier[wanted]
        return here.earlier[wanted]
    if settings.selector in SLOW and not asked and here.wanted != wanted:
        here.drop()
        return None
    if asked and here.job is not None and not here.job.active:
        here.drop()
    here.ask(data, settings)
    here.job.wait(AT_ONCE_SECONDS)
    if here.job.status != "finished":
        return None
    here.keep(here.job.result)
    mine.pipeline.representatives = here.job.result
    here.drop()
    return mine.pipeline.representatives
