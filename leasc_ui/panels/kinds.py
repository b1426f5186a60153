"""The picture that this kind of data has, on the Cluster page, linked with the map: scene, tracks, time, genes, texts."""

import base64

import numpy as np
import pandas as pd
import streamlit as st

from leasc_ui.charts.data.points import labels_legend
from leasc_ui.charts.kinds import charts, images, texts
from leasc_ui.frame.components import picture
from leasc_ui.frame.page import show
from leasc_ui.frame.theme import cluster_colours
from leasc_ui.frame.words import from_data
from leasc_ui.results.colours import palette_of
from leasc_ui.results.picks import MOST_NUMBERS, cluster_words, said, shape_of, told
from leasc_ui.results.placed import GAP, sheet_rows, time_places, track_places
from leasc_ui.work.cache import LruCache

MOST_CELLS, MOST_TRACKS, MOST_SHEET = 400_000_000, 5000, 60
ROW_OF_TIME, LETTERS = 30, 300
_KEPT = LruCache(24)


def show_kind(results, names, picks) -> None:
    """Draw what belongs to the data's layout; nothing where rows are plain points.

    ``picks`` has ``selected(folder)``, ``picked`` (its words) and ``select_elsewhere(words, results)``.
    """
    source, labels = results.data.source, np.asarray(results.labels)
    layout = getattr(source, "layout", None)
    if len(labels) != len(source) or source.shape[0] * source.shape[1] > MOST_CELLS:
        return
    view = _View(results, names, picks)
    {"cube": view.cube, "tracks": view.tracks, "series": view.series, "counts": view.genes}.get(
        getattr(layout, "kind", None), lambda: None
    )()
    if results.data.image_shape and results.count <= MOST_SHEET:
        view.sheet()
    view.texts()


class _View:
    """One result, and what is selected of it."""

    def __init__(self, results, names, picks):
        self.results, self.names, self.picks = results, names, picks
        self.source, self.labels, self.count = results.data.source, np.asarray(results.labels), results.count
        self.layout = getattr(self.source, "layout", None)
        self.chosen = picks.selected(results.folder)
        self.mask = None if self.chosen is None else np.isin(np.arange(len(self.labels)), self.chosen)

    def kept(self, what, make):
        """What takes a pass over all rows, once for a result."""
        return _KEPT.get((str(self.results.folder), id(self.results), what), lambda: (make(), self.results))[0]

    def field(self, kind, panes, width, height, **more):
        """Pictures to select from; ``panes`` are (picture or None, title)."""
        key, drawn = f"kind_{kind}_{self.results.folder.name}", shape_of(self.picks.picked)
        own = drawn is not None and drawn[0].startswith(kind) and self.chosen is not None
        data = {
            "panes": [
                {"url": None if pane is None else images.data_url(pane), "title": title, "alt": f"{title} Drag to select."}
                for pane, title in panes
            ],
            "width": width,
            "height": height,
            "chosen": 0 if self.chosen is None else len(self.chosen),
            "shape": told(self.picks.picked) if own else None,
        }

        def pick():
            frame, _, words = str(st.session_state[key].get("picked") or "").rpartition("#")[0].partition("~")
            self.picks.select_elsewhere(said(f"{kind}{frame}" if kind == "frame" else kind, words), self.results)

        with st.container(key=f"kind_{kind}"):
            picture("field.js", key, data | more, {"picked": pick})

    def legend(self):
        """Names, colours and sizes."""
        st.html(labels_legend(None, self.names, palette_of(self.results), self.results.sizes))

    def cube(self):
        st.subheader("Map", anchor=False)
        clusters = images.cluster_map(self.labels, self.layout, palette_of(self.results))
        scene = self.kept("composite", lambda: images.composite(self.source, self.layout))
        if self.mask is not None:
            lit = self.mask.reshape(self.layout.sides)
            clusters, scene = images.faded(clusters, lit), images.faded(scene, lit)
        panes = ((clusters, "Clusters as a map; background is grey."), (scene, "Three bands as red, green and blue."))
        self.field("scene", panes, self.layout.sides[1], self.layout.sides[0])
        self.legend()
        means, deviations = self.means()
        show(charts.spectra_chart(means, deviations, self.layout, self.names), "kind_spectra")

    def tracks(self):
        st.subheader("Tracks", anchor=False)
        shown = np.arange(min(len(self.labels), MOST_TRACKS))
        places, (width, height) = self.kept("places", lambda: track_places(self.source.rows(0, len(self.labels)), self.layout))
        frame = self.layout.picture
        behind = "; behind it is the frame that came along." if frame is not None else "."
        title = f"Every track at one frame, with the way it came{behind}"
        self.field(
            "frame",
            ((frame, title),),
            float(width),
            float(height),
            frames=int(self.layout.frames),
            places=_bytes(places[shown], np.float32),
            labels=_bytes(np.where(self.labels[shown] < 0, 65535, self.labels[shown]), np.uint16),
            colours=cluster_colours(palette_of(self.results)),
            lit=None if self.mask is None else _bytes(self.mask[shown], np.uint8),
        )
        self.legend()

    def series(self):
        st.subheader("Along time", anchor=False)
        across, down = time_places(self.layout, len(self.labels))
        line = images.timeline(self.labels, (across, down), palette_of(self.results))
        if self.mask is not None:
            lit = np.zeros(line.shape[:2], bool)
            lit[down, across] = self.mask
            line = images.faded(line, lit)
        tall = max(2, line.shape[0]) * ROW_OF_TIME
        title = f"{line.shape[1]:,} windows from left to right" + (
            f", {line.shape[0]:,} series below one another." if line.shape[0] > 1 else "."
        )
        self.field("time", ((line, title),), line.shape[1], line.shape[0], tall=tall)
        self.legend()

    def sheet(self):
        st.subheader("All clusters at once", anchor=False)
        sheet, shape = sheet_rows(self.labels, self.count), self.results.data.image_shape
        order = self.results.data.recipe.get("image_order", "C")
        whole = self.kept("sheet", lambda: images.contact_sheet(self.source, sheet, shape, order, GAP))
        if self.mask is not None:
            lit = np.where(sheet >= 0, self.mask[sheet], True)
            whole = images.faded(whole, lit.repeat(shape[0] + GAP, axis=0).repeat(shape[1] + GAP, axis=1))
        title = f"A row for each cluster, from top to bottom: {', '.join(map(str, self.names[:MOST_SHEET]))}."
        self.field("sheet", ((whole, from_data(title)),), whole.shape[1], whole.shape[0], high=self.count)

    def genes(self):
        if not self.source.feature_names:
            return
        st.subheader("What marks each cluster", anchor=False)
        means, _ = self.means()
        shares = self.kept("shares", lambda: charts.shares_above_zero(self.source, self.labels, self.count))
        genes, key = charts.marker_genes(means, self.source.feature_names), f"kind_genes_{self.results.folder.name}"
        chart = charts.dot_chart(means, shares, genes, self.source.feature_names, self.names)

        def pick():
            found = st.session_state[key].selection.get(charts.PICK)
            words = cluster_words("cluster", list(self.names).index(found[0]["cluster"])) if found else None
            self.picks.select_elsewhere(words, self.results)

        with st.container(key="kind_genes"):
            st.vega_lite_chart(chart.data, chart.spec, key=key, on_select=pick, selection_mode=charts.PICK, alt=chart.alt)
        st.caption("Click a dot to select its cluster.")
        if self.chosen is not None:
            rows = np.asarray(self.source.take(self.chosen[:MOST_TRACKS]), float)
            among = (np.vstack([means, rows.mean(axis=0)]), np.vstack([shares, (rows > 0).mean(axis=0)]))
            words = f"{len(self.chosen):,} selected"
            named = charts.dot_chart(*among, genes, self.source.feature_names, [*self.names, words])
            only = charts.Chart({**named.spec, "params": [], "height": 40}, named.data[named.data["cluster"] == words], named.alt)
            show(only, "kind_genes_chosen")

    def texts(self):
        """Words that set each cluster apart, and the texts to read, search and select."""
        column = next((c.name for c in self.source.columns if c.role == "text" and c.kind == "text"), None)
        beside = self.source.metadata
        if column is None or beside is None or len(beside) != len(self.labels):
            return
        n, most = len(self.labels), texts.MOST_TEXTS
        rows = np.arange(n) if n <= most else np.linspace(0, n - 1, most).astype(int)
        found = self.kept("texts", lambda: beside.take(rows, [column])[column])
        st.subheader("Texts", anchor=False)
        terms = self.kept("terms", lambda: texts.telling_terms(found, self.labels[rows], self.count))
        words = [", ".join(each) or "no word sets it apart" for each in terms]
        st.dataframe(pd.DataFrame({"cluster": self.names, "words that set it apart": words}), hide_index=True, key="kind_terms")
        listed = (self.picks.picked or "").startswith("rows~")
        if self.mask is not None and not listed:
            found, rows = found[self.mask[rows]], rows[self.mask[rows]]
        frame = pd.DataFrame(
            {
                "cluster": [self.names[label] if label >= 0 else "none" for label in self.labels[rows]],
                column: [str(text)[:LETTERS] for text in found],
            }
        )
        key = f"kind_texts_{self.results.folder.name}_{'' if listed else self.picks.picked}"

        def pick():
            chosen = [str(rows[at]) for at in st.session_state[key].selection.rows[:MOST_NUMBERS]]
            self.picks.select_elsewhere("~".join(["rows", *chosen]) if chosen else None, self.results)

        with st.container(key="kind_texts"):
            st.dataframe(frame, hide_index=True, key=key, on_select=pick, selection_mode="multi-row", height=300)
        part = f"The {len(rows):,} selected texts" if self.mask is not None and not listed else f"{len(rows):,} of {n:,} texts"
        st.caption(f"{part}; the glass above the list searches, the boxes before the rows select.")

    def means(self):
        """Mean and deviation of every column in every cluster."""
        return self.kept("means", lambda: charts.cluster_means(self.source, self.labels, self.count))


def _bytes(values, kind):
    return base64.b64encode(np.ascontiguousarray(values, kind).tobytes()).decode()
