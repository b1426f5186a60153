"""The one queue of the server: all work passes it, large or small, and every visitor has a fair share of it. No Streamlit.

There are a few slots. Who has none at work goes before who has some, and among these the one who was served longest ago; the
work of one visitor is done in the order in which it came. Long work leaves slots for short work, which a page waits for.
"""

import itertools
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field

# A run by a process of its own, a job that a page watches, and what a page cannot be drawn without.
RUN, JOB, SHORT = "run", "job", "short"
# Work of a kind begins while fewer than so many slots are taken, by whatever.
MOST = {RUN: 2, JOB: 3, SHORT: 4}
# How often one who waits looks whether the wait still makes sense.
LOOK_EVERY = 0.2
_here = threading.local()


def set_visitor(name):
    """Say for whom this thread works."""
    _here.visitor = name


def visitor() -> str:
    """For whom this thread works; all who are not known count as one."""
    return getattr(_here, "visitor", "")


def waiting_words(place=None) -> str:
    """What somebody is told whose work has no slot yet; ``place`` counts those before it, itself included."""
    where = {None: "in line", 1: "next in line"}.get(place, f"number {place} in line")
    return f":material/hourglass_top: Waiting for a free place on this server, {where}. Yours starts by itself."


@dataclass(eq=False)
class Ticket:
    """A wish for a slot; ``begin()`` is called when there is one, by whoever made it free."""

    kind: str
    visitor: str
    begin: Callable = lambda: None
    number: int = 0
    working: bool = field(default=False, repr=False)


class WorkerSlots:
    """The slots and those who wait for one.

    Parameters
    ----------
    most : kind → slots that may be taken when work of this kind begins; a number holds for all kinds
    """

    def __init__(self, most=None):
        self._most = most if isinstance(most, dict) else dict.fromkeys(MOST, most) if most is not None else dict(MOST)
        self._waiting, self._working, self._served = [], set(), {}
        self.change, self._numbers = threading.Condition(threading.RLock()), itertools.count(1)
        # Slots taken by work that this server did not begin.
        self.taken_elsewhere = lambda: 0

    def enter(self, ticket: Ticket):
        """Stand in line; the ticket's work begins at once where there is a slot."""
        with self.change:
            ticket.number = next(self._numbers)
            self._waiting.append(ticket)
            self.advance()

    def leave(self, ticket: Ticket):
        """Give the slot, or the place in line, to others."""
        with self.change:
            self._working.discard(ticket)
            if ticket in self._waiting:
                self._waiting.remove(ticket)
            ticket.working = False
            self.advance()
            self.change.notify_all()

    def wait(self, ticket: Ticket, no_longer_wanted=lambda: False) -> bool:
        """Until the ticket has a slot; False if ``no_longer_wanted()`` became true before."""
        with self.change:
            while not ticket.working:
                if no_longer_wanted():
                    self.leave(ticket)
                    return False
                self.change.wait(LOOK_EVERY)
        return True

    @contextmanager
    def slot(self, kind=SHORT):
        """Around work that the current thread does now; inside such work it asks for nothing more."""
        if getattr(_here, "at_work", False):
            yield
            return
        ticket = Ticket(kind, visitor())
        self.enter(ticket)
        try:
            self.wait(ticket)
            with at_work():
                yield
        finally:
            self.leave(ticket)

    def place(self, ticket: Ticket) -> int | None:
        """1 for the next in line, and so on; None for who does not wait."""
        with self.change:
            line = self._in_turn()
            return line.index(ticket) + 1 if ticket in line else None

    def advance(self):
        """Begin whatever may begin."""
        with self.change:
            while (ticket := self._next()) is not None:
                self._waiting.remove(ticket)
                self._working.add(ticket)
                self._served[ticket.visitor], ticket.working = next(self._numbers), True
                ticket.begin()
                self.change.notify_all()
            if not self._waiting:
                self._served = {name: turn for name, turn in self._served.items() if name in self._at_work()}

    @property
    def waiting(self) -> int:
        """How many stand in line."""
        return len(self._waiting)

    def _next(self):
        if not self._waiting:
            return None
        elsewhere = self.taken_elsewhere() if any(ticket.kind == RUN for ticket in self._waiting) else 0
        taken = len(self._working) + elsewhere
        return next((ticket for ticket in self._in_turn() if taken < self._most[ticket.kind]), None)

    def _in_turn(self):
        """Those who wait, in the order in which they come to work if nobody else comes."""
        at_work, ahead = self._at_work(), Counter()
        line = []
        for ticket in sorted(self._waiting, key=lambda ticket: ticket.number):
            # A visitor's second wish counts after the first wishes of all others.
            turn = (at_work[ticket.visitor] + ahead[ticket.visitor], self._served.get(ticket.visitor, 0), ticket.number)
            ahead[ticket.visitor] += 1
            line.append((turn, ticket))
        return [ticket for _, ticket in sorted(line, key=lambda each: each[0])]

    def _at_work(self):
        return Counter(ticket.visitor for ticket in self._working)


@contextmanager
def at_work():
    """Around work of this thread that has a slot: parts of it need none of their own."""
    before, _here.at_work = getattr(_here, "at_work", False), True
    try:
        yield
    finally:
        _here.at_work = before


SLOTS = WorkerSlots()
