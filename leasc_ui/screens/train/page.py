"""The moving parts of the Train page: the one-click choice, start, pause and stop, and what is shown below them."""

import streamlit as st

from leasc_ui.frame.page import exists
from leasc_ui.frame.words import from_data
from leasc_ui.screens.links import rooms_before
from leasc_ui.screens.representatives.compute import choose
from leasc_ui.screens.representatives.state import default_settings
from leasc_ui.screens.train.compute import order_of, record_of_model
from leasc_ui.screens.train.pins import show_pin_button
from leasc_ui.screens.train.settings import FORM
from leasc_ui.screens.train.state import page_state
from leasc_ui.screens.train.view import show_run
from leasc_ui.work import core

TRAINED = "trained"


def show_default_choice(session, data):
    """Where representatives are missing or stale: a sentence, and one click that takes the usual ones."""
    settings = default_settings(data)
    stale = session.pipeline.status("representatives") == "stale"
    with st.container(border=True, key="choose_first"):
        st.markdown(
            "The data has changed since the representatives were chosen, so they no longer stand for it."
            if stale
            else "No representatives are chosen yet, and only these are trained on."
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            if st.button(
                f"Take {settings.count:,} at random",
                type="primary",
                icon=":material/bolt:",
                key="take_default",
                help="The usual number for this much data; a good start for any data.",
            ):
                with core.working():
                    session.pipeline.set("representatives", choose(data, settings))
                st.rerun()
            if exists("pages/3_Representatives.py"):
                st.page_link("pages/3_Representatives.py", label="Choose them with care", icon=":material/grade:")


def link_of(session):
    """What belongs in the address beside the settings: the rooms before this one, and whether these settings were trained."""
    model = session.pipeline.ready("model")
    asked = session.pipeline.model is None and st.query_params.get(TRAINED) == "yes"
    trained = asked or model is not None and model.settings == FORM.settings
    return rooms_before(session, "model") | ({TRAINED: "yes"} if trained else {})


def start_by_link(session, data, settings):
    """Train at once where a link shows a trained model and this visitor has none; asked once."""
    chosen = session.pipeline.ready("representatives")
    wanted = FORM.state.opened.pop(TRAINED, None) == "yes"
    if wanted and chosen is not None and session.pipeline.model is None and not page_state().active:
        page_state().start(data, chosen, settings)
        st.rerun()


def show_controls(session, state, data, chosen, settings, active):
    """Start, pause or go on, stop, pin; ``active`` is whether a run went on when the page began."""
    trained = session.pipeline.ready("model")
    with st.container(horizontal=True, vertical_alignment="center", key="controls"):
        if st.button(
            "Start",
            type="secondary" if trained is not None and trained.settings == settings else "primary",
            icon=":material/play_arrow:",
            disabled=active,
            key="start",
            shortcut="Ctrl+Enter",
            help=f"Train on {len(chosen.indices):,} representatives with the settings beside.",
        ):
            state.start(data, chosen, settings)
            st.rerun()
        paused = active and state.run.job.paused
        st.button(
            "Go on" if paused else "Pause",
            icon=":material/resume:" if paused else ":material/pause:",
            key="pause",
            disabled=not active,
            on_click=state.toggle_pause,
            shortcut="Ctrl+Space",
        )
        st.button("Stop", icon=":material/stop:", key="stop", disabled=not active, on_click=state.stop, shortcut="Escape")
        run, model = state.run, session.pipeline.model
        if run is not None and not active and run.job.status == "finished":
            show_pin_button(state, run.name, run.record, run.chosen, None if model is None else model.rpcm)


def show_results(session, state, data, settings, active):
    """The run that goes on or was last, or the model that is there, or an invitation."""
    run, model = state.run, session.pipeline.model
    # Always there, empty or not, so that what follows keeps its place.
    with st.container():
        if run is not None and not active:
            _show_notes(session, run, settings)
    if run is not None and (active or run.record.pictures or run.record.iterations):
        show_run(run, run.record, active)
    elif model is not None and session.pipeline.status("model") == "ready":
        show_run(None, record_of_model(model, order_of(data, session.pipeline.representatives)))
    elif session.pipeline.ready("representatives") is not None and (run is None or run.job.status != "failed"):
        with st.container(border=True, key="invitation"):
            st.markdown(
                "Press **Start**: curves and pictures appear here while the codes are found. "
                "F² is done in a blink; ℓ1 and the elastic net are worth watching."
            )


def _show_notes(session, run, settings):
    if run.job.status == "failed":
        st.error(from_data(run.job.error), icon=":material/error:")
        st.caption("Nothing is lost: change a setting, and start again.")
    elif session.pipeline.status("model") == "stale":
        st.caption(":material/warning: Made from representatives that have changed since; start again before you go on.")
    elif run.settings != settings:
        st.caption("The settings have changed since this run; start again to see what they do.")
