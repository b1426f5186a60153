"""A run's folder: who holds it, what it was asked, what it has said so far, and where each file lies."""

import contextlib
import dataclasses
import json
import os
import time
from pathlib import Path

from ..errors import RunError
from ..events import CodeSnapshot, PointsDone, StepDone
from ..storage.files import CHECKPOINTS, open_own, writing
from .records import is_whole, plain, read_record, require, write_record

try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None

FORMAT, VERSION = "leasc-run", 1
TOLD_EVERY = 0.5
# Looking whether a run is held takes its lock for an instant: a worker that begins right then tries again for so many seconds.
LOCK_SECONDS, LOCK_PAUSE = 2.0, 0.005
CONFIG_KEYS = {"program": str, "data": dict, "parameters": dict, "need": dict}
DATA_KEYS = {"path": str, "options": dict, "shape": list, "fingerprint": str, "stamp": list}
SUMMARY_KEYS = {"points": int, "features": int, "n_clusters": int, "sizes": list, "seconds": (int, float)}


class RunFolder:
    """The files of one run.

    ``config.json`` what was asked, ``autopilot.json`` who proposed it, ``events.jsonl`` what happened,
    ``contents.json`` the checksum of a large data file, ``checkpoints/`` what is
    finished, ``labels.npy``, ``confidence.npy``, ``model.leasc``, ``summary.json`` and ``report.html`` what came of it.
    """

    def __init__(self, path):
        self.path = Path(path)
        self.config_file, self.events_file = self.path / "config.json", self.path / "events.jsonl"
        self.labels_file, self.model_file = self.path / "labels.npy", self.path / "model.leasc"
        self.confidence_file, self.autopilot_file = self.path / "confidence.npy", self.path / "autopilot.json"
        self.summary_file, self.report_file = self.path / "summary.json", self.path / "report.html"
        self.checkpoints, self.contents_file = self.path / CHECKPOINTS, self.path / "contents.json"

    def create(self, config):
        """Make the folder and write down what is asked; a folder that holds a run already is refused."""
        if self.config_file.exists():
            raise RunError(f"{self.path} already holds a run; resume it, or choose another folder.")
        with writing(self.config_file):
            self.path.mkdir(parents=True, exist_ok=True)
            write_record(self.config_file, {"format": FORMAT, "version": VERSION, **config})

    def config(self):
        """What was asked."""
        said = self._read(self.config_file, "is not a run folder: it has no config.json; choose one made by `cluster`")
        if not isinstance(said, dict) or said.get("format") != FORMAT:
            raise RunError(f"{self.config_file} was not written by this program; choose a run folder made by `cluster`.")
        if said.get("version") != VERSION:
            theirs = said.get("version")
            raise RunError(f"{self.path} is a run of version {theirs!r} and this program knows {VERSION}; start a new run.")
        require(said, CONFIG_KEYS, self.config_file)
        require(said["data"], DATA_KEYS, self.config_file)
        return {"preprocess": None, **said}

    def keep_proposal(self, proposal):
        """Write down what the autopilot proposed, and why."""
        said = {
            "sentence": proposal.sentence,
            "table": proposal.table(),
            "seconds": proposal.seconds,
            "budget": proposal.budget,
            "searched": proposal.searched,
            "complete": proposal.complete,
        }
        with writing(self.autopilot_file):
            write_record(self.autopilot_file, said)

    def proposal(self):
        """What the autopilot proposed, as a dictionary, or None where it was not asked."""
        return self._read(self.autopilot_file, "") if self.autopilot_file.exists() else None

    def summary(self):
        """What came of the run, or None while it is not finished."""
        if not self.summary_file.exists():
            return None
        return require(self._read(self.summary_file, ""), SUMMARY_KEYS, self.summary_file)

    def finish(self, summary):
        """Say that the run is finished: the last thing that is written."""
        with writing(self.summary_file):
            write_record(self.summary_file, summary)

    @contextlib.contextmanager
    def held(self):
        """Hold the folder: a second process is refused for as long, and a killed one lets go by itself."""
        if fcntl is None:
            raise RunError(
                "Run folders need POSIX file locks, which this system lacks; use Linux, macOS or WSL, or fit LeaSC from Python."
            )
        with writing(self.path / "lock"):
            file = open_own(self.path / "lock", "a+")
        with file:
            if not _taken(file):
                file.seek(0)
                owner = file.read().strip() or "unknown"
                raise RunError(
                    f"{self.path} is in use by another process (number {owner}); wait for it, stop it, or choose another folder."
                )
            file.truncate(0)
            file.write(str(os.getpid()))
            file.flush()
            yield

    def is_held(self):
        """Whether a process is working on this run now."""
        if fcntl is None:
            return False
        try:
            with open_own(self.path / "lock") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except (OSError, RunError):
            return False
        return False

    def events(self):
        """Everything said so far, as dictionaries; a line broken by a kill is left out."""
        try:
            with open_own(self.events_file) as file:
                lines = file.read().decode("utf-8", "replace").splitlines()
        except OSError:
            return []
        said = []
        for line in lines:
            with contextlib.suppress(ValueError):
                said.append(json.loads(line))
        return [event for event in said if is_whole(event)]

    def _read(self, path, missing):
        try:
            return read_record(path)
        except FileNotFoundError:
            raise RunError(f"{self.path} {missing}.") from None


def _taken(file):
    """Take the lock of a run; False where another process keeps it."""
    until = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() > until:
                return False
            time.sleep(LOCK_PAUSE)


class EventLog:
    """Writes events to ``events.jsonl`` as they come; counts of points at most twice a second, pictures and steps never."""

    def __init__(self, folder: RunFolder):
        with writing(folder.events_file):
            self._file = open_own(folder.events_file, "a", encoding="utf-8", buffering=1)
        self._path, self._told = folder.events_file, 0.0

    def __call__(self, event):
        now = time.time()
        if isinstance(event, CodeSnapshot | StepDone):
            return
        if isinstance(event, PointsDone):
            if now - self._told < TOLD_EVERY and event.done < event.total:
                return
            self._told = now
        self.say(type(event).__name__, **dataclasses.asdict(event))

    def say(self, name, **facts):
        """One line."""
        with writing(self._path):
            self._file.write(json.dumps({"time": round(time.time(), 3), "event": name, **facts}, default=plain) + "\n")

    def close(self):
        with contextlib.suppress(OSError):
            self._file.close()
