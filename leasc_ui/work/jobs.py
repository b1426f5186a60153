"""Work that goes on while a page is looked at: a thread a job, in its turn. No Streamlit in here."""

import logging
import threading
import weakref
from time import monotonic

from leasc_core.errors import LeascError
from leasc_core.events import Stopped
from leasc_ui.work import core
from leasc_ui.work.slots import JOB, LOOK_EVERY, SLOTS, Ticket, at_work, visitor

LOG = logging.getLogger(__name__)
KEPT = 600
OUT_OF_MEMORY = "The run needed more memory than this server has; choose fewer representatives or hidden units and start again."
UNEXPECTED = "Something went wrong that should not have; your settings are kept, so start it again or change one of them."


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
        It should end by itself when ``report`` raises :class:`~leasc_core.events.Stopped`.
    owner : object or None
        Whose job it is; it is only looked at, never held, and when it is gone the job ends.
    history : History or None
    name : str
        For the log.

    Attributes
    ----------
    status : "waiting" (for a slot), "running", "finished", "stopped" or "failed"
    paused : bool
        A paused job keeps its place in the work and gives its slot to others.
    error : str or None
        One sentence for the visitor, of a failed job.
    result : what the work returned, of a finished job
    seconds : float
        At work, without waiting and pauses.
    heartbeat : float
        ``time.monotonic()`` of the last sign of life.
    """

    def __init__(self, work, *, owner=None, history=None, name="job", slots=SLOTS):
        self.history = history or History()
        self.status, self.error, self.result, self.heartbeat = "waiting", None, None, monotonic()
        self.paused = False
        self._work, self._name, self._slots, self._ticket = work, name, slots, Ticket(JOB, visitor())
        self._owner = None if owner is None else weakref.ref(owner)
        self._change = threading.Condition(threading.RLock())
        self._worked, self._since = 0.0, None
        self._over = threading.Event()

    def start(self):
        """Begin where there is a free slot, else stand in line; returns the job."""
        self._slots.enter(self._ticket)
        if self._ticket.working:
            self._begin()
        threading.Thread(target=self._run, name=self._name, daemon=True).start()
        return self

    @property
    def active(self):
        """Whether there is something to wait for."""
        return self.status in ("waiting", "running")

    @property
    def place(self):
        """1 for the next in line, and so on; None for a job that does not wait."""
        return self._slots.place(self._ticket)

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
            if not self._has_slot():
                return
            with at_work(), core.single_thread():
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
            self._slots.leave(self._ticket)

    def _has_slot(self):
        """Wait for a slot; False where the job is not wanted any more."""
        if not self._slots.wait(self._ticket, self._unwanted):
            return False
        if self._since is None:
            self._begin()
        return self.active

    def _begin(self):
        with self._change:
            if self.active:
                self.status, self._since, self.heartbeat = "running", monotonic(), monotonic()

    def _rest(self):
        """Block while the job is paused, without a slot."""
        with self._change:
            self._stop_clock()
        self._slots.leave(self._ticket)
        with self._change:
            while self.paused and not self._unwanted():
                self._change.wait(LOOK_EVERY)
            if self.active:
                self.status = "waiting"
        self._slots.enter(self._ticket)
        if not self._has_slot():
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
