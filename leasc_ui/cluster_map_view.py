"""The map of a finished run: its points in one of three views, in the plane, where a box selects, or in space."""

import numpy as np
import streamlit as st

from leasc_ui.charts.cluster_map import BRUSH, map_chart, solid_map
from leasc_ui.charts.data_points import labels_legend
from leasc_ui.cluster_confidence import STEPS, steps_of
from leasc_ui.cluster_picks import box_of, box_words
from leasc_ui.cluster_results import KINDS
from leasc_ui.cluster_room import BY_CLASS, BY_CLUSTER, BY_CONFIDENCE, FLAT, REMEMBERED, SOLID, room
from leasc_ui.data_room import coded_labels, one_thread
from leasc_ui.theme import CLUSTERS, CONFIDENCE

MEANINGS = {
    "spectral": "The spectral embedding is what the clusters are cut from, so they stand apart here if anywhere.",
    "pca": "PCA knows nothing of the clusters: it shows the points as they lie, along their widest directions.",
    "umap": "UMAP keeps neighbours together; distances between islands, their sizes and their shapes mean nothing.",
}
COLOURS = {"clusters": "Clusters", "classes": "Known classes", "confidence": "Confidence"}


def show_map(results, names):
    """The points as the controls above them say, with the legend, and in words what is drawn."""
    truth, classes = coded_labels(results.data)
    known = truth is not None and len(truth) == len(results.labels)
    kind, solid, by = _controls(results, known)
    places = places_of(results, kind)
    room().follow(results)
    labels, words, palette = results.drawn_labels[places.at], names, CLUSTERS
    if by == BY_CLASS:
        labels, words = truth[results.rows[places.at]], classes
    elif by == BY_CONFIDENCE:
        labels, words, palette = steps_of(results.confidence[places.at]), STEPS, CONFIDENCE
    st.html(labels_legend(labels, words, palette))
    if solid:
        _show_solid(results, places, labels, words, palette)
    else:
        _show_flat(results, places, labels, words, palette)
    few = len(places.at) < len(results.labels)
    part = f" Showing {len(places.at):,} of {len(results.labels):,} points, each cluster by its share." if few else ""
    drag = " Drag to turn, scroll to come closer." if solid else " Drag a box over points to see them below."
    st.caption(f"{MEANINGS[kind]}{drag}{part}")


def _controls(results, known):
    """The view, whether it is in space, and what gives the colours."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="look_at"):
        kind = _one_of("View", "view", KINDS)
        if not known and st.session_state[REMEMBERED.key("colour")] == BY_CLASS:
            st.session_state[REMEMBERED.key("colour")] = BY_CLUSTER
        by = _one_of("Colours", "colour", {name: words for name, words in COLOURS.items() if known or name != BY_CLASS})
        flat = results.data.points.shape[1] == 2 and kind == "pca"
        space = _one_of("Dimensions", "space", {FLAT: FLAT, SOLID: SOLID}, disabled=flat)
    return kind, space == SOLID and not flat, by


def _one_of(label, name, words, **options):
    return st.segmented_control(label, tuple(words), required=True, key=REMEMBERED.key(name), format_func=words.get,
                                label_visibility="collapsed", **options)  # fmt: skip


def places_of(results, kind):
    """Where the points lie in a view; the page says so while that takes a while."""
    with one_thread():
        if kind == "umap" and "umap" not in vars(results):
            with st.spinner("UMAP is laying out the points, once; half a minute at most …", show_time=True):
                return results.places(kind)
        return results.places(kind)


def _show_flat(results, places, labels, words, palette):
    here = room()
    opened = box_of(here.opened)
    box = opened[1:] if opened and opened[0] == places.kind else None
    chart = map_chart(places.places, labels, words, places.axes[:2], st.context.theme.type, box, palette=palette)
    key = f"map_{places.kind}_{results.folder.name}_{here.cleared}"

    def brush():
        drawn = st.session_state[key].selection.get(BRUSH) or {}
        here.select(box_words(places.kind, drawn["x"], drawn["y"]) if "x" in drawn and "y" in drawn else None, results)

    with st.container(key="map"):
        st.vega_lite_chart(chart.data, chart.spec, key=key, on_select=brush, selection_mode=BRUSH, alt=chart.alt)


def _show_solid(results, places, labels, words, palette):
    chosen = room().selected(results.folder)
    mask = None if chosen is None else np.isin(results.rows[places.at], chosen)
    figure = solid_map(places.places, labels, words, places.axes, mask, st.context.theme.type, palette=palette)
    st.plotly_chart(figure, key=f"solid_{places.kind}", config={"displaylogo": False})
