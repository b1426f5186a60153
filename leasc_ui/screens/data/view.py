"""What the Data page shows of the data: facts, projection, spectrum, table, statistics and pictures."""

import re
from dataclasses import replace

import pandas as pd
import streamlit as st

from leasc_core.data.guards import size_text
from leasc_ui.charts.data.points import labels_legend, projection_chart, solid_figure
from leasc_ui.charts.data.spectrum import spectrum_chart
from leasc_ui.data.preview import TABLE_COLUMNS, coded_labels, montage, preview_of
from leasc_ui.frame.page import show
from leasc_ui.frame.tiles import tiles
from leasc_ui.frame.words import from_data
from leasc_ui.screens.data.settings import LOOK, first_look, looks_of
from leasc_ui.work.core import one_thread

MOST_FEATURES_LISTED = 200
# So many times more features than points look like a table that lies on its side.
ON_ITS_SIDE = 4
# Notes on how a file was read that are said where the columns are shown.
SAID = ("read as", "names are made", "a second column")
LOOKS = {"table": "First rows", "features": "Features", "solid": "In 3-D", "pictures": "Pictures"}


def show_problem(state, data):
    """What cannot be, in one sentence without the names that a program would use, and the way on; a click where one will do."""
    choices, problem = state.choices, state.problem
    st.error(from_data(re.sub(r" \((?:encoding=|label|drop_constant)\)", "", problem)), icon=":material/error:")
    way = "change a setting"
    if "(drop_constant)" in problem:
        way = _offer(
            state,
            "Leave out columns that never change",
            replace(choices, cleaning=replace(choices.cleaning, drop_constant=True)),
            "Empty ones too: they tell no two points apart.",
        )
    kept = f" Still loaded: {from_data(data.name)}." if data is not None else ""
    st.caption(f"Nothing is lost: {way}, or choose something else.{kept}")
    state.problem, state.take = None, False


def _offer(state, label, choices, meaning):
    """A click that settles it; returns what to call that."""
    st.button(
        label, type="primary", icon=":material/filter_alt:", key="without", help=meaning, on_click=state.put, args=(choices,)
    )
    return "do that"


def show_facts(data, n_missing):
    """Points, features, missing values and size, as tiles."""
    n, d = data.points.shape
    cells = data.source.shape[0] * data.source.shape[1]
    share = f"{100 * n_missing / cells:.1f} %" if n_missing else "none"
    read = "" if d == data.source.shape[1] else f" {data.source.shape[1]:,} were read; cleaning leaves {d:,}."
    tiles(
        ("Points", f"{n:,}", "Rows: one point each."),
        ("Features", f"{d:,}", f"Columns: one feature each.{read}"),
        ("Missing values", share, "Share of the values that are not there."),
        ("Size", size_text(cells * data.source.dtype.itemsize), f"As {data.source.dtype} numbers."),
    )


def show_reading(data):
    """What was left out of a table by itself, and whether it may lie on its side."""
    if data.recipe["kind"] != "file":
        return
    options, (points, features) = data.recipe.get("options", {}), data.source.shape
    if options.get("transpose") is None and features > ON_ITS_SIDE * points:
        st.caption(
            f":material/screen_rotation: Read as {points:,} points with {features:,} features each. If every column is a point, "
            "choose **columns** for “Points are”."
        )
    said = [note for note in data.source.notes if note.startswith(SAID) or "before the table" in note]
    if said:
        st.caption(f":material/info: {from_data('; '.join(said).capitalize())}.")


def show_projection(data):
    """The points along their two widest axes."""
    with one_thread():
        seen = preview_of(data).projection
    labels, names = coded_labels(data)
    drawn = None if labels is None else labels[seen.rows]
    if labels is not None:
        st.html(labels_legend(labels, names))
    show(projection_chart(seen.places, drawn, names, seen.axes, st.context.theme.type), "data_points")
    st.caption(_projection_words(data, seen, labels is not None))


def show_spectrum(data):
    """Singular values, and how many dimensions they speak for."""
    with one_thread():
        seen = preview_of(data).spectrum
    st.subheader("How many dimensions?", anchor=False)
    nearby = "" if seen.local is None else f"About **{seen.local:.1f} dimensions** around a point, and "
    st.markdown(f"{nearby}**{seen.together:,}** for all points together.")
    show(spectrum_chart(seen.values, seen.together), "data_spectrum")
    part = "" if seen.seen == len(data.points) else f" Computed on {seen.seen:,} of {len(data.points):,} points, drawn at random."
    st.caption(
        "All together: the fewest singular values that hold 99 % of their squared sum (blue). Around a point: Levina and "
        f"Bickel’s maximum likelihood over the 10 nearest neighbours of {seen.seen_nearby:,} points.{part}"
    )


def show_closer(data):
    """One of several closer looks; only the one asked for is computed."""
    looks = looks_of(data)
    if st.session_state.get(LOOK) not in looks:
        st.session_state[LOOK] = first_look(data)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.subheader("Look closer", anchor=False, width="content")
        chosen = st.segmented_control(
            "Look closer", looks, key=LOOK, required=True, format_func=LOOKS.get, label_visibility="collapsed"
        )
    {"table": _show_table, "features": _show_features, "solid": _show_solid, "pictures": _show_pictures}[chosen](data)


def _projection_words(data, seen, labelled):
    words = []
    if len(seen.rows) < len(data.points):
        words.append(f"Showing {len(seen.rows):,} of {len(data.points):,}, drawn at random.")
    if seen.shares:
        words.append(f"These two axes hold {100 * sum(seen.shares[:2]):.0f} % of the variance.")
    if labelled:
        words.append("Labels are only shown and scored, never used.")
    return " ".join(words) or "The points as they are, in the plane."


def _names(data):
    return data.source.feature_names or [f"feature {number}" for number in range(1, data.source.shape[1] + 1)]


def _show_table(data):
    rows = preview_of(data).first_rows
    names = pd.Index([str(name)[:60] for name in _names(data)[: rows.shape[1]]])
    frame = pd.DataFrame(rows, columns=names.where(~names.duplicated(), [f"{name} ({at})" for at, name in enumerate(names)]))
    labels, classes = coded_labels(data)
    if labels is not None:
        frame.insert(0, "label", [classes[code] for code in labels[: len(rows)]])
    st.dataframe(frame, height=300)
    wide = f" and the first {TABLE_COLUMNS} of {data.source.shape[1]:,} features" if data.source.shape[1] > TABLE_COLUMNS else ""
    st.caption(f"The first {len(rows):,} of {len(data):,} rows{wide}, as read, before any cleaning.")


def _show_features(data):
    seen = preview_of(data).statistics
    count = min(MOST_FEATURES_LISTED, data.source.shape[1])
    frame = pd.DataFrame(
        {
            "feature": [str(name)[:60] for name in _names(data)[:count]],
            "values": seen.histograms[:count].tolist(),
            "mean": seen.mean[:count],
            "deviation": seen.deviation[:count],
            "lowest": seen.low[:count],
            "highest": seen.high[:count],
            "missing": 100 * seen.missing[:count] / max(1, seen.seen),
        }
    )
    number = {name: st.column_config.NumberColumn(format="%.4g") for name in ("mean", "deviation", "lowest", "highest")}
    columns = {
        "values": st.column_config.BarChartColumn("values", help="How often each part of the range occurs, lowest to highest."),
        "missing": st.column_config.NumberColumn("missing, %", format="%.1f"),
    }
    st.dataframe(frame, height=300, hide_index=True, column_config=number | columns)
    part = "all" if seen.seen == len(data) else f"{seen.seen:,} of {len(data):,}"
    few = f"The first {count} of {data.source.shape[1]:,} features" if count < data.source.shape[1] else f"All {count} features"
    st.caption(f"{few} as read, before any cleaning; over {part} rows.")


def _show_solid(data):
    with one_thread():
        seen = preview_of(data).projection
    labels, names = coded_labels(data)
    figure = solid_figure(seen.places, None if labels is None else labels[seen.rows], names, st.context.theme.type)
    st.plotly_chart(figure, key="data_solid", config={"displayModeBar": False})
    share = f"These three axes hold {100 * sum(seen.shares):.0f} % of the variance. " if seen.shares else ""
    part = "" if len(seen.rows) == len(data.points) else f" Showing {len(seen.rows):,} of {len(data.points):,}."
    st.caption(f"{share}Drag to turn, scroll to come closer.{part}")


def _show_pictures(data):
    rows, pictures = preview_of(data).pictures(data.image_shape, data.recipe.get("image_order", "C"))
    with st.container(key="pixels"):
        st.image(montage(pictures, 10), width="stretch", alt=f"{len(rows)} pictures from the data, in order.")
    st.caption(f"{len(rows)} of {len(data):,} pictures, evenly spaced in the order of the rows, as read.")
