"""One piece of work in a thread of its own that a page looks at while it goes on. No Streamlit in here."""

import logging
import threading
from collections.abc import Callable
from typing import Any

from leasc_ui.work import core
from leasc_ui.work.slots import JOB, set_visitor, visitor

LOG = logging.getLogger(__name__)


class Background:
    """``work(say)`` in a thread, in its turn; ``say(share)`` keeps how far it is.

    Attributes
    ----------
    share : how far it is, in [0, 1]
    result : what the work returned; None before it is done and where it failed
    """

    def __init__(self, work: Callable[[Callable[[float], None]], Any], name: str):
        self.share, self.result, self._over = 0.0, None, threading.Event()
        self._work, self._name, self._visitor = work, name, visitor()
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def done(self, wait: float = 0.0) -> bool:
        """Whether it is over, after at most ``wait`` seconds."""
        return self._over.wait(wait)

    def _say(self, share):
        self.share = share

    def _run(self):
        try:
            set_visitor(self._visitor)
            with core.working(JOB):
                self.result = self._work(self._say)
        except Exception:
            LOG.exception("%s failed", self._name)
        finally:
            self._over.set()
