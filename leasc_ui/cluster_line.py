"""Who works on runs: at most two at once on a server, the others in line; a large run gets a process that outlives the server.

No Streamlit in here, and no ``multiprocessing``: its children would run the app again.
"""

import contextlib
import logging
import os
import shutil
import subprocess
import sys
import threading
from collections import OrderedDict
from pathlib import Path

from leasc_core.errors import LeascError
from leasc_core.runner.folder import RunFolder

LOG = logging.getLogger(__name__)
AT_ONCE = 2
LOOK_EVERY = 0.2
NICENESS = 5
LOG_NAME = "worker.log"
WAITING = "waiting"
# What makes a folder a comparison or a sweep.
BENCH = "bench.json"
ROOT = Path(__file__).parents[1]
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


class Worker:
    """A process of its own session: it lives on when the tab is closed and when the server is restarted."""

    def __init__(self, folder, command=worker_command):
        cores = str(max(1, (os.cpu_count() or 2) // AT_ONCE))
        threads = {f"{name}_NUM_THREADS": cores for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")}
        with open(folder / LOG_NAME, "wb") as log:
            self._process = subprocess.Popen(
                command(folder), cwd=ROOT, env={**os.environ, **threads}, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip

    def alive(self):
        return self._process.poll() is None

    def stop(self):
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()


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
        from leasc_core.runner.run import resume
        from leasc_ui import core

        sentence = ""
        try:
            with core.single_thread():
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
    """A fair line of runs for a few places; who came first works first."""

    def __init__(self, at_once=AT_ONCE, worker=Worker, helper=Helper):
        self._at_once, self._make, self._make_small = at_once, worker, helper
        self._waiting, self._working = OrderedDict(), {}
        self._change = threading.Condition()
        self._watch = None

    def join(self, folder, small=False):
        """Take a place, now or as soon as there is one; who is here already stays where he is."""
        folder = Path(folder)
        with self._change:
            if self.works_on(folder) or folder in self._waiting:
                return
            (folder / WAITING).touch()
            self._waiting[folder] = small
            self._advance()
            if self._waiting and self._watch is None:
                self._watch = threading.Thread(target=self._patrol, name="line of runs", daemon=True)
                self._watch.start()

    def leave(self, folder):
        """Stop waiting or working; False where this line knows nothing of the run."""
        folder = Path(folder)
        with self._change:
            if folder in self._waiting:
                del self._waiting[folder]
                (folder / WAITING).unlink(missing_ok=True)
                return True
            worker = self._working.get(folder)
            if worker is None or not worker.alive():
                return False
            worker.stop()
            return True

    def place(self, folder):
        """1 for the next in line, and so on; None for who does not wait."""
        with self._change:
            waiting = list(self._waiting)
        return waiting.index(Path(folder)) + 1 if Path(folder) in waiting else None

    def knows(self, folder):
        """Whether a run waits here or is worked on."""
        return Path(folder) in self._waiting or self.works_on(folder)

    def works_on(self, folder):
        """Whether a worker of this line is at it."""
        worker = self._working.get(Path(folder))
        return worker is not None and worker.alive()

    def _patrol(self):
        with self._change:
            while self._waiting:
                self._change.wait(LOOK_EVERY)
                self._advance()
            self._watch = None

    def _advance(self):
        self._working = {folder: worker for folder, worker in self._working.items() if worker.alive()}
        while self._waiting and len(self._working) + self._strangers() < self._at_once:
            folder, small = self._waiting.popitem(last=False)
            with contextlib.suppress(OSError):
                (folder / WAITING).unlink(missing_ok=True)
                self._working[folder] = (self._make_small if small else self._make)(folder)

    def _strangers(self):
        """Workers that an earlier server has left at work."""
        homes = {folder.parents[1] for folder in self._waiting}
        folders = {lock.parent for home in homes for lock in home.parent.glob("*/*/*/lock")}
        return sum(RunFolder(folder).is_held() for folder in folders if folder not in self._working)


LINE = Line()
