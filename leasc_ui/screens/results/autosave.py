"""Nothing is lost by F5, a second tab or a restart: what a visitor has is written down, and brought back into a fresh session.

On disk lie the recipe of the data, the representatives, the model and the name of the run; what threads of this server are still
working on is handed over as it is.
"""

import json
import os
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import streamlit as st

from leasc_core.errors import LeascError

FILE, VERSION = "session.json", 1
# What a session holds besides widgets, and what of it may be at work.
LIVE = ("session", "data_state", "representatives_state", "train_state", "autopilot_state", "cluster_state")
FORM = "_form"
WRITTEN, ASKED, PROBLEM = "autosave_written", "autosave_asked", "autosave_problem"
MOST_AT_WORK = 16


def come_back(visitor: str, known: bool) -> None:
    """At the top of every page: fill a session that has just begun with what this visitor, ``known`` from before, had."""
    if ASKED in st.session_state:
        return
    fresh = "session" not in st.session_state
    st.session_state[ASKED] = True
    if not (fresh and known):
        return
    live = _at_work().get(visitor)
    if live is not None:
        st.session_state.update(live)
        return
    kept = _read(visitor)
    if kept is None or _follows_another_link(kept):
        return
    try:
        with st.spinner("Bringing back what you had …", show_time=True):
            _restore(visitor, kept)
    except (LeascError, OSError, KeyError, TypeError, ValueError, MemoryError) as problem:
        from leasc_ui.work.runs import without_folders

        st.session_state[PROBLEM] = without_folders(problem) if isinstance(problem, LeascError) else "Something of it is missing."


def show_problem() -> None:
    """Why what was there could not be brought back, once."""
    problem = st.session_state.pop(PROBLEM, None)
    if problem:
        st.warning(f"What you had here before cannot all be brought back. {problem}", icon=":material/history:")


def remember(visitor: str) -> None:
    """Write down what the session has, where that has changed; called when a page shows the pipeline."""
    session = st.session_state.get("session")
    if session is None or session.pipeline.data is None:
        return
    _hold_work(visitor, session)
    pipeline, state = session.pipeline, st.session_state.get("cluster_state")
    folder, picked = getattr(state, "folder", None), getattr(state, "picked", None)
    chosen, model = pipeline.ready("representatives"), pipeline.ready("model")
    now = (pipeline.data.fingerprint, chosen and chosen.fingerprint, model and model.fingerprint, folder, picked)
    if st.session_state.get(WRITTEN) == now:
        return
    with suppress(OSError, LeascError):  # a full disk must not stop the work
        _write(visitor, pipeline, chosen, model, {"folder": folder and Path(folder).name, "picked": picked})
        st.session_state[WRITTEN] = now


def _write(visitor, pipeline, chosen, model, run):
    from leasc_core.storage.files import replacing
    from leasc_ui.screens.cluster.request import keep_trained

    home, recipe = _home(visitor), pipeline.data.recipe
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    kept = {"version": VERSION, "recipe": recipe, "name": pipeline.data.name, "run": run}
    if chosen is not None:
        kept["representatives"] = {
            "settings": asdict(chosen.settings),
            "indices": chosen.indices.tolist(),
            "seconds": chosen.seconds,
        }
    if model is not None:
        kept["model"] = {"settings": asdict(model.settings), "fingerprint": model.fingerprint}
        if (_read(visitor) or {}).get("model") != kept["model"]:
            keep_trained(home, chosen, model)
    with replacing(home / FILE) as file:
        file.write(json.dumps(kept).encode())
    if recipe["kind"] == "file":  # uploads that nobody opened for a while are cleared away
        with suppress(OSError):
            os.utime(Path(recipe["path"]).parent)


def _read(visitor):
    try:
        kept = json.loads((_home(visitor) / FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return kept if isinstance(kept, dict) and kept.get("version") == VERSION else None


def _restore(visitor, kept):
    from leasc_ui.data.choices import of_recipe
    from leasc_ui.screens.cluster.state import cluster_state, open_run
    from leasc_ui.screens.data.state import data_state, opened, take_in
    from leasc_ui.session.state import current_session
    from leasc_ui.work import core

    session, state, choices = current_session(), data_state(), of_recipe(kept["recipe"])
    state.put(choices)
    take_in(session, state, opened(choices), choices)
    _restore_model(visitor, kept, session.pipeline)
    folder = kept["run"].get("folder")
    run = _home(visitor).parent / "runs" / folder if _sound_name(folder) else None
    if run is not None and run.is_dir():
        core.load()
        open_run(session, run, lambda words, share=None: None)
        session.collect()
        cluster_state().opened = kept["run"].get("picked")


def _restore_model(visitor, kept, pipeline):
    """The representatives and the model, where they are of the data as they are now."""
    import numpy as np

    from leasc_ui.screens.cluster.request import trained_of
    from leasc_ui.session.pipeline import ChosenRepresentatives, RepresentativeSettings

    said = kept.get("representatives")
    if said is not None and "model" in kept:
        chosen, model = trained_of(_home(visitor), said["settings"], kept["model"]["settings"], pipeline.data)
        if model.fingerprint == kept["model"]["fingerprint"]:
            pipeline.set("representatives", chosen)
            pipeline.set("model", model)
    elif said is not None:
        settings, indices = RepresentativeSettings(**said["settings"]), np.asarray(said["indices"], dtype=np.int64)
        pipeline.set("representatives", ChosenRepresentatives(pipeline.data.fingerprint, settings, indices, said["seconds"]))


def _follows_another_link(kept):
    """Whether the address asks for other data than the visitor had; what is private cannot be asked for."""
    given = st.query_params.to_dict()
    asked = {name.removeprefix("data."): value for name, value in given.items() if name.startswith("data.")} or given
    if "way" not in asked:
        return False
    from leasc_ui.screens.data.address import from_address

    wanted = from_address(asked)
    plain = {name: value for name, value in kept["recipe"].items() if name != "preprocess"}
    return wanted.complete and json.dumps(wanted.recipe(), sort_keys=True) != json.dumps(plain, sort_keys=True)


def _hold_work(visitor, session):
    """While threads of this server work for a session, its objects are kept for whoever comes back."""
    known = _at_work()
    states = {name: st.session_state[name] for name in st.session_state if name in LIVE or str(name).endswith(FORM)}
    active = any(getattr(state, "active", False) is True for state in states.values())
    if active or any(work.active for work in getattr(session, "work", {}).values()):
        known[visitor] = states
        while len(known) > MOST_AT_WORK:
            known.pop(next(iter(known)))
    else:
        known.pop(visitor, None)


def _home(visitor):
    from leasc_ui.work.runs import runs_root  # it loads NumPy, which a first visit need not wait for

    return runs_root() / visitor / "session"


def _sound_name(name):
    return isinstance(name, str) and name == Path(name).name and not name.startswith(".")


@st.cache_resource(show_spinner=False)
def _at_work():
    return {}
