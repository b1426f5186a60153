"""Cluster: code every point, cluster them all, look at what was found, and take it away."""

import streamlit as st

from leasc_ui.frame.visitor import visitor
from leasc_ui.frame.words import from_data
from leasc_ui.screens.cluster.page import show_board, show_nothing_yet
from leasc_ui.screens.links import follow
from leasc_ui.screens.page import page_setup, pipeline_strip
from leasc_ui.session.guest import guest_here
from leasc_ui.session.state import session

page_setup("Cluster")
mine, who = session(), visitor()

st.title("Cluster", anchor=False)
lead = st.container(horizontal=True, horizontal_alignment="distribute")
lead.markdown("One button finds how many groups there are and which point belongs where, and says how sure that is.")
strip = st.container()
trouble = follow(mine, lead)
if trouble:
    st.warning(from_data(trouble), icon=":material/link_off:")
if (guest := guest_here()) is not None:
    from leasc_ui.screens.cluster.guest_view import show_guest

    with strip:
        pipeline_strip(mine)
    show_guest(guest, lead)
elif mine.pipeline.ready("data") is None:
    with strip:
        pipeline_strip(mine)
    show_nothing_yet(mine, who, lead)
else:
    show_board(mine, who, lead, strip)
