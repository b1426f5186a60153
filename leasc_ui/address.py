"""The address of a page: what somebody asks for in it, and what we wrote there ourselves.

With every click a browser sends the address that it knows, and for a moment that is the one before the last change. So an address
is followed only when it may be somebody's wish: when the page is entered, or when the browser goes back or forward.
"""

from dataclasses import dataclass, field

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

PAGE, VISIT = "page_open", "page_visit"


def enter(page):
    """Say which page is open; a visit lasts until another one is."""
    if st.session_state.get(PAGE) != page:
        st.session_state[PAGE], st.session_state[VISIT] = page, visit() + 1


def visit():
    """The number of this visit to a page."""
    return st.session_state.get(VISIT, 0)


@dataclass
class Address:
    """One form's: what it wrote last, and the visit in which it last read."""

    written: dict = field(default_factory=dict)
    read_in: int | None = None

    def asked(self) -> dict:
        """What a link, or the browser's history, asks for; empty where the address is only our own."""
        given = st.query_params.to_dict()
        wish = self.read_in != visit() or _through_history()
        return given if wish and given != self.written else {}

    def follow(self) -> dict:
        """The same, once a visit."""
        given, self.read_in = self.asked(), visit()
        return given

    def write(self, address):
        """Put this into the browser's address."""
        self.written, self.read_in = address, visit()
        if st.query_params.to_dict() != address:
            st.query_params.from_dict(address)


def _through_history():
    """Whether this run was asked for by the browser's back or forward."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation
