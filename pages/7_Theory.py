"""Theory: what the paper's statements say of the data and the model at hand."""

import streamlit as st

from leasc_core.errors import LeascError
from leasc_ui.page import load_core, offer_figures, page_setup
from leasc_ui.share import follow, rooms_before
from leasc_ui.state import session
from leasc_ui.strip import pipeline_strip
from leasc_ui.theory_room import LINES, REMEMBERED, show_on, subject_for, usual_for

page_setup("Theory")
mine = session()

st.title("Theory", anchor=False)
lead = st.container(horizontal=True, horizontal_alignment="distribute")
lead.markdown("What the paper proves, computed for your own points: how sure, how close, how steep, how far apart, how costly.")
strip = st.container()
trouble = follow(mine, strip) if REMEMBERED.now().on != LINES else None
with strip:
    pipeline_strip(mine)
if mine.pipeline.ready("data") is None and REMEMBERED.now().on != LINES:
    REMEMBERED.draw(lambda: None, usual_for(mine))
    with st.container(border=True, key="nothing_yet"):
        if trouble:
            st.warning(trouble, icon=":material/link_off:")
        st.markdown("There are no points to speak of yet. See it all on 800 points first; nothing of that is stored.")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("Show it on four lines", type="primary", icon=":material/scatter_plot:", key="theory_lines",
                      on_click=show_on, args=(mine, LINES))  # fmt: skip
            st.page_link("pages/2_Data.py", label="Go to Data", icon=":material/arrow_forward:")
    st.stop()

top = st.container()
results, panel = st.container(key="board").columns([2.3, 1], gap="medium")
load_core(lead, results, panel)

from leasc_ui.theory_form import theory_form  # noqa: E402
from leasc_ui.theory_view import show_section  # noqa: E402

with panel.container(border=True, key="settings", gap="small"):
    chosen = REMEMBERED.draw(lambda: theory_form(mine, top), usual_for(mine), rooms_before(mine, "clusters"))
with results:
    try:
        show_section(mine, subject_for(mine, chosen.on), chosen)
    except LeascError as problem:
        st.error(str(problem), icon=":material/error:")
        st.page_link("pages/2_Data.py", label="Clean the data", icon=":material/arrow_forward:")
offer_figures("theory")
