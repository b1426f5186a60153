"""The Train page's own memory: the run that goes on or was last, and the runs that were pinned."""

from dataclasses import dataclass, field

import streamlit as st

from leasc_ui.choices import VARIANTS
from leasc_ui.jobs import History, Job
from leasc_ui.pipeline import ChosenRepresentatives, TrainedModel, TrainSettings
from leasc_ui.train_work import ITERATIONS, PICTURES, CodePicture, Record, final_numbers, record_of_job, train

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
        return record_of_job(self.job, self.settings)


@dataclass(frozen=True, eq=False)
class Pin:
    """A run kept for comparison; its curves and last picture, not its model."""

    name: str
    settings: TrainSettings
    chosen: object
    record: Record = field(repr=False)
    numbers: dict


@dataclass
class Room:
    """One visitor's."""

    run: Run | None = None
    count: int = 0
    pinned: int = 0
    pins: dict = field(default_factory=dict)

    @property
    def active(self):
        """Whether a training goes on."""
        return self.run is not None and self.run.job.active

    def start(self, data, chosen, settings):
        """Begin a run; one that goes on is stopped."""
        self.stop()
        self.count += 1
        history = History(ITERATIONS, {CodePicture: PICTURES})
        job = Job(lambda report: train(data, chosen, settings, report), owner=self, history=history, name="training")
        self.run = Run(self.count, settings, chosen, job.start())

    def stop(self):
        if self.active:
            self.run.job.cancel()

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


def room() -> Room:
    """The visitor's own, made on first use."""
    if "train_room" not in st.session_state:
        st.session_state["train_room"] = Room()
    return st.session_state["train_room"]


def training_paused():
    """Whether the visitor's own run waits for him."""
    here = st.session_state.get("train_room")
    return here is not None and here.run is not None and here.run.job.paused


def collect(mine):
    """Hand a finished run's model to the pipeline, once; any page may call this. Returns the room that is running, or None."""
    here = st.session_state.get("train_room")
    if here is None or here.run is None:
        return None
    run, job = here.run, here.run.job
    if job.status == "finished" and job.result is not None:
        mine.pipeline.model = TrainedModel(run.chosen.fingerprint, run.settings, job.result, job.history.events, job.seconds)
        job.result = None
    return "model" if job.active else None
