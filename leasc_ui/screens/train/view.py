"""What the Train page shows of a run: where it stands, curves, codes and errors as pictures, and the way back through them."""

import numpy as np
import streamlit as st

from leasc_core.events import CodingIteration
from leasc_core.runs.budget import readable_seconds
from leasc_ui.charts.codes import picture_url, scale_html, shared_limit
from leasc_ui.charts.training import f_chart, left_chart, mu_chart, terms_chart
from leasc_ui.frame.page import show
from leasc_ui.frame.tiles import tiles
from leasc_ui.screens.train.compute import MOST_ITERATIONS, TOLERANCE, has_closed_form, seconds_left
from leasc_ui.work.slots import waiting_words

POLL_SECONDS = 0.3
# Who waits in line has nothing to watch, and every look takes time from those who are at work.
IN_LINE_SECONDS = 1.0
STYLE = """<style>
.st-key-codes_picture div,.st-key-errors_picture div,.st-key-pinned_left div,.st-key-pinned_right div{width:100%!important}
.st-key-codes_picture img,.st-key-errors_picture img,.st-key-pinned_left img,.st-key-pinned_right img{width:100%!important;
  max-width:none;aspect-ratio:1/1;image-rendering:pixelated;border:1px solid var(--line);border-radius:.3rem;object-fit:fill}
.st-key-errors_picture img{aspect-ratio:3/1}
@media (max-width:640px){[data-testid=stLayoutWrapper]:has(>.st-key-run){order:2}}
</style>"""


def show_run(run, record, live=False):
    """The run; ``run`` is None for a model that was trained elsewhere.

    ``live`` is whether it went on when the page began: if it is over by now, the page must begin anew.
    """
    with st.container(key="run"):
        if live and run.job.status == "waiting":
            st.fragment(_wait_in_line, run_every=IN_LINE_SECONDS)(run)
        else:
            st.fragment(_watch, run_every=POLL_SECONDS if live else None)(run, record, live)


def _wait_in_line(run):
    """One look at a run that has no place yet; when it gets one, the page begins anew."""
    if run.job.status != "waiting":
        st.rerun()
    st.markdown(_state(run))


def _watch(run, record, live):
    """One look at the run; every look draws the same things in the same places, so that none of them is drawn anew."""
    if live and not run.job.active:
        st.rerun()
    if live:
        record = run.record
    st.html(STYLE)
    st.markdown("The model as it is." if run is None else _state(run))
    _tiles(record)
    closed = has_closed_form(record.settings)
    iteration = None if closed else _look_back(record, run, live)
    pictures, curves = st.columns([1, 1.25], gap="medium")
    with pictures:
        picture, limits = _picture_at(record, iteration)
        _show_codes(picture, limits)
    with curves:
        if closed:
            _show_closed_form()
        else:
            show(left_chart(record.iterations, iteration), "left_to_do")
            show(terms_chart(record.iterations, iteration), "terms")
    errors, mu, network = st.columns([1, 0.5, 0.75] if not closed else [1, 0.01, 1.24], gap="medium")
    with errors:
        _show_errors(picture, limits)
    if not closed:
        with mu:
            show(mu_chart(record.iterations, iteration), "mu")
    with network:
        show(f_chart(record.epochs), "network")


def _look_back(record, run, live):
    """The iteration to look at, None for the latest; its place is taken from the start, so that the pictures do not move."""
    with st.container(height=78, border=False, key="look_back"):
        if live:
            st.caption("Afterwards you can go back through the iterations here.")
            return None
        return _slider(record, 0 if run is None else run.number)


def _slider(record, number):
    steps = [picture.iteration for picture in record.pictures]
    steps = sorted(set(steps))
    if len(steps) < 2:
        return None
    key = f"train_look_{number}_{steps[-1]}"
    st.session_state.setdefault(key, steps[-1])
    chosen = st.select_slider(
        "Look back, by iteration", steps, key=key, help="The pictures and the red line follow. The model is always the last one."
    )
    return chosen if chosen != steps[-1] else None


def _tiles(record):
    last = record.iterations[-1] if record.iterations else None
    if has_closed_form(record.settings):
        first, second = ("Iterations", "none"), ("Codes", "exact" if record.pictures else "…")
    elif record.settings.solver == "exact":
        first = ("Iteration", f"{last.iteration:,}" if last else "…")
        second = ("Duality gap", f"{100 * last.gap:.2g} %" if last else "…")
    else:
        first = ("Iteration", f"{last.iteration:,}" if last else "…")
        second = ("Residual", f"{last.residual:.1e}" if last else "…")
    error = min((epoch.held_out_error for epoch in record.epochs), default=None)
    tiles(
        (*first, "Of the coding solver."),
        (*second, "What is left to do: the codes are good when it is small."),
        ("Error of f", "…" if error is None else f"{100 * error:.1f} %", "On codes held out: ‖Z − f(X)‖ over ‖Z‖."),
        ("Time", f"{record.seconds:.1f} s", "At work, without waiting and pauses."),
    )


def _picture_at(record, iteration):
    """The picture of an iteration and the limits of its colours, which mean the same at all of them; None before there is one."""
    if not record.pictures:
        return None, None
    latest = record.pictures[-1]
    limits = [shared_limit(each.astype(np.float64)) for each in (latest.codes, latest.errors)]
    return latest if iteration is None else record.at(iteration), limits


def _show_codes(picture, limits):
    if picture is None:
        st.caption("The codes appear here as soon as the solver has some.")
        st.skeleton(height=330)
    else:
        _picture("codes_picture", "Codes", "a point a column, a representative a row", picture.codes, limits[0])


def _show_errors(picture, limits):
    if picture is not None:
        _picture("errors_picture", "Errors E", "a point a column, a feature a row", picture.errors, limits[1])


def _picture(key, title, meaning, matrix, limit):
    st.markdown(f"**{title}**, {meaning}")
    st.html(scale_html(limit))
    with st.container(key=key):
        alt = f"Matrix picture: {title.lower()}, {meaning}."
        st.image(picture_url(matrix.astype(np.float64), limit), width="stretch", alt=alt)


def _show_closed_form():
    with st.container(border=True, key="closed_form", height=340, vertical_alignment="center", horizontal_alignment="center"):
        st.latex(r"Z=\left(X^{\top}X+\tfrac{\bar\alpha}{\beta}I\right)^{-1}X^{\top}X")
        st.caption("With squared norms the best codes are one linear solve: nothing to wait for.", text_alignment="center")
        st.caption("Choose *Algorithm 2*, or codes other than F², to watch an iteration.", text_alignment="center")


def _state(run):
    """One line on where a run stands."""
    job = run.job
    if job.status == "waiting":
        return waiting_words(job.place)
    if job.paused:
        return ":material/pause_circle: Paused. Nothing is lost; go on whenever you like."
    if job.status == "stopped":
        return ":material/stop_circle: Stopped. What was seen so far stays here; the model is the one from before."
    if job.status == "failed":
        return ":material/error: It could not be finished."
    if job.status == "finished":
        return f":material/check_circle: {verdict(run.record)}"
    return f":material/play_circle: {_progress(run)}"


def _progress(run):
    job, record = run.job, run.record
    if record.epochs or not record.iterations:
        return "f learns the codes …" if record.epochs else "Reading the representatives and preparing …"
    most = MOST_ITERATIONS[run.settings.solver]
    left = seconds_left(job.history.timed(CodingIteration), run.settings.solver)
    about = "" if left is None else f", about {readable_seconds(max(1, left))} left"
    return f"Iteration {record.iterations[-1].iteration:,} of at most {most:,}{about}."


def verdict(record):
    """One sentence on how a finished run ended."""
    if has_closed_form(record.settings):
        return "Done: the codes are exact."
    last = record.iterations[-1]
    if record.settings.solver == "paper":
        return f"Done: Algorithm 2 ended after {last.iteration:,} iterations with a residual of {last.residual:.1e}."
    if last.gap <= TOLERANCE:
        return f"Done: after {last.iteration:,} iterations no codes can be better by more than {100 * last.gap:.2g} %."
    return (
        f"Ended at its limit of {last.iteration:,} iterations: better codes, by at most {100 * last.gap:.2g} %, may exist. "
        "A smaller β is easier."
    )
