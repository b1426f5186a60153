"""The choice of representatives that is being made or was made before."""

from dataclasses import dataclass, field

import streamlit as st

from leasc_ui.screens.representatives.compute import choose, usual_count
from leasc_ui.session.pipeline import RepresentativeSettings
from leasc_ui.work.jobs import Job

MOST_EARLIER = 32
# A choice that takes no longer than this is simply there; a longer one is waited for in sight.
AT_ONCE_SECONDS = 0.6
SLOW = ("ds3",)


@dataclass
class RepresentativesState:
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
        """So that going back to this choice takes no time."""
        self.earlier[chosen.made_from, chosen.settings] = chosen
        while len(self.earlier) > MOST_EARLIER:
            del self.earlier[next(iter(self.earlier))]


def page_state() -> RepresentativesState:
    """The visitor's own, made on first use."""
    return st.session_state.setdefault("representatives_state", RepresentativesState())


def default_settings(data):
    """The choice that one click makes."""
    return RepresentativeSettings("random", usual_count(len(data.points)), 0)


def take(session, data, settings, asked):
    """The choice for these settings if it is there or takes but a moment, else None; a made one becomes the pipeline's.

    A slow selector begins only when ``asked``.
    """
    state, pipeline = page_state(), session.pipeline
    ready = pipeline.ready("representatives")
    if ready is not None and ready.settings == settings:
        return ready
    wanted = (data.fingerprint, settings)
    chosen = state.earlier.get(wanted)
    if chosen is None:
        if settings.selector in SLOW and not asked and state.wanted != wanted:
            state.drop()
            return None
        if asked and state.job is not None and not state.job.active:
            state.drop()
        state.ask(data, settings)
        state.job.wait(AT_ONCE_SECONDS)
        if state.job.status != "finished":
            return None
        chosen = state.job.result
        state.keep(chosen)
    state.drop()
    pipeline.set("representatives", chosen)
    return chosen
