"""Cluster: code every point, cluster them all, look at what was found, and take it away."""

import streamlit as st

from leasc_ui.cluster_guest import guest_here
from leasc_ui.cluster_page import show_board, show_nothing_yet
from leasc_ui.page import page_setup
from leasc_ui.share import follow
from leasc_ui.state import session
from leasc_ui.strip import pipeline_strip
from leasc_ui.visitor import visitor

page_setup("Cluster")
mine, who = session(), visitor()

st.title("Cluster", anchor=False)
lead = st.container(horizontal=True, horizontal_alignment="distribute")
lead.markdown("f writes every point, old and new; points whose codes are alike become a cluster.")
strip = st.container()
trouble = follow(mine, lead)
if trouble:
    st.warning(trouble, icon=":material/link_off:")
if (guest := guest_here()) is not None:
    from leasc_ui.cluster_guest_view import show_guest

    with strip:
        pipeline_strip(mine)
    show_guest(guest, lead)
elif mine.pipeline.ready("data") is None:
    with strip:
        pipeline_strip(mine)
    show_nothing_yet(mine, who, lead)
else:
    show_board(mine, who, lead, strip)
