"""The settings of a sweep as widgets: two parameters and their values, and what is told to every cell."""

from dataclasses import replace

import streamlit as st

from leasc_core.bench import QUALITIES, SCORES
from leasc_ui.choices import VARIANTS
from leasc_ui.compare_form import clusters_widget, data_widget, representatives_widget
from leasc_ui.compare_room import REMEMBERED, subject_for, usual_for
from leasc_ui.compare_sweep import AXES, NOTHING, WEIGHTED, paper_values, usual_values

key = REMEMBERED.key
COLOUR_NAMES = {"acc": "ACC", "nmi": "NMI", "ari": "ARI", "stability": "Stability", "eigengap": "Eigengap",
                "code_error": "Code error", "seconds": "Seconds"}  # fmt: skip


def sweep_form(mine):
    """Draw the form of the Sweep view; called inside ``REMEMBERED.draw``."""
    data_widget(mine)
    subject = subject_for(mine, st.session_state[key("data")])
    with st.container(horizontal=True, gap="small"):
        st.button("Fig. 7: α × β", icon=":material/grid_on:", type="tertiary", key="compare_fig7", on_click=_figure,
                  args=(mine, "alpha", "beta"), help="α and β of the elastic net, the paper’s two weights.")  # fmt: skip
        st.button("Fig. 8: how many", icon=":material/show_chart:", type="tertiary", key="compare_fig8", on_click=_figure,
                  args=(mine, NOTHING, "n_representatives"), help="Scores over the number of representatives.")  # fmt: skip
    _axis("Across", "across", tuple(AXES), subject)
    _axis("Down", "down", (*AXES, NOTHING), subject)
    swept = {st.session_state[key("across")], st.session_state[key("down")]}
    if swept & WEIGHTED:
        st.button("The paper’s 11 values", icon=":material/menu_book:", type="tertiary", key="compare_paper_grid",
                  on_click=_paper_grid, help="From 0.0001 to 100, as in Fig. 7; 121 cells if both axes are weights.")  # fmt: skip
    if "variant" not in swept:
        st.selectbox("Codes", tuple(VARIANTS), key=key("variant"), format_func=lambda name: VARIANTS[name].label)
        if "alpha" in swept and st.session_state[key("variant")] != "elastic_net":
            st.caption(":material/info: Only the elastic net has an α; with these codes it changes nothing.")
    left, right = st.columns(2, wrap=False)
    left.number_input("Fits a cell", 1, 10, key=key("draws"),
                      help="Each draws its own representatives; stability of the labels needs two or more.")  # fmt: skip
    if "n_clusters" not in swept:
        clusters_widget(right, subject)
    if "n_representatives" not in swept:
        representatives_widget(subject)
    st.caption("Everything else is as it stands on Representatives and Train, so that a cell can be loaded there.")


def colour_widget(labelled):
    """What cells are coloured by: scores where there are labels, and what needs none."""
    options = [*(SCORES if labelled else ()), *QUALITIES, "seconds"]
    if st.session_state[key("colour")] not in options:
        st.session_state[key("colour")] = options[0]
    st.segmented_control(
        "Colour by", options, required=True, key=key("colour"), format_func=COLOUR_NAMES.get,
        help="**ACC, NMI, ARI** look at the labels: choosing a cell by them is an oracle’s choice. **Stability, eigengap** and "
        "**code error** need no labels: agreement of the labels over re-drawn representatives, how clearly the spectrum ends "
        "after k values, and how far f is from the classical code at points it was not taught.",
    )  # fmt: skip


def _axis(title, side, options, subject):
    names = {name: axis.title for name, axis in AXES.items()} | {NOTHING: "Nothing: one parameter only"}
    name = st.selectbox(title, options, key=key(side), format_func=names.get, on_change=_usual, args=(side, subject.shape[0]))
    if name != NOTHING:
        st.text_input(f"Values of {AXES[name].short}", key=key(f"{side}_values"), label_visibility="collapsed",
                      help=f"With commas between them: {AXES[name].limits}.")  # fmt: skip


def _usual(side, points):
    st.session_state[key(f"{side}_values")] = usual_values(st.session_state[key(side)], points)


def _figure(mine, down, across):
    variant = {"variant": "elastic_net"} if down == "alpha" else {}
    wanted = replace(REMEMBERED.kept.settings, down=down, across=across, down_values=None, across_values=None, **variant)
    REMEMBERED.put(wanted, usual_for(mine))


def _paper_grid():
    for side in ("down", "across"):
        if st.session_state[key(side)] in WEIGHTED:
            st.session_state[key(f"{side}_values")] = paper_values()
