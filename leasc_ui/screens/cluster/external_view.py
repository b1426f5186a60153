"""What the Cluster page shows of another method’s labels: facts, a map, sizes and agreement; no function is behind them."""

from functools import cached_property
from pathlib import Path

import numpy as np
import streamlit as st

from leasc_core.errors import LeascError
from leasc_ui.export import files as exports
from leasc_ui.frame.page import load_core
from leasc_ui.frame.words import from_data
from leasc_ui.results.results import Results, names_of
from leasc_ui.screens.cluster.map_view import show_map
from leasc_ui.screens.cluster.new_data import show_downloads, show_sizes
from leasc_ui.screens.cluster.view import show_confusion, show_tiles
from leasc_ui.screens.compare.data import data_again
from leasc_ui.session.external import look_at
from leasc_ui.work import core
from leasc_ui.work.cache import LruCache
from leasc_ui.work.core import one_thread

COMPARE = "pages/8_Compare.py"


class ExternalResults(Results):
    """What can be seen of labels alone: there is no function, no code and no spectrum behind them."""

    did = "Clustered"
    views, measures_confidence = ("pca", "umap"), False

    def __init__(self, found, data):
        self.folder, self.data = Path(found.labels).with_suffix(""), data
        self.labels = np.load(found.labels, mmap_mode="r", allow_pickle=False)
        self.count = int(self.labels.max()) + 1
        self.summary = {"points": len(self.labels), "seconds": found.seconds}
        self.config = {"parameters": {"n_clusters": found.clusters}}
        self.begin_looking()

    @property
    def points(self):
        return self.data.points

    @property
    def choice(self):
        return None

    @cached_property
    def sizes(self):
        return np.bincount(self.labels, minlength=self.count)


def show_external(found, lead):
    """The page while another method’s labels are shown."""
    with st.container(border=True, key="external", gap="small"):
        st.markdown(
            f":material/compare_arrows: **Labels of {found.method}**, seed {found.seed}, on {from_data(found.title)}, from the "
            "Compare page. They are not from your own function f, and your pipeline is as it was."
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                "Back to my own clusters", icon=":material/arrow_back:", key="external_leave", on_click=look_at, args=(None,)
            )
            st.page_link(COMPARE, label="Compare", icon=":material/compare_arrows:")
    results_here = st.container()
    load_core(lead, results_here)
    with results_here:
        try:
            _show(_results(found), found)
        except LeascError as problem:
            st.error(from_data(problem), icon=":material/error:")
            st.caption("The data of this comparison cannot be read any more; compare again on what is there.")


def _show(results, found):
    names = names_of(results.folder, results.count)
    show_tiles(results)
    show_map(results, names)
    left, right = st.columns(2, gap="medium")
    with left:
        st.subheader("Sizes", anchor=False)
        labels = np.asarray(results.labels)
        show_sizes(labels, names, "Bars of how many points each cluster has.")
        show_downloads(labels, names, exports.slug(f"{found.title} {found.method}"))
    with right:
        show_confusion(results, names)


def _results(found):
    def make():
        with core.working():
            return ExternalResults(found, data_again(found.recipe, found.seed))

    with st.spinner("Looking at the points …", show_time=True), one_thread():
        return _KEPT.get(found.labels, make)


_KEPT = LruCache(4)
