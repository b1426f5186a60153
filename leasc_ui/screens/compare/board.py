"""The Compare page put together: the view, its settings, its one button, and its results."""

from math import prod
from pathlib import Path

import streamlit as st

from leasc_core.errors import ParameterError
from leasc_ui.frame.words import from_data
from leasc_ui.screens.compare.methods import from_text, plan_frame, takes
from leasc_ui.screens.compare.open import show_row
from leasc_ui.screens.compare.page import show_earlier, show_problem, watch
from leasc_ui.screens.compare.runs import progress_of, story_of
from leasc_ui.screens.compare.settings import FORM, METHODS, colour_buttons, compare_form
from leasc_ui.screens.compare.state import begin, find_earlier, page_state, subject_for
from leasc_ui.screens.compare.sweep.values import axes_of
from leasc_ui.screens.compare.sweep.view import show_sweep, show_sweep_downloads
from leasc_ui.screens.compare.view import show_codes, show_downloads, show_scatter, show_table
from leasc_ui.session.fields import filled


def show_board(session, visitor, top, results, panel):
    """Settings beside the results of the view that is chosen."""
    find_earlier(visitor)
    go, tools = results.container(), results.container()

    def subject():
        return subject_for(session, FORM.settings.data)

    def widgets():
        FORM.field("view", place=top)
        compare_form(session, subject)
        if FORM.settings.view != METHODS:
            with tools:
                story = None if page_state().sweep is None else story_of(page_state().sweep)
                colour_buttons(subject().labelled if story is None else story.labelled, subject())

    with panel.container(border=True, key="settings", gap="small"):
        chosen = filled(FORM.draw(widgets=widgets), subject())
        show_earlier(visitor, chosen.view)
    with go:
        show_problem()
    with results:
        _methods(session, visitor, chosen, go) if chosen.view == METHODS else _sweep(session, visitor, chosen, go)


def _looked_at(path):
    """The folder, its story and how it stands; nothing where there is none."""
    folder = Path(path) if path and Path(path).exists() else None
    story = None if folder is None else story_of(folder)
    return (None, None, False) if story is None else (folder, story, progress_of(folder).active)


def _methods(session, visitor, chosen, go):
    subject, names = subject_for(session, chosen.data), from_text(chosen.methods)
    folder, story, active = _looked_at(page_state().table)
    points, features = subject.shape
    each = "one seed" if chosen.seeds == 1 else f"{chosen.seeds} seeds"
    words = f"{len(names) * chosen.seeds:,} runs: {each} each, on {_called(subject)}, {points:,} × {features:,}."
    with go:
        _button(visitor, subject, chosen, f"Compare {len(names)} methods", active or not names, words)
    refused = [name for name in names if not takes(name, subject.shape[0])]
    if refused:
        _show_refusals(refused, subject)
    if folder is None:
        _show_plan(names, subject)
        return
    _show_whose(story, subject)

    def draw(progress):
        comparison, picked = show_table(folder, story, progress)
        if not progress.active:
            show_row(session, comparison, picked)
        show_scatter(comparison)
        if not progress.active:
            show_codes(comparison)
            show_downloads(comparison)

    watch(folder, "runs", draw)


def _sweep(session, visitor, chosen, go):
    subject = subject_for(session, chosen.data)
    folder, story, active = _looked_at(page_state().sweep)
    refusal, words, cells = None, "", 0
    try:
        cells = prod(len(values) for values in axes_of(chosen).values())
        words = f"{cells * chosen.draws:,} fits of LeaSC on {_called(subject)}, {subject.shape[0]:,} × {subject.shape[1]:,}."
    except ParameterError as problem:
        refusal = problem
    with go:
        _button(visitor, subject, chosen, f"Sweep {cells:,} cells", active or refusal is not None, words)
        if refusal is not None:
            st.error(from_data(refusal), icon=":material/error:")
    if folder is None:
        with st.container(border=True, key="invitation"):
            st.markdown("Press the button: cells appear here as they are fitted, and a click on one loads its parameters.")
        return
    _show_whose(story, subject)

    def draw(progress):
        grid = show_sweep(session, folder, story, chosen.colour)
        if not progress.active:
            show_sweep_downloads(grid, story)

    watch(folder, "cells", draw)


def _button(visitor, subject, chosen, label, disabled, words):
    """The one thing to press, and what it will take."""
    with st.container(horizontal=True, vertical_alignment="center", key="compare_go"):
        if st.button(
            label, type="primary", icon=":material/compare_arrows:", key="compare_begin", disabled=disabled, shortcut="Ctrl+Enter"
        ):
            begin(visitor, subject, chosen)
            st.rerun()
        st.caption(words)


def _called(subject):
    return from_data(subject.title.split(" (")[0])


def _show_plan(names, subject):
    """Before anything has run: what will, at what cost."""
    with st.container(key="compare_plan"):
        st.dataframe(plan_frame(names, subject.shape[0]), hide_index=True, height="content", key="compare_plan_table")
        st.caption("Settings are each method’s own defaults; nothing is chosen by labels.")


def _show_refusals(names, subject):
    from leasc_core import baselines

    words = (f"{baselines.get(name).label} can do {baselines.get(name).largest:,}" for name in names)
    st.warning(
        f"{subject.shape[0]:,} points are more than some methods finish, and these will refuse: {'; '.join(words)}.",
        icon=":material/block:",
    )


def _show_whose(story, subject):
    now = subject.key if subject.data is None else subject.data.fingerprint
    if story.fingerprint != now:
        st.caption(f":material/warning: These rows are of **{from_data(story.title)}**, not of the data chosen now.")
