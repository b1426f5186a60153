"""Compare: every method on the same data and seeds, side by side, and sweeps over LeaSC's parameters."""

import streamlit as st

from leasc_ui.frame.visitor import visitor
from leasc_ui.screens.page import page_setup, pipeline_strip
from leasc_ui.session.state import current_session

page_setup("Compare")
session, who = current_session(), visitor()

st.title("Compare", anchor=False)
lead = st.container(horizontal=True, horizontal_alignment="distribute")
lead.markdown("The same data, seeds and number of clusters: what methods or settings make of it, and at what cost.")
with st.container():
    pipeline_strip(session)
top = st.container()
results, panel = st.container(key="board").columns([2.3, 1], gap="medium")

# Only now, so that the page is painted first; what takes long is done by a process of its own.
from leasc_ui.screens.compare.board import show_board  # noqa: E402

show_board(session, who, top, results, panel)
