"""The Cluster page's own memory: its form, the run that is looked at, and what one click does."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from leasc_core.errors import LeascError
from leasc_ui.results.asked import request_of
from leasc_ui.results.picks import rows_of
from leasc_ui.results.results import Results
from leasc_ui.screens.cluster.choices import FORM, choices_of
from leasc_ui.screens.cluster.request import clusters_of, estimate, request, restore, same_run, whole_estimate, whole_request
from leasc_ui.screens.data.state import take_choices
from leasc_ui.screens.train.settings import TrainSettings
from leasc_ui.session.pipeline import TrainedModel
from leasc_ui.session.state import current_session
from leasc_ui.work import core
from leasc_ui.work.cache import LruCache
from leasc_ui.work.queue import OUT_OF_MEMORY
from leasc_ui.work.runs import runs_of, start, status_of, without_folders
from leasc_ui.work.slots import JOB

_NEEDS, _RESULTS = LruCache(64), LruCache(8)


@dataclass
class ClusterState:
    """One visitor's: ``folder`` is the run that is looked at; ``chosen`` are rows selected in a picture, ``picked`` says how.

    ``at_once`` begins a run as soon as the page is seen. ``opened`` is a selection that came with a link; its box is drawn in
    the map, until the selection is cleared.
    """

    folder: str | None = None
    problem: str | None = None
    chosen: np.ndarray | None = None
    chosen_of: str | None = None
    picked: str | None = None
    opened: str | None = None
    cleared: int = 0
    at_once: bool = False

    def select(self, words, results):
        """Keep which rows are selected, in the words of ``cluster_picks``; None for none."""
        rows = rows_of(words, results) if words else None
        self.chosen, self.chosen_of, self.picked = (None, None, None) if rows is None else (rows, str(results.folder), words)

    def select_elsewhere(self, words, results):
        """The same from another picture than the map, where no box is left."""
        self.opened, self.cleared = None, self.cleared + 1
        self.select(words, results)

    def clear(self):
        """Nothing is selected, and no box is drawn."""
        self.chosen = self.chosen_of = self.picked = self.opened = None
        self.cleared += 1

    paused = False

    @property
    def active(self):
        """Whether the run goes on."""
        return self.folder is not None and status_of(self.folder).active

    def result(self):
        """What a finished run came to, once."""
        known = current_session().pipeline.clusters
        if self.folder is None or known is not None and known.folder == self.folder:
            return None
        if status_of(self.folder).state == "finished":
            try:
                return clusters_of(self.folder)
            except LeascError as problem:
                self.problem = without_folders(problem)
        return None

    def restored(self, found):
        """The run of what is there again is looked at, not the one that came after it."""
        self.folder = None if found is None else found.folder

    def selected(self, folder):
        """The selected rows of this run, or None."""
        return self.chosen if self.chosen_of == str(folder) else None

    def follow(self, results):
        """Select what a link says, once there is something to select from."""
        if self.opened is not None and self.picked is None and self.cleared == 0:
            self.select(self.opened, results)


def cluster_state() -> ClusterState:
    """The visitor's own, made on first use."""
    if "cluster_state" not in st.session_state:
        st.session_state["cluster_state"] = current_session().work["clusters"] = ClusterState()
    return st.session_state["cluster_state"]


def begin_at_once():
    """Let the page find the clusters of what is loaded, as by its button, when it is seen next."""
    cluster_state().at_once, cluster_state().folder = True, None


def need_of(pipeline, settings):
    """What a run will take; the same question is answered once."""
    data = pipeline.data
    key = (data.fingerprint, pipeline.model.fingerprint if settings.mine else None, settings)

    def ask():
        with core.working():
            if settings.mine:
                return estimate(data, pipeline.representatives, pipeline.model, settings)
            return whole_estimate(data, settings)

    return _NEEDS.get(key, ask)


def begin(session, visitor, settings):
    """Start a run, or show the one that was asked just this before; refusals become a sentence."""
    state, pipeline = cluster_state(), session.pipeline
    state.problem = None
    try:
        folder = same_run(visitor, pipeline.model.fingerprint if settings.mine else pipeline.data.fingerprint, settings)
        if folder is None:
            with core.working():
                if settings.mine:
                    folder, small = request(visitor, pipeline.data, pipeline.representatives, pipeline.model, settings)
                else:
                    folder, small = whole_request(visitor, pipeline.data, settings)
            start(folder, small)
        if state.folder not in (None, str(folder)):
            state.clear()
        state.folder = str(folder)
    except LeascError as refusal:
        state.problem = without_folders(refusal)
    except MemoryError:
        state.problem = OUT_OF_MEMORY
    except OSError as error:
        state.problem = f"The run cannot be written down ({error.strerror}); free some space on the server and try again."


def take_defaults(session):
    """The usual choices for every room before this one that has none."""
    from leasc_ui.screens.representatives.compute import choose
    from leasc_ui.screens.representatives.state import default_settings
    from leasc_ui.screens.train.compute import train

    pipeline, state = session.pipeline, cluster_state()
    state.problem = None
    try:
        with core.working(JOB):
            if pipeline.ready("representatives") is None:
                pipeline.set("representatives", choose(pipeline.data, default_settings(pipeline.data)))
            chosen = pipeline.representatives
            if pipeline.ready("model") is None:
                rpcm = train(pipeline.data, chosen, TrainSettings(), lambda event: None)
                pipeline.set("model", TrainedModel(chosen.fingerprint, TrainSettings(), rpcm))
    except LeascError as refusal:
        state.problem = without_folders(refusal)
    except MemoryError:
        state.problem = OUT_OF_MEMORY
    return state.problem is None


def open_run(session, folder, say):
    """Bring a run of an earlier visit back, with everything it was made from."""
    state = cluster_state()
    state.problem = None
    try:
        asked = request_of(folder)
        there = session.pipeline.ready("model" if asked.settings.mine else "data")
        if there is None or there.fingerprint != asked.model:
            with core.working():
                restore(session.pipeline, folder, say)
        state.folder = str(folder)
        take_choices(asked.recipe)
        FORM.put(choices_of(asked.settings))
    except LeascError as problem:
        state.problem = without_folders(problem)


def earlier_runs(visitor):
    """``(folder, request, status)`` of this visitor's runs, newest first."""
    return [(folder, request_of(folder), status_of(folder)) for folder in runs_of(visitor) if request_of(folder) is not None]


def results_of(found, data) -> Results:
    """What can be seen of a finished run, as edited; kept for whoever looks again."""
    from leasc_ui.results.edits import with_edits

    return with_edits(_RESULTS.get((found.folder, data.fingerprint), lambda: Results(found.folder, data)))
