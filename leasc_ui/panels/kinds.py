"""The picture that this kind of data has, on the Cluster page: a map, tracks, a timeline, genes or texts."""

import numpy as np
import streamlit as st

from leasc_ui.charts.kinds import charts, images, texts
from leasc_ui.frame.page import show
from leasc_ui.frame.words import from_data

MOST_CELLS = 400_000_000
LEAST_WIDTH = 420


def show_kind(results, names) -> None:
    """Draw what belongs to the data's layout; nothing where rows are plain points."""
    source = results.data.source
    layout, labels = getattr(source, "layout", None), np.asarray(results.labels)
    if len(labels) != len(source) or source.shape[0] * source.shape[1] > MOST_CELLS:
        return
    if layout is not None and layout.kind == "cube":
        _cube(source, labels, layout, results.count, names)
    elif layout is not None and layout.kind == "tracks":
        _tracks(source, labels, layout, names)
    elif layout is not None and layout.kind == "series":
        st.subheader("Along time", anchor=False)
        show(charts.timeline_chart(labels, layout, names), "kind_timeline")
    elif layout is not None and layout.kind == "counts" and source.feature_names:
        _genes(source, labels, results.count, names)
    _texts(source, labels, results.count, names)


def _cube(source, labels, layout, count, names):
    st.subheader("Map", anchor=False)
    enlarged = max(1, LEAST_WIDTH // layout.sides[1])
    left, right = st.columns(2)
    for place, picture, words in (
        (left, images.cluster_map(labels, layout), "Clusters as a map; background is grey."),
        (right, images.composite(source, layout), "Three bands as red, green and blue."),
    ):
        place.image(picture.repeat(enlarged, axis=0).repeat(enlarged, axis=1), width="stretch", caption=words, alt=words)
    means, deviations = charts.cluster_means(source, labels, count)
    show(charts.spectra_chart(means, deviations, layout, names), "kind_spectra")


def _tracks(source, labels, layout, names):
    st.subheader("Tracks", anchor=False)
    frame = st.slider("Frame", 1, layout.frames, 1, key="kind_frame") - 1
    rows = source.take(np.arange(min(len(source), charts.MOST_TRACKS)))
    show(charts.tracks_chart(rows, labels, layout, names, frame), "kind_tracks")
    if layout.picture is not None:
        st.caption("Behind the points is the frame that came with the tracks, taken at one moment of them.")


def _genes(source, labels, count, names):
    st.subheader("What marks each cluster", anchor=False)
    means, _ = charts.cluster_means(source, labels, count)
    genes = charts.marker_genes(means, source.feature_names)
    shares = charts.shares_above_zero(source, labels, count)
    show(charts.dot_chart(means, shares, genes, source.feature_names, names), "kind_genes")


def _texts(source, labels, count, names):
    """Words and texts of each cluster, where a column of texts goes along."""
    column = next((c.name for c in source.columns if c.role == "text" and c.kind == "text"), None)
    if column is None or source.metadata is None or len(source.metadata) != len(labels):
        return
    rows = (
        np.arange(len(labels))
        if len(labels) <= texts.MOST_TEXTS
        else np.linspace(0, len(labels) - 1, texts.MOST_TEXTS).astype(int)
    )
    found = source.metadata.take(rows, [column])[column]
    st.subheader("Texts", anchor=False)
    for cluster, words in enumerate(texts.telling_terms(found, labels[rows], count)):
        with st.expander(from_data(f"{names[cluster]}: {', '.join(words) or 'no word sets it apart'}")):
            for text in texts.some_texts(found, labels[rows], cluster):
                st.text(text)
