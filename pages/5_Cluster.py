"""Cluster: code every point, cluster them all, look at what was found, and take it away."""

import streamlit as st

from leasc_ui.frame.visitor import visitor
from leasc_ui.frame.words import from_data
from leasc_ui.screens.cluster.page import show_board, show_nothing_yet
from leasc_ui.screens.links import follow
from leasc_ui.screens.page import page_setup, pipeline_strip
from leasc_ui.session.external import external_labels
from leasc_ui.session.state import current_session

page_setup("Cluster")
session, who = current_session(), visitor()

st.title("Cluster", anchor=False)
lead = st.container(horizontal=True, horizontal_alignment="distribute")
lead.markdown("One button finds how many groups there are and which point belongs where, and says how sure that is.")
strip = st.container()
trouble = follow(session, lead)
if trouble:
    st.warning(from_data(trouble), icon=":material/link_off:")
if (external := external_labels()) is not None:
    from leasc_ui.screens.cluster.external_view import show_external

    with strip:
        pipeline_strip(session)
    show_external(external, lead)
elif session.pipeline.ready("data") is None:
    with strip:
        pipeline_strip(session)
    show_nothing_yet(session, who, lead)
else:
    show_board(session, who, lead, strip)
