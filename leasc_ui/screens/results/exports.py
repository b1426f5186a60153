"""Take it away: everything a run leaves, as downloads that are made when they are asked for."""

import streamlit as st

from leasc_core.data.guards import size_text
from leasc_ui.data.pictures import PictureData
from leasc_ui.data.preview import coded_labels
from leasc_ui.export import files as exports
from leasc_ui.export.script import notebook, script
from leasc_ui.frame.page import exists
from leasc_ui.panels.confidence import sure_of
from leasc_ui.results.asked import request_of
from leasc_ui.results.edited import exported
from leasc_ui.results.edits import history_of
from leasc_ui.results.report import report_section
from leasc_ui.screens.results.profile_view import profile_of
from leasc_ui.screens.results.project_view import show_save
from leasc_ui.work.core import one_thread

BINARY, ZIP = "application/octet-stream", "application/zip"
LABEL_NEW = "pages/6_Label_new_data.py"
# A spreadsheet has no more columns.
MOST_JOINED = 16_384
SCATTERED = "It reads scattering features, not pictures; while this tab is open, *Label new data* makes them by itself."


def show_exports(results, names, pipeline):
    """The section at the foot of the page."""
    st.subheader("Take it away", anchor=False)
    asked, folder, labels = request_of(results.folder), results.folder, exported(results)
    edits, profile = history_of(folder), profile_of(results, names)
    name = exports.slug(results.data.name)
    with st.container(key="exports"):
        first, second, third = st.columns(3, gap="medium")
    with first:
        st.markdown("**Labels**, a row a point, with how sure each is")
        table = lambda write: write(labels, names, confidence=sure_of(results))  # noqa: E731
        _button("Labels, CSV", lambda: table(exports.labels_csv), f"{name}-labels.csv", "text/csv", "csv")
        _button("Labels, Parquet", lambda: table(exports.labels_parquet), f"{name}-labels.parquet", BINARY, "parquet")
        _joined(results, names, name)
        _codes(results, name)
    with second:
        st.markdown("**Model and pictures**")
        scattered = isinstance(pipeline.data, PictureData)
        _button(
            "Model, .leasc",
            lambda: exports.model_bytes(folder),
            f"{name}.leasc",
            BINARY,
            "model",
            f"Labels new points, here or with leasc_core. {SCATTERED if scattered else ''}",
        )
        report = lambda: exports.report_html(folder, asked, results.data, report_section(profile))  # noqa: E731
        _button("Report, HTML", report, f"{name}-report.html", "text/html", "report", "One page that needs nothing else.")
        _button(
            "All figures, HTML and SVG",
            lambda: _figures(results, names),
            f"{name}-figures.zip",
            ZIP,
            "figures",
            "Needs no network; the menu beside a chart on this page saves just that one, as PNG or SVG.",
        )
    with third:
        st.markdown("**Do it again**, with the same labels")
        _button(
            "Python script", lambda: script(asked, results.data, edits).encode(), f"{name}-clusters.py", "text/x-python", "script"
        )
        _button(
            "Notebook",
            lambda: notebook(asked, results.data, edits).encode(),
            f"{name}-clusters.ipynb",
            "application/x-ipynb+json",
            "notebook",
        )
        show_save(results)
        if exists(LABEL_NEW):
            st.page_link(LABEL_NEW, label="Label new data with this model", icon=":material/new_label:")


def _button(label, make, file_name, mime, key, help=None):
    st.download_button(
        label,
        make,
        file_name,
        mime,
        icon=":material/download:",
        key=f"export_{key}",
        on_click="ignore",
        width="stretch",
        help=help,
    )


def _joined(results, names, name):
    """The visitor's own table with the clusters behind it; of pictures the names of their files."""
    source, labels = results.data.source, exported(results)
    bare = results.data.image_shape and not source.columns and source.metadata is None
    if bare or len(source) != len(labels) or source.shape[1] > MOST_JOINED:
        return
    for ending, words, mime in ((".csv", "Your table with clusters, CSV", "text/csv"), (".parquet", "… as Parquet", BINARY)):
        _button(
            words,
            lambda ending=ending: exports.joined_table(source, labels, names, sure_of(results), ending),
            f"{name}-with-clusters{ending}",
            mime,
            f"joined{ending}",
            "All columns of your file, in their order, and behind them the cluster of each row.",
        )


def _codes(results, name):
    size = exports.code_bytes(results)
    if size <= exports.MOST_CODE_BYTES:

        def make():
            with one_thread():
                return exports.codes_npy(results)

        _button(
            f"Codes, .npy, {size_text(size)}",
            make,
            f"{name}-codes.npy",
            BINARY,
            "codes",
            "f(Y), float32: a row a point, a column a representative.",
        )
        return
    st.caption(
        f"The codes of all points are {size_text(size)}, more than is sent to a browser ({size_text(exports.MOST_CODE_BYTES)}): "
        '`LeaSC.load("model.leasc").transform(points)` gives them.'
    )


def _figures(results, names):
    from leasc_ui.export.figures import figures_zip

    truth, classes = coded_labels(results.data)
    if truth is not None and (len(truth) != len(results.labels) or len(classes) > 60):
        truth = classes = None
    with one_thread():
        return figures_zip(results, names, truth, classes)
