"""The moving parts of the Compare page: the one button, what goes on, what halted, and what an earlier visit left."""

from datetime import datetime
from pathlib import Path

import streamlit as st

from leasc_core.runs.budget import readable_seconds
from leasc_ui.frame.words import from_data
from leasc_ui.screens.cluster.page import STATES
from leasc_ui.screens.cluster.progress import POLL_SECONDS
from leasc_ui.screens.compare.runs import COMPARISONS, SWEEPS, earlier, progress_of
from leasc_ui.screens.compare.settings import METHODS, SWEEP
from leasc_ui.screens.compare.state import page_state
from leasc_ui.work.runs import forget, start, stop
from leasc_ui.work.slots import waiting_words

SLOTS = {METHODS: ("table", COMPARISONS), SWEEP: ("sweep", SWEEPS)}
WORDS = {
    "stopped": ":material/stop_circle: Cancelled. What is finished is kept; resume it whenever you like.",
    "broken": ":material/error: Interrupted: its process ended before it was done. What was finished is kept, and it goes on "
    "from there.",
}


def show_problem():
    """A refusal, once."""
    state = page_state()
    if state.problem:
        st.error(from_data(state.problem), icon=":material/error:")
        st.caption("Nothing is lost: change a setting, and start again.")
        state.problem = None


def show_earlier(visitor, view):
    """What this browser has asked before, each with the way to it."""
    state, (slot, shelf) = page_state(), SLOTS[view]
    found = earlier(visitor, shelf)
    if not found:
        return
    with st.expander(f"Earlier, {len(found)}", icon=":material/history:"):
        for folder, story in found:
            with st.container(border=True, key=f"earlier_{folder.name}", gap="small"):
                when = datetime.fromtimestamp(int(folder.name.split("-")[0]) / 1000).strftime("%d %b, %H:%M")
                st.markdown(f"**{from_data(story.title)}**  \n:small[{when}, {STATES[progress_of(folder).state]}]")
                with st.container(horizontal=True):
                    st.button(
                        "Open",
                        key=f"compare_open_{folder.name}",
                        icon=":material/folder_open:",
                        type="tertiary",
                        on_click=setattr,
                        args=(state, slot, str(folder)),
                    )
                    st.button(
                        "Delete",
                        key=f"compare_forget_{folder.name}",
                        icon=":material/delete:",
                        type="tertiary",
                        on_click=_forget,
                        args=(state, slot, folder),
                    )


def _forget(state, slot, folder):
    forget(folder)
    if getattr(state, slot) == str(folder):
        setattr(state, slot, None)


def watch(folder, unit, draw):
    """Draw what is there, again and again while it goes on; when it is over the page begins anew.

    ``draw(progress)`` shows the rows; ``unit`` is what they are called.
    """
    progress = progress_of(folder)
    if not progress.active:
        if progress.state in WORDS:
            _show_halted(folder, progress, unit)
        draw(progress)
        return
    st.fragment(_look, run_every=POLL_SECONDS)(str(folder), unit, draw)


def _look(folder, unit, draw):
    progress = progress_of(folder)
    if not progress.active:
        st.rerun()
    with st.container(border=True, key="compare_live", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(_headline(progress))
            st.button("Cancel", icon=":material/stop:", key="compare_stop", on_click=stop, args=(folder,), shortcut="Escape")
        st.progress(progress.done / max(1, progress.total), _how_far(progress, unit))
        st.caption("You may close this tab: it goes on, and is here when you come back with this browser.")
    draw(progress)


def _show_halted(folder, progress, unit):
    with st.container(border=True, key="compare_halted", gap="small"):
        st.markdown(WORDS[progress.state])
        if progress.error:
            st.caption(from_data(progress.error))
        st.progress(progress.done / max(1, progress.total), f"{progress.done:,} of {progress.total:,} {unit}")
        if st.button("Resume", type="primary", icon=":material/resume:", key="compare_resume", shortcut="Ctrl+Enter"):
            start(Path(folder))
            st.rerun()


def _headline(progress):
    if progress.state == "waiting":
        return waiting_words(progress.place)
    if not progress.done and progress.now is None:
        return ":material/play_circle: Starting …"
    return f":material/play_circle: **{progress.now}** …"


def _how_far(progress, unit):
    left = f", about {readable_seconds(progress.left)} left" if progress.left is not None and progress.left >= 1 else ""
    return f"{progress.done:,} of {progress.total:,} {unit}{left}"
