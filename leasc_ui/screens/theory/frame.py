"""What the sections of the Theory page share: tiles, the folded equation, and what is said where something is missing."""

import streamlit as st

from leasc_core.errors import LeascError


def equation(title, latex, words):
    """The formula behind a picture, folded."""
    with st.expander(title, icon=":material/function:"):
        st.latex(latex)
        st.markdown(words)


def show_missing(session, subject, words, page, label):
    """What a section needs, and two ways to get it."""
    with st.container(border=True, key="missing", gap="small"):
        if subject.stale:
            words += f" What was made before ({', '.join(subject.stale)}) is out of date."
        st.markdown(words)
        with st.container(horizontal=True, vertical_alignment="center"):
            if page != "pages/5_Cluster.py" and st.button(
                "Take the usual choices",
                type="primary",
                icon=":material/bolt:",
                key="theory_take",
                help="The usual representatives and the usual training; they become those of your pipeline.",
            ):
                _take_usual(session)
            st.page_link(page, label=label, icon=":material/arrow_forward:")


def _take_usual(session):
    from leasc_ui.screens.cluster.state import cluster_state, take_defaults

    with st.spinner("Choosing representatives and training f …"):
        ready = take_defaults(session)
    if not ready:
        problem, cluster_state().problem = cluster_state().problem, None
        raise LeascError(problem)
    st.rerun()
