"""Who works on runs, in their turn: a small one a thread of the server, a large one a process that outlives the server.

No Streamlit in here, and no ``multiprocessing``: its children would run the app again.
"""

import contextlib
import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

from leasc_core.errors import LeascError
from leasc_core.runs.bounds import HOURS, MEMORY
from leasc_core.runs.folder import RunFolder
from leasc_ui.places import app_folder
from leasc_ui.work.slots import JOB, LOOK_EVERY, MOST, RUN, SLOTS, Ticket, WorkerSlots, at_work, visitor

LOG = logging.getLogger(__name__)
NICENESS = 5
# Hours of processor time that one job may take, where LEASC_JOB_HOURS does not say.
JOB_HOURS = 96
# A stop is answered within a second.
PATIENCE_SECONDS = 0.6
LOG_NAME = "worker.log"
WAITING = "waiting"
# What makes a folder a comparison or a sweep.
BENCH = "bench.json"
UNEXPECTED = "Something went wrong that should not have; what was finished is kept, so resume the run or start another."
OUT_OF_MEMORY = "The run needed more memory than this server has; choose fewer representatives and start another."


def worker_command(folder):
    """The process that works on a run."""
    work = ["bench", "--resume", str(folder)]
    if not (Path(folder) / BENCH).is_file():
        work = ["cluster", "--resume", str(folder), "--quiet"]
    command = [sys.executable, "-m", "leasc_core", *work]
    nice = shutil.which("nice")
    return [nice, "-n", str(NICENESS), *command] if nice else command


def end(process):
    """Ask a worker to stop at a safe place, and end it where it does not in a moment: what was finished is kept either way."""

    def insist():
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)

    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(process, signal.SIGTERM)
        impatient = threading.Timer(PATIENCE_SECONDS, insist)
        impatient.daemon = True
        impatient.start()


def bounds_of(folder):
    """What the operating system lets the worker of a run take: the memory the run was promised, the hours the server gives."""
    from leasc_core.runs.budget import available_memory

    try:
        memory = RunFolder(folder).config().get("memory_budget")
    except LeascError:
        memory = None
    given = {MEMORY: str(memory or available_memory()), HOURS: os.environ.get(HOURS, str(JOB_HOURS))}
    return given if MEMORY not in os.environ else {**given, MEMORY: os.environ[MEMORY]}


class Worker:
    """A process of its own session: it lives on when the tab is closed and when the server is restarted."""

    def __init__(self, folder, command=worker_command):
        cores = str(max(1, (os.cpu_count() or 2) // MOST[RUN]))
        threads = {f"{name}_NUM_THREADS": cores for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")}
        with open(folder / LOG_NAME, "wb") as log:
            self._process = subprocess.Popen(
                command(folder),
                cwd=app_folder(),
                env={**os.environ, **threads, **bounds_of(folder)},
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def alive(self):
        return self._process.poll() is None

    def stop(self):
        end(self._process.pid)


class Helper:
    """A thread of the server, for runs that are over before a process would have begun."""

    def __init__(self, folder):
        self._folder, self._unwanted = folder, threading.Event()
        self._thread = threading.Thread(target=self._run, name="small run", daemon=True)
        self._thread.start()

    def alive(self):
        return self._thread.is_alive()

    def stop(self):
        self._unwanted.set()

    def _run(self):
        from leasc_core.runs.run import resume
        from leasc_ui.work import core

        sentence = ""
        try:
            with at_work(), core.single_thread():
                resume(self._folder, on_event=lambda event: self._unwanted.is_set())
        except LeascError as problem:
            sentence = str(problem)
        except MemoryError:
            sentence = OUT_OF_MEMORY
        except Exception:
            LOG.exception("%s failed", self._folder)
            sentence = UNEXPECTED
        with contextlib.suppress(OSError):
            (self._folder / LOG_NAME).write_text(sentence, "utf-8")


class Line:
    """The runs of a server: their folders, tickets and workers."""

    def __init__(self, at_once=None, worker=Worker, helper=Helper, slots=None):
        self._slots, self._make, self._make_small = slots or WorkerSlots(at_once), worker, helper
        self._slots.taken_elsewhere = self._orphaned_workers
        self._waiting, self._working = {}, {}
        self._watch = None

    def join(self, folder, small=False):
        """Take a place, now or as soon as there is one; who is here already stays where he is."""
        folder = Path(folder)
        with self._slots.change:
            if self.works_on(folder) or folder in self._waiting:
                return
            (folder / WAITING).touch()
            ticket = Ticket(JOB if small else RUN, visitor() or folder.parents[1].name)
            ticket.begin = lambda: self._begin(folder, small, ticket)
            self._waiting[folder] = ticket
            self._slots.enter(ticket)
            if self._watch is None:
                self._watch = threading.Thread(target=self._patrol, name="line of runs", daemon=True)
                self._watch.start()

    def leave(self, folder):
        """Stop waiting or working; False where this line knows nothing of the run."""
        folder = Path(folder)
        with self._slots.change:
            if folder in self._waiting:
                self._slots.leave(self._waiting.pop(folder))
                (folder / WAITING).unlink(missing_ok=True)
                return True
            if not self.works_on(folder):
                return False
            self._working[folder][0].stop()
            return True

    def place(self, folder):
        """1 for the next in line, and so on; None for who does not wait."""
        with self._slots.change:
            ticket = self._waiting.get(Path(folder))
            return None if ticket is None else self._slots.place(ticket)

    def knows(self, folder):
        """Whether a run waits here or is worked on."""
        return Path(folder) in self._waiting or self.works_on(folder)

    def works_on(self, folder):
        """Whether a worker of this line is at it."""
        worker, _ = self._working.get(Path(folder), (None, None))
        return worker is not None and worker.alive()

    def _begin(self, folder, small, ticket):
        self._waiting.pop(folder, None)
        try:
            (folder / WAITING).unlink(missing_ok=True)
            self._working[folder] = (self._make_small if small else self._make)(folder), ticket
        except OSError:
            self._slots.leave(ticket)

    def _patrol(self):
        """Give back the slots of workers that are done, as long as there are any."""
        with self._slots.change:
            while self._waiting or self._working:
                self._slots.change.wait(LOOK_EVERY)
                for folder, (worker, ticket) in list(self._working.items()):
                    if not worker.alive():
                        del self._working[folder]
                        self._slots.leave(ticket)
                self._slots.advance()
            self._watch = None

    def _orphaned_workers(self):
        """How many workers an earlier server has left at work."""
        homes = {folder.parents[1] for folder in self._waiting}
        folders = {lock.parent for home in homes for lock in home.parent.glob("*/*/*/lock")}
        return sum(RunFolder(folder).is_held() for folder in folders if folder not in self._working)


LINE = Line(slots=SLOTS)
