"""What is looked at on the Compare page: the comparison and the sweep, and the data they are of."""

from dataclasses import dataclass

import streamlit as st

from leasc_core.errors import LeascError
from leasc_ui.screens.compare.data import YOURS, Subject, subject_of, titles
from leasc_ui.screens.compare.loading import base_parameters
from leasc_ui.screens.compare.methods import from_text
from leasc_ui.screens.compare.runs import COMPARISONS, SWEEPS, begin_sweep, begin_table, earlier
from leasc_ui.screens.compare.settings import METHODS
from leasc_ui.screens.compare.sweep.values import axes_of
from leasc_ui.work.cache import LruCache
from leasc_ui.work.core import one_thread
from leasc_ui.work.runs import without_folders


@dataclass
class CompareState:
    """One visitor's: the folders that are looked at."""

    table: str | None = None
    sweep: str | None = None
    problem: str | None = None


def page_state() -> CompareState:
    """The visitor's own, made on first use."""
    return st.session_state.setdefault("compare_state", CompareState())


def find_earlier(visitor):
    """Whoever comes back finds the latest of his own, also while it goes on."""
    state = page_state()
    for name, shelf in (("table", COMPARISONS), ("sweep", SWEEPS)):
        if getattr(state, name) is None:
            setattr(state, name, next((str(folder) for folder, _ in earlier(visitor, shelf)), None))


def subject_for(session, key) -> Subject:
    """The data to compare on; without data of one's own, the first sample set. Sample sets are read once."""
    if key == YOURS and session.pipeline.ready("data") is not None:
        return subject_of(key, session.pipeline)
    key = next(iter(titles())) if key == YOURS else key
    return _KEPT.get(key, lambda: subject_of(key, session.pipeline))


def begin(visitor, subject, chosen):
    """Start what is chosen; a refusal becomes a sentence."""
    state = page_state()
    state.problem = None
    try:
        with one_thread():
            _begin(state, visitor, subject, chosen)
    except LeascError as refusal:
        state.problem = without_folders(refusal)
    except OSError as error:
        state.problem = f"The run cannot be written down ({error.strerror}); free some space on the server and try again."


def _begin(state, visitor, subject, chosen):
    if chosen.view == METHODS:
        wanted = from_text(chosen.methods)
        state.table = str(begin_table(visitor, subject, wanted, chosen.seeds, chosen.clusters, chosen.representatives))
    else:
        asked = (axes_of(chosen), base_parameters(chosen), chosen.draws, chosen.clusters, chosen.representatives)
        state.sweep = str(begin_sweep(visitor, subject, *asked))


_KEPT = LruCache(8)
