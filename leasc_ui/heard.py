"""Whether the browser has heard of a widget's value.

Streamlit sends the value that a session gives to a widget once. A browser that is still loading what draws the widget misses it,
comes up with the widget's lowest value, and sends that as a choice. So the value is sent again until the browser speaks of it.
"""

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx


def missed(key):
    """Whether the widget was drawn, and yet this run came without a value for it; ask before it is drawn again."""
    state = get_script_run_ctx().session_state._state
    drawn = state._key_id_mapper.get_id_from_key(key)
    return drawn is not None and drawn not in state._new_widget_state.states


def seed(key, value):
    """Give a widget its value before it is drawn: ``value`` if it has none yet, and its own again if nobody heard of it."""
    if key not in st.session_state:
        st.session_state[key] = value
    elif missed(key):
        st.session_state[key] = st.session_state[key]
