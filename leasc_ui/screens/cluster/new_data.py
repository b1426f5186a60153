"""Labels for new points: which model, which file, and what came of it."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
import streamlit as st

from leasc_core.errors import DataError, LeascError
from leasc_core.runs.folder import RunFolder
from leasc_ui.charts.cluster.sizes import sizes_chart
from leasc_ui.data.pictures import PictureData
from leasc_ui.export import files as exports
from leasc_ui.frame.page import show
from leasc_ui.frame.visitor import visitor
from leasc_ui.frame.words import from_data
from leasc_ui.results.edits import edited_model
from leasc_ui.results.results import names_of
from leasc_ui.work import core
from leasc_ui.work.cache import LruCache
from leasc_ui.work.uploads import limits_of, new_folder, store

MOST_SHOWN = 1000
CURRENT, UPLOADED = "The one from Cluster", "A .leasc file"


@dataclass(frozen=True)
class ChosenModel:
    """A bundle on disk; ``folder`` is its run where it is the visitor's current one."""

    path: Path
    title: str
    folder: str | None = None


@dataclass(frozen=True, eq=False)
class Labelled:
    name: str
    names: list
    labels: np.ndarray = field(repr=False)
    confidence: np.ndarray | None = field(default=None, repr=False)


def choose_model(pipeline) -> ChosenModel | None:
    """The current model, or one that was saved before."""
    st.subheader("Model", anchor=False)
    found = pipeline.ready("clusters")
    ways = (CURRENT, UPLOADED) if found is not None else (UPLOADED,)
    way = st.segmented_control(
        "Which model", ways, default=ways[0], required=True, key=f"new_way_{len(ways)}", label_visibility="collapsed"
    )
    if way == CURRENT:
        st.caption(f"Trained on {from_data(pipeline.data.name)}: {len(np.unique(found.labels)):,} clusters.")
        with st.spinner("Carrying the edits to new points …"):
            path = edited_model(found.folder) or RunFolder(found.folder).model_file
        return ChosenModel(path, pipeline.data.name, found.folder)
    given = st.file_uploader("A model saved here or by leasc_core", type=["leasc"], key="new_model")
    if given is None:
        if pipeline.status("clusters") == "stale":
            st.caption(
                "The clusters on the Cluster page belong to data or a model that have changed since; find them again "
                "there, or bring a model that was saved before."
            )
        elif found is None:
            st.caption("No clusters are found yet on the Cluster page; bring a model that was saved before.")
        return None
    return ChosenModel(_kept(given), given.name)


def choose_file():
    """The file with the new points."""
    st.subheader("New points", anchor=False)
    st.caption("One file of any kind that Data opens: text, Excel, Parquet, NumPy, MATLAB, HDF5, AnnData, a zip of pictures …")
    given = st.file_uploader("A file, a row a point", key="new_points", label_visibility="collapsed")
    return None if given is None else _kept(given)


def label_rows(model, file, pipeline, say) -> Labelled:
    """The labels of all rows of a file; LeascError says what does not fit."""
    from leasc_core import open_source
    from leasc_core.workbench.edited import load_model

    key = (str(model.path), model.path.stat().st_mtime_ns, str(file))
    known = pipeline.data.recipe.get("options", {}) if model.folder else {}

    def work():
        with core.working():
            fitted = load_model(model.path)
            if model.folder and isinstance(pipeline.data, PictureData):
                source = _scattered(open_source(file, limits=limits_of(file)), pipeline.data)
            else:
                source = opened_to_fit(file, known, fitted)
            fitted.on_event = lambda event: say("Labelling", event.done / event.total) if hasattr(event, "done") else None
            if hasattr(fitted, "calibration_"):
                return *map(np.asarray, fitted.predict_with_confidence(source)), _names(fitted, model.folder)
            return np.asarray(fitted.predict(source)), None, _names(fitted, model.folder)

    labels, sure, names = _KEPT.get(key, work)
    return Labelled(file.name, names, labels, sure)


def _names(model, folder):
    """What its clusters are called: as edited, else as named beside the run."""
    return getattr(model, "names_", None) or names_of(folder or "", model.n_clusters_)


def opened_to_fit(file, known, fitted):
    """The file, read as the data were that the ``fitted`` model was trained on (``known`` are those options), or as else fits.

    Features are matched by name where they have names. A label column that new points do not have and points in columns
    are no reason to refuse them.
    """
    from leasc_core import open_source
    from leasc_core.estimators.points import known_columns

    known = {name: value for name, value in known.items() if name != "roles"}
    like, width = {"like": known_columns(fitted)}, fitted.n_features_in_
    ways = [
        like | known,
        like | {name: value for name, value in known.items() if name != "label"},
        like,
        {"label": False},
        {"transpose": True},
    ]
    ways = ways[:3] if like["like"] and hasattr(fitted, "feature_names_in_") else ways
    widths, refusal = [], None
    for options in ways:
        try:
            source = open_source(file, limits=limits_of(file), **options)
        except LeascError as problem:
            refusal = refusal or problem
            continue
        if source.shape[1] == width:
            return source
        widths.append(source.shape[1])
    if not widths:
        raise refusal
    raise DataError(
        f"{file.name} has {widths[0]:,} features a point and the model was trained on {width:,} features; bring points with the "
        "same features in the same order, or take the model that belongs to them."
    )


def show_labels(labelled):
    """Sizes, a table and the downloads."""
    labels, names = labelled.labels, labelled.names
    st.subheader(f"{len(labels):,} points labelled", anchor=False)
    left, right = st.columns(2, gap="medium")
    with left:
        show_sizes(labels, names, "Bars of how many new points went into each cluster.")
    with right:
        frame = pd.DataFrame({"row": np.arange(min(MOST_SHOWN, len(labels))), "label": labels[:MOST_SHOWN]})
        frame["name"] = [[*names, "noise"][label] for label in frame["label"]]
        if labelled.confidence is not None:
            frame["confidence"] = labelled.confidence[:MOST_SHOWN]
        st.dataframe(frame, hide_index=True, height=300, key="new_labels")
        if len(labels) > MOST_SHOWN:
            st.caption(f"The first {MOST_SHOWN:,} of {len(labels):,} rows; the downloads hold all of them.")
    show_downloads(labels, names, exports.slug(labelled.name), labelled.confidence)


def show_sizes(labels, names, alt):
    """Bars that cannot be clicked."""
    if (labels < 0).any():
        labels, names = np.where(labels < 0, len(names), labels), [*names, "noise"]
    chart = sizes_chart(np.bincount(labels, minlength=len(names)), names, height=300)
    still = {name: part for name, part in chart.spec.items() if name != "params"} | _plain_bars(chart)
    show(type(chart)(still, chart.data, alt), "new_sizes")


def show_downloads(labels, names, name, confidence=None):
    """The labels as files, with how sure each is where that is known."""
    with st.container(horizontal=True):
        st.download_button(
            "Labels, CSV",
            lambda: exports.labels_csv(labels, names, None, confidence),
            f"{name}-labels.csv",
            "text/csv",
            icon=":material/download:",
            key="new_csv",
            on_click="ignore",
            type="primary",
        )
        st.download_button(
            "Labels, Parquet",
            lambda: exports.labels_parquet(labels, names, confidence),
            f"{name}-labels.parquet",
            icon=":material/download:",
            key="new_parquet",
            on_click="ignore",
        )


def _plain_bars(chart):
    """The bars without what makes them clickable."""
    encoding = {name: part for name, part in chart.spec["encoding"].items() if name != "opacity"}
    return {"encoding": encoding, "mark": {**chart.spec["mark"], "cursor": "default"}}


def _scattered(source, data):
    """New pictures as the current model was shown the old ones."""
    from leasc_core import open_source

    scattering = data.preprocess.scattering
    return open_source(np.concatenate([scattering.transform(block.astype(np.float32)) for _, block in source.blocks()]))


def _kept(given):
    """Where an upload lies on the server; written once."""
    places = st.session_state.setdefault("new_uploads", {})
    if given.file_id not in places:
        places[given.file_id] = store(new_folder(visitor()), given.name, given)
    return places[given.file_id]


_KEPT = LruCache(16)
