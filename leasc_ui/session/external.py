"""Labels that another method found, shown on the Cluster page under its name; the pipeline is left as it is."""

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

KEY = "cluster_external"


@dataclass(frozen=True)
class ExternalLabels:
    """A row of a comparison: whose labels, of which data."""

    method: str
    seed: int
    labels: str
    recipe: dict
    title: str
    clusters: int
    seconds: float


def look_at(external):
    """Let the Cluster page show these labels next."""
    st.session_state[KEY] = external


def external_labels() -> ExternalLabels | None:
    """Whose labels the Cluster page shows instead of the visitor's own, or None."""
    external = st.session_state.get(KEY)
    return external if external is not None and Path(external.labels).is_file() else None
