"""What every page begins with, and what it shows of the pipeline: the frame, and what a visitor had here before."""

from leasc_ui.frame import page, strip
from leasc_ui.frame.visitor import seen_before, visitor
from leasc_ui.screens.results.autosave import come_back, remember, show_problem


def page_setup(title=None, icon=True):
    """The first call of every page; one that has more to show at once says ``icon=False`` and calls ``page_icon`` after it."""
    page.page_setup(title, icon=False)
    come_back(visitor(), seen_before())
    show_problem()
    if icon:
        page.page_icon()
        _tidy()


def _tidy():
    from leasc_ui.work.uploads import tidy_now_and_then  # it loads NumPy, which the first paint need not wait for

    tidy_now_and_then()


def pipeline_strip(session, running=None):
    """Draw the strip of the pipeline, and write down what it shows."""
    strip.pipeline_strip(session, running)
    remember(visitor())
