"""The one door to the numerical libraries: loaded once, in the background if there is time, and held to one thread.

Importing torch, scikit-learn and faiss takes seconds, so no page imports them on its way to the first paint.
"""

import gc
import threading
import warnings
from contextlib import contextmanager

from leasc_ui.work.slots import SHORT, SLOTS

# Seconds until a browser has fetched what it draws the first page with: importing holds up the server that it fetches this from.
PAINTED_AFTER = 1.0

_loading = threading.Lock()
_controller = None
_warming = None


def loaded():
    """Whether a run can start at once."""
    return _controller is not None


def load():
    """Import the core and fit something tiny, so that the first real run finds every library awake."""
    global _controller
    with _loading:
        if _controller is not None:
            return
        from threadpoolctl import ThreadpoolController

        from leasc_core import LeaSC
        from leasc_core.data.synthetic import four_rays

        # A run that did not converge is told on its page, not in the server's log.
        warnings.filterwarnings("ignore", message="RPCM stopped at")
        points, _ = four_rays(0)
        LeaSC(4, n_representatives=40, selector="kmeans", hidden=(8,), epochs=1, random_state=0).fit(points[::5])
        # Streamlit collects garbage after every rerun; what the libraries hold need not be looked through each time.
        gc.collect()
        gc.freeze()
        _controller = ThreadpoolController()
        # For good: whoever leaves ``single_thread`` restores what was set when it came, under the feet of the others.
        _controller.limit(limits=1)


def warm_up():
    """Start loading behind the visitor's back; call it once the page is drawn."""
    global _warming
    if _warming is None and not loaded():
        _warming = threading.Timer(PAINTED_AFTER, load)
        _warming.name = "warm-up"
        _warming.start()


@contextmanager
def single_thread():
    """Around a computation that has its slot: two that use several threads each wait for one another longer than they work."""
    load()
    with _controller.limit(limits=1):
        yield


@contextmanager
def one_thread():
    """The same around small matrices, on pages that need not load the libraries."""
    if loaded():
        with working():
            yield
        return
    from threadpoolctl import threadpool_limits

    with SLOTS.slot(), threadpool_limits(limits=1):
        yield


@contextmanager
def working(kind=SHORT):
    """Around any computation that a page waits for: in its turn (see :mod:`leasc_ui.work.slots`), on one thread."""
    with SLOTS.slot(kind), single_thread():
        yield
