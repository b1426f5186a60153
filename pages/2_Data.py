"""Data: make points, take a sample set or bring a file; clean it, and look at it."""

import streamlit as st

from leasc_ui.frame.page import page_icon
from leasc_ui.panels.figures import offer_figures
from leasc_ui.screens.page import page_setup

page_setup("Data", icon=False)
st.title("Data", anchor=False)
st.markdown("Make points, take a sample set, or bring a file. Then look at it before anything is computed from it.")

# Only now, so that the page is painted before NumPy is loaded.
page_icon()
from leasc_core.errors import LeascError  # noqa: E402
from leasc_ui.data.recipes import describe  # noqa: E402
from leasc_ui.screens.data.settings import cleaning_form, follow_address, heading, invitation, source_form, write_address  # noqa: E402
from leasc_ui.screens.data.state import data_state, opened, take_in  # noqa: E402
from leasc_ui.screens.data.wait import waiting  # noqa: E402
from leasc_ui.screens.page import pipeline_strip  # noqa: E402
from leasc_ui.session.state import current_session  # noqa: E402
from leasc_ui.work import core  # noqa: E402

session, state = current_session(), data_state()
follow_address(state)
strip = st.container()
results, panel = st.container(key="board").columns([2.3, 1], gap="medium")
wait = results.empty()

found = None
with panel.container(border=True, key="settings", gap="small"):
    top = st.container()
    source_form(state)
    try:
        with waiting(wait) as say:
            found = opened(state.wanted, say)
            if found is not None:
                with st.expander("Cleaning and features", expanded=found.n_missing > 0):
                    cleaning_form(state, found)
                take_in(session, state, found, state.wanted, say)
    except LeascError as refusal:
        state.problem = str(refusal)
write_address(state, session.pipeline.data)
with top:
    heading(state)
with strip:
    pipeline_strip(session)

# Only now, so that the page is painted before the chart libraries are loaded.
from leasc_ui.panels.diagnosis import show_before  # noqa: E402
from leasc_ui.screens.data.columns import show_columns  # noqa: E402
from leasc_ui.screens.data.view import show_closer, show_facts, show_problem, show_projection, show_reading, show_spectrum  # noqa: E402

data = session.pipeline.data
with results:
    if state.problem:
        show_problem(state, data)
    show_columns(state)
    if data is None:
        with st.container(border=True, key="invitation"):
            invitation(state)
        st.stop()
    show_facts(data, found.n_missing if found else 0)
    show_reading(data)
    show_projection(data)
    if data.preprocess is not None:
        st.markdown(f":material/cleaning_services: {describe(data.preprocess)}")
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Find the clusters", type="primary", icon=":material/bubble_chart:", key="find_clusters"):
            from leasc_ui.screens.cluster.state import begin_at_once

            begin_at_once()
            st.switch_page("pages/5_Cluster.py")
        st.page_link("pages/3_Representatives.py", label="Choose representatives first", icon=":material/grade:")
    show_before(data)
    with st.container(key="closer"):
        left, right = st.columns(2, gap="medium")
    with left:
        show_spectrum(data)
    with right:
        show_closer(data)
offer_figures("data")
core.warm_up()
