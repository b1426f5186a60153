"""Label new data: a model, the current one or a file, gives every row of a file its cluster."""

import streamlit as st

from leasc_core.errors import LeascError
from leasc_ui.frame.page import load_core
from leasc_ui.frame.words import from_data
from leasc_ui.screens.cluster.new_data import choose_file, choose_model, label_rows, show_labels
from leasc_ui.screens.data.wait import waiting
from leasc_ui.screens.page import page_setup, pipeline_strip
from leasc_ui.session.state import current_session
from leasc_ui.work.runs import without_folders

page_setup("Label new data")
session = current_session()

st.title("Label new data", anchor=False)
lead = st.container(horizontal=True, horizontal_alignment="distribute")
lead.markdown(
    "A model that was trained once labels any number of new points: they only need the same features, found by their names, or "
    "in the same order where columns have none."
)
pipeline_strip(session)
left, right = st.columns(2, gap="medium")
with left.container(border=True, height="stretch"):
    model = choose_model(session.pipeline)
with right.container(border=True, height="stretch"):
    file = choose_file()
if model is None or file is None:
    st.caption("Choose a model and a file; the labels appear here.")
    st.stop()

results = st.container()
load_core(lead, results)
try:
    with waiting(results.empty()) as say:
        labelled = label_rows(model, file, session.pipeline, say)
except LeascError as refusal:
    st.error(from_data(without_folders(refusal)), icon=":material/error:")
    st.caption("Nothing is lost: choose another model or another file.")
    st.stop()
show_labels(labelled)
