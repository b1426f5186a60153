"""The choices of the Theory page as widgets: which statement, and what it may be asked."""

from dataclasses import replace

import streamlit as st

from leasc_ui.theory_room import (
    LINES,
    MOST_PICKS,
    REMEMBERED,
    SECTIONS,
    YOURS,
    group_sizes,
    show_on,
    subject_for,
    take_paper,
    take_usual,
    usual_for,
)

POINTS = {0: "as many as there are", 10**6: "a million", 10**9: "a billion"}


def theory_form(mine, top):
    """Draw the sections at ``top`` and what belongs to the one looked at; called inside ``REMEMBERED.draw``."""
    key = REMEMBERED.key
    section = top.segmented_control("Statement", tuple(SECTIONS), required=True, key=key("section"), format_func=SECTIONS.get,
                                    label_visibility="collapsed")  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.subheader("Settings", anchor=False, width="content")
        st.button(
            "Reset", icon=":material/restart_alt:", type="tertiary", on_click=_reset, args=(mine,), key="theory_reset",
            help="Back to the defaults. The page’s address holds your choices: share it to share the view.",
        )  # fmt: skip
    subject = subject_for(mine, st.session_state[key("on")])
    WIDGETS[section](mine, subject)
    _shown_on(mine, subject)


def _shown_on(mine, subject):
    """Whose points these are, and the way to the others."""
    if st.session_state[REMEMBERED.key("on")] == LINES:
        st.caption("Shown on the 800 points of four lines, computed here and stored nowhere.")
        label = "Back to your data" if mine.pipeline.ready("data") is not None else "Close the example"
        st.button(label, icon=":material/arrow_back:", type="tertiary", key="theory_yours", on_click=show_on, args=(mine, YOURS))
    else:
        st.caption(f"Shown on {subject.name}.")
        st.button("Show it on four lines", icon=":material/scatter_plot:", type="tertiary", key="theory_lines",
                  on_click=show_on, args=(mine, LINES))  # fmt: skip


def _picks(mine, subject):
    key = REMEMBERED.key
    _, known = group_sizes(subject)
    where = {"class": "the labels’ counts", "cluster": "the found clusters", "": "a guess: ten equal ones"}[known]
    st.text_input("Points in each subspace", key=key("sizes"),
                  help=f"As “50, 50” or “10 × 6000, 25”. At first {where}.")  # fmt: skip
    st.number_input("Random picks", 0, MOST_PICKS, key=key("picks"), help="At first as many as there are representatives.")
    with st.container(horizontal=True, gap="small"):
        st.button("The paper’s example", icon=":material/menu_book:", type="tertiary", key="theory_paper",
                  on_click=take_paper, args=(mine,))  # fmt: skip
        st.button("These data", icon=":material/undo:", type="tertiary", key="theory_usual", on_click=take_usual, args=(mine,))


def _radius(mine, subject):
    st.segmented_control(
        "Distance", REMEMBERED.options["seen"], required=True, key=REMEMBERED.key("seen"), width="stretch",
        format_func={"directions": "Of directions", "data": "As given"}.get,
        help="f sees every point scaled to length one, so Theorem 1’s ρ is a distance of directions.",
    )  # fmt: skip


def _contraction(mine, subject):
    st.segmented_control(
        "Codes against", REMEMBERED.options["against"], required=True, key=REMEMBERED.key("against"), width="stretch",
        format_func={"distance": "The distance", "bound": "Its own bound"}.get,
        help="Every representative has its own bound, a line as steep as ‖J(x)‖. Against its own bound, each point is judged by "
        "one and the same line.",
    )  # fmt: skip


def _subspaces(mine, subject):
    key = REMEMBERED.key
    st.segmented_control(
        "Dimension by", REMEMBERED.options["rule"], required=True, key=key("rule"), width="stretch",
        format_func={"energy": "Energy", "gap": "Largest gap"}.get,
        help="**Energy** counts directions until they hold a share of the sum of squares. **Largest gap** stops where the "
        "singular values fall by the largest factor, if that is at least 2.",
    )  # fmt: skip
    if st.session_state[key("rule")] == "energy":
        st.select_slider("Share to hold", REMEMBERED.options["energy"], key=key("energy"), format_func=lambda share: f"{share} %")


def _cost(mine, subject):
    key = REMEMBERED.key
    st.select_slider("Points m", REMEMBERED.options["points"], key=key("points"),
                     format_func=lambda points: POINTS.get(points, f"{points:,}"),
                     help="What if there were more, with the same representatives and the same f?")  # fmt: skip
    st.select_slider("Iterations t₂", REMEMBERED.options["iterations"], key=key("iterations"),
                     help="Of the solver. The closed forms, F² and LSR, need none.")  # fmt: skip


def _reset(mine):
    """Back to the defaults, but on the same points and the same statement."""
    kept = REMEMBERED.kept.settings
    REMEMBERED.put(replace(REMEMBERED.kind(), on=kept.on, section=kept.section), usual_for(mine))


WIDGETS = {"picks": _picks, "radius": _radius, "contraction": _contraction, "subspaces": _subspaces, "cost": _cost}
