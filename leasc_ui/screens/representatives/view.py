"""What the Representatives page shows of a choice: tiles, the choice on the data, coverage, and Proposition 1."""

import pandas as pd
import streamlit as st

from leasc_ui.charts.coverage import chance_chart, choice_chart, distances_chart
from leasc_ui.frame.page import show
from leasc_ui.frame.theme import colour
from leasc_ui.frame.tiles import tiles
from leasc_ui.screens.representatives.compute import NEARLY_SURE, chance_of, coverage_of, plane_of, sizes_of
from leasc_ui.work import core

RANDOM_ONLY = "Proposition 1 is about random picks; K-means and DS3 spread theirs on purpose, so for them it is a cautious guess."

# On a phone the settings stand right under the picture.
STYLE = "<style>@media (max-width:640px){[data-testid=stLayoutWrapper]:has(>.st-key-below){order:2}}</style>"


@st.cache_resource(max_entries=16, show_spinner="Laying the points out in the plane …")
def plane_for(fingerprint, _source):
    """The data in the plane, kept while choices change."""
    with core.working():
        return plane_of(_source)


@st.cache_resource(max_entries=64, show_spinner="Measuring how far points are from their representatives …")
def coverage_for(fingerprint, _source, _indices):
    with core.working():
        return coverage_of(_source, _indices)


@st.cache_data(max_entries=256, show_spinner=False)
def chance_for(sizes, count):
    return chance_of(sizes, count)


def show_choice(data, chosen, assumed):
    """Everything about one choice."""
    plane = plane_for(data.fingerprint, data.points)
    coverage = coverage_for(chosen.fingerprint, data.points, chosen.indices)
    chance = chance_for(tuple(sizes_of(data, assumed).tolist()), len(chosen.indices))
    st.html(STYLE)
    _tiles(chosen, coverage, chance)
    _picture(data, plane, chosen, coverage)
    with st.container(key="below"):
        _coverage(data, chosen, coverage, chance)


def _coverage(data, chosen, coverage, chance):
    """The histogram, the curve and the table."""
    left, right = st.columns(2, gap="medium")
    with left:
        st.subheader("How far the points are", anchor=False)
        st.caption(_measured(coverage))
        show(distances_chart(coverage), "distances")
    with right:
        st.subheader("Would chance meet every subspace?", anchor=False)
        st.caption(_assumption(data, chance, chosen))
        show(chance_chart(chance), "chance")
    _farthest(data, coverage)


def _tiles(chosen, coverage, chance):
    tiles(
        ("Representatives", f"{len(chosen.indices):,}", f"Chosen in {chosen.seconds:.2g} s."),
        ("Radius ρ", f"{coverage.radius:.3g}", "The largest distance of a point to its nearest representative, in its unit."),
        ("Typical distance", f"{float(pd.Series(coverage.distances).median()):.3g}", "The median distance, in the data’s unit."),
        (
            "Every subspace met",
            percent(chance.probability, chance.certain),
            "Proposition 1: the chance for so many random picks.",
        ),
    )


def _picture(data, plane, chosen, coverage):
    far = coverage.rows[coverage.farthest]
    places = plane(data.points.take(chosen.indices)), plane(data.points.take(far))
    st.html(_legend(plane, chosen, far))
    show(choice_chart(plane, chosen.indices, places[0], far, places[1], st.context.theme.type), "choice")


def _legend(plane, chosen, far):
    drawn = f"{len(plane.rows):,} points" if plane.whole else f"{len(plane.rows):,} of {plane.total:,} points"
    marks = (
        (colour("faint"), "●", drawn),
        (colour("representatives"), "+", f"representatives, {len(chosen.indices):,}"),
        (colour("stale"), "○", f"least covered, {len(far)}"),
    )
    items = "".join(f'<span><i style="color:{shade}">{glyph}</i>{words}</span>' for shade, glyph, words in marks)
    if plane.share is not None:
        items += f"<span>The two directions drawn hold {100 * plane.share:.0f} % of the variance.</span>"
    return f'<div class="legend">{items}</div>'


def _measured(coverage):
    if coverage.whole:
        return f"All {coverage.total:,} points. The dashed line is the radius ρ: nobody is farther from help."
    return (
        f"Measured on {len(coverage.rows):,} of {coverage.total:,} points drawn at random; "
        "over all points ρ can only be larger than the dashed line."
    )


def _assumption(data, chance, chosen):
    if data.labels is not None:
        known = f"The sizes of the {len(chance.sizes)} subspaces come from your labels, used for nothing else here."
    else:
        known = f"Assuming {len(chance.sizes)} subspaces of equal size; set another number in the panel."
    sure = f"{chance.needed:,} random picks make it {100 * NEARLY_SURE:.0f} % sure."
    return f"{known} {sure}" if chosen.settings.selector == "random" else f"{known} {sure} {RANDOM_ONLY}"


def _farthest(data, coverage):
    at = coverage.farthest
    table = pd.DataFrame(
        {"row": coverage.rows[at], "distance": coverage.distances[at], "nearest representative (row)": coverage.nearest[at]}
    )
    if data.labels is not None:
        names = data.label_names
        table["label"] = [str(names[label]) if names is not None else str(label) for label in data.labels[coverage.rows[at]]]
    with st.expander(f"The {len(at)} least covered points", icon=":material/radar:"):
        st.caption("Ringed in the picture. Rows are counted from 0; distances are in the data’s unit.")
        st.dataframe(
            table, hide_index=True, column_config={"distance": st.column_config.NumberColumn(format="%.4g")}, key="farthest"
        )


def percent(probability, certain):
    """A probability that never rounds to a certainty it is not."""
    if certain:
        return "100 %"
    if probability >= 0.9995:
        return "> 99.9 %"
    if 0 < probability < 0.0005:
        return "< 0.1 %"
    return f"{100 * probability:.1f} %"
