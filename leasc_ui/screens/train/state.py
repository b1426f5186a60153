"""The Train page's own memory: the run that goes on or was last, and the runs that were pinned."""

from dataclasses import dataclass, field

import streamlit as st

from leasc_ui.screens.train.compute import ITERATIONS, PICTURES, CodePicture, Record, final_numbers, record_of_job, train
from leasc_ui.screens.train.settings import TrainSettings
from leasc_ui.session.choices import VARIANTS
from leasc_ui.session.pipeline import ChosenRepresentatives, TrainedModel
from leasc_ui.session.state import current_session
from leasc_ui.work.jobs import History, Job

MOST_PINS = 8


@dataclass
class Run:
    """One training: what it was started with, and its job."""

    number: int
    settings: TrainSettings
    chosen: ChosenRepresentatives
    job: Job

    @property
    def name(self):
        return f"Run {self.number}: {VARIANTS[self.settings.variant].short}"

    @property
    def record(self) -> Record:
        """What can be looked at of it, by now."""
        return record_of_job(self.job, self.settings)

    @property
    def active(self):
        """Whether it goes on."""
        return self.job.active

    @property
    def paused(self):
        """Whether it waits for the visitor."""
        return self.job.paused

    def restored(self, model):
        """A run that goes on is not concerned: what comes of it shows as stale."""

    def result(self):
        """The trained model, once."""
        job, rpcm = self.job, self.job.result
        if job.status != "finished" or rpcm is None:
            return None
        job.result = None
        return TrainedModel(self.chosen.fingerprint, self.settings, rpcm, job.history.events, job.seconds)


@dataclass(frozen=True, eq=False)
class Pin:
    """A run kept for comparison; its curves and last picture, not its model."""

    name: str
    settings: TrainSettings
    chosen: object
    record: Record = field(repr=False)
    numbers: dict


@dataclass
class TrainState:
    """One visitor's."""

    run: Run | None = None
    count: int = 0
    pinned: int = 0
    pins: dict = field(default_factory=dict)

    @property
    def active(self):
        """Whether a training goes on."""
        return self.run is not None and self.run.active

    def start(self, data, chosen, settings):
        """Begin a run; one that goes on is stopped."""
        self.stop()
        self.count += 1
        history = History(ITERATIONS, {CodePicture: PICTURES})
        job = Job(lambda report: train(data, chosen, settings, report), owner=self, history=history, name="training")
        self.run = current_session().work["model"] = Run(self.count, settings, chosen, job.start())

    def stop(self):
        if self.active:
            self.run.job.cancel()

    def forget(self):
        """Stop, and show no run."""
        self.stop()
        self.run = None
        current_session().work.pop("model", None)

    def toggle_pause(self):
        if self.active:
            self.run.job.resume() if self.run.job.paused else self.run.job.pause()

    def pin(self, name, record, chosen, rpcm):
        """Keep a run under a name; the oldest goes when there are too many."""
        last = record.pictures[-1:]
        kept = Record(record.settings, record.iterations, record.epochs, last, record.seconds)
        self.pins.pop(name, None)
        self.pinned += 1
        self.pins[name] = Pin(name, record.settings, chosen.settings, kept, final_numbers(record, rpcm))
        while len(self.pins) > MOST_PINS:
            del self.pins[next(iter(self.pins))]


def page_state() -> TrainState:
    """The visitor's own, made on first use."""
    return st.session_state.setdefault("train_state", TrainState())
