"""The map of a finished run: its points in a view, to select from, isolate in, colour by anything, or turn in space."""

import numpy as np
import streamlit as st

from leasc_ui.charts.cluster.live import live_map
from leasc_ui.charts.cluster.map import solid_map
from leasc_ui.frame.components import picture
from leasc_ui.results.colours import colouring, hover_columns, ways_to_colour
from leasc_ui.results.picks import said, shape_of, told
from leasc_ui.results.results import KINDS
from leasc_ui.screens.cluster.choices import AUTO, FORM, SOLID
from leasc_ui.screens.cluster.state import cluster_state
from leasc_ui.work.core import one_thread

MEANINGS = {
    "spectral": "The spectral embedding is what the clusters are cut from, so they stand apart here if anywhere.",
    "pca": "PCA knows nothing of the clusters: it shows the points as they lie, along their widest directions.",
    "umap": "UMAP keeps neighbours together; distances between islands, their sizes and their shapes mean nothing.",
}
POLL_SECONDS = 0.5


def show_map(results, names):
    """The points as the controls above them say, with a legend that isolates, and in words what is drawn."""
    asked, solid, by = _controls(results)
    kind, coming = _view(results, asked, solid)
    with one_thread():
        places = results.places(kind, solid)
    cluster_state().follow(results)
    shown = colouring(results, by, results.rows[places.at], results.drawn_labels[places.at], names)
    if solid:
        _show_solid(results, places, shown)
    else:
        _show_flat(results, places, shown)
    few = len(places.at) < len(results.labels)
    part = (
        f" Showing {len(places.at):,} of {len(results.labels):,} points, each cluster by its share; sizes are of all."
        if few
        else ""
    )
    drag = " Drag to turn, scroll to come closer." if solid else " Click a name to see it alone, with Shift to add it."
    st.caption(f"{MEANINGS[kind]}{drag}{part}")
    if coming:
        st.fragment(_await_layout, run_every=POLL_SECONDS)(results, solid)


def _controls(results):
    """The view that is asked for, whether it is in space, and what gives the colours."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="look_at"):
        views = {AUTO: "Best view"} | {name: KINDS[name] for name in results.views}
        kind, ways = FORM.field("view", options=views), ways_to_colour(results)
        by = FORM.field("colour", options=ways, format_func=lambda name: f"Colour: {ways[name]}")
        flat = results.data.points.shape[1] == 2
        space = FORM.field("space", disabled=flat)
    return kind, space == SOLID and not flat, by


def _view(results, asked, solid):
    """The view that is shown now, and whether a better one is being laid out behind it."""
    if asked == AUTO:
        with one_thread():
            asked = results.best_view
    if asked != "umap" or results.layout_ready(solid):
        return asked, False
    return "pca", True


def _await_layout(results, solid):
    """Until UMAP is there; then the page draws it. Meanwhile one looks at PCA."""
    share = results.layout_share(solid)
    if share is None:
        st.rerun()
    st.progress(share, "UMAP is laying out the points; PCA is shown until it is done.")


def _show_flat(results, places, shown):
    state, key = cluster_state(), f"map_{places.kind}_{results.folder.name}"
    opened = shape_of(state.opened)
    words = told(state.opened) if opened and opened[0] == places.kind else None
    rows = results.rows[places.at]
    chosen, drawn = state.selected(results.folder), shape_of(state.picked)
    lit = None if chosen is None or (drawn and drawn[0] == places.kind) else np.isin(rows, chosen)
    hover = hover_columns(results.data, rows)
    data = live_map(places.places, shown, places.axes, rows, hover, opened=words, cleared=state.cleared, lit=lit)

    def pick():
        given = st.session_state[key].get("picked")
        state.select(said(places.kind, str(given or "").rpartition("#")[0]), results)

    with st.container(key="map"):
        picture("map.js", key, data, {"picked": pick})


def _show_solid(results, places, shown):
    chosen = cluster_state().selected(results.folder)
    mask = None if chosen is None else np.isin(results.rows[places.at], chosen)
    figure = solid_map(places.places, shown.labels, shown.names, places.axes, mask, st.context.theme.type, palette=shown.palette)
    st.plotly_chart(figure, key=f"solid_{places.kind}", config={"displaylogo": False})
