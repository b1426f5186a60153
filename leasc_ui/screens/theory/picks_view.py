"""Two sections of the Theory page: Proposition 1 and Definition 1."""

import numpy as np
import streamlit as st

from leasc_ui.charts.coverage import chance_chart
from leasc_ui.charts.theory.radius import covered_chart
from leasc_ui.frame.page import show
from leasc_ui.frame.tiles import tiles
from leasc_ui.screens.representatives.view import chance_for, percent
from leasc_ui.screens.theory.compute import exact_chance, parse_sizes
from leasc_ui.screens.theory.frame import equation
from leasc_ui.screens.theory.state import radius_for
from leasc_ui.session.fields import concrete


def show_picks(subject, chosen):
    """Proposition 1."""
    sizes = parse_sizes(concrete(chosen, "sizes", subject))
    if sizes is None:
        st.error(
            f"“{chosen.sizes}” does not list sizes; write whole numbers of at least 1, such as 50, 50 or 10 × 6000.",
            icon=":material/error:",
        )
        return
    total = sum(sizes)
    picks = min(concrete(chosen, "picks", subject), total)
    chance = chance_for(tuple(sizes), picks)
    fraction = exact_chance(sizes, picks)
    tiles(
        ("Every subspace met", percent(chance.probability, chance.certain), f"By {picks:,} random picks of {total:,} points."),
        ("Picks for 99 %", f"{chance.needed:,}", "The fewest random picks that meet every subspace with 99 % probability."),
        ("Certain from", f"{total - min(sizes) + 1:,}", "So many picks cannot all miss the smallest subspace: max(m − mᵢ) + 1."),
        ("Subspaces", f"{len(sizes):,}", f"The smallest has {min(sizes):,} points, the largest {max(sizes):,}."),
    )
    st.subheader("Would chance meet every subspace?", anchor=False)
    exactly = f" Exactly, it is **{fraction}**." if fraction else ""
    st.markdown(
        f"{picks:,} random picks meet all {len(sizes):,} subspaces with probability "
        f"{percent(chance.probability, chance.certain)}.{exactly}"
    )
    show(chance_chart(chance, height=320), "theory_chance")
    st.caption(_about_selector(subject))
    equation(
        "Proposition 1",
        r"P(n)=\sum_{S\subseteq\{1,\dots,k\}}(-1)^{|S|}\binom{m-\sum_{i\in S}m_i}{n}\Big/\binom{m}{n}",
        "Picks are drawn without replacement; $S$ runs over the subspaces that could be missed. The paper’s example, two bases "
        "of 50 points and 7 picks, gives $1820/1843\\approx0.98752$.",
    )


def _about_selector(subject):
    if subject.selector in (None, "random"):
        return "It counts picks, not quality: a subspace that is met once has one representative and little more."
    return "It is about random picks; K-means and DS3 spread theirs on purpose, so for them it is a cautious guess."


def show_radius(subject, chosen):
    """Definition 1."""
    unit = chosen.seen == "directions"
    radius = radius_for(subject.fingerprint, unit, subject)
    half = float(np.mean(radius.distances <= radius.radius / 2))
    tiles(
        ("Radius ρ", f"{radius.radius:.3g}", "The largest distance of a point to its nearest representative."),
        (
            "Typical ρᵢⱼ",
            f"{np.median(radius.radii):.3g}",
            "The median over representatives of the distance to the farthest each stands for.",
        ),
        ("Typical distance", f"{np.median(radius.distances):.3g}", "The median over points."),
        ("Within ρ/2", f"{100 * half:.0f} %", "Points no farther than half the radius: ρ is set by the few others."),
    )
    st.subheader("How close is help?", anchor=False)
    unit_words = "between directions, as f sees them" if unit else "in the data’s own unit"
    counted = (
        f"all {radius.total:,} points" if radius.whole else f"{len(radius.rows):,} of {radius.total:,} points, so ρ may be larger"
    )
    st.markdown(
        f"Half of the points are within {np.median(radius.distances):.3g} of a representative, and none is farther than "
        f"ρ = {radius.radius:.3g}: measured {unit_words}, on {counted}."
    )
    show(covered_chart(*radius.curve, radius.radius), "theory_covered")
    st.caption(
        "ρ is a largest value, so one outlier sets it. Here the nearest representative stands for a point; Definition 1 takes "
        "the nearest of its own subspace, which nobody knows beforehand."
    )
    equation(
        "Definition 1",
        r"\rho_{ij}=\max_{y\in Y_{ij}}d(x_{ij},y),\qquad \rho_i=\max_j\rho_{ij},\qquad \rho=\max_i\rho_i",
        "$Y_{ij}$ are the points that representative $x_{ij}$ stands for; $d$ is the Euclidean distance.",
    )
