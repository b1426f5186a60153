"""Train: the codes of the representatives and the network f, watched while they are found."""

import streamlit as st

from leasc_ui.page import load_core, offer_figures, page_setup, way_on
from leasc_ui.state import session
from leasc_ui.strip import data_or_invitation, pipeline_strip

page_setup("Train")
mine = session()

st.title("Train", anchor=False)
lead = st.container(horizontal=True, horizontal_alignment="distribute")
lead.markdown("Each representative is written by the others; a network f learns these codes and then writes every point.")
strip = st.container()
data = data_or_invitation(mine, strip, "There is nothing to train on yet: make some points, take a sample set, or bring a file.")

results, panel = st.container(key="board").columns([2.3, 1], gap="medium")
load_core(lead, results, panel)

from leasc_ui.autopilot_view import show_autopilot  # noqa: E402
from leasc_ui.train_form import train_form  # noqa: E402
from leasc_ui.train_page import link_of, show_controls, show_default_choice, show_results, start_by_link  # noqa: E402
from leasc_ui.train_pins import show_pins  # noqa: E402
from leasc_ui.train_room import collect, room  # noqa: E402

running = collect(mine)
active = running is not None
with strip:
    pipeline_strip(mine, running=running)
with panel.container(border=True, key="settings", gap="small"):
    settings = train_form(link_of(mine))
    start_by_link(mine, data, settings)
    untrained = active or mine.pipeline.ready("model") is None
    way_on("pages/5_Cluster.py", "Go on to Cluster", disabled=untrained, width="stretch")
with results:
    show_autopilot(mine, data)
    chosen = mine.pipeline.ready("representatives")
    if chosen is None:
        show_default_choice(mine, data)
    else:
        show_controls(mine, room(), data, chosen, settings, active)
    show_results(mine, room(), data, settings, active)
show_pins(room())
offer_figures("train")
