"""One table of a file's columns: name, sample values, role and why; a role is changed by a click."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from leasc_core.data.columns.info import ASKED, ENCODINGS
from leasc_core.errors import LeascError
from leasc_ui.data.files import MOST_COLUMNS_LISTED
from leasc_ui.screens.data.state import file_facts
from leasc_ui.session.pipeline import fingerprint_of
from leasc_ui.session.state import current_session

TALLEST = 330
ROW_HEIGHT = 35
HELP = (
    "What a column is for. Features decide the clusters; everything else goes along to the charts and the exports. "
    "One-hot and ordinal make features of a category; labels are shown and scored, never used."
)


def columns_now(state):
    """ColumnInfo of every column with the role it has now; () where the file is no table or cannot be looked at."""
    file = state.wanted.file
    if state.wanted.way != "file" or not file.path:
        return ()
    try:
        found = file_facts(file).columns or _as_read(state)
    except LeascError:
        return ()
    asked = dict(file.roles or ())
    if isinstance(file.label, str):
        asked = {file.label: "label"} | asked
    taken = any(role == "label" for role in asked.values()) or file.label is False
    return tuple(_as_asked(column, asked.get(column.name), taken) for column in found)


def _as_read(state):
    """The columns of what is loaded, where only reading the file tells them."""
    data = current_session().pipeline.data
    return data.source.columns[:MOST_COLUMNS_LISTED] if data is not None and state.loaded == state.wanted else ()


def _as_asked(column, role, taken):
    if role is not None and role != column.asked:
        kind = role if role in ENCODINGS else column.kind
        return replace(column, role="feature" if role in ENCODINGS else role, kind=kind, why="as you chose")
    if taken and role is None and column.role == "label":
        return replace(column, role="category" if column.kind == "text" else "feature", why="another column holds the labels")
    return column


def show_columns(state):
    """The table, where the file has columns."""
    columns = columns_now(state)
    if not columns:
        return
    frame = pd.DataFrame(
        {
            "column": [column.name for column in columns],
            "values": [" · ".join(column.sample) for column in columns],
            "role": [column.asked for column in columns],
            "why": [column.why for column in columns],
        }
    )
    file = state.wanted.file
    # Of these roles: an editor keeps what was typed, also where undo has taken it back.
    key = f"data_columns_{fingerprint_of(file.path, file.roles)}"

    def change():
        _change(state, columns, st.session_state[key]["edited_rows"])

    with st.expander(_summary(columns), expanded=True, icon=":material/view_column:"):
        st.data_editor(
            frame,
            key=key,
            hide_index=True,
            height=min(TALLEST, ROW_HEIGHT * (len(frame) + 1) + 3),
            disabled=["column", "values", "why"],
            column_config={
                "column": st.column_config.TextColumn("Column", width="small"),
                "values": st.column_config.TextColumn("Sample values", width="medium"),
                "role": st.column_config.SelectboxColumn("Role", options=ASKED, required=True, width="small", help=HELP),
                "why": st.column_config.TextColumn("Why", width="medium"),
            },
            on_change=change,
        )
        st.caption("Click a role to change it. Columns that are no features are kept: they come back in charts and exports.")


def _summary(columns):
    features = sum(column.role == "feature" for column in columns)
    others = [column for column in columns if column.role not in ("feature", "label")]
    label = next((column.name for column in columns if column.role == "label"), None)
    words = [f"{features:,} feature{'s' * (features != 1)}"]
    if label is not None:
        words.append("labels in one column")
    if others:
        words.append(f"{len(others):,} other column{'s' * (len(others) != 1)} kept beside them")
    return f"Columns: {', '.join(words)}"


def _change(state, columns, edited):
    """The roles as edited become a choice like any other, so that undo, the address and the recipe have them."""
    file, before = state.wanted.file, {column.name: column.asked for column in columns}
    changed = {columns[int(at)].name: edit["role"] for at, edit in edited.items() if "role" in edit}
    roles = dict(file.roles or ()) | changed
    if "label" in changed.values():
        label = next(name for name, role in changed.items() if role == "label")
        former = [name for name, role in before.items() if role == "label" and name != label and name not in changed]
        roles |= dict.fromkeys(former, "category")
    state.put(replace(state.wanted, file=replace(file, label=None, roles=tuple(sorted(roles.items())))))
