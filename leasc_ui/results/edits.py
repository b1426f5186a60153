"""The edits of a run, kept beside it: every tab of a visitor sees the same list, and a restart loses none of it."""

import secrets
from pathlib import Path

import numpy as np
import streamlit as st

from leasc_core.errors import LeascError
from leasc_core.workbench.edited import EditedModel
from leasc_core.workbench.history import FILE, History, in_words
from leasc_core.workbench.replay import beginning
from leasc_core.workbench.rows import text_of
from leasc_core.workbench.steps import Colour, Lock, Name, Note, Recluster, Step
from leasc_ui.results.edited import EditedResults
from leasc_ui.work import core
from leasc_ui.work.cache import LruCache

FITS, MODEL = "fits", "edited.leasc"
PROBLEM = "edit_problem"
_EDITED, _HISTORIES = LruCache(8), LruCache(32)


def with_edits(base):
    """The results of a run after its edits; the run's own where there are none."""
    history = history_of(base.folder)
    if not history.steps:
        return base
    return _EDITED.get((str(base.folder), id(base), history), lambda: EditedResults(base, history))


def history_of(folder) -> History:
    """The list of edits beside a run, read again when it has changed; where it cannot be read, a page says so."""
    path = Path(folder) / FILE
    stamp = (path.stat().st_mtime_ns, path.stat().st_size) if path.exists() else None
    if stamp is None:
        return History()
    try:
        return _HISTORIES.get((str(path), stamp), lambda: History.load(folder))
    except LeascError as problem:
        st.session_state[PROBLEM] = str(problem)
        return History()


def do(results, *steps: Step) -> bool:
    """Make edits and write them down; refusals become a sentence. Whether all was done."""
    history = history_of(results.folder)
    try:
        state = _state(results, history)
        for step in steps:
            history, state = history.do(step, state)
        history.save(results.folder)
    except LeascError as refusal:
        st.session_state[PROBLEM] = str(refusal)
        return False
    st.session_state.pop(PROBLEM, None)
    return True


def undo(folder):
    """Without the last edit."""
    history_of(folder).undo().save(folder)
    st.session_state.pop(PROBLEM, None)


def redo(folder):
    """With the edit that was undone last."""
    history_of(folder).redo().save(folder)
    st.session_state.pop(PROBLEM, None)


def told(results) -> list:
    """The edits in words, the first one first."""
    base = getattr(results, "base", results)
    return in_words(history_of(results.folder).steps, np.asarray(base.labels), base.count)


def id_of(results, at: int) -> int:
    """The number that the edits know the cluster at this position by; -1 for noise."""
    ids = getattr(results, "ids", None)
    return at if ids is None else ids[at] if at < len(ids) else -1


def next_id(results) -> int:
    """The number of the next new cluster."""
    state = getattr(results, "state", None)
    return results.count if state is None else state.used


def title(results, cluster: int) -> str:
    """What a cluster is called."""
    return _state(results, history_of(results.folder)).title(cluster)


def namesake(results, cluster: int, name: str) -> int | None:
    """Another cluster of that name, or None."""
    return _state(results, history_of(results.folder)).namesake(cluster, name) if name else None


def note_of(results, cluster=None) -> str:
    """What is noted on a cluster (by its number), or on the whole."""
    state = getattr(results, "state", None)
    return "" if state is None else state.notes.get(cluster, "")


def split(results, rows, inside=None, count=None, preprocess="auto") -> bool:
    """Cluster some rows again by themselves, as an edit; the model of the split is kept beside the run."""
    from leasc_core.workbench.recluster import recluster

    try:
        with core.working():
            again = recluster(source_of(results), rows, count, preprocess)
        if again.count < 2:
            st.session_state[PROBLEM] = (
                "These points look like one cluster: none of the ways to split them is steady. Give a number."
            )
            return False
        fit = secrets.token_hex(4)
        step = again.step(next_id(results), inside, fit)
        folder = results.folder / FITS
        folder.mkdir(exist_ok=True)
        again.model.save(folder / f"{fit}.leasc")
        return do(results, step)
    except LeascError as refusal:
        st.session_state[PROBLEM] = str(refusal)
        return False


def source_of(results):
    """The rows that the run's model was fitted to."""
    from leasc_core.runs.run import source_of as run_source

    return run_source(results.folder)


def edited_model(folder, history=None) -> Path | None:
    """The file of the run's model with its edits, made when it is asked for; None where no edit concerns it."""
    from leasc_core import LeaSC
    from leasc_core.runs.folder import RunFolder
    from leasc_core.runs.run import source_of as run_source

    folder, history = Path(folder), history or history_of(folder)
    steps = tuple(step for step in history.steps if not isinstance(step, Note))
    if all(isinstance(step, (Name, Colour, Lock)) for step in steps):
        return None
    path, edits = folder / MODEL, folder / FILE
    if not path.exists() or path.stat().st_mtime_ns < edits.stat().st_mtime_ns:
        named = {step.fit for step in steps if isinstance(step, Recluster) and (folder / FITS / f"{step.fit}.leasc").is_file()}
        with core.working():
            fits = {fit: LeaSC.load(folder / FITS / f"{fit}.leasc") for fit in named}
            EditedModel(LeaSC.load(RunFolder(folder).model_file), steps, run_source(folder), fits).save(path)
    return path


def rows_text(rows) -> str:
    """Selected rows as an edit holds them."""
    return text_of(rows)


def _state(results, history):
    base = getattr(results, "base", results)
    if not history.steps:
        return beginning(np.asarray(base.labels), base.count)
    return history.state(np.asarray(base.labels), base.count)
