"""What the Sweep view shows: the heatmap or the lines while cells come in, what a click loads, and the downloads."""

import streamlit as st

from leasc_core.bench import QUALITIES, SCORES
from leasc_ui.charts.compare.heatmap import PICK, heatmap_chart, lines_chart, number
from leasc_ui.screens.compare.exports import frame_csv, frame_parquet, sweep_figures
from leasc_ui.screens.compare.loading import load
from leasc_ui.screens.compare.open import show_loaded
from leasc_ui.screens.compare.runs import grid_of
from leasc_ui.screens.compare.sweep.values import AXES, COLOURS, cell_words
from leasc_ui.work.names import slug

ORACLE = "Choosing a cell by {} looks at the labels: that is an **oracle** choice, a bound to compare with and not a result."
FREE = "{}: {}. It needs no labels, so a cell may be chosen by it."
LABEL_LESS = ("stability", "code_error")


def show_sweep(session, folder, story, colour):
    """The cells that are there."""
    grid, asked = grid_of(folder)
    colour = colour if story.labelled or colour not in SCORES else "stability"
    best = _best(grid, colour)
    key = f"sweep_{folder.name}"

    def pick():
        chosen = st.session_state[key].selection.get(PICK)
        if chosen:
            _load(session, grid, story, chosen[0]["at"])

    titles = [AXES[name].title for name in grid.axes]
    if len(titles) == 2:
        place = None if best is None else grid.place(best)
        chart = heatmap_chart(grid, colour, titles, _more(colour), place)
    else:
        chart = lines_chart(grid, tuple(SCORES) if story.labelled else LABEL_LESS, titles[0])
    with st.container(key="sweep_chart"):
        st.vega_lite_chart(chart.data, chart.spec, key=key, on_select=pick, selection_mode=PICK, alt=chart.alt)
    st.caption(f":material/touch_app: Click a cell to load its parameters. {_meaning(colour)} {_best_words(best, colour)}")
    show_loaded(session)
    return grid


def show_sweep_downloads(grid, story):
    """Cells and figures."""
    name = slug(story.title)
    free = {quality: words for quality, (words, _) in QUALITIES.items()}
    measures = {**(SCORES if story.labelled else {}), **free, "seconds": "seconds of a fit"}
    with st.container(horizontal=True, key="sweep_downloads"):
        for label, make, end in (
            ("Cells, CSV", lambda: frame_csv(grid.frame()), "sweep.csv"),
            ("Cells, Parquet", lambda: frame_parquet(grid.frame()), "sweep.parquet"),
            ("Figures, HTML", lambda: sweep_figures(grid, story.title, measures), "sweep-figures.html"),
        ):
            st.download_button(label, make, f"{name}-{end}", icon=":material/download:", key=f"sweep_{end}", on_click="ignore")


def _load(session, grid, story, at):
    """What a click on a cell does; cells that are not there yet load nothing."""
    across = len(list(grid.axes.values())[1]) if len(grid.axes) == 2 else 1
    place = (at // across, at % across)
    row = next((row for row in grid.rows if grid.place(row) == place), None)
    if row is not None and row["status"] == "done":
        load(session, row["parameters"], cell_words(row["cell"]), story.fingerprint)


def _best(grid, colour):
    if colour in SCORES:
        return grid.oracle(colour)
    return grid.chosen(colour) if colour in QUALITIES else None


def _more(colour):
    return colour in SCORES or colour in QUALITIES and QUALITIES[colour][1]


def _meaning(colour):
    if colour in SCORES:
        return ORACLE.format(COLOURS[colour])
    if colour in QUALITIES:
        return FREE.format(COLOURS[colour], QUALITIES[colour][0])
    return "Seconds of one fit; brighter is faster."


def _best_words(best, colour):
    if best is None:
        return ""
    who = "The oracle’s cell" if colour in SCORES else "The cell it chooses"
    value = (best.get("scores") if colour in SCORES else best["quality"])[colour]
    return f"★ {who}: {cell_words(best['cell'])}, {number(value, colour)}{'' if colour == 'eigengap' else ' %'}."
