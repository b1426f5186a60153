"""What one visitor has chosen and done so far: a single typed object in Streamlit's session."""

from dataclasses import dataclass, field

import streamlit as st

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
    """The visitor's own data and results are in ``pipeline``; ``stages`` is what the strip of the four-lines page shows."""

    pipeline: Pipeline = field(default_factory=Pipeline)
    stages: tuple[Stage, ...] = field(default_factory=empty_stages)

    @property
    def has_run(self):
        return all(stage.status == "ready" for stage in self.stages)


def session() -> Session:
    """The visitor's own object, made on first use."""
    if "session" not in st.session_state:
        st.session_state["session"] = Session()
    return st.session_state["session"]
