"""A run's folder: who holds it, what it was asked, what it has said so far, and where each file lies."""

import contextlib
import dataclasses
import fcntl
import json
import os
import time
from pathlib import Path

import numpy as np

from ..errors import RunError
from ..runs.events import CodeSnapshot, PointsDone
from ..runs.files import replacing, writing

FORMAT, VERSION = "leasc-run", 1
TOLD_EVERY = 0.5


class RunFolder:
    """The files of one run.

    ``config.json`` what was asked, ``autopilot.json`` who proposed it, ``events.jsonl`` what happened, ``checkpoints/`` what is
    finished, ``labels.npy``, ``confidence.npy``, ``model.leasc``, ``summary.json`` and ``report.html`` what came of it.
    """

    def __init__(self, path):
        self.path = Path(path)
        self.config_file, self.events_file = self.path / "config.json", self.path / "events.jsonl"
        self.labels_file, self.model_file = self.path / "labels.npy", self.path / "model.leasc"
        self.confidence_file, self.autopilot_file = self.path / "confidence.npy", self.path / "autopilot.json"
        self.summary_file, self.report_file = self.path / "summary.json", self.path / "report.html"
        self.checkpoints = self.path / "checkpoints"

    def create(self, config):
        """Make the folder and write down what is asked; a folder that holds a run already is refused."""
        if self.config_file.exists():
            raise RunError(f"{self.path} already holds a run; resume it, or choose another folder.")
        with writing(self.config_file):
            self.path.mkdir(parents=True, exist_ok=True)
            self._write_json(self.config_file, {"format": FORMAT, "version": VERSION, **config})

    def config(self):
        """What was asked."""
        said = self._read_json(self.config_file, "is not a run folder: it has no config.json; choose one made by `cluster`")
        if not isinstance(said, dict) or said.get("format") != FORMAT:
            raise RunError(f"{self.config_file} was not written by this program; choose a run folder made by `cluster`.")
        if said.get("version") != VERSION:
            theirs = said.get("version")
            raise RunError(f"{self.path} is a run of version {theirs!r} and this program knows {VERSION}; start a new run.")
        return said

    def keep_proposal(self, proposal):
        """Write down what the autopilot proposed, and why."""
        said = {"sentence": proposal.sentence, "table": proposal.table(), "seconds": proposal.seconds, "budget": proposal.budget,
                "searched": proposal.searched, "complete": proposal.complete}  # fmt: skip
        with writing(self.autopilot_file):
            self._write_json(self.autopilot_file, said)

    def proposal(self):
        """What the autopilot proposed, as a dictionary, or None where it was not asked."""
        return self._read_json(self.autopilot_file, "") if self.autopilot_file.exists() else None

    def summary(self):
        """What came of the run, or None while it is not finished."""
        return self._read_json(self.summary_file, "") if self.summary_file.exists() else None

    def finish(self, summary):
        """Say that the run is finished: the last thing that is written."""
        with writing(self.summary_file):
            self._write_json(self.summary_file, summary)

    @contextlib.contextmanager
    def held(self):
        """Hold the folder: a second process is refused for as long, and a killed one lets go by itself."""
        with writing(self.path / "lock"):
            file = open(self.path / "lock", "a+")  # noqa: SIM115 - closed below, together with the lock
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.seek(0)
                owner = file.read().strip() or "unknown"
                raise RunError(
                    f"{self.path} is in use by another process (number {owner}); wait for it, stop it, or choose another folder."
                ) from None
            file.truncate(0)
            file.write(str(os.getpid()))
            file.flush()
            yield

    def is_held(self):
        """Whether a process is working on this run now."""
        try:
            with open(self.path / "lock") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def events(self):
        """Everything said so far, as dictionaries; a line broken by a kill is left out."""
        try:
            lines = self.events_file.read_text("utf-8").splitlines()
        except OSError:
            return []
        said = []
        for line in lines:
            with contextlib.suppress(ValueError):
                said.append(json.loads(line))
        return said

    def _write_json(self, path, value):
        with replacing(path) as file:
            file.write(json.dumps(value, indent=1, default=_plain).encode())

    def _read_json(self, path, missing):
        try:
            return json.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            raise RunError(f"{self.path} {missing}.") from None
        except (OSError, ValueError) as error:
            raise RunError(f"{path} cannot be read ({error}); start a new run.") from None


class EventLog:
    """Writes events to ``events.jsonl`` as they come; counts of points at most twice a second, pictures never."""

    def __init__(self, folder: RunFolder):
        with writing(folder.events_file):
            self._file = open(folder.events_file, "a", encoding="utf-8", buffering=1)  # noqa: SIM115 - close() closes it
        self._path, self._told = folder.events_file, 0.0

    def __call__(self, event):
        now = time.time()
        if isinstance(event, CodeSnapshot):
            return
        if isinstance(event, PointsDone):
            if now - self._told < TOLD_EVERY and event.done < event.total:
                return
            self._told = now
        self.say(type(event).__name__, **dataclasses.asdict(event))

    def say(self, name, **facts):
        """One line."""
        with writing(self._path):
            self._file.write(json.dumps({"time": round(time.time(), 3), "event": name, **facts}, default=_plain) + "\n")

    def close(self):
        with contextlib.suppress(OSError):
            self._file.close()


def _plain(value):
    return value.item() if isinstance(value, np.generic) else str(value)
