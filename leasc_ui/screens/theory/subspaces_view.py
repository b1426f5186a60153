"""A section of the Theory page: principal angles, affinity and intrinsic dimensions of found subspaces."""

import numpy as np
import pandas as pd
import streamlit as st

from leasc_ui.charts.theory.subspaces import affinity_chart
from leasc_ui.frame.page import show
from leasc_ui.frame.tiles import tiles
from leasc_ui.frame.words import from_data
from leasc_ui.screens.theory.frame import equation
from leasc_ui.screens.theory.state import spans_for

MOST_SHOWN = 60


def show_subspaces(subject, chosen):
    """Principal angles, affinity and intrinsic dimensions."""
    from leasc_core.theory.subspaces import compare_subspaces

    spans, used = spans_for(subject.fingerprint, subject)
    spans = sorted(sorted(spans, key=lambda span: -span.count)[:MOST_SHOWN], key=lambda span: span.label)
    table = compare_subspaces(spans, chosen.rule, chosen.energy / 100)
    _, kind = subject.groups
    shift = kind == "cluster"
    names = [f"{kind} {span.label + shift}" for span in spans]
    pairs = np.where(np.eye(len(spans), dtype=bool), np.nan, table.smallest)
    closest = float(np.nanmin(pairs)) if np.isfinite(pairs).any() else None
    tiles(
        ("Subspaces", f"{len(spans)}", f"Spans of {used:,} points; at most the {MOST_SHOWN} largest are shown."),
        ("Dimensions", _range(table.dimensions), "By the rule in the panel; the table has both rules."),
        ("Smallest angle", "–" if closest is None else f"{closest:.1f}°", "The smallest principal angle between any two."),
        ("Largest affinity", _largest(table.affinity), "1: one subspace holds the other; 0: they are orthogonal."),
    )
    st.subheader("How far apart are the subspaces?", anchor=False)
    st.markdown(_closest(pairs, names, closest, kind))
    show(affinity_chart(table, names), "theory_affinity")
    st.dataframe(
        pd.DataFrame(
            {
                kind: names,
                "points used": [span.count for span in spans],
                f"dimension, {chosen.energy} % of the energy": [span.dimension("energy", chosen.energy / 100) for span in spans],
                "dimension, largest gap": [span.dimension("gap") for span in spans],
                "held by the first direction, %": [_first_share(span) for span in spans],
            }
        ),
        hide_index=True,
        column_config={"held by the first direction, %": st.column_config.NumberColumn(format="%.1f")},
        key="theory_dimensions",
    )
    st.caption(
        "Spans pass through the origin and have no sign: rays that point in opposite ways lie on one line, at angle 0. "
        "Noise and strangers make a dimension look larger; a cluster cut in two can look smaller."
    )
    equation(
        "Principal angles and affinity",
        r"\cos\theta_1\ge\dots\ge\cos\theta_r=\sigma\left(U_a^{\top}U_b\right),\qquad "
        r"\mathrm{aff}(a,b)=\sqrt{\tfrac{1}{r}\textstyle\sum_{i}\cos^2\theta_i},\qquad r=\min(p,q)",
        "$U_a$ and $U_b$ are orthonormal bases of the two spans, $p$ and $q$ their dimensions, $\\sigma$ the singular values.",
    )


def _closest(pairs, names, closest, kind):
    source = "your labels, as nothing has been clustered yet" if kind == "class" else "the found clusters"
    if closest is None:
        return f"There is one subspace only, by {source}."
    i, j = np.unravel_index(np.nanargmin(pairs), pairs.shape)
    two = f"{from_data(names[i])} and {from_data(names[j])}"
    return f"By {source}: {two} come closest, with {closest:.1f}° between their nearest directions."


def _first_share(span):
    squares = span.singular_values**2
    return 100 * float(squares[0] / squares.sum()) if squares.sum() > 0 else 0.0


def _range(values):
    low, high = int(np.min(values)), int(np.max(values))
    return f"{low}" if low == high else f"{low}–{high}"


def _largest(affinity):
    others = affinity[~np.eye(len(affinity), dtype=bool)]
    return f"{np.nanmax(others):.2f}" if np.isfinite(others).any() else "–"
