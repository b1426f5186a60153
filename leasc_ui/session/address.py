"""The address of a page: what somebody asks for in it, and what we wrote there ourselves.

With every click a browser sends the address that it knows, and for a moment that is the one before the last change. So an address
is followed only when it may be somebody's wish: when the page is entered, or when the browser goes back or forward.
"""

from dataclasses import dataclass, field

import streamlit as st

PAGE, VISIT, MOVE, TOLD = "page_open", "page_visit", "page_move", "page_told"
# Counts how often the browser went back or forward on this page; it draws nothing. Streamlit's own listener comes after it.
LISTENER = """
export default function ({ setStateValue }) {
  const here = location.pathname
  const moved = () => { if (location.pathname === here) setStateValue("moves", performance.now()) }
  window.addEventListener("popstate", moved, true)
  return () => window.removeEventListener("popstate", moved, true)
}
"""


def enter(page):
    """Say which page is open; a visit lasts until another one is."""
    if st.session_state.get(PAGE) != page:
        st.session_state[PAGE], st.session_state[VISIT], st.session_state[TOLD] = page, visit() + 1, None
    st.session_state.pop(MOVE, None)


def visit() -> int:
    """The number of this visit to a page."""
    return st.session_state.get(VISIT, 0)


@dataclass
class Address:
    """One form's: what it wrote last, the visit in which it last read, and the last move of the browser that it followed."""

    written: dict = field(default_factory=dict)
    read_in: int | None = None
    moved: float | None = None

    def follow(self) -> dict:
        """What a link, or the browser's history, asks for, once; empty where the address is only our own."""
        entered, self.read_in = self.read_in != visit(), visit()
        moved, self.moved = self.moved, _last_move()
        given = st.query_params.to_dict()
        if not (entered or moved != self.moved) or given == self.written:
            return {}
        st.session_state[TOLD] = given
        return given

    def write(self, address):
        """Put this into the browser's address.

        What it was told before is on its way: to say it again would undo a step back that is heard of in the next run only.
        """
        self.written, self.read_in = address, visit()
        told = st.session_state.get(TOLD)
        if address != (st.query_params.to_dict() if told is None else told):
            st.query_params.from_dict(address)
        st.session_state[TOLD] = address


def _last_move() -> float | None:
    """When the browser last went back or forward on this page, on its own clock; asked once a run."""
    if MOVE not in st.session_state:
        with st.container(key="page_history"):
            st.session_state[MOVE] = getattr(_listener()(key="history", on_moves_change=lambda: None), "moves", None)
    return st.session_state[MOVE]


@st.cache_resource(show_spinner=False)
def _listener():
    return st.components.v2.component("leasc_history", js=LISTENER)
