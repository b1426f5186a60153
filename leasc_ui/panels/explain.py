"""Explain a point, explain a cluster: who writes it and what is left, what it is made of, and what it is confused with."""

import numpy as np
import pandas as pd
import streamlit as st

from leasc_core.errors import LeascError
from leasc_ui.data.preview import montage, pictures_of
from leasc_ui.frame.words import from_data
from leasc_ui.panels.explain_work import Explainer
from leasc_ui.work.cache import LruCache
from leasc_ui.work.core import one_thread

POINT, CLUSTER = "A point", "A cluster"


def show_explanation(results, names, selected=None, member=1):
    """The panel, closed until it is asked for; it begins with the first ``selected`` row, and with a cluster counted from 1."""
    with st.expander("Explain a point or a cluster", icon=":material/lightbulb:", key="explain", on_change="rerun") as panel:
        if not panel.open:
            return
        what = st.segmented_control(
            "Explain", (POINT, CLUSTER), default=CLUSTER, required=True, key="explain_what", label_visibility="collapsed"
        )
        try:
            with one_thread(), st.spinner("Looking at the points …"):
                explainer = _KEPT.get(str(results.folder), lambda: Explainer(results))
            (_show_point if what == POINT else _show_cluster)(results, names, explainer, selected if what == POINT else member)
        except LeascError as refusal:
            st.warning(from_data(refusal), icon=":material/warning:")


def _show_point(results, names, explainer, chosen):
    usual = int(chosen[0]) if chosen is not None else int(results.rows[np.argmin(results.margins)])
    row = st.number_input(
        "Row, counted from 0",
        0,
        len(results.labels) - 1,
        usual,
        key=f"explain_row_{usual}",
        width=260,
        help="The first of the points you selected, or else the most doubtful one.",
    )
    with one_thread():
        found, place = explainer.point(row), explainer.place(row)
    own = int(results.labels[row])
    st.markdown(_point_words(row, names, own, found, place))
    if explainer.pictures:
        _show_parts(results, explainer, row, found)
    left, right = st.columns([1.4, 1], gap="medium")
    with left:
        st.markdown("**Who writes it**: the representatives with the largest weights")
        rows = results.model.representative_indices_[found.helpers]
        frame = pd.DataFrame(
            {
                "row": rows,
                "cluster": [names[at] for at in results.representative_labels[found.helpers]],
                "weight": found.weights,
                "share": found.shares,
            }
        )
        meaning, most = "Of the sizes of all weights.", max(0.01, float(found.shares.max()))
        columns = {
            "share": st.column_config.ProgressColumn("share", format="percent", min_value=0, max_value=most, help=meaning),
            "weight": st.column_config.NumberColumn("weight", format="%.3f", help="Below 0 it is subtracted."),
        }
        st.dataframe(frame, hide_index=True, key="explain_helpers", column_config=columns)
    with right:
        _show_neighbours(results, names, place)


def _point_words(row, names, own, found, place):
    words = [f"Row {row:,} is in **{from_data(names[own])}**."]
    if place is not None and place[1] >= 0:
        sure = "close to the border with" if place[0] <= 0.2 else "well apart from" if place[0] > 0.6 else "some way from"
        words.append(f"It lies {sure} **{from_data(names[place[1]])}** (margin {place[0]:.2f}; 0 is the border, 1 the centre).")
    words.append(f"{100 * found.by_cluster[own]:.0f} % of the weights that write it come from its own cluster")
    words[-1] += f", {100 * found.error_share:.0f} % of its length stays unwritten: "
    words[-1] += "far more than usual, so it may be an outlier" if found.is_outlier else "nothing unusual"
    words[-1] += f" (outlier score {found.outlier_score:.1f}; 5 and more is odd)."
    return " ".join(words)


def _show_parts(results, explainer, row, found):
    """The point, what the representatives make of it, and what is left, side by side."""
    point = explainer.seen([row])[0]
    with st.container(key="member_pictures_parts", horizontal=True):
        for picture, words in ((point, "the point"), (found.written, "as it is written"), (np.abs(found.error), "what is left")):
            st.image(_picture(results, picture), caption=words, width=130)


def _show_neighbours(results, names, place):
    st.markdown("**Doubtful points near it**")
    if place is None:
        st.caption("Only points that are drawn in the map have neighbours here.")
    elif not len(place[2]):
        st.caption("None: no point near it has a margin of a third or less.")
    else:
        frame = pd.DataFrame({"row": place[2], "cluster": [names[at] for at in np.asarray(results.labels)[place[2]]]})
        st.dataframe(frame, hide_index=True, key="explain_neighbours")
        if results.data.image_shape:
            _show_row(results, place[2], "doubtful")


def _show_cluster(results, names, explainer, known):
    number = st.selectbox(
        "Cluster",
        range(results.count),
        index=min(known, results.count) - 1,
        key="explain_cluster",
        width=320,
        format_func=lambda at: f"{names[at]}, {results.sizes[at]:,} points",
    )
    with one_thread():
        found, rows = explainer.cluster(number)
    st.markdown(_cluster_words(names, number, found))
    left, right = st.columns(2, gap="medium")
    with left:
        if explainer.pictures:
            st.markdown("**Its basis**: pictures that the others are mixed from, the strongest first")
            with st.container(key="member_pictures_basis"):
                st.image(
                    [_picture(results, column) for column in found.basis.T[:8]],
                    width=96,
                    caption=[f"{100 * share:.0f} %" for share in found.shares[:8]],
                )
        st.markdown("**Its most typical points**")
        exemplars = rows[found.exemplars]
        if results.data.image_shape:
            _show_row(results, exemplars, "typical")
        else:
            st.markdown("rows " + ", ".join(f"{row:,}" for row in exemplars))
    with right:
        st.markdown("**The features that set it apart**")
        features = explainer.feature_names()
        frame = pd.DataFrame(
            {"feature": [features[at] for at in found.features], "here": found.energy, "elsewhere": found.energy_elsewhere}
        )
        most = max(0.01, float(max(found.energy.max(), found.energy_elsewhere.max())))
        meanings = {"here": "Share of the points’ energy in this feature, in this cluster.", "elsewhere": "In all others."}
        columns = {
            name: st.column_config.ProgressColumn(name, help=meaning, format="percent", min_value=0, max_value=most)
            for name, meaning in meanings.items()
        }
        st.dataframe(frame, hide_index=True, key="explain_features", column_config=columns)


def _cluster_words(names, number, found):
    dimensions = "1 dimension that holds" if found.dimension == 1 else f"{found.dimension} dimensions that hold"
    held = f"{100 * found.shares.sum():.0f} % of their energy"
    words = [f"**{from_data(names[number])}** is flat: its points lie near {dimensions} {held}."]
    if found.rival is None:
        words.append("None of its points is doubtful.")
    else:
        words.append(
            f"{100 * found.doubtful_share:.1f} % of its points are doubtful; "
            f"it is most confused with **{from_data(names[found.rival])}**, "
            f"where {100 * found.rival_share:.0f} % of these lean."
        )
    return " ".join(words)


def _show_row(results, rows, kind):
    """Pictures side by side, every pixel a square."""
    with st.container(key=f"member_pictures_{kind}"):
        st.image(montage(pictures_of(results.data, rows), len(rows)), width="stretch", alt=f"Pictures of {kind} points.")


def _picture(results, values):
    """A direction or a point as a picture, on its own scale of grey."""
    data = results.data
    picture = np.asarray(values, dtype=np.float64).reshape(data.image_shape, order=data.recipe.get("image_order", "C"))
    low, high = picture.min(), picture.max()
    return ((picture - low) * (255 / (high - low)) if high > low else np.zeros_like(picture)).astype(np.uint8)


_KEPT = LruCache(8)
