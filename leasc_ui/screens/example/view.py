"""What the page of the 800-point example shows of a run: tiles, Fig. 2, Fig. 3, convergence and times."""

import numpy as np
import streamlit as st

from leasc_core.runs.budget import readable_seconds
from leasc_ui.charts.codes import codes_chart, scale_html, shared_limit
from leasc_ui.charts.points import legend_html, points_chart
from leasc_ui.charts.progress import network_chart, objective_chart, residual_chart, times_chart
from leasc_ui.frame.page import show
from leasc_ui.frame.tiles import score_tiles, tiles
from leasc_ui.screens.example.compute import choose_by_ds3, run_example
from leasc_ui.screens.example.settings import ExampleSettings
from leasc_ui.session.choices import SELECTORS, VARIANTS
from leasc_ui.session.state import Stage


def example_of(settings: ExampleSettings):
    """The run of these settings, old or new; shared by all visitors."""
    chosen = _ds3_choice(settings.noise, settings.seed, settings.representatives) if settings.selector == "ds3" else None
    return _run(settings, chosen)


@st.cache_resource(max_entries=128, show_spinner=False, hash_funcs={ExampleSettings: repr})
def _run(settings, _chosen):
    return run_example(settings, _chosen)


@st.cache_resource(max_entries=512, show_spinner="DS3 is weighing every pair of points …")
def _ds3_choice(noise, seed, n):
    """The representatives DS3 finds, kept while everything after them changes."""
    return choose_by_ds3(noise, seed, n)


def stages_of(run):
    """The strip's four facts about a finished run."""
    chosen, sizes = run.settings, np.bincount(run.labels)
    spread = f"{sizes.min()}–{sizes.max()}" if sizes.min() < sizes.max() else f"{sizes[0]}"
    return (
        Stage("Data", f"{len(run.points)} points in the plane", "ready"),
        Stage("Representatives", f"{len(run.representatives)} {SELECTORS[chosen.selector].short}", "ready"),
        Stage("Model", f"{VARIANTS[chosen.variant].short}, {chosen.hidden} hidden units", "ready"),
        Stage("Clusters", f"{run.n_clusters} found, {spread} points{' each' if run.n_clusters > 1 else ''}", "ready"),
    )


def show_scores(run):
    """ACC, NMI, ARI and the time, as tiles."""
    took = (
        "Computed in",
        readable_seconds(run.total_seconds, measured=True),
        "All stages, from choosing representatives to labels.",
    )
    tiles(*score_tiles(run.scores, "rays"), took)


def show_points(run):
    """Fig. 2."""
    st.html(legend_html(run.labels, run.representatives))
    show(points_chart(run.points, run.labels, run.representatives), "points")


def show_codes(run):
    """Fig. 3: the codes of the representatives beside those of every point."""
    clusters = run.labels[run.representatives]
    limit = shared_limit(run.representative_codes, run.codes)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        st.subheader("Who helps whom", anchor=False, width="content")
        st.html(scale_html(limit), width="content")
    st.caption(
        "Each column is a point, each row a representative that helps to write it: first as solved for, then as f gives it."
    )
    if run.codes_vanish:
        st.info("Every code is zero: at this β an error costs so little that no help is worth its price. Raise β.")
    left, right = st.columns([1, 2.3], gap="small")
    solved = codes_chart(run.representative_codes, clusters, clusters, limit, columns="representatives, solved for")
    learned = codes_chart(run.codes, run.labels, clusters, limit, columns="all points, given by f")
    with left:
        show(solved, "solved_codes")
    with right:
        show(learned, "learned_codes")


def show_progress(run):
    """How the codes converged, how f learned them, and where the time went."""
    codes, network, times = st.columns(3, gap="medium")
    with codes:
        st.subheader("The codes converge", anchor=False)
        if run.history:
            st.caption(verdict(run))
            show(objective_chart(run.history), "objective")
            show(residual_chart(run.history), "residual")
        else:
            show_closed_form(run)
    with network:
        st.subheader("f learns them", anchor=False)
        st.caption("How far f’s codes are from the solved ones. Learning ends when the held-out error stops falling.")
        show(network_chart(run.network_history), "network")
    with times:
        st.subheader("Where the time goes", anchor=False)
        st.caption("Only landmarks to labels see every point, and their cost grows linearly with the number of points.")
        show(times_chart(run.seconds), "times")


def show_closed_form(run):
    """What stands in for a curve where there is nothing to iterate."""
    st.caption("There is nothing to wait for: with squared norms, the best codes are one linear solve.")
    with st.container(border=True, key="closed_form", height=300, vertical_alignment="center", horizontal_alignment="center"):
        st.latex(r"Z=\left(X^{\top}X+\tfrac{1}{\beta}I\right)^{-1}X^{\top}X")
        st.markdown(
            f"Exact to rounding, in **{readable_seconds(run.seconds['coding'], measured=True)}**.", text_alignment="center"
        )
        st.caption("Choose *Algorithm 2* to watch the paper’s iteration head for the same codes.", text_alignment="center")


def verdict(run):
    """One sentence on how good the codes are."""
    steps = f"{run.history[-1].iteration} iterations"
    if run.excess is not None:
        ended = f"Algorithm 2 meets its tolerance after {steps}" if run.converged else f"Algorithm 2 stops after {steps}"
        return f"{ended}, but its codes cost {100 * run.excess:.0f} % more than the certified best: its growing μ froze them."
    if run.converged:
        return f"Certified after {steps}: no codes can be better by more than {100 * run.gap:.2g} %."
    return f"Stopped after {steps}; better codes, by at most {100 * run.gap:.2g} %, may exist."
