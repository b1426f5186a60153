"""Theory: what the paper's statements say of the data and the model at hand."""

import streamlit as st

from leasc_core.errors import LeascError
from leasc_ui.frame.page import load_core
from leasc_ui.frame.words import from_data
from leasc_ui.panels.figures import offer_figures
from leasc_ui.screens.links import follow, rooms_before
from leasc_ui.screens.page import page_setup, pipeline_strip
from leasc_ui.screens.theory.settings import FORM, LINES, show_on, theory_form
from leasc_ui.session.state import current_session

page_setup("Theory")
session = current_session()

st.title("Theory", anchor=False)
lead = st.container(horizontal=True, horizontal_alignment="distribute")
lead.markdown("What the paper proves, computed for your own points: how sure, how close, how steep, how far apart, how costly.")
strip = st.container()
FORM.follow_link()
on_lines = FORM.settings.on == LINES
trouble = None if on_lines else follow(session, strip)
with strip:
    pipeline_strip(session)
if session.pipeline.ready("data") is None and not on_lines:
    FORM.write_address()
    with st.container(border=True, key="nothing_yet"):
        if trouble:
            st.warning(from_data(trouble), icon=":material/link_off:")
        st.markdown("There are no points to speak of yet. See it all on 800 points first; nothing of that is stored.")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                "Show it on four lines",
                type="primary",
                icon=":material/scatter_plot:",
                key="theory_lines",
                on_click=show_on,
                args=(LINES,),
            )
            st.page_link("pages/2_Data.py", label="Go to Data", icon=":material/arrow_forward:")
    st.stop()

top = st.container()
results, panel = st.container(key="board").columns([2.3, 1], gap="medium")
load_core(lead, results, panel)

from leasc_ui.screens.theory.state import subject_for  # noqa: E402
from leasc_ui.screens.theory.view import show_section  # noqa: E402

with panel.container(border=True, key="settings", gap="small"):
    with FORM.drawing(rooms_before(session, "clusters"), follow=False):
        theory_form(session, top, lambda on: subject_for(session, on))
    chosen = FORM.settings
with results:
    try:
        show_section(session, subject_for(session, chosen.on), chosen)
    except LeascError as problem:
        st.error(from_data(problem), icon=":material/error:")
        st.page_link("pages/2_Data.py", label="Clean the data", icon=":material/arrow_forward:")
offer_figures("theory")
