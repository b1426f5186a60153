"""A run while it goes on, and what can be done about it: its stage, points a second, memory, time left, stop and resume."""

import streamlit as st

from leasc_core.data.guards import size_text
from leasc_core.runs.budget import readable_seconds
from leasc_ui.charts.cluster.rate import rate_chart
from leasc_ui.frame.page import show
from leasc_ui.frame.tiles import tiles
from leasc_ui.frame.words import from_data
from leasc_ui.work.runs import STAGES, start, status_of, stop
from leasc_ui.work.slots import waiting_words

POLL_SECONDS = 0.4
WORDS = {
    "stopped": "Stopped. What is finished is kept; resume it whenever you like.",
    "broken": "This run was interrupted: its process ended before it was done, or the server was restarted. What was finished is "
    "kept, and it goes on from there.",
}


def show_live(folder):
    """Watch a run until it is over; then the page begins anew."""
    with st.container(border=True, key="live", gap="small"):
        st.fragment(_watch, run_every=POLL_SECONDS)(str(folder))


def show_halted(folder, status):
    """A run that is neither finished nor at work."""
    with st.container(border=True, key="halted", gap="small"):
        icon = ":material/stop_circle:" if status.state == "stopped" else ":material/error:"
        st.markdown(f"{icon} {WORDS[status.state]}")
        if status.error:
            st.caption(from_data(status.error))
        st.progress(min(1.0, status.share), f"{100 * status.share:.0f} % done")
        if st.button("Resume", type="primary", icon=":material/resume:", key="resume_run", shortcut="Ctrl+Enter"):
            start(folder)
            st.rerun()


def _watch(folder):
    status = status_of(folder)
    if not status.active:
        st.rerun()
    st.markdown(_headline(status))
    st.progress(min(1.0, status.share), _how_far(status))
    tiles(
        ("Points a second", f"{status.rate:,.0f}" if status.rate else "…", "While every point is coded."),
        ("Memory", size_text(status.memory) if status.memory else "…", "What the worker’s process holds now."),
        ("Time so far", readable_seconds(status.seconds), "Since it was started or resumed."),
        (
            "Time left",
            f"about {readable_seconds(status.left)}" if status.left else "…",
            "From the rate, or before that the estimate.",
        ),
    )
    show(rate_chart(status.rates), "rate")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Stop", icon=":material/stop:", key="stop_run", on_click=stop, args=(folder,), shortcut="Escape")
        st.caption("You may close this tab: the run goes on, and is here when you come back with this browser.")


def _headline(status):
    if status.state == "waiting":
        return waiting_words(status.place)
    return f":material/play_circle: {STAGES.get(status.stage, 'Starting')} …"


def _how_far(status):
    if status.state == "waiting":
        return "not begun"
    points = f", point {status.done:,} of {status.total:,}" if status.total else ""
    return f"{100 * status.share:.0f} %{points}"
