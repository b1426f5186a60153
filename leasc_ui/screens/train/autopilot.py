"""The autopilot on the Train page: a time budget, candidates as they come, the pick in one sentence, and one click to take it."""

import pandas as pd
import streamlit as st

from leasc_core.events import CandidateDone
from leasc_ui.frame.words import from_data
from leasc_ui.screens.train.search import SCOPE, accept, page_state
from leasc_ui.session.form import undo_button
from leasc_ui.work.slots import waiting_words

POLL_SECONDS = 0.5
BUDGETS = {10: "10 s", 30: "30 s", 60: "1 min", 180: "3 min", 600: "10 min"}
COLUMNS = {
    "n_clusters": ("Clusters", "%d", "How many groups this candidate makes of the points."),
    "stability": (
        "Same again",
        "%.0f %%",
        "The groups are found twice, from different representatives. 100 %: the same groups both times. "
        "Below about 70 % they depend on chance.",
    ),
    "separation": (
        "Stand apart",
        "%.0f %%",
        "How much nearer a point is to its own group’s centre than to the next one’s: 100 % is far apart, 0 % mixed.",
    ),
    "description": (
        "Length",
        "%.2f",
        "How long it takes to tell the points as flat groups, in nats a point. Shorter is better, and it may be "
        "negative. It decides the number of clusters where both draws tell the same groups.",
    ),
    "eigengap": (
        "Break",
        "%.1f",
        "How clearly the spectrum breaks behind this number of clusters. 1: no break at all; 3 and more: a clear one.",
    ),
    "code_error": (
        "Error of f",
        "%.1f %%",
        "What f gets wrong of the codes of points it did not learn from. Lower is better; compare rows.",
    ),
    "coverage": (
        "All met",
        "%.0f %%",
        "Proposition 1: the chance that the representatives, drawn at random, include every group.",
    ),
    "beta": ("β", "%g", "The price of an error when codes are found. Small forgives noise, large follows every point."),
    "affinity": ("Joined by", None, "Points are joined by typical codes (landmarks) or by the representatives (codes)."),
    "n_representatives": ("Represent.", "%d", "How many points stand for all."),
    "n_landmarks": ("Landmarks", "%d", "How many typical codes the points are joined to."),
    "seconds": ("Seconds", "%.1f", "How long judging this candidate took."),
}


def show_autopilot(session, data):
    """The panel: closed until it is asked for or has something to say."""
    state = page_state()
    with st.expander(
        "Autopilot: no labels, no idea of the number of clusters?",
        icon=":material/flight_takeoff:",
        expanded=state.search is not None,
    ):
        _show_start(state, data)
        if state.search is None:
            return
        active = state.active
        with st.container(key="autopilot"):
            st.fragment(_watch, run_every=POLL_SECONDS if active else None)(state, active)
        if not active:
            _show_outcome(session, state, data)


def _show_start(state, data):
    st.markdown(
        "It tries settings on a sample, each from two different draws, and keeps what comes out the same, apart and short to "
        "tell. No labels are read."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        budget = st.select_slider(
            "Time it may take",
            tuple(BUDGETS),
            value=30,
            key="autopilot_budget",
            format_func=BUDGETS.get,
            width=260,
            help="The search looks at more points when it has more time.",
        )
        st.button(
            "Find settings",
            type="primary",
            icon=":material/flight_takeoff:",
            key="autopilot_start",
            disabled=state.active,
            on_click=lambda: state.start(data, float(st.session_state["autopilot_budget"])),
            help=f"Takes about {BUDGETS[budget]} and changes nothing until you accept a row.",
        )
        st.button(
            "That is enough",
            icon=":material/stop:",
            key="autopilot_enough",
            disabled=not state.active,
            on_click=state.finish,
            help="Ends the search with the candidates it has.",
        )
        undo_button(SCOPE, "autopilot_undo", "Back to what was chosen and found before you accepted.")


def _watch(state, active):
    """One look at the search; the same things in the same places, so that the table stays while rows are added."""
    search = state.search
    if active and not search.job.active:
        st.rerun()
    if active:
        latest = search.job.history.latest(CandidateDone)
        share = min(1.0, search.job.seconds / search.budget)
        waits = search.job.status == "waiting"
        words = waiting_words(search.job.place) if waits else _progress(search, latest)
        st.progress(share, words)
        if rows := search.rows():
            st.dataframe(_table(rows), hide_index=True, key="autopilot_live", column_config=_columns(), height="content")


def _progress(search, latest):
    if latest is None:
        return "Counting the clusters …"
    return f"{latest.number} candidates so far, {max(0, search.budget - search.job.seconds):.0f} s left"


def _show_outcome(session, state, data):
    search = state.search
    if search.job.status == "failed":
        st.error(from_data(search.job.error), icon=":material/error:")
        return
    proposal = search.proposal
    if proposal is None:
        st.info("The search ended before its first candidate; give it more time.", icon=":material/hourglass_empty:")
        return
    stale = search.made_from != data.fingerprint
    if stale:
        st.warning("The data has changed since this search; search again before you accept anything.", icon=":material/warning:")
    st.markdown(f":material/recommend: **{_plain(proposal)}**  \n{proposal.sentence}")
    rows = proposal.table()
    event = st.dataframe(
        _table(rows),
        hide_index=True,
        key=f"autopilot_rows_{id(proposal)}",
        column_config=_columns(),
        height="content",
        on_select="rerun",
        selection_mode="single-row",
    )
    _show_buttons(session, state, proposal, rows, event.selection.rows, stale)
    ended = "" if proposal.complete else " Time was up before every setting was tried."
    st.caption(
        f"Judged on {proposal.searched:,} of {len(data.points):,} points in {proposal.seconds:.0f} s, best first; hover over a "
        f"heading to see what it means.{ended}"
    )


def _show_buttons(session, state, proposal, rows, chosen, stale):
    runner = proposal.runner_up
    with st.container(horizontal=True, vertical_alignment="center", key="autopilot_take"):
        st.button(
            f"Take the pick, {rows[0]['n_clusters']} clusters",
            type="primary",
            icon=":material/check:",
            key="take_pick",
            disabled=stale,
            on_click=accept,
            args=(session, rows[0]),
            help="Loads it on Representatives, Train and Cluster and trains f with it.",
        )
        if runner is not None:
            other = "" if runner.affinity == proposal.pick.affinity else f", joined by {runner.affinity}"
            st.button(
                f"Take the runner-up, {runner.n_clusters} clusters, β {runner.beta:g}{other}",
                icon=":material/check:",
                key="take_runner_up",
                disabled=stale,
                on_click=accept,
                args=(session, rows[1]),
            )
        if chosen and chosen[0] > 1:
            st.button(
                f"Take row {chosen[0] + 1}",
                icon=":material/check:",
                key="take_row",
                disabled=stale,
                on_click=accept,
                args=(session, rows[chosen[0]]),
            )
    if state.accepted is not None and not stale:
        row = state.accepted
        st.success(
            f"Loaded everywhere: {row['n_clusters']} clusters, β {row['beta']:g}, {row['n_representatives']:,} representatives. "
            "f is trained with them; go on to Cluster, or undo.",
            icon=":material/check_circle:",
        )


def _plain(proposal):
    """The pick for someone who has never heard of eigengaps."""
    pick = proposal.pick
    sure = "and came out the same" if pick.evidence.stability >= 0.95 else "and came out nearly the same"
    if pick.evidence.stability < 0.8:
        sure = f"but only {100 * pick.evidence.stability:.0f} % the same, so take it with care"
    return f"{pick.n_clusters} clusters: found twice from different representatives, {sure}."


def _table(rows):
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    for name, (_, form, _) in COLUMNS.items():
        if form is not None and form.endswith("%%"):
            frame[name] = 100 * frame[name].astype(float)
    return frame


def _columns():
    config = {}
    for name, (label, form, meaning) in COLUMNS.items():
        if form is None:
            config[name] = st.column_config.TextColumn(label, help=meaning)
        elif name in ("stability", "separation"):
            config[name] = st.column_config.ProgressColumn(label, help=meaning, format=form, min_value=0, max_value=100)
        else:
            config[name] = st.column_config.NumberColumn(label, help=meaning, format=form)
    return config
