"""What the Theory page has computed before."""

import streamlit as st

from leasc_ui.screens.theory.compute import contraction_of, norms_by_angle, radius_of, spans_of
from leasc_ui.screens.theory.settings import LINES
from leasc_ui.screens.theory.subject import four_lines, subject_of
from leasc_ui.work import core


def subject_for(session, on):
    """The visitor's own, the example, or None."""
    return _example() if on == LINES else subject_of(session.pipeline)


@st.cache_resource(max_entries=1, show_spinner="Computing the four lines …")
def _example():
    with core.working():
        return four_lines()


@st.cache_resource(max_entries=32, show_spinner="Measuring distances to representatives …")
def radius_for(fingerprint, unit, _subject):
    with core.working():
        return radius_of(_subject, unit)


@st.cache_resource(max_entries=32, show_spinner="Differentiating f …")
def contraction_for(fingerprint, _subject):
    with core.working():
        return contraction_of(_subject)


@st.cache_resource(max_entries=32, show_spinner=False)
def circle_for(fingerprint, _subject):
    with core.working():
        return norms_by_angle(_subject.network)


@st.cache_resource(max_entries=32, show_spinner="Finding the subspaces …")
def spans_for(fingerprint, _subject):
    with core.working():
        return spans_of(_subject)
