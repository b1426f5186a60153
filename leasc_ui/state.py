"""What one visitor has chosen and done so far: a single typed object in Streamlit's session."""

from dataclasses import dataclass, field

import streamlit as st

from leasc_ui.example import ExampleSettings
from leasc_ui.pipeline import Pipeline

STAGES = (
    ("Data", "points in any number of dimensions"),
    ("Representatives", "a few points that stand for all"),
    ("Model", "learns how points are made of these"),
    ("Clusters", "a label for every point"),
)


@dataclass(frozen=True)
class Stage:
    """One room of the pipeline as the strip shows it; ``status`` is missing, running, ready or stale."""

    title: str
    fact: str
    status: str = "missing"


def empty_stages(status="missing"):
    """The pipeline before anything has run: each room says what it is for."""
    return tuple(Stage(title, fact, status) for title, fact in STAGES)


@dataclass
class Session:
    """The visitor's own data and results are in ``pipeline``.

    Of the four-lines page, ``example`` is what was chosen, ``stages`` what its strip shows, ``address`` what it
    last put in the URL.
    """

    pipeline: Pipeline = field(default_factory=Pipeline)
    example: ExampleSettings = field(default_factory=ExampleSettings)
    stages: tuple[Stage, ...] = field(default_factory=empty_stages)
    address: dict = field(default_factory=dict)

    @property
    def has_run(self):
        return all(stage.status == "ready" for stage in self.stages)


def session() -> Session:
    """The visitor's own object, made on first use."""
    if "session" not in st.session_state:
        st.session_state["session"] = Session()
    return st.session_state["session"]
