"""The tools that change clusters: those picked in the table, or points selected in the map; the list of edits, the way back."""

import numpy as np
import streamlit as st

from leasc_core.workbench.steps import Colour, Give, Lock, Merge, Name, Noise, Note, TakeOut
from leasc_ui.frame.theme import CLUSTERS
from leasc_ui.results import edits
from leasc_ui.screens.cluster.state import cluster_state
from leasc_ui.work.core import one_thread

FIND = "as many as are steady"
MOST_PARTS = 12


def show_cluster_edits(found, picked):
    """Merge several; name, colour, split, lock or leave out one."""
    results, names = found.results, found.names
    ids = [edits.id_of(results, at) for at in picked]
    if len(picked) > 1:
        words = ", ".join(f"**{names[at]}**" for at in picked)
        st.markdown(f"{words}: {sum(int(results.sizes[at]) for at in picked):,} points in all")
        _button("Merge into one", "merge", "edit_merge", results, Merge(tuple(ids)), kind="primary")
        return
    at, cluster = picked[0], ids[0]
    state = getattr(results, "state", None)
    locked = state is not None and cluster in state.locked
    with st.container(horizontal=True, vertical_alignment="bottom", key="edit_cluster"):
        key = f"edit_name_{cluster}_{names[at]}"
        st.text_input("Name", names[at], max_chars=60, key=key, width=200, on_change=_rename, args=(results, cluster, key))
        shade = (state.colours.get(cluster) if state else None) or CLUSTERS[cluster % len(CLUSTERS)][0]
        st.color_picker("Colour", shade, key=f"edit_colour_{cluster}_{shade}", on_change=_colour, args=(results, cluster, shade))
        others = [other for other in range(found.count) if other != at]
        other = st.selectbox(
            "Merge with", others, None, key="edit_other", width=180, format_func=lambda each: names[each], placeholder="…"
        )
        if other is not None:
            _button("Merge", "merge", "edit_merge", results, Merge((cluster, edits.id_of(results, other))))
        _split(results, results.labels == at, cluster, disabled=locked)
        _button("Mark as noise", "block", "edit_noise", results, Noise(cluster=cluster), disabled=locked)
        _button(
            "Unlock" if locked else "Lock",
            "lock",
            "edit_lock",
            results,
            Lock(cluster, not locked),
            help="No edit changes who is in a locked cluster.",
        )
    _offer_merge(results, names)
    note = edits.note_of(results, cluster)
    key = f"edit_note_{cluster}_{hash(note)}"
    st.text_area(
        "Note",
        note,
        key=key,
        height=68,
        on_change=_note,
        args=(results, cluster, key),
        placeholder="What you think it is, and why",
    )


def show_selection_edits(results, names):
    """What can be done with the points that are selected in the map."""
    rows = cluster_state().selected(results.folder)
    if rows is None:
        return
    text = edits.rows_text(rows)
    with st.container(horizontal=True, vertical_alignment="bottom", key="edit_selection"):
        _button(
            "Make a cluster of these",
            "add_circle",
            "edit_take",
            results,
            TakeOut(text, edits.next_id(results)),
            kind="primary",
            clear=True,
        )
        choices = list(range(getattr(results, "clusters", results.count)))
        to = st.selectbox(
            "Give them to",
            choices,
            None,
            key="edit_to",
            width=180,
            format_func=lambda at: names[at],
            placeholder="Give them to …",
            label_visibility="collapsed",
        )
        if to is not None:
            _button("Give", "move_up", "edit_give", results, Give(text, edits.id_of(results, to)), clear=True)
        mask = np.zeros(len(results.labels), bool)
        mask[rows] = True
        _split(results, mask, None, words="Cluster these again")
        _button("Mark as noise", "block", "edit_noise_rows", results, Noise(text), clear=True)
    show_problem()


def show_history(results):
    """What was edited, with undo and redo, and the note on the whole."""
    history = edits.history_of(results.folder)
    show_problem()
    title = f"Edits, {len(history.steps)}" if history.steps else "Edits and notes"
    with st.container(horizontal=True, vertical_alignment="center", key="edit_history"):
        _way("Undo edit", "undo", not history.steps, edits.undo, results.folder)
        _way("Redo edit", "redo", not history.undone, edits.redo, results.folder)
        if history.steps:
            st.caption(edits.told(results)[-1] + ".", width="stretch")
    with st.expander(title, icon=":material/history_edu:", key="edits"):
        if history.steps:
            st.markdown("\n".join(f"{number}. {_plain(words)}" for number, words in enumerate(edits.told(results), 1)))
            st.caption("They stand in the script, the report and the model: new points are labelled as edited.")
        note = edits.note_of(results)
        key = f"edit_note_all_{hash(note)}"
        st.text_area(
            "Note on the whole",
            note,
            key=key,
            on_change=_note,
            args=(results, None, key),
            placeholder="What this is, for you and your colleagues",
        )


def show_problem():
    """Why the last edit was not made."""
    problem = st.session_state.pop(edits.PROBLEM, None)
    if problem:
        st.warning(problem, icon=":material/warning:")


def _split(results, mask, inside, words="Split", disabled=False):
    with st.popover(words, icon=":material/call_split:", disabled=disabled):
        key = "edit_parts" if inside is not None else "edit_parts_rows"
        parts = st.selectbox(
            "Into how many", [None, *range(2, MOST_PARTS + 1)], key=key, format_func=lambda n: FIND if n is None else f"{n}"
        )
        way = st.selectbox(
            "Prepared",
            ["auto", "none"],
            key=f"{key}_way",
            format_func={"auto": "as suits these points", "none": "not at all"}.get,
        )
        if st.button("Cluster them", icon=":material/call_split:", type="primary", key=f"{key}_go"):
            rows = np.flatnonzero(mask)
            with one_thread(), st.spinner(f"Clustering {len(rows):,} points by themselves …", show_time=True):
                done = edits.split(results, rows, inside, parts, way)
            if done:
                cluster_state().clear()
            st.rerun()


def _offer_merge(results, names):
    """Where a name was wanted that another cluster has: merging the two."""
    wanted = st.session_state.get("edit_namesake")
    if wanted is None or wanted[0] != str(results.folder):
        return
    _, cluster, other, name = wanted
    with st.container(horizontal=True, vertical_alignment="center", key="edit_namesakes"):
        st.markdown(f"There is a cluster of that name: **{_plain(name)}**. Are they the same?", width="content")
        st.button(
            "Merge the two",
            icon=":material/merge:",
            key="edit_merge_same",
            type="primary",
            on_click=_merge_same,
            args=(results, other, cluster),
        )
        st.button("Keep both", key="edit_keep_both", type="tertiary", on_click=st.session_state.pop, args=("edit_namesake", None))


def _merge_same(results, other, cluster):
    st.session_state.pop("edit_namesake", None)
    edits.do(results, Merge((other, cluster)))


def _rename(results, cluster, key):
    name = st.session_state[key].strip()
    other = edits.namesake(results, cluster, name)
    if other is not None:
        st.session_state["edit_namesake"] = (str(results.folder), cluster, other, name)
        st.session_state[key] = edits.title(results, cluster)
        return
    st.session_state.pop("edit_namesake", None)
    edits.do(results, Name(cluster, name))


def _colour(results, cluster, shade):
    edits.do(results, Colour(cluster, st.session_state[f"edit_colour_{cluster}_{shade}"]))


def _note(results, cluster, key):
    edits.do(results, Note(st.session_state[key], cluster))


def _button(label, icon, key, results, step, kind="secondary", disabled=False, clear=False, help=None):
    def act():
        if edits.do(results, step) and clear:
            cluster_state().clear()

    st.button(label, icon=f":material/{icon}:", key=key, type=kind, disabled=disabled, on_click=act, help=help)


def _way(label, icon, disabled, act, folder):
    st.button(
        label, icon=f":material/{icon}:", key=f"edit_{icon}", type="tertiary", disabled=disabled, on_click=act, args=(folder,)
    )


def _plain(words):
    return "".join(f"\\{letter}" if letter in "\\`*_[]#<>$~" else letter for letter in words)
