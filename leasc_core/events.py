"""The typed stream of events a fit sends to ``on_event``; progress bars, live charts and checkpoints all read it."""

import time
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class StageStarted:
    """A room of the pipeline begins: representatives, coding, network, landmarks, encoding, spectral, centres, labels.

    Before them, where they are asked for: autopilot, clusters (their number). After them: confidence.
    """

    stage: str
    total: int | None = None


@dataclass(frozen=True)
class StageFinished:
    stage: str
    seconds: float


@dataclass(frozen=True)
class CodingIteration:
    """One iteration of a coding solver; what Fig. 9 plots, and more."""

    iteration: int
    residual: float
    objective: float
    codes_term: float
    noise_term: float
    mu: float
    gap: float | None = None


@dataclass(frozen=True)
class CodeSnapshot:
    """The codes and errors as they stand (rows are points); arrays are the solver's own, do not write to them."""

    iteration: int
    codes: np.ndarray = field(repr=False)
    errors: np.ndarray = field(repr=False)


@dataclass(frozen=True)
class NetworkEpoch:
    """One pass of the network f over the representatives; errors are ‖Z − f(X)‖ / ‖Z‖."""

    epoch: int
    training_error: float
    held_out_error: float


@dataclass(frozen=True)
class PointsDone:
    """So many points of ``total`` have passed through ``stage``, in ``seconds``; ``before`` of them in an earlier, broken run."""

    stage: str
    done: int
    total: int
    seconds: float
    before: int = 0

    @property
    def rate(self) -> float:
        """Points a second."""
        return (self.done - self.before) / self.seconds if self.seconds > 0 else 0.0


@dataclass(frozen=True)
class StepDone:
    """A stage that counts no points is at work: ``done`` steps of it are over (graphs, draws, candidates), after ``seconds``."""

    stage: str
    done: int
    seconds: float


@dataclass(frozen=True)
class CandidateDone:
    """The autopilot has judged one setting of the method: ``row`` holds the setting and its evidence, name by name.

    It is the ``number``-th of at most ``planned``; ``seconds`` have passed and ``left`` remain of the time budget.
    """

    number: int
    planned: int
    row: dict
    seconds: float
    left: float


# A stage at work says so at most once in so many seconds; a listener who wants to stop is asked as often.
STEP_SECONDS = 0.25


class Stopped(Exception):
    """Raised inside a fit when a listener asked it to stop."""


class Reporter:
    """Sends events to a listener; a listener that returns True stops the run at the next safe place."""

    def __init__(self, on_event=None):
        self.on_event = on_event
        self.stop_requested = False

    def __call__(self, event):
        if self.on_event is not None and self.on_event(event) is True:
            self.stop_requested = True

    @property
    def listening(self) -> bool:
        return self.on_event is not None

    def checkpoint(self):
        """Leave the run here if a listener asked for it."""
        if self.stop_requested:
            raise Stopped

    @contextmanager
    def stage(self, name, total=None):
        """Announce a stage and time it; it does not begin where a stop was asked for."""
        self.checkpoint()
        self(StageStarted(name, total))
        start = time.perf_counter()
        yield
        self(StageFinished(name, time.perf_counter() - start))

    def steps(self, stage):
        """``pause()`` tells, now and then, that a step of a stage is over, and obeys a stop."""
        begun = told = time.perf_counter()
        done = 0

        def pause():
            nonlocal told, done
            now, done = time.perf_counter(), done + 1
            if now - told >= STEP_SECONDS:
                told = now
                self(StepDone(stage, done, now - begun))
            self.checkpoint()

        return pause

    def counter(self, stage, total):
        """``count(done)`` tells how many points have passed and obeys a stop."""
        begun = time.perf_counter()

        def count(done, already=0):
            self(PointsDone(stage, done, total, time.perf_counter() - begun, already))
            self.checkpoint()

        return count
