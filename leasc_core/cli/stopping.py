"""Ctrl-C and SIGTERM: a run ends at its next safe place, or at once when asked twice; either way it can be resumed."""

import os
import signal

# A stage that says nothing for so long is left where it is: what was finished before it is safe.
PATIENCE_SECONDS = 3.0


class Interrupted(BaseException):
    """The process was told to stop; not an ``Exception``, so that nothing on the way takes it for an error."""

    def __init__(self, number):
        super().__init__(number)
        self.exit_code = 128 + number


class Stopping:
    """While entered, a first signal sets :attr:`asked` and a second one, or a little patience, raises :class:`Interrupted`."""

    def __init__(self, quiet=False):
        self.asked, self._quiet, self._before = None, quiet, {}

    def __enter__(self):
        handlers = {signal.SIGINT: self._ask, signal.SIGTERM: self._ask, signal.SIGALRM: self._insist}
        self._before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
        return self

    def __exit__(self, *_):
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def refuse_if_asked(self):
        """Leave here if a signal came."""
        if self.asked:
            raise Interrupted(self.asked)

    def _ask(self, number, frame):
        if self.asked:
            raise Interrupted(number)
        self.asked = number
        if not self._quiet:
            # Written past Python's buffers: the signal may have come in the middle of a print.
            os.write(2, b"\r\x1b[K" * os.isatty(2) + b"Stopping at the next safe place (once more: at once)\n")
        signal.setitimer(signal.ITIMER_REAL, PATIENCE_SECONDS, 1.0)

    def _insist(self, number, frame):
        raise Interrupted(self.asked)
