"""The moving parts of the Cluster page: what is missing, the run that goes on, its result, and the runs of earlier visits."""

from datetime import datetime
from pathlib import Path

import streamlit as st

from leasc_core.errors import LeascError
from leasc_core.runs.budget import readable_bytes, readable_seconds
from leasc_core.runs.kept import keep_days
from leasc_ui.frame.page import load_core
from leasc_ui.frame.words import from_data
from leasc_ui.screens.cluster.choices import FORM
from leasc_ui.screens.cluster.form import cluster_form, wanted_by_link
from leasc_ui.screens.cluster.progress import show_halted, show_live
from leasc_ui.screens.cluster.state import begin, cluster_state, earlier_runs, need_of, open_run, results_of
from leasc_ui.screens.data.wait import waiting
from leasc_ui.screens.page import pipeline_strip
from leasc_ui.work.runs import MOST_RUNS, forget, status_of

STATES = {
    "finished": "finished",
    "running": "running now",
    "waiting": "waiting in line",
    "stopped": "stopped",
    "broken": "interrupted",
}
LABEL_NEW = "pages/6_Label_new_data.py"


def show_nothing_yet(session, visitor, lead):
    """Without data: what goes on of this visitor's, and where data come from."""
    runs = earlier_runs(visitor)
    _show_problem()
    active = next((folder for folder, _, status in runs if status.active), None)
    if active is not None:
        _title(active)
        show_live(active)
    with st.container(border=True, key="nothing_yet"):
        st.markdown("There is nothing to cluster yet: make some points, take a sample set, or bring a file.")
        st.page_link("pages/2_Data.py", label="Go to Data", icon=":material/arrow_forward:")
    if runs:
        st.subheader("Your runs", anchor=False)
        _show_runs(session, runs, lead)


def show_board(session, visitor, lead, strip):
    """With data: settings beside the run or its result."""
    data = session.pipeline.data
    strip = strip.empty()
    results, panel = st.container(key="board").columns([2.3, 1], gap="medium")
    load_core(lead, results, panel)
    running = session.collect()
    with panel.container(border=True, key="settings", gap="small"):
        settings = cluster_form(session)
        if running is None and wanted_by_link(session):
            begin(session, visitor, settings)
            st.rerun()
        if running is None and cluster_state().at_once:
            cluster_state().at_once = False
            begin(session, visitor, settings)
            st.rerun()
        _show_start(session, visitor, settings, running is not None)
        runs = earlier_runs(visitor)
        if runs:
            with st.expander(f"Your runs, {len(runs)}", icon=":material/history:"):
                _show_runs(session, runs, lead)
    with strip.container():
        pipeline_strip(session, running=running)
    with results:
        _show_problem()
        _show_state(session, settings, running)
    found = session.pipeline.ready("clusters")
    if found is not None and running is None:
        _show_closer(session, found, data)


def _show_start(session, visitor, settings, active):
    """The button, and what pressing it will take."""
    try:
        need = need_of(session.pipeline, settings)
        st.caption(
            f"Will take about {readable_seconds(need.seconds)}, at most {readable_bytes(need.memory)} of memory and "
            f"{readable_bytes(need.disk)} of disk."
        )
    except LeascError as refusal:
        st.caption(f":material/error: {from_data(refusal)}")
    if st.button(
        "Find the clusters",
        type="primary",
        icon=":material/bubble_chart:",
        key="begin",
        width="stretch",
        shortcut="Ctrl+Enter",
        disabled=active,
        help="Recognises and prepares the points, chooses the graph, counts, clusters, and says how sure it is.",
    ):
        begin(session, visitor, settings)
        st.rerun()


def _show_state(session, settings, running):
    """The run that goes on, one that halted, a result, or an invitation."""
    state, found = cluster_state(), session.pipeline.ready("clusters")
    if running is not None:
        _title(state.folder)
        show_live(state.folder)
        return
    status = status_of(state.folder) if state.folder and Path(state.folder).exists() else None
    if status is not None and status.state in ("stopped", "broken"):
        show_halted(state.folder, status)
    if found is not None:
        if found.settings != settings:
            st.caption("The settings have changed since this run; press **Find the clusters** to see what they do.")
        _show_top(session, found)
    elif status is None or status.state == "finished":
        _show_invitation(session)


def _show_invitation(session):
    with st.container(border=True, key="invitation"):
        if session.pipeline.status("clusters") == "stale":
            st.markdown(
                "The clusters that were found belong to data or a model that have changed since. Press the button to find "
                "those of what is there now."
            )
        else:
            st.markdown(
                f"Press the button: all {len(session.pipeline.data.points):,} points are prepared and clustered. How many "
                "clusters there are, how sure that is, maps, sizes and members appear here."
            )


def _show_top(session, found):
    from leasc_ui.screens.cluster.map_view import show_map
    from leasc_ui.screens.cluster.resolutions import show_resolutions
    from leasc_ui.screens.cluster.verdict import show_verdict
    from leasc_ui.screens.cluster.view import STYLE, current_names, show_tiles
    from leasc_ui.screens.results.evidence import show_choice

    results = results_of(found, session.pipeline.data)
    st.html(STYLE)
    show_verdict(results)
    show_tiles(results)
    show_resolutions(session, results)
    show_choice(results)
    with st.spinner("Looking at the points …", show_time=True):
        results.embedded  # noqa: B018 - computed here once, while the page says so
    show_map(results, current_names(results))


def _show_closer(session, found, data):
    """Everything below the map."""
    from leasc_ui.panels.confidence import show_certain
    from leasc_ui.panels.diagnosis import show_after
    from leasc_ui.panels.explain import show_explanation
    from leasc_ui.panels.kinds import show_kind
    from leasc_ui.screens.cluster import view
    from leasc_ui.screens.cluster.selection import show_selection
    from leasc_ui.screens.results.comparison_view import show_comparison
    from leasc_ui.screens.results.edit_view import show_selection_edits
    from leasc_ui.screens.results.exports import show_exports
    from leasc_ui.screens.results.profile_view import show_workbench

    results = results_of(found, data)
    names = view.current_names(results)
    with st.container(key="closer"):
        show_workbench(results, names)
        show_kind(results, names, cluster_state())
        show_selection(results, names)
        show_selection_edits(results, names)
        show_comparison(results, names)
        show_explanation(results, names, cluster_state().selected(results.folder), FORM.settings.member)
        show_certain(results, names)
        show_after(results, names)
        left, right = st.columns(2, gap="medium")
        with left:
            view.show_sizes(results, names)
        with right:
            view.show_spectrum(results)
        left, right = st.columns(2, gap="medium")
        with left:
            view.show_members(results, names)
        with right:
            view.show_codes(results)
            view.show_confusion(results, names)
        show_exports(results, names, session.pipeline)


def _show_runs(session, runs, lead):
    """Runs of this browser, each with the way to it."""
    days = keep_days()
    old = f"; what nobody opened for {days:g} days goes too" if days is not None else ""
    st.caption(f"The newest {MOST_RUNS} are kept, older ones make room{old}.")
    for folder, asked, status in runs:
        count = "number to be found" if asked.settings.clusters is None else f"{asked.settings.clusters:,} clusters"
        with st.container(border=True, key=f"run_{folder.name}", gap="small"):
            when = datetime.fromtimestamp(int(folder.name.split("-")[0]) / 1000).strftime("%d %b, %H:%M")
            st.markdown(f"**{from_data(asked.name)}**, {count}  \n:small[{when}, {STATES[status.state]}]")
            with st.container(horizontal=True):
                if st.button("Open", key=f"open_{folder.name}", icon=":material/folder_open:", type="tertiary"):
                    with waiting(lead.empty()) as say:
                        open_run(session, folder, say)
                    st.rerun()
                st.button(
                    "Delete",
                    key=f"forget_{folder.name}",
                    icon=":material/delete:",
                    type="tertiary",
                    on_click=_forget,
                    args=(session, folder),
                    help="Stops it if it goes on, and removes its labels and model from the server.",
                )


def _forget(session, folder):
    forget(folder)
    state = cluster_state()
    if state.folder == str(folder):
        state.folder = None
    if session.pipeline.clusters is not None and session.pipeline.clusters.folder == str(folder):
        session.pipeline.clusters = None


def _title(folder):
    from leasc_ui.results.asked import request_of

    asked = request_of(folder)
    if asked is not None:
        st.markdown(f"**{from_data(asked.name)}** is being clustered.")


def _show_problem():
    if cluster_state().problem:
        st.error(from_data(cluster_state().problem), icon=":material/error:")
        st.caption("Nothing is lost: change a setting, or choose other data.")
        cluster_state().problem = None
