"""A section of the Theory page: Theorem 1 on the points at hand, and how steep f is."""

import numpy as np
import pandas as pd
import streamlit as st

from leasc_ui.charts.theory.bounds import bounds_chart, legend_html
from leasc_ui.charts.theory.jacobian import plane_chart, representatives_chart, scale_html
from leasc_ui.frame.page import show
from leasc_ui.frame.tiles import tiles
from leasc_ui.screens.representatives.view import plane_for
from leasc_ui.screens.theory.frame import equation
from leasc_ui.screens.theory.state import circle_for, contraction_for

SHOWN_ROWS = 10
LINES = {
    "distance": "Each representative has a line of its own: the flattest, the typical and the steepest are drawn.",
    "bound": "On or under the line, a point keeps to its own bound.",
}


def show_contraction(subject, chosen):
    """The bound, then where f is steep."""
    made = contraction_for(subject.fingerprint, subject)
    report = made.report
    if not report.apart.any():
        st.info("Every point is a representative itself: there is nothing between them for Theorem 1 to speak of.")
        return
    _tiles(report)
    st.subheader("Near points, near codes", anchor=False)
    st.markdown(_verdict(report))
    st.html(legend_html(report))
    show(bounds_chart(made.rows, subject.indices[report.nearest], report, chosen.against), f"theory_bounds_{chosen.against}")
    counted = f"All {made.total:,} points" if len(made.rows) == made.total else f"{len(made.rows):,} of {made.total:,} points"
    st.caption(f"{counted}, each with its nearest representative. {LINES[chosen.against]} {_applies(subject.network.activation)}")
    _equation()
    _extremes(made, subject)
    _steepness(subject, report)


def _tiles(report):
    norms = report.norms
    tiles(
        ("Inside the bound", _share(report.share(report.inside_first_order)), "Points with ‖f(x) − f(y)‖ ≤ ‖J(x)‖ ‖x − y‖."),
        (
            "Past a kink",
            _share(report.share(report.kinked)),
            "Points with a kink of ReLU between them and their representative: the theorem’s expansion says nothing there.",
        ),
        (
            "Typical tightness",
            f"{np.median(report.tightness[report.apart]):.2f}",
            "‖f(x) − f(y)‖ as a share of its bound: 1 is tight, near 0 is loose.",
        ),
        (
            "‖J(x)‖",
            f"{norms.min():.3g}–{norms.max():.3g}",
            "How steep f is at its representatives, from the flattest to the steepest.",
        ),
    )


def _verdict(report):
    apart, inside, kinked = report.apart, report.inside_first_order, report.kinked
    outside = int(np.count_nonzero(apart & ~inside))
    held = f"{_share(report.share(inside))} of the points keep to the first-order bound"
    strict = "the strict bound, with slopes taken over the whole way from x to y, holds for all of them."
    if not report.inside_strict.all():
        strict = "the strict bound should hold for all and does not: please report this."
    if not outside:
        past = f", though {_share(report.share(kinked))} of them lie past a kink, where Theorem 1 promises nothing"
        return f"All points keep to the first-order bound{past if kinked[apart].any() else ''}; {strict}"
    if kinked[apart & ~inside].all():
        return f"{held}; the {outside:,} outside all lie past a kink, where Theorem 1 does not apply, and {strict}"
    return f"{held}; the {outside:,} outside need its remainder, and {strict}"


def _applies(activation):
    if activation == "relu":
        return "ReLU is linear between kinks: where none is crossed the bound holds exactly, where one is it promises nothing."
    if activation == "linear":
        return "A linear f has no remainder: the bound holds exactly."
    return "f is smooth: what the bound misses shrinks with the square of the distance."


def _equation():
    equation(
        "Theorem 1",
        r"\|f(x)-f(y)\|\le\left\|\tfrac{\partial f(x)}{\partial x}\right\|_F\rho+o(\rho),\qquad "
        r"J^{\top}=W_1D_1W_2D_2\cdots W_{\mathrm{top}}",
        "A statement of first order: for smooth $f$ the remainder is $O(\\rho^2)$; the paper writes $O(\\rho)$ and says “of "
        "higher order”. $D_i$ holds the slopes of layer $i$ at $x$. With the slopes of the chords from $x$ to $y$ instead, "
        "$f(y)-f(x)=\\bar J(y-x)$ exactly, and so $\\|f(y)-f(x)\\|\\le\\|\\bar J\\|_F\\|y-x\\|$ always: the strict bound.",
    )


def _extremes(made, subject):
    """Where the bound is loosest and where it is exceeded."""
    report = made.report
    at = np.flatnonzero(report.apart)
    order = at[np.argsort(report.tightness[at], kind="stable")]
    picked = np.unique(np.concatenate([order[:SHOWN_ROWS], order[-SHOWN_ROWS:]]), return_index=True)[0]
    picked = picked[np.argsort(report.tightness[picked], kind="stable")]
    crossed = np.zeros(len(picked), dtype=int) if report.crossed is None else report.crossed[picked]
    table = pd.DataFrame(
        {
            "row": made.rows[picked],
            "representative (row)": subject.indices[report.nearest[picked]],
            "‖x − y‖": report.distances[picked],
            "‖f(x) − f(y)‖": report.changes[picked],
            "first-order bound": report.first_order[picked],
            "strict bound": report.strict[picked],
            "share of the bound": report.tightness[picked],
            "kinks between": crossed,
        }
    )
    with st.expander("Where the bound is loosest, and where it is tightest or exceeded", icon=":material/unfold_more:"):
        figures = {name: st.column_config.NumberColumn(format="%.3g") for name in table.columns[2:7]}
        st.dataframe(table, hide_index=True, column_config=figures, key="theory_extremes")
        st.caption(f"Anywhere, f can stretch a distance at most {report.lipschitz:.3g} times (the product of its layers’ norms).")


def _steepness(subject, report):
    """‖J‖ over the plane, or at the representatives."""
    plane = plane_for(subject.data, subject.source)
    representatives = plane(subject.source.take(subject.indices))
    flat = subject.source.shape[1] == 2
    norms = circle_for(subject.fingerprint, subject) if flat else report.norms
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        st.subheader("Where f is steep", anchor=False, width="content")
        st.html(scale_html(norms), width="content")
    if flat:
        st.markdown("f sees only the direction of a point, so its steepness is the same all along a ray from the origin.")
        show(plane_chart(plane.places, representatives, norms), "theory_plane")
    else:
        held = f"The two directions drawn hold {100 * plane.share:.0f} % of the variance."
        st.markdown(f"Each dot is a representative, more solid where a small step changes its code more. {held}")
        show(representatives_chart(plane.places, representatives, norms), "theory_norms")
    with st.expander("The norm of the Jacobian", icon=":material/function:"):
        st.latex(r"\|J\|_F^2=g^{\top}\left[(W_1^{\top}W_1)\circ(W_2W_2^{\top})\right]g")
        st.markdown("For one hidden layer with slopes $g$; in closed form, without forming $J$.")


def _share(value):
    """A share that never rounds to all or none."""
    if value in (0.0, 1.0):
        return f"{100 * value:.0f} %"
    return f"{min(max(100 * value, 0.1), 99.9):.1f} %"
