"""The autopilot's search on the Train page, and what accepting a candidate does.

It becomes the choice on Representatives, Train and Cluster, f is trained with it, and undo returns.
"""

import threading
from dataclasses import dataclass

import streamlit as st

from leasc_core.events import CandidateDone
from leasc_ui.screens.cluster import choices as clusters
from leasc_ui.screens.representatives import settings as representatives
from leasc_ui.screens.representatives.compute import MOST, choose
from leasc_ui.screens.train import settings as train
from leasc_ui.screens.train import state as training
from leasc_ui.session.choices import default_beta
from leasc_ui.session.pipeline import RepresentativeSettings
from leasc_ui.work import core
from leasc_ui.work.jobs import Job

SCOPE = "autopilot"


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
class SearchState:
    """One visitor's: the search, and the candidate that was accepted."""

    search: Search | None = None
    accepted: dict | None = None

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


def page_state() -> SearchState:
    """The visitor's own, made on first use."""
    return st.session_state.setdefault("autopilot_state", SearchState())


def choices_of(row, data):
    """A candidate as the choices of Representatives, Train and Cluster; what is the usual is left to be the usual."""
    points = len(data.points)
    count = min(int(row["n_representatives"]), MOST, points)
    beta = None if row["beta"] == default_beta(row["variant"]) else float(row["beta"])
    landmarks = min(int(row["n_landmarks"]), points)
    landmarks = None if landmarks == clusters.usual_landmarks(points) else landmarks
    return (
        representatives.choices_of(RepresentativeSettings("random", count, 0), data),
        train.TrainSettings(variant=row["variant"], beta=beta),
        clusters.ClusterChoices(clusters.GIVEN, int(row["n_clusters"]), affinity=row["affinity"], landmarks=landmarks, mine=True),
    )


def accept(session, row):
    """Load a candidate everywhere and train f with it; call it before the widgets are drawn, so from a callback."""
    state, trainer, pipeline = page_state(), training.page_state(), session.pipeline
    forms, accepted = (representatives.FORM, train.FORM, clusters.FORM), state.accepted

    def put_back():
        trainer.forget()
        state.accepted = accepted

    session.keep(SCOPE, {form: form.settings for form in forms}, results=True, also=put_back)
    trainer.stop()
    wanted = choices_of(row, pipeline.data)
    for form, settings in zip(forms, wanted, strict=True):
        form.put(settings)
    with core.working():
        pipeline.set("representatives", choose(pipeline.data, wanted[0].settings(pipeline.data)))
    trainer.start(pipeline.data, pipeline.representatives, wanted[1])
    state.accepted = row
