"""The clusters side by side, and one of them in full."""

import numpy as np
import pandas as pd
import streamlit as st

from leasc_core.errors import LeascError
from leasc_core.workbench.told import goes_with_words
from leasc_ui.data.preview import montage, pictures_of
from leasc_ui.results.picks import cluster_words
from leasc_ui.results.profile import Profile
from leasc_ui.screens.cluster.state import cluster_state
from leasc_ui.screens.results.edit_view import show_cluster_edits, show_history
from leasc_ui.work.cache import LruCache
from leasc_ui.work.core import one_thread
from leasc_ui.work.names import slug

ROW, MOST_HEIGHT = 35, 460
MOST_COLUMNS, TYPICAL_ROWS = 400, 6
EFFECT = "How far the mean here is from that of all other points, in standard deviations (Cohen’s d): above 0 is higher."


def show_workbench(results, names):
    """The table of clusters, what is known of those that are picked in it, and the list of edits."""
    st.subheader("The clusters, side by side", anchor=False)
    try:
        with one_thread(), st.spinner("Reading the clusters …"):
            found = profile_of(results, names)
            found.table  # noqa: B018 - computed here once, while the page says so
    except LeascError as refusal:
        st.warning(str(refusal), icon=":material/warning:")
        return
    picked = _table(found)
    with st.container(horizontal=True, vertical_alignment="center", key="profile_foot"):
        st.caption(_legend(found), width="stretch")
        st.download_button(
            "Profiles, CSV",
            found.csv,
            f"{slug(results.data.name)}-profiles.csv",
            "text/csv",
            icon=":material/download:",
            key="export_profiles",
            on_click="ignore",
            help="This table, and the mean, median and effect of every column.",
        )
    if picked:
        with st.container(border=True, key="profile_cluster"):
            if len(picked) == 1:
                _one(found, picked[0])
            show_cluster_edits(found, picked)
    show_history(results)


def profile_of(results, names) -> Profile:
    """The profile of a result under these names; kept for whoever looks again."""
    key = (str(results.folder), id(results), tuple(names))
    return _KEPT.get(key, lambda: Profile(results, names))


def _table(found):
    """The table; positions of the clusters that are picked in it."""
    results = found.results
    frame = pd.DataFrame(found.table)
    if found.pictures:
        frame.insert(1, "typical", found.typical_pictures)
    folder, steps = results.folder.name, len(results.history.steps) if hasattr(results, "history") else 0
    key = f"profiles_{folder}_{steps}"

    def zoom():
        rows = st.session_state[key].selection.rows
        cluster_state().select(cluster_words("cluster", rows[0]) if len(rows) == 1 else None, results)

    columns = {
        "cluster": st.column_config.TextColumn("cluster", pinned=True, help="Click the box before a row to see it in full."),
        "typical": st.column_config.ImageColumn("typical", width="medium"),
        "points": st.column_config.NumberColumn("points", format="localized"),
        "share": st.column_config.ProgressColumn(
            "share", format="percent", min_value=0, max_value=float(frame["share"].max() or 1)
        ),
        "confidence": st.column_config.NumberColumn("sure", format="percent", help="How sure the labels are, in the mean."),
        "dimensions": st.column_config.NumberColumn("dimensions", help="Of the linear span that its points lie near."),
        "high": st.column_config.TextColumn("high", width="medium", help="Columns that are higher than elsewhere: the means."),
        "low": st.column_config.TextColumn("low", width="medium", help="Columns that are lower than elsewhere: the means."),
        "goes with": st.column_config.TextColumn("goes with", width="medium", help="What it has more of than chance gives."),
        "nearest": st.column_config.TextColumn("nearest", help="Where its points would go next."),
    }
    height = 2 * ROW if found.pictures else ROW
    with st.container(key="profiles"):
        st.dataframe(
            frame,
            hide_index=True,
            key=key,
            on_select=zoom,
            selection_mode="multi-row",
            column_config={name: column for name, column in columns.items() if name in frame},
            row_height=height,
            height=min(MOST_HEIGHT, ROW + 3 + height * len(frame)),
        )
    return [row for row in st.session_state[key].selection.rows if row < found.count]


def _legend(found):
    profiles = found.profiles
    words = "Click the box before a row for all of it, two or more to merge them; headings sort, the glass searches."
    if not found.pictures:
        words += " High and low are told from half a standard deviation on, in the columns’ own units."
    if not profiles.exact:
        words += f" Medians are of at most {profiles.rows_for_medians:,} points a cluster."
    if profiles.noise:
        words += f" {profiles.noise:,} points are noise."
    return words


def _one(found, at):
    """A cluster in full: its typical points, its columns, and what goes with it."""
    results = found.results
    st.markdown(f"**{found.names[at]}**, {results.sizes[at]:,} points, {100 * found.profiles.shares[at]:.1f} % of all")
    rows = found.typical(at)
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**Typical**")
        if found.pictures and len(rows):
            with st.container(key="member_pictures_profile"):
                st.image(
                    montage(pictures_of(results.data, rows), len(rows)), width="stretch", alt="Typical pictures of a cluster."
                )
        else:
            st.dataframe(_rows_frame(results.data, rows[:TYPICAL_ROWS], found, at), hide_index=True, key="profile_typical")
        if found.beside[at]:
            st.markdown("**Goes with it**: " + "; ".join(_escaped(goes_with_words(each)) for each in found.beside[at]))
    with right:
        if not found.pictures:
            st.markdown("**Its columns**, those that set it apart first")
            _columns(found, at)
        else:
            st.markdown(f"Nearest is **{found.nearest[at] or 'none'}**; its labels are {100 * found.confidence[at]:.0f} % sure.")


def _columns(found, at):
    profiles = found.profiles
    order = np.argsort(-np.abs(np.nan_to_num(profiles.effects[at])), kind="stable")[:MOST_COLUMNS]
    frame = pd.DataFrame(
        {
            "column": [profiles.columns[each] for each in order],
            "mean": profiles.means[at, order],
            "median": profiles.medians[at, order],
            "elsewhere": profiles.means_elsewhere[at, order],
            "effect": profiles.effects[at, order],
        }
    )
    plain = "localized" if np.nanmax(np.abs(profiles.means[at, order]), initial=0) >= 0.01 else "%.3g"
    numbers = {name: st.column_config.NumberColumn(name, format=plain) for name in ("mean", "median", "elsewhere")}
    numbers["effect"] = st.column_config.NumberColumn("effect", format="%+.2f", help=EFFECT)
    st.dataframe(
        frame, hide_index=True, key="profile_columns", column_config=numbers, height=min(260, ROW * (len(frame) + 1) + 3)
    )


def _rows_frame(data, rows, found, at):
    """Typical rows: what goes along with them, then the columns that set the cluster apart, as read."""
    frame = pd.DataFrame({"row": rows})
    metadata = getattr(data.source, "metadata", None)
    if metadata is not None and len(metadata) == len(data.source) and len(rows):
        for name, values in metadata.take(rows, list(metadata.names[:4])).items():
            frame[f"{name} " if name in frame else name] = values
    telling = found.profiles.telling(at, 4)
    values = data.source.take(rows)[:, telling]
    for position, column in enumerate(telling):
        name = found.profiles.columns[column]
        frame[f"{name} " if name in frame else name] = values[:, position]
    return frame


def _escaped(text):
    """Words from data that Markdown leaves alone."""
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]()#+-.!$<>|:~" else letter for letter in text)


_KEPT = LruCache(12)
