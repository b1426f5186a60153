"""Two results side by side: how far they agree, the cross-table, both maps, and who moved."""

from datetime import datetime

import numpy as np
import pandas as pd
import streamlit as st

from leasc_core.errors import LeascError
from leasc_ui.charts.data.points import labels_legend, projection_chart
from leasc_ui.data.preview import montage, pictures_of
from leasc_ui.frame.page import show
from leasc_ui.frame.visitor import visitor
from leasc_ui.screens.cluster.state import cluster_state, earlier_runs
from leasc_ui.screens.results.comparison import UNEDITED, before_edits, compared, of_run
from leasc_ui.work.core import one_thread
from leasc_ui.work.names import unique_names

MOST_MOVES, MOST_PICTURES, MOST_ROWS, TABLE_HEIGHT = 20, 36, 200, 320


def show_comparison(results, names):
    """The panel, closed until it is asked for; only where there is something to compare with."""
    others = _others(results)
    if not others:
        return
    with st.expander(
        "Compare with another result", icon=":material/compare_arrows:", key="compare_results", on_change="rerun"
    ) as panel:
        if not panel.open:
            return
        chosen = st.selectbox(
            "Compare with", list(others), key=f"compare_with_{results.folder.name}", label_visibility="collapsed"
        )
        try:
            other = before_edits(results) if chosen == UNEDITED else of_run(others[chosen], chosen, len(results.labels))
            if other is None:
                st.caption("That run is of other points.")
                return
            found = compared(results, names, other)
        except (LeascError, OSError) as problem:
            st.warning(str(problem) if isinstance(problem, LeascError) else "That run cannot be read any more.")
            return
        _facts(found, other)
        _maps(results, names, found, other)
        _table(found)
        _moves(results, found, other)


def _others(results):
    """``{title: folder}`` of finished runs of the same data, newest first; itself before its edits comes first."""
    found = {UNEDITED: None} if hasattr(results, "base") else {}
    for folder, asked, status in earlier_runs(visitor()):
        if folder != results.folder and status.state == "finished" and asked.recipe == results.data.recipe:
            when = datetime.fromtimestamp(int(folder.name.split("-")[0]) / 1000).strftime("%d %b, %H:%M:%S")
            found[f"the run of {when}"] = folder
    return found


def _facts(found, other):
    moved = len(found.moved)
    same = (
        "They are the same clusters."
        if not moved
        else f"**{moved:,} points** are elsewhere, {100 * (1 - found.matched):.1f} % of all."
    )
    st.markdown(
        f"Against the result {other.title}: agreement **{found.agreement:.3f}** (adjusted Rand: 1 the same, 0 chance). {same}"
    )


def _maps(results, names, found, other):
    """The same points in the same places, coloured by each result."""
    with one_thread():
        places = results.places(results.best_view if results.layout_ready() else "pca")
    rows = results.rows[places.at]
    theme = st.context.theme.type
    for column, codes, words, title in zip(
        st.columns(2, gap="medium"),
        found.codes,
        (found.first, found.second),
        ("This result", other.title.capitalize()),
        strict=True,
    ):
        with column:
            st.markdown(f"**{title}**")
            st.html(labels_legend(codes[rows], list(words)))
            chart = projection_chart(places.places, codes[rows], list(words), places.axes[:2], theme, 300)
            show(chart, f"compare_map_{'this' if title == 'This result' else 'other'}")


def _table(found):
    st.markdown("**Who is with whom**: this result down, the other across")
    frame = pd.DataFrame(found.table, columns=unique_names(found.second))
    frame.insert(0, "cluster", list(found.first), allow_duplicates=True)
    st.dataframe(frame, hide_index=True, key="compare_table", height=min(TABLE_HEIGHT, 35 * (len(frame) + 1) + 3))


def _moves(results, found, other):
    moves = found.moves(MOST_MOVES)
    if not moves:
        return
    st.markdown("**Who moved**: the largest groups outside the pairs that match")
    at = st.selectbox(
        "Group",
        range(len(moves)),
        key=f"compare_move_{results.folder.name}_{len(moves)}",
        label_visibility="collapsed",
        format_func=lambda number: _move_words(found, moves[number]),
    )
    rows = found.rows_of(*moves[at][:2])
    if results.data.image_shape:
        few = rows[np.linspace(0, len(rows) - 1, min(MOST_PICTURES, len(rows))).astype(int)]
        with st.container(key="member_pictures_moved"):
            st.image(
                montage(pictures_of(results.data, few), min(12, len(few))), width="stretch", alt="Pictures of points that moved."
            )
    else:
        shown = rows[:MOST_ROWS]
        names = results.data.source.feature_names or [f"feature {n + 1}" for n in range(results.data.source.shape[1])]
        frame = pd.DataFrame(results.data.source.take(shown)[:, :12], columns=unique_names(names[:12]))
        frame.insert(0, "row ", shown)
        st.dataframe(frame, hide_index=True, key="compare_rows", height=220)
    st.button(
        "Select these",
        icon=":material/select_all:",
        type="tertiary",
        key="compare_select",
        on_click=_select,
        args=(results, rows),
    )


def _move_words(found, move):
    row, column, count = move
    return f"{count:,} points: {found.first[row]} here, {found.second[column]} there"


def _select(results, rows):
    state = cluster_state()
    state.chosen, state.chosen_of, state.picked = rows, str(results.folder), None
