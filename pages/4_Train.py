"""Train: the codes of the representatives and the network f, watched while they are found."""

import streamlit as st

from leasc_ui.frame.page import load_core, way_on
from leasc_ui.panels.figures import offer_figures
from leasc_ui.screens.links import data_or_invitation
from leasc_ui.screens.page import page_setup, pipeline_strip
from leasc_ui.session.state import current_session

page_setup("Train")
session = current_session()

st.title("Train", anchor=False)
lead = st.container(horizontal=True, horizontal_alignment="distribute")
lead.markdown("Each representative is written by the others; a network f learns these codes and then writes every point.")
strip = st.container()
data = data_or_invitation(
    session, strip, "There is nothing to train on yet: make some points, take a sample set, or bring a file."
)

results, panel = st.container(key="board").columns([2.3, 1], gap="medium")
load_core(lead, results, panel)

from leasc_ui.screens.train.autopilot import show_autopilot  # noqa: E402
from leasc_ui.screens.train.page import link_of, show_controls, show_default_choice, show_results, start_by_link  # noqa: E402
from leasc_ui.screens.train.pins import show_pins  # noqa: E402
from leasc_ui.screens.train.settings import train_form  # noqa: E402
from leasc_ui.screens.train.state import page_state  # noqa: E402

state = page_state()
running = session.collect()
active = state.active
with strip:
    pipeline_strip(session, running=running)
with panel.container(border=True, key="settings", gap="small"):
    settings = train_form(link_of(session))
    start_by_link(session, data, settings)
    untrained = active or session.pipeline.ready("model") is None
    way_on("pages/5_Cluster.py", "Go on to Cluster", disabled=untrained, width="stretch")
with results:
    show_autopilot(session, data)
    chosen = session.pipeline.ready("representatives")
    if chosen is None:
        show_default_choice(session, data)
    else:
        show_controls(session, state, data, chosen, settings, active)
    show_results(session, state, data, settings, active)
show_pins(state)
offer_figures("train")
