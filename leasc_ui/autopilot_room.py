"""The autopilot's own memory on the Train page: the search that goes on or was last, and the way back from what was accepted."""

import threading
from dataclasses import dataclass, field

import streamlit as st

from leasc_core.runs.events import CandidateDone
from leasc_ui.jobs import Job

MOST_STEPS_BACK = 10


@dataclass
class Search:
    """One search: the data it is for, its time budget, and its job."""

    made_from: str
    budget: float
    job: Job
    enough: threading.Event

    def rows(self):
        """What is known of each candidate: best first when it is over, in the order of arrival while it goes on."""
        proposal = self.proposal
        return proposal.table() if proposal is not None else [event.row for event in self.job.history.of(CandidateDone)]

    @property
    def proposal(self):
        """What it came to; None while it goes on, and where it came to nothing."""
        return self.job.result if self.job.status == "finished" else None


@dataclass
class Room:
    """One visitor's: the search, the candidate that was accepted, and what stood before it."""

    search: Search | None = None
    accepted: dict | None = None
    before: list = field(default_factory=list)

    @property
    def active(self):
        return self.search is not None and self.search.job.active

    def start(self, data, budget, clusters=None):
        """Begin a search; one that goes on is given up."""
        if self.active:
            self.search.job.cancel()
        enough, points = threading.Event(), data.points

        def work(report):
            from leasc_core.autopilot import propose

            def listen(event):
                report(event)
                return enough.is_set()

            return propose(points, budget=budget, n_clusters=clusters, on_event=listen)

        self.search = Search(data.fingerprint, budget, Job(work, owner=self, name="autopilot").start(), enough)

    def finish(self):
        """No further candidates: the search ends with what it has."""
        if self.active:
            self.search.enough.set()

    def keep(self, before):
        """Remember what stood before something was accepted."""
        self.before = [*self.before, before][-MOST_STEPS_BACK:]


def room() -> Room:
    """The visitor's own, made on first use."""
    if "autopilot_room" not in st.session_state:
        st.session_state["autopilot_room"] = Room()
    return st.session_state["autopilot_room"]
