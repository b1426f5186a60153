"""Representatives: which points stand for all, seen on the data, and how well they cover it."""

import streamlit as st

from leasc_core.errors import LeascError
from leasc_ui.frame.page import load_core, way_on
from leasc_ui.frame.words import from_data
from leasc_ui.panels.figures import offer_figures
from leasc_ui.screens.links import data_or_invitation
from leasc_ui.screens.page import page_setup, pipeline_strip
from leasc_ui.session.state import current_session

page_setup("Representatives")
session = current_session()

st.title("Representatives", anchor=False)
lead = st.container(horizontal=True, horizontal_alignment="distribute")
lead.markdown("A few points that stand for all the others: only these are solved for, so they should be everywhere the data is.")
strip = st.container()
data = data_or_invitation(
    session, strip, "There are no points to choose from yet: make some, take a sample set, or bring a file."
)

results, panel = st.container(key="board").columns([2.3, 1], gap="medium")
load_core(lead, results, panel)

from leasc_ui.screens.links import rooms_before  # noqa: E402
from leasc_ui.screens.representatives.settings import FORM, MEANING  # noqa: E402
from leasc_ui.screens.representatives.state import SLOW, page_state, take  # noqa: E402
from leasc_ui.screens.representatives.wait import show_invitation, show_waiting  # noqa: E402

with panel.container(border=True, key="settings", gap="small"):
    choices = FORM.draw(data, rooms_before(session, "representatives"), meaning=MEANING)
    settings = choices.settings(data)
    slow = settings.selector in SLOW
    asked = slow and st.button(
        "Find them",
        type="primary",
        icon=":material/search:",
        key="find",
        width="stretch",
        shortcut="Ctrl+Enter",
        help="DS3 weighs every pair of candidates: some seconds, at times half a minute.",
    )
    chosen = take(session, data, settings, asked)
    way_on("pages/4_Train.py", "Go on to Train", disabled=chosen is None, width="stretch")

job = page_state().job
with strip:
    pipeline_strip(session, running="representatives" if job is not None and job.active else None)
with results:
    if chosen is not None:
        from leasc_ui.screens.representatives.view import show_choice

        try:
            show_choice(data, chosen, choices.subspaces)
        except LeascError as problem:
            st.error(from_data(problem), icon=":material/error:")
            st.page_link("pages/2_Data.py", label="Clean the data", icon=":material/arrow_forward:")
    elif job is None:
        show_invitation(data, settings)
    else:
        show_waiting(page_state(), settings)
offer_figures("representatives")
