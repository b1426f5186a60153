"""The verdict where the result is: a mark, one sentence, what drags it down, and a button for each remedy."""

from dataclasses import replace

import streamlit as st

from leasc_core import baselines
from leasc_ui.frame.words import from_data
from leasc_ui.screens.cluster.choices import FORM, GIVEN
from leasc_ui.screens.cluster.state import cluster_state

MARKS = {
    "clear": (st.success, ":material/verified:", "Clear"),
    "usable": (st.info, ":material/check_circle:", "Usable"),
    "doubtful": (st.warning, ":material/help:", "Doubtful"),
    "wrong tool": (st.error, ":material/build_circle:", "Another tool fits better"),
}


def show_verdict(results):
    """The mark and the sentence, with the remedies below; nothing where a run has none."""
    verdict = results.summary.get("verdict")
    if verdict is None:
        return
    box, icon, words = MARKS.get(verdict["mark"], MARKS["usable"])
    reasons = "".join(f"  \n{from_data(_named(reason, results))}" for reason in verdict["reasons"])
    with st.container(key="verdict", gap="small"):
        box(f"**{words}.** {from_data(verdict['sentence'])}{reasons}", icon=icon)
        if verdict["remedies"]:
            with st.container(horizontal=True):
                for at, remedy in enumerate(verdict["remedies"]):
                    _offer(results, remedy, f"remedy_{at}")


def _offer(results, remedy, key):
    action = remedy["action"]
    if action == "standardise":
        words = "Bring the columns to standard units"
        st.button(words, key=key, icon=":material/straighten:", on_click=_again, args=({"preparation": "standard"},))
    elif action == "n_clusters":
        changes = {"how": GIVEN, "clusters": int(remedy["k"])}
        st.button(f"Take {remedy['k']} clusters", key=key, icon=":material/numbers:", on_click=_again, args=(changes,))
    elif action == "leave_out":
        names = ", ".join(_column(results, at) for at in remedy["columns"])
        st.page_link("pages/2_Data.py", label=f"Leave out {from_data(names)} on Data", icon=":material/filter_alt:")
    elif action == "method":
        method = baselines.get(remedy["name"])
        asked = {"methods": f"leasc.{method.name}", "how": "given", "clusters": str(remedy["k"])}
        label = f"Compare with {method.label}, {remedy['k']} clusters"
        st.page_link("pages/8_Compare.py", label=label, icon=":material/compare_arrows:", query_params=asked)


def _again(changes):
    """Ask for the change and find the clusters anew, as soon as the page is seen."""
    FORM.put(replace(FORM.settings, mine=False, **changes), undo=True)
    cluster_state().at_once = True


def _column(results, at):
    names = results.data.source.feature_names
    return str(names[at]) if names and at < len(names) else f"column {at + 1}"


def _named(reason, results):
    """A reason with the column's own name in it."""
    first, _, rest = reason.partition(" holds ")
    number = first.removeprefix("Column ")
    return f"{_column(results, int(number))} holds {rest}" if rest and number.isdecimal() else reason
