"""What one visitor has chosen and done so far: a single typed object in Streamlit's session.

It owns the pipeline's results, the work that is under way for them, and the one history that every undo button goes back in.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import streamlit as st

from leasc_ui.session.pipeline import Pipeline

STAGES = (
    ("Data", "points in any number of dimensions"),
    ("Representatives", "a few points that stand for all"),
    ("Model", "learns how points are made of these"),
    ("Clusters", "a label for every point"),
)
MOST_STEPS_BACK = 30


@dataclass(frozen=True)
class Stage:
    """One stage of the pipeline as the strip shows it; ``status`` is missing, running, ready or stale."""

    title: str
    fact: str
    status: str = "missing"


def empty_stages(status="missing"):
    """The pipeline before anything has run: each stage says what it is for."""
    return tuple(Stage(title, fact, status) for title, fact in STAGES)


class Work(Protocol):
    """Work under way for a stage of the pipeline, wherever it is done."""

    active: bool
    paused: bool

    def result(self) -> object | None:
        """What came of it, once; None before, and afterwards."""

    def restored(self, result):
        """Another result stands in its place again."""


@dataclass(frozen=True, eq=False)
class Step:
    """How things stood before a change: settings of forms, results of the pipeline, and what else is to be put back."""

    scope: str
    settings: dict
    results: tuple | None = None
    also: Callable[[], None] | None = None
    words: str = ""


@dataclass
class Session:
    """The visitor's own data and results are in ``pipeline``; ``stages`` is what the strip of the four-lines page shows.

    ``work`` holds what is under way, by stage; ``history`` the way back, of all pages.
    """

    pipeline: Pipeline = field(default_factory=Pipeline)
    stages: tuple[Stage, ...] = field(default_factory=empty_stages)
    work: dict[str, Work] = field(default_factory=dict)
    history: list[Step] = field(default_factory=list)

    @property
    def has_run(self):
        """Whether the four-lines page has computed something."""
        return all(stage.status == "ready" for stage in self.stages)

    def collect(self) -> str | None:
        """Take in what has been finished; any page may call this. Returns the stage that is being worked on, or None."""
        for stage, work in self.work.items():
            result = work.result()
            if result is not None:
                self.pipeline.set(stage, result)
        return next((stage for stage, work in self.work.items() if work.active), None)

    def keep(self, scope, settings=None, results=False, also=None, words=""):
        """Remember how things stand before a change. ``scope`` names the undo button that returns to it.

        ``settings`` are those of forms (form → settings), ``results`` adds the pipeline's, ``also()`` puts back the rest.
        """
        kept = self.pipeline.snapshot() if results else None
        self.history.append(Step(scope, settings or {}, kept, also, words))
        own = [step for step in self.history if step.scope == scope]
        for step in own[:-MOST_STEPS_BACK]:
            self.history.remove(step)

    def last(self, scope) -> Step | None:
        """The last step of this kind, or None."""
        return next((step for step in reversed(self.history) if step.scope == scope), None)

    def can_undo(self, scope) -> bool:
        """Whether there is a way back."""
        return self.last(scope) is not None

    def undo(self, scope):
        """Back to how things stood before the last change of this kind."""
        step = self.last(scope)
        if step is None:
            return
        self.history.remove(step)
        for form, settings in step.settings.items():
            form.put(settings)
        if step.results is not None:
            self.restore(step.results)
        if step.also is not None:
            step.also()

    def restore(self, results):
        """The pipeline's results as they stood (see :meth:`Pipeline.snapshot`); work under way hears of it."""
        self.pipeline.restore(results)
        for stage, work in self.work.items():
            work.restored(getattr(self.pipeline, stage))


def current_session() -> Session:
    """The visitor's own object, made on first use."""
    if "session" not in st.session_state:
        st.session_state["session"] = Session()
    return st.session_state["session"]
