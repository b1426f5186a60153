"""Is this subspace data? A panel that looks when it is asked: the verdict in words first, then the numbers behind it."""

import pandas as pd
import streamlit as st

from leasc_core.errors import LeascError
from leasc_ui.charts.diagnosis import left_chart, spectra_chart
from leasc_ui.frame.page import show
from leasc_ui.frame.words import from_data
from leasc_ui.work.cache import LruCache
from leasc_ui.work.core import one_thread

TITLE = "Is this subspace data?"
MARKS = {True: ":material/check_circle:", False: ":material/cancel:", None: ":material/info:"}
SPEAKS = {True: ":green", False: ":red", None: ":gray"}
GROUPS = {
    "dimension": "How many directions through the origin stand out in the cluster.",
    "left, %": "What of its points’ length lies outside these directions: noise, or dimensions that were not counted.",
    "most like": "The cluster whose directions are nearest to its own.",
    "alike": "From 0, at right angles, to 1, the same subspace. Above about 0.95 two clusters may be one.",
    "smallest angle, °": "Between a direction of the one and a direction of the other.",
    "off the origin, %": "How far its flat piece passes the origin; above about 30 % it is affine, not linear.",
}


def show_before(data):
    """On the Data page: the verdict on the points alone."""
    with st.expander(TITLE, icon=":material/troubleshoot:", key="diagnosis_before", on_change="rerun") as panel:
        if not panel.open:
            return
        found = _looked_at((data.fingerprint, None), data.points, None)
        if found is not None:
            _show_verdict(found)
            _show_checks(found)


def show_after(results, names):
    """On the Cluster page: the same question of the clusters, one by one."""
    with st.expander(
        "Are these clusters subspaces?", icon=":material/troubleshoot:", key="diagnosis_after", on_change="rerun"
    ) as panel:
        if not panel.open:
            return
        found = _looked_at((results.data.fingerprint, str(results.folder)), results.data.points, results.labels)
        if found is not None:
            _show_verdict(found)
            _show_groups(found, names)
            _show_checks(found)


def _looked_at(key, points, labels):
    """The diagnosis, once for all who ask; None where it cannot be made, and then it is said why."""
    import numpy as np

    from leasc_core.diagnosis.verdict import diagnose

    def look():
        with one_thread(), st.spinner("Looking at the points, a few seconds …", show_time=True):
            return diagnose(points, None if labels is None else np.asarray(labels))

    try:
        return _KEPT.get(key, look)
    except LeascError as refusal:
        st.warning(from_data(refusal), icon=":material/warning:")
        return None


def _show_verdict(found):
    box = st.success if found.verdict == "yes" else st.warning
    box(f"**{found.headline}**\n\n{found.advice}", icon=MARKS[found.verdict == "yes"])


def _show_checks(found):
    """Each check as a sentence, the two that decide also as a picture."""
    left, right = st.columns([1, 1.5], gap="medium")
    with left:
        st.markdown("**What decides**: what a few others leave of a point. Less than data without subspaces would is good.")
        show(left_chart(found.checks[:2]), f"diagnosis_left_{'found' if found.groups_found else 'given'}")
    with right:
        for check in found.checks:
            st.markdown(f"{SPEAKS[check.good]}[{MARKS[check.good]}] **{check.name}.** {from_data(check.sentence)}")
    of = " The groups are those of a quick clustering of the sample." if found.groups_found else ""
    part = "All" if found.looked_at == found.total else f"{found.looked_at:,} of {found.total:,}"
    st.caption(f"{part} points were looked at; no labels were read.{of}")


def _show_groups(found, names):
    frame = pd.DataFrame(
        {
            "cluster": [names[group.label] for group in found.groups],
            "points seen": [group.count for group in found.groups],
            "dimension": [group.dimension for group in found.groups],
            "left, %": [100 * group.left for group in found.groups],
            "most like": [None if group.nearest is None else names[group.nearest] for group in found.groups],
            "alike": [group.affinity for group in found.groups],
            "smallest angle, °": [group.angle for group in found.groups],
            "off the origin, %": [100 * group.offset for group in found.groups],
        }
    )
    forms = {"left, %": "%.0f", "alike": "%.2f", "smallest angle, °": "%.0f", "off the origin, %": "%.0f", "dimension": "%d"}
    columns = {name: st.column_config.NumberColumn(name, help=GROUPS[name], format=form) for name, form in forms.items()}
    columns["most like"] = st.column_config.TextColumn("most like", help=GROUPS["most like"])
    left, right = st.columns([1.6, 1], gap="medium")
    with left:
        st.dataframe(frame, hide_index=True, column_config=columns, key="diagnosis_groups", height=min(420, 38 + 35 * len(frame)))
    with right:
        show(spectra_chart(found.groups, names), "diagnosis_spectra")
        st.caption("How far each cluster reaches along its own directions: a steep fall is a low dimension.")


_KEPT = LruCache(32)
