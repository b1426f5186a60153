"""The settings of a comparison as widgets: which data, which methods, how many seeds, what all methods are told."""

from dataclasses import replace

import streamlit as st

from leasc_ui.compare_data import YOURS, titles
from leasc_ui.compare_methods import families, from_text, help_of, takes, to_text
from leasc_ui.compare_room import MOST_CLUSTERS, MOST_REPRESENTATIVES, MOST_SEEDS, REMEMBERED, subject_for, usual_for

key = REMEMBERED.key


def data_widget(mine):
    """Which data; the visitor's own come first."""
    own = mine.pipeline.ready("data")
    names = {YOURS: "Your data" if own is None else f"Your data: {own.name}", **titles()}
    options = [name for name in names if name != YOURS or own is not None]
    if st.session_state[key("data")] not in options:
        st.session_state[key("data")] = options[0]
    st.selectbox("Data", options, key=key("data"), format_func=names.get, on_change=_follow_data, args=(mine,),
                 help="Your data as they stand on the Data page, a sample set, or one of the paper’s experiments whose files lie "
                      "in the server’s data folder.")  # fmt: skip


def methods_form(mine):
    """Draw the form of the Methods view; called inside ``REMEMBERED.draw``."""
    data_widget(mine)
    subject = subject_for(mine, st.session_state[key("data")])
    _method_pills(subject)
    left, right = st.columns(2, wrap=False)
    left.number_input("Seeds", 1, MOST_SEEDS, key=key("seeds"),
                      help="Each method runs once a seed; three or more tell whether a difference is chance.")  # fmt: skip
    clusters_widget(right, subject)
    representatives_widget(subject)


def clusters_widget(place, subject):
    """How many clusters every method looks for."""
    most = max(2, min(MOST_CLUSTERS, subject.shape[0]))
    REMEMBERED.within("clusters", 2, most)
    known = "the number of known classes" if subject.labelled else "the number found, or 4"
    place.number_input("Clusters", 2, most, key=key("clusters"), disabled=subject.data is None,
                       help=f"Every method is told to look for so many. At first {known}.")  # fmt: skip


def representatives_widget(subject):
    """How many points stand for all."""
    most = min(MOST_REPRESENTATIVES, subject.shape[0])
    REMEMBERED.within("representatives", 2, most)
    st.number_input("Representatives", 2, most, key=key("representatives"),
                    help="For LeaSC and other encoders, and as many samples for methods that work from a sample.")  # fmt: skip


def _method_pills(subject):
    """A row of pills a family; what refuses so many points is struck through."""
    chosen, points = set(from_text(st.session_state[key("methods")])), subject.shape[0]
    found = []
    for number, (title, family) in enumerate(families().items()):
        names, labels = [each.name for each in family], {each.name: _pill(each, points) for each in family}
        pill = f"{key('pills')}_{number}"
        wanted = [name for name in names if name in chosen]
        if sorted(st.session_state.get(pill) or []) != sorted(wanted):
            st.session_state[pill] = wanted
        found += st.pills(title, names, selection_mode="multi", key=pill, format_func=labels.get, help=help_of(family),
                          on_change=_take_pills)  # fmt: skip
    st.session_state[key("methods")] = to_text(found)


def _take_pills():
    """The pills say which methods are chosen, before anything else of the page looks."""
    pills = [name for name in st.session_state if str(name).startswith(f"{key('pills')}_")]
    st.session_state[key("methods")] = to_text([method for pill in pills for method in st.session_state[pill] or ()])


def _pill(method, points):
    return method.label if takes(method.name, points) else f":gray[~~{method.label}~~]"


def _follow_data(mine):
    """Other data have their own number of clusters and representatives, and other methods may be able to finish them."""
    for name, value in usual_for(mine)(_with_data()).items():
        if name in ("clusters", "representatives", "methods"):
            st.session_state[key(name)] = value


def _with_data():
    return replace(REMEMBERED.kept.settings, data=st.session_state[key("data")])

