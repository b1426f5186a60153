"""Pictures that live in the browser: SVG and canvas written here, no library, coloured by the variables of the page.

A picture is what all share (``plane.js``, ``curves.js``) followed by a file of its own, whose default export is called with
every new data.
"""

from functools import cache
from pathlib import Path

import streamlit as st

from leasc_ui.frame.theme import CLUSTERS

FOLDER = Path(__file__).parent
SHARED = ("plane.js", "curves.js")
STYLES = ("tour.css", "map.css", "field.css")


@cache
def _styles():
    groups = "".join(
        f".tour .group{number}{{fill:var(--cluster-{number});stroke:var(--cluster-{number})}}" for number in range(len(CLUSTERS))
    )
    return groups + "".join((FOLDER / name).read_text(encoding="utf-8") for name in STYLES)


@st.cache_resource(show_spinner=False)
def _component(act):
    script = "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in (*SHARED, act))
    return st.components.v2.component(f"leasc_{act.removesuffix('.js')}", js=script, css=_styles(), isolate_styles=False)


def picture(act, key, data, listen=None):
    """Mount the picture that ``act`` (a file name) draws.

    ``listen`` maps names of what a visitor may change there to callbacks; what was said is in ``st.session_state[key]``.
    """
    callbacks = {f"on_{name}_change": callback for name, callback in (listen or {}).items()}
    return _component(act)(data=data, key=key, **callbacks)


def planes(key, panes, point=None, on_point=None):
    """Planes side by side, drawn anew at every run and without a blink.

    Each pane is a dict: ``title``, ``alt``, ``box`` (left, right, bottom, top), ``points`` (pairs), ``groups`` (a number each, -1
    for none); and where wanted ``styles`` (a class each: "faint", "chosen", "missed"), ``discs`` (x, y, radius, group),
    ``lines`` (x, y, x, y, group), ``arrows`` (x, y, x, y, width 0…1, sign), ``regions`` (rows of group numbers, top row first),
    ``marks`` (x, y, radius) and ``pick=True``, which tells ``on_point`` the number of a point that is clicked.
    """
    with st.container(key=f"{key}_pane"):
        return picture("planes.js", key, {"panes": panes, "point": point}, {"point": on_point} if on_point else None)
