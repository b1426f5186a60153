"""A bar that says what is being read and how far it is; it appears only where there is something to wait for."""

from contextlib import contextmanager
from time import monotonic

PATIENCE = 0.4
BETWEEN = 0.15


@contextmanager
def waiting(place):
    """Gives ``say(words, share)``; ``place`` is an empty element, and empty again at the end."""
    state = {"next": monotonic() + PATIENCE, "shown": False}

    def say(words, share=None):
        if monotonic() < state["next"]:
            return
        place.progress(min(1.0, max(0.0, share or 0.0)), f"{words} …")
        state.update(next=monotonic() + BETWEEN, shown=True)

    try:
        yield say
    finally:
        if state["shown"]:
            place.empty()
