"""Whether the browser has heard of a widget's value.

Streamlit sends the value that a session gives to a widget once. A browser that is still loading what draws the widget misses it,
comes up with the widget's lowest value, and sends that as a choice. So the value is sent again until the browser speaks of it.
"""

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx


def heard(key):
    """Whether this run came with a value for the widget; ask before it is drawn."""
    state = get_script_run_ctx().session_state._state
    return state._key_id_mapper.get_id_from_key(key) in state._new_widget_state.states


def seed(key, value):
    """Give a widget its value before it is drawn: ``value`` if it has none yet, and its own again if nobody heard of it."""
    if key not in st.session_state:
        st.session_state[key] = value
    elif not heard(key):
        st.session_state[key] = st.session_state[key]
