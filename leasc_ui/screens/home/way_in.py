"""The ways in from Home: the visitor's own file, and demos that end on their clusters."""

import streamlit as st

from leasc_ui.frame.words import from_data
from leasc_ui.screens.data.file_form import FORMATS, take_uploads
from leasc_ui.screens.data.state import data_state, take_sample
from leasc_ui.session.external import look_at

UPLOAD = "home_upload_files"


def show_upload():
    """The first button: a file is taken here, and Data shows how it was read."""
    st.file_uploader("**Your own file**", key=UPLOAD, accept_multiple_files=True, on_change=_bring)
    st.caption(f"{FORMATS} It stays on this server, for you alone.")
    state = data_state()
    if state.take and state.choices.way == "file":
        st.switch_page("pages/2_Data.py")
    if state.problem:
        st.error(from_data(state.problem), icon=":material/error:")
        state.problem = None


def open_demo(session, name):
    """Load a sample set and go where its clusters are found."""
    take_sample(session, name)
    look_at(None)
    from leasc_ui.screens.cluster.state import begin_at_once

    begin_at_once()
    st.switch_page("pages/5_Cluster.py")


def _bring():
    take_uploads(data_state(), st.session_state.get(UPLOAD))
