"""A guest on the Cluster page: labels that another method found, shown under its name; the pipeline is left as it is."""

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

KEY = "cluster_guest"


@dataclass(frozen=True)
class Guest:
    """A row of a comparison: whose labels, of which data."""

    method: str
    seed: int
    labels: str
    recipe: dict
    title: str
    clusters: int
    seconds: float


def receive(guest):
    """Let the Cluster page show these labels next."""
    st.session_state[KEY] = guest


def guest_here() -> Guest | None:
    """Whose labels the Cluster page shows instead of the visitor's own, or None."""
    guest = st.session_state.get(KEY)
    return guest if guest is not None and Path(guest.labels).is_file() else None
