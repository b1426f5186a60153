"""Work that goes on while a page is looked at: a thread a job, two at work at once, the others in line. No Streamlit in here."""

import logging
import threading
import weakref
from collections import deque
from time import monotonic

from leasc_core.errors import LeascError
from leasc_core.runs.events import Stopped
from leasc_ui import core

LOG = logging.getLogger(__name__)
AT_ONCE = 2
# How often one who waits looks whether the wait still makes sense.
LOOK_EVERY = 0.2
KEPT = 600
OUT_OF_MEMORY = "The run needed more memory than this server has; choose fewer representatives or hidden units and start again."
UNEXPECTED = "Something went wrong that should not have; your settings are kept, so start it again or change one of them."


class Seats:
    """A fair line for a few seats: who came first sits first."""

    def __init__(self, count):
        self._free, self._line, self._change = count, deque(), threading.Condition()

    def take(self, no_longer_wanted):
        """Wait for a seat; False if ``no_longer_wanted()`` became true before there was one."""
        ticket = object()
        with self._change:
            self._line.append(ticket)
            while not (self._free and self._line[0] is ticket):
                if no_longer_wanted():
                    self._line.remove(ticket)
                    self._change.notify_all()
                    return False
                self._change.wait(LOOK_EVERY)
            self._line.popleft()
            self._free -= 1
            self._change.notify_all()
        return True

    def take_at_once(self):
        """A seat without waiting, if one is free and nobody waits for it."""
        with self._change:
            there = self._free > 0 and not self._line
            self._free -= there
        return there

    def leave(self):
        with self._change:
            self._free += 1
            self._change.notify_all()


SEATS = Seats(AT_ONCE)


class History:
    """What a job said, never more than ``limit`` of a kind: when a kind is full, every second one goes, oldest to newest.

    ``limits`` gives a kind of event its own limit. The first and the latest of a kind are always there.
    """

    def __init__(self, limit=KEPT, limits=None):
        self._limit, self._limits = limit, limits or {}
        self._kept, self._strides, self._counts, self._latest = {}, {}, {}, {}
        self._lock = threading.Lock()

    def add(self, event, seconds=0.0):
        kind = type(event)
        with self._lock:
            kept, stride = self._kept.setdefault(kind, []), self._strides.setdefault(kind, 1)
            count = self._counts[kind] = self._counts.get(kind, 0) + 1
            entry = self._latest[kind] = (seconds, event)
            if (count - 1) % stride:
                return
            kept.append(entry)
            if len(kept) >= self._limits.get(kind, self._limit):
                self._kept[kind], self._strides[kind] = kept[::2], 2 * stride

    def timed(self, kind):
        """``(seconds, event)`` of one kind, in order."""
        with self._lock:
            kept = list(self._kept.get(kind, ()))
            latest = self._latest.get(kind)
        return kept if latest is None or kept[-1] is latest else [*kept, latest]

    def of(self, kind):
        """The events of one kind, in order."""
        return [event for _, event in self.timed(kind)]

    def latest(self, kind):
        """The last event of a kind, or None."""
        with self._lock:
            return self._latest[kind][1] if kind in self._latest else None

    def count(self, kind):
        """How many there were, kept or not; tells whether anything is new."""
        return self._counts.get(kind, 0)

    @property
    def events(self):
        """Everything kept, one kind after the other."""
        return tuple(event for kind in list(self._kept) for event in self.of(kind))


class Job:
    """``work(report)`` in a thread of its own; ``report(event)`` keeps the event and is where the work may be paused or stopped.

    Parameters
    ----------
    work : callable
        It should end by itself when ``report`` raises :class:`~leasc_core.runs.events.Stopped`.
    owner : object or None
        Whose job it is; it is only looked at, never held, and when it is gone the job ends.
    history : History or None
    name : str
        For the log.

    Attributes
    ----------
    status : "waiting" (for a seat), "running", "finished", "stopped" or "failed"
    paused : bool
        A paused job keeps its place in the work and gives its seat to others.
    error : str or None
        One sentence for the visitor, of a failed job.
    result : what the work returned, of a finished job
    seconds : float
        At work, without waiting and pauses.
    heartbeat : float
        ``time.monotonic()`` of the last sign of life.
    """

    def __init__(self, work, *, owner=None, history=None, name="job", seats=SEATS):
        self.history = history or History()
        self.status, self.error, self.result, self.heartbeat = "waiting", None, None, monotonic()
        self.paused = False
        self._work, self._name, self._seats = work, name, seats
        self._owner = None if owner is None else weakref.ref(owner)
        self._change = threading.Condition(threading.RLock())
        self._seated, self._worked, self._since = False, 0.0, None
        self._over = threading.Event()

    def start(self):
        """Sit down where there is a free seat, else take a place in the line; returns the job."""
        self._seated = self._seats.take_at_once()
        if self._seated:
            self._begin()
        threading.Thread(target=self._run, name=self._name, daemon=True).start()
        return self

    @property
    def active(self):
        """Whether there is something to wait for."""
        return self.status in ("waiting", "running")

    @property
    def seconds(self):
        with self._change:
            return self._worked + (monotonic() - self._since if self._since is not None else 0.0)

    def cancel(self):
        """End it. From now on it counts as stopped; its thread leaves at its next report."""
        with self._change:
            if self.active:
                self._end("stopped")

    def pause(self):
        with self._change:
            self.paused = self.active

    def resume(self):
        with self._change:
            self.paused = False
            self._change.notify_all()

    def wait(self, timeout=None):
        """Until it is over, or the time is; whether it is over."""
        return self._over.wait(timeout)

    def report(self, event):
        """For the work itself, in its thread: keep an event, then go on, wait, or leave."""
        self.heartbeat = monotonic()
        if self._unwanted():
            raise Stopped
        self.history.add(event, self.seconds)
        if self.paused:
            self._rest()

    def _run(self):
        try:
            if not (self._seated or self._sit_down()):
                return
            with core.single_thread():
                result = self._work(self.report)
            with self._change:
                if self.active:
                    self.result = result
                    self._end("finished")
        except Stopped:
            self.cancel()
        except LeascError as problem:
            self._fail(str(problem))
        except MemoryError:
            LOG.exception("%s ran out of memory", self._name)
            self._fail(OUT_OF_MEMORY)
        except Exception:
            LOG.exception("%s failed", self._name)
            self._fail(UNEXPECTED)
        finally:
            self.cancel()
            self._work = None
            if self._seated:
                self._seats.leave()

    def _sit_down(self):
        self._seated = self._seats.take(self._unwanted)
        if self._seated:
            self._begin()
        return self._seated and self.active

    def _begin(self):
        with self._change:
            if self.active:
                self.status, self._since, self.heartbeat = "running", monotonic(), monotonic()

    def _rest(self):
        """Stand up until someone resumes, then take a seat again."""
        with self._change:
            self._stop_clock()
        self._seats.leave()
        self._seated = False
        with self._change:
            while self.paused and not self._unwanted():
                self._change.wait(LOOK_EVERY)
            if self.active:
                self.status = "waiting"
        if not self._sit_down():
            raise Stopped

    def _unwanted(self):
        return not self.active or (self._owner is not None and self._owner() is None)

    def _fail(self, sentence):
        with self._change:
            if self.active:
                self.error = sentence
                self._end("failed")

    def _end(self, status):
        self._stop_clock()
        self.status, self.paused = status, False
        self._over.set()
        self._change.notify_all()

    def _stop_clock(self):
        if self._since is not None:
            self._worked, self._since = self._worked + monotonic() - self._since, None
