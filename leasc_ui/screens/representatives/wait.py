"""What the Representatives page shows while there is no choice to show: an invitation, a wait, or what went wrong."""

import streamlit as st

from leasc_core.selectors import SELECTORS, DS3Selector
from leasc_ui.frame.words import from_data
from leasc_ui.work.slots import waiting_words

POLL_SECONDS = 0.4


def show_invitation(data, settings):
    """DS3 before it was asked for."""
    candidates = min(len(data.points), DS3Selector.coreset)
    with st.container(border=True, key="invitation"):
        st.markdown(
            f"DS3 looks for the {settings.count:,} points that stand for all others at the least cost. It weighs up to "
            f"{candidates:,} candidates against each other, which takes {DS3Selector.takes}: press **Find them**."
        )


def show_waiting(state, settings):
    """The job, until it is over."""
    if state.job.status in ("failed", "stopped"):
        _show_end(state)
        return
    st.fragment(_watch, run_every=POLL_SECONDS)(state, settings)


def _watch(state, settings):
    job = state.job
    if job is None or not job.active:
        st.rerun()
    with st.container(border=True, key="choosing", gap="small"):
        if job.status == "waiting":
            st.markdown(waiting_words(job.place))
        else:
            chosen = SELECTORS[settings.selector]
            usually = f"; usually {chosen.takes} in all" if hasattr(chosen, "takes") else ""
            st.markdown(f"{chosen.label}: choosing points … {job.seconds:.0f} s so far{usually}.")
        st.html('<div class="busy" role="progressbar" aria-label="choosing"></div>' + STYLE)
        if st.button("Stop", icon=":material/stop:", key="stop_choosing", shortcut="Escape"):
            job.cancel()
            st.rerun()


def _show_end(state):
    if state.job.status == "failed":
        st.error(from_data(state.job.error), icon=":material/error:")
        st.caption("Nothing is lost: change a setting, reset them all, or try again.")
    else:
        st.info("Stopped before there was a choice. Change a setting, or try again.", icon=":material/stop_circle:")
    st.button("Try again", icon=":material/refresh:", key="try_again", on_click=state.drop)


STYLE = """<style>
.busy{height:.35rem;border-radius:.2rem;background:linear-gradient(90deg,var(--line),var(--accent),var(--line));
  background-size:200% 100%;animation:busy 1.6s linear infinite}
@keyframes busy{from{background-position:200% 0}to{background-position:0 0}}
@media (prefers-reduced-motion:reduce){.busy{animation:none}}
</style>"""
