"""The ways in from Home: the visitor's own file, and demos that end on their clusters."""

import streamlit as st

from leasc_ui.frame.words import from_data
from leasc_ui.screens.data.file_form import FORMATS, take_uploads
from leasc_ui.screens.data.state import data_room, take_sample
from leasc_ui.session.guest import receive

UPLOAD = "home_upload_files"


def show_upload():
    """The first button: a file is taken here, and Data shows how it was read."""
    st.file_uploader("**Your own file**", key=UPLOAD, accept_multiple_files=True, on_change=_bring)
    st.caption(f"{FORMATS} It stays on this server, for you alone.")
    room = data_room()
    if room.take and room.choices.way == "file":
        st.switch_page("pages/2_Data.py")
    if room.problem:
        st.error(from_data(room.problem), icon=":material/error:")
        room.problem = None


def open_demo(mine, name):
    """Load a sample set and go where its clusters are found."""
    take_sample(mine, name)
    receive(None)
    from leasc_ui.screens.cluster.state import begin_at_once

    begin_at_once()
    st.switch_page("pages/5_Cluster.py")


def _bring():
    take_uploads(data_room(), st.session_state.get(UPLOAD))
