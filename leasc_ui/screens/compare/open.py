"""A line of the table that was clicked: what its runs said, its labels on the Cluster page, its parameters on the others."""

import streamlit as st

from leasc_core import baselines
from leasc_core.runs.budget import readable_seconds
from leasc_ui.frame.words import from_data
from leasc_ui.screens.compare.loading import SCOPE, load
from leasc_ui.session.external import ExternalLabels, look_at
from leasc_ui.session.form import undo_button

CLUSTER, TRAIN = "pages/5_Cluster.py", "pages/4_Train.py"
LEASC = "leasc_"
# What LeaSC takes by itself (leasc_core.LeaSC), in the words of the Train page.
OWN = {"alpha_bar": 1.0, "solver": "exact", "hidden": [1500], "activation": "relu", "epochs": 5, "selector": "random"}


def show_row(session, comparison, name):
    """The line that is selected; without one, how to select."""
    if name is None:
        st.caption(":material/touch_app: Select a line to open its labels in Cluster.")
        return
    rows, label = comparison.rows_of(name), baselines.get(name).label
    done = [row for row in rows if row["status"] == "done"]
    with st.container(border=True, key="compare_row", gap="small"):
        st.markdown(f"**{label}.** {baselines.get(name).blurb} {_stages(comparison.lines.get(name))}")
        for message in dict.fromkeys(row["message"] for row in rows if row["status"] != "done"):
            st.markdown(f":material/block: {from_data(message)}")
        if not done:
            return
        with st.container(horizontal=True, vertical_alignment="center"):
            seeds = [row["seed"] for row in done]
            seed = st.selectbox(
                "Seed",
                seeds,
                key=f"compare_seed_{name}",
                label_visibility="collapsed",
                width=120,
                format_func=lambda seed: f"seed {seed}",
            )
            row = next(row for row in done if row["seed"] == seed)
            if st.button("Open in Cluster", type="primary", icon=":material/bubble_chart:", key="compare_open"):
                look_at(_external(comparison, row))
                st.switch_page(CLUSTER)
            if name.startswith(LEASC):
                st.button(
                    "Load its parameters",
                    icon=":material/tune:",
                    key="compare_load",
                    on_click=_load,
                    args=(session, comparison, row),
                    help="Into the settings of Representatives, Train and Cluster; undo returns.",
                )
    show_loaded(session)


def show_loaded(session):
    """What was loaded last, and the two ways on: there, or back."""
    last = session.last(SCOPE)
    if last is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="compare_loaded"):
        st.markdown(f":material/check_circle: Loaded: {last.words}.")
        undo_button(SCOPE, "compare_unload")
        st.page_link(TRAIN, label="Go on to Train", icon=":material/arrow_forward:")


def _stages(line):
    if line is None or not line.get("stages"):
        return ""
    spent = ", ".join(f"{stage} {readable_seconds(seconds, measured=True)}" for stage, seconds in line["stages"].items())
    return f"Time by stage: {spent}."


def _external(comparison, row):
    story = comparison.story
    labels = str(comparison.folder / row["labels_file"])
    return ExternalLabels(row["label"], row["seed"], labels, story.recipe, story.title, row["clusters"], row["seconds"])


def _load(session, comparison, row):
    parameters = {**OWN, "variant": row["method"].removeprefix(LEASC), "n_clusters": row["clusters"], **row["settings"]}
    words = f"{row['label']}, {row['settings']['n_representatives']:,} representatives, {row['clusters']} clusters"
    load(session, parameters, words, comparison.story.fingerprint)
