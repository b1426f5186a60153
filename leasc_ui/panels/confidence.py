"""Certain labels only: a threshold on how sure a label is, the share that is kept, and these labels to take away."""

import numpy as np
import pandas as pd
import streamlit as st

from leasc_ui.data.preview import coded_labels
from leasc_ui.export.files import labels_csv
from leasc_ui.results.confidence import kept_by
from leasc_ui.results.edited import exported
from leasc_ui.work.core import one_thread
from leasc_ui.work.names import slug

MEASURED = (
    "Representatives were drawn anew a few times: 90 % sure means that about nine in ten such labels came out the same. No known "
    "labels were read."
)
BY_MARGIN = (
    "From how much nearer a point is to its own cluster’s centre than to the next one’s. It orders the points well, but 90 % "
    "does not mean nine in ten."
)


def sure_of(results):
    """How sure every label is; all points may have to be coded once more for it."""
    with one_thread():
        return results.all_confidence


def show_certain(results, names):
    """The panel, closed until it is asked for."""
    with st.expander("Certain labels only", icon=":material/verified:", key="certain", on_change="rerun") as panel:
        if not panel.open:
            return
        measured = getattr(results.model, "confidence_", None) is not None
        threshold = st.slider("Keep labels that are at least so sure", 0, 100, 80, format="%d %%", key="certain_from") / 100
        with one_thread():
            confidence, labels, rows = results.confidence, results.drawn_labels, results.rows
        mask, share, by_cluster = kept_by(confidence, labels, threshold, results.count)
        part = "" if len(rows) == len(results.labels) else f" (told from {len(rows):,} of {len(results.labels):,} points)"
        st.markdown(f"**{100 * share:.1f} % of the labels are kept**{part}; the others would read “doubtful”.")
        left, right = st.columns([1.4, 1], gap="medium")
        with left:
            _show_clusters(names, results.sizes, by_cluster)
        with right:
            _show_scores(results, labels, rows, mask)
            st.caption(MEASURED if measured else BY_MARGIN)
            st.download_button(
                "Certain labels, CSV",
                lambda: certain_csv(results, names, threshold),
                f"{slug(results.data.name)}-certain.csv",
                "text/csv",
                icon=":material/download:",
                key="export_certain",
                on_click="ignore",
                help="Only the rows that are kept, each with how sure it is.",
            )


def certain_csv(results, names, threshold):
    """The rows whose labels are at least so sure."""
    confidence = sure_of(results)
    return labels_csv(exported(results), names, np.flatnonzero(confidence >= threshold), confidence)


def _show_clusters(names, sizes, by_cluster):
    frame = pd.DataFrame({"cluster": names, "points": sizes, "kept": by_cluster})
    meaning = "Share of its labels that are kept."
    columns = {"kept": st.column_config.ProgressColumn("kept", format="percent", min_value=0, max_value=1, help=meaning)}
    st.dataframe(frame, hide_index=True, column_config=columns, key="certain_clusters", height=min(320, 38 + 35 * len(frame)))


def _show_scores(results, labels, rows, mask):
    """Where there are known classes: what the kept labels score against them; they chose nothing."""
    truth, _ = coded_labels(results.data)
    if truth is None or len(truth) != len(results.labels) or not mask.any():
        return
    from leasc_core.metrics import clustering_accuracy

    whole, kept = clustering_accuracy(truth[rows], labels), clustering_accuracy(truth[rows][mask], labels[mask])
    st.metric(
        "Accuracy of the kept",
        f"{100 * kept:.1f} %",
        f"{100 * (kept - whole):+.1f} points against all",
        help="Against the labels that came with the data, which were used for nothing else.",
    )
