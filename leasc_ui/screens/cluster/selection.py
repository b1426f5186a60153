"""What is selected in one picture, seen in the others: another view, codes, representatives, pictures, rows, and a way out."""

import numpy as np
import pandas as pd
import streamlit as st

from leasc_ui.charts.cluster.map import other_map_chart
from leasc_ui.charts.codes import codes_chart, shared_limit
from leasc_ui.data.preview import TABLE_COLUMNS, coded_labels, montage, pictures_of
from leasc_ui.frame.page import show
from leasc_ui.frame.words import from_data
from leasc_ui.results.edited import exported
from leasc_ui.results.results import MOST_CODED, stratified
from leasc_ui.screens.cluster.choices import FORM
from leasc_ui.screens.cluster.state import cluster_state
from leasc_ui.work.core import one_thread
from leasc_ui.work.names import unique_names

MOST_PICTURES, MOST_ROWS = 60, 200


def show_selection(results, names):
    """The section below the map; an invitation while nothing is selected."""
    rows = cluster_state().selected(results.folder)
    st.subheader("What you selected", anchor=False)
    if rows is None:
        with st.container(border=True, key="nothing_selected"):
            st.markdown(
                "Drag a box or a lasso over points in the map, or click a bar: their codes, representatives"
                f"{', pictures' if results.data.image_shape else ''} and rows appear here."
            )
        return
    labels = np.asarray(results.labels)[rows]
    with st.container(horizontal=True, vertical_alignment="center", key="selection_head"):
        st.markdown(f"**{len(rows):,} points**: {_shares(labels, names)}", width="stretch")
        _export(results, rows, names)
        st.button("Clear", icon=":material/close:", type="tertiary", key="clear_selection", on_click=cluster_state().clear)
    with st.container(key="selection"):
        left, right = st.columns(2, gap="medium")
        with left:
            _other_view(results, rows)
        with right:
            _codes(results, rows, labels)
        left, right = st.columns(2, gap="medium")
        with left:
            _helpers(results, rows, names)
        with right:
            _pictures(results, rows)
        _table(results, rows, labels, names)


def _shares(labels, names):
    counts = np.bincount(labels)
    order = np.argsort(-counts, kind="stable")[:4]
    words = [f"{counts[at]:,} of {from_data(names[at])}" for at in order if counts[at]]
    more = np.count_nonzero(counts) - len(words)
    return ", ".join(words) + (f" and {more} more clusters" if more else "")


def _export(results, rows, names):
    from leasc_ui.export.files import labels_csv
    from leasc_ui.panels.confidence import sure_of
    from leasc_ui.work.names import slug

    st.download_button(
        "Export just these",
        lambda: labels_csv(exported(results), names, rows, sure_of(results)),
        icon=":material/download:",
        file_name=f"{slug(results.data.name)}-selected-labels.csv",
        mime="text/csv",
        key="export_selected",
        on_click="ignore",
    )


def _other_view(results, rows):
    """PCA where the map is the spectral embedding, and that one elsewhere."""
    kind = "pca" if FORM.settings.view == "spectral" else "spectral"
    with one_thread():
        places = results.places(kind)
    st.markdown(
        "**The same points** along their principal axes" if kind == "pca" else "**The same points** in the spectral embedding"
    )
    chosen = np.isin(results.rows[places.at], rows)
    show(other_map_chart(places.places, chosen, places.axes[:2], st.context.theme.type), f"other_{kind}")


def _codes(results, rows, labels):
    at = stratified(labels, MOST_CODED)
    few = stratified(results.representative_labels, MOST_CODED)
    with one_thread():
        codes = results.codes(rows[at])[:, few]
    part = "" if len(at) == len(rows) else f", {len(at):,} of {len(rows):,}"
    st.markdown(f"**Their codes**{part}: which representatives write them")
    limit = shared_limit(results.code_sample[0])
    chart = codes_chart(codes, labels[at], results.representative_labels[few], limit, columns="selected points", height=290)
    show(chart, "chosen_codes")


def _helpers(results, rows, names):
    with one_thread():
        helpers, shares = results.helpers(rows[stratified(np.zeros(len(rows)), MOST_CODED)])
    st.markdown("**Their representatives**: the most helpful, by the share of the size of all codes")
    indices = results.model.representative_indices_[helpers]
    if results.data.image_shape:
        with st.container(key="helper_pictures"):
            st.image(
                montage(pictures_of(results.data, indices), len(indices)),
                width="stretch",
                alt="Pictures of the most helpful representatives.",
            )
    frame = pd.DataFrame(
        {"row": indices, "cluster": [names[at] for at in results.representative_labels[helpers]], "share of help": 100 * shares}
    )
    share = st.column_config.ProgressColumn(
        "share of help", format="%.1f %%", min_value=0, max_value=max(1.0, float(100 * shares.max()))
    )
    st.dataframe(frame, hide_index=True, height=210, column_config={"share of help": share}, key="helpers_table")


def _pictures(results, rows):
    if not results.data.image_shape:
        return
    shown = rows[stratified(np.zeros(len(rows)), MOST_PICTURES)]
    part = "" if len(shown) == len(rows) else f", {len(shown)} of {len(rows):,}"
    st.markdown(f"**Their pictures**{part}")
    with st.container(key="chosen_pictures"):
        st.image(
            montage(pictures_of(results.data, shown), min(12, len(shown))),
            width="stretch",
            alt="Pictures of the selected points.",
        )


def _table(results, rows, labels, names):
    shown = rows[:MOST_ROWS]
    data = results.data
    values = data.source.take(shown)[:, :TABLE_COLUMNS]
    columns = data.source.feature_names or [f"feature {number}" for number in range(1, data.source.shape[1] + 1)]
    columns = [str(name)[:60] for name in columns[: values.shape[1]]]
    frame = pd.DataFrame(values, columns=columns if len(set(columns)) == len(columns) else None)
    truth, classes = coded_labels(data)
    with one_thread():
        margins = pd.Series(results.margins, index=results.rows).reindex(shown).to_numpy()
    frame.insert(0, "margin", margins, allow_duplicates=True)
    if truth is not None and len(truth) == len(results.labels):
        frame.insert(0, "known class", [classes[code] for code in truth[shown]], allow_duplicates=True)
    frame.insert(0, "cluster", [names[at] for at in labels[: len(shown)]], allow_duplicates=True)
    frame.insert(0, "row", shown, allow_duplicates=True)
    frame.columns = unique_names(frame.columns)
    st.dataframe(frame, hide_index=True, height=260, key="chosen_rows")
    part = f"The first {len(shown):,} of {len(rows):,} selected rows" if len(shown) < len(rows) else "The selected rows"
    wide = f", first {TABLE_COLUMNS} of {data.source.shape[1]:,} features" if data.source.shape[1] > TABLE_COLUMNS else ""
    st.caption(f"{part}{wide}, as read, before any cleaning; rows count from 0.")
