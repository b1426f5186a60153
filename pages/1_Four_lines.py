"""The paper's 800-point example, whole: choose, and see points, codes, convergence and clusters."""

import streamlit as st

from leasc_ui.frame.page import load_core, page_icon, strip_html
from leasc_ui.frame.words import from_data
from leasc_ui.screens.page import page_setup

page_setup("Four lines", icon=False)
st.title("Four lines", anchor=False)
lead = st.container(horizontal=True, horizontal_alignment="distribute")
lead.markdown("800 points on four noisy rays. A few stand for all, and a network learns how every point is made of these few.")

# Only now, so that the page is painted before NumPy is loaded.
page_icon()
from leasc_core.errors import LeascError  # noqa: E402
from leasc_ui.session.state import current_session, empty_stages  # noqa: E402
from leasc_ui.work import core  # noqa: E402

session = current_session()
strip = st.container()
if not (core.loaded() and session.has_run):
    strip = strip.empty()
    strip.html(strip_html(empty_stages("running")))
results, panel = st.container(key="board").columns([2.3, 1], gap="medium")
load_core(lead, results, panel)

from leasc_ui.screens.example.settings import FORM, MEANING  # noqa: E402
from leasc_ui.screens.example.view import example_of, show_codes, show_points, show_progress, show_scores, stages_of  # noqa: E402

with panel.container(border=True, key="settings", gap="small"):
    settings = FORM.draw(meaning=MEANING)
try:
    with lead:
        run = example_of(settings)
except LeascError as problem:
    strip.html(strip_html(empty_stages()))
    results.error(from_data(problem), icon=":material/error:")
    results.caption("Nothing is lost: change a setting, or reset them all.")
    st.stop()

session.stages = stages_of(run)
strip.html(strip_html(session.stages))
with results:
    show_scores(run)
    show_points(run)
    with st.container(key="codes"):
        show_codes(run)
show_progress(run)
