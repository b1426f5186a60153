"""The last few things that were made, shared by all visitors of a server. No Streamlit."""

from collections import OrderedDict
from threading import Lock


class LruCache:
    """At most ``size`` things by their keys; the one that was asked for longest ago goes first."""

    def __init__(self, size):
        self.size, self.things, self.lock = size, OrderedDict(), Lock()

    def get(self, key, make):
        """What lies under the key; ``make()`` gives it where nothing does."""
        with self.lock:
            if key in self.things:
                self.things.move_to_end(key)
                return self.things[key]
        thing = make()
        with self.lock:
            self.things[key] = thing
            while len(self.things) > self.size:
                self.things.popitem(last=False)
        return thing
