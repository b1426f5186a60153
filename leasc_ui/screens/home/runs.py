"""Recent runs on the home page: what this browser clustered before, and the way back to it."""

import streamlit as st

from leasc_core.runs.kept import keep_days
from leasc_ui.frame.words import from_data

MOST_SHOWN = 3
STATES = {
    "waiting": "waits in line",
    "running": "is running",
    "finished": "is finished",
    "stopped": "was stopped",
    "broken": "was interrupted",
}


def show_recent_runs():
    """The newest runs in a row; nothing where there are none. Imported late: the page paints before it looks at any folder."""
    from leasc_ui.frame.visitor import visitor
    from leasc_ui.screens.cluster.state import earlier_runs

    runs = earlier_runs(visitor())[:MOST_SHOWN]
    if not runs:
        return
    st.space("small")
    with st.container(key="recent_runs"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.subheader("Recent runs", anchor=False, width="content")
            st.page_link("pages/5_Cluster.py", label="Open one of your runs", icon=":material/history:")
        if keep_days() is not None:
            st.caption(f"What nobody opened for {keep_days():g} days is removed here; download what you want to keep.")
        for column, (_, asked, status) in zip(st.columns(MOST_SHOWN), runs, strict=False):
            count = "number of clusters found" if asked.settings.clusters is None else f"{asked.settings.clusters:,} clusters"
            column.container(border=True).markdown(f"**{from_data(asked.name)}**  \n:small[{count}; {STATES[status.state]}]")
