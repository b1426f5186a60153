"""The one door to the numerical libraries: loaded once, in the background if there is time, and held to one thread.

Importing torch, scikit-learn and faiss takes seconds, so no page imports them on its way to the first paint.
"""

import gc
import threading
import warnings
from contextlib import contextmanager

# Seconds until a browser has fetched what it draws the first page with: importing holds up the server that it fetches this from.
PAINTED_AFTER = 1.0

_loading = threading.Lock()
_runs = threading.BoundedSemaphore(2)
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
    """Around any computation of the app: two that use several threads each wait for one another longer than they work."""
    load()
    with _controller.limit(limits=1):
        yield


@contextmanager
def small_run():
    """Around a run on a few thousand points, which a page waits for; two at once."""
    with _runs, single_thread():
        yield
