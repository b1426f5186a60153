"""Save the work as one file, and open such a file."""

import streamlit as st

from leasc_core.errors import LeascError
from leasc_ui.frame.visitor import visitor
from leasc_ui.screens.results.project import NeedsData, can_hold_data, open_project, save_project
from leasc_ui.work.names import slug
from leasc_ui.work.runs import without_folders
from leasc_ui.work.uploads import new_folder, store

GIVEN, NEEDS, PROBLEM = "project_files", "project_needs", "project_problem"


def show_save(results):
    """The download of the project, with or without the data."""
    from leasc_ui.screens.cluster.state import cluster_state, earlier_runs

    data = results.data
    st.markdown("**Project**: all of this, to go on with here or elsewhere")
    with_data = can_hold_data(data) and st.checkbox("with the data", True, key="project_data")
    picked, runs = cluster_state().picked, earlier_runs(visitor())

    def make():
        same = [folder for folder, asked, status in runs if asked.recipe == data.recipe and status.state == "finished"]
        return save_project(results.folder, [each for each in same if each != results.folder], data, picked, with_data)

    st.download_button(
        "Project, .leascproj",
        make,
        f"{slug(data.name)}.leascproj",
        "application/zip",
        icon=":material/inventory_2:",
        key="export_project",
        on_click="ignore",
        width="stretch",
        help="Settings, runs, names, edits, notes and the selection in one file; open it on Home, or with leasc open.",
    )


def show_open(session):
    """Where a project is opened; the page of its clusters follows."""
    with st.expander("Open a project", icon=":material/inventory_2:", key="open_project", expanded=NEEDS in st.session_state):
        given = st.file_uploader("A .leascproj file", type=["leascproj"], key="project_file", label_visibility="collapsed")
        if given is None:
            st.session_state.pop(NEEDS, None)
            return
        path, data = _kept(given), None
        needs = st.session_state.get(NEEDS)
        if needs is not None:
            st.markdown(f"It was saved without its data: bring **{needs}** as well.")
            brought = st.file_uploader(needs, key="project_data_file", label_visibility="collapsed")
            if brought is None:
                return
            data = _kept(brought)
        done = st.session_state.setdefault("project_opened", set())
        if (str(path), str(data)) in done:
            return
        done.add((str(path), str(data)))
        _open(session, path, data)


def _open(session, path, data):
    from leasc_ui.screens.cluster.state import cluster_state, open_run

    try:
        with st.spinner("Opening the project …", show_time=True):
            folder, picked = open_project(path, visitor(), data)
            open_run(session, folder, lambda words, share=None: None)
            session.collect()
    except NeedsData as needs:
        st.session_state[NEEDS] = needs.name
        st.rerun()
    except LeascError as refusal:
        st.error(without_folders(refusal), icon=":material/error:")
        return
    st.session_state.pop(NEEDS, None)
    cluster_state().clear()
    cluster_state().cleared, cluster_state().opened = 0, picked
    st.switch_page("pages/5_Cluster.py")


def _kept(given):
    """Where an upload lies on the server; written once."""
    places = st.session_state.setdefault(GIVEN, {})
    if given.file_id not in places:
        places[given.file_id] = store(new_folder(visitor()), given.name, given)
    return places[given.file_id]
