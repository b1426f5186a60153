"""Runs at full scale: each a folder under one root, a folder of runs a visitor, told by what the folder says. No Streamlit."""

import contextlib
import json
import os
import re
import secrets
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from leasc_core.data.sources.folders import cache_folder
from leasc_core.errors import RunError
from leasc_core.runs.folder import RunFolder
from leasc_core.runs.kept import make_room, runs_root
from leasc_ui.work.queue import LINE, LOG_NAME, UNEXPECTED, WAITING, end

# A visitor's older runs go when there are more than this.
MOST_RUNS = 12
TAIL_BYTES = 1 << 16
STOPPED = "stopped"
# How a worker's last line begins when the fault is the program's own: nothing a visitor could act on.
FAULT = "A fault in the program"
STAGES = {
    "choice": "Recognising the data, choosing preparation and graph",
    "preparing": "Preparing every point",
    "representatives": "Choosing representatives",
    "coding": "Solving for the codes",
    "network": "Teaching f",
    "clusters": "Counting the clusters",
    "landmarks": "Placing landmarks among the codes",
    "encoding": "Coding every point",
    "spectral": "Finding the spectrum",
    "centres": "Placing the cluster centres",
    "labels": "Labelling every point",
    "confidence": "Asking other draws how sure each label is",
}
# How far a run is at the least when a stage begins; within a stage that counts no points, the estimated time tells.
BEGINS = {
    "choice": 0.01,
    "preparing": 0.2,
    "representatives": 0.25,
    "clusters": 0.27,
    "landmarks": 0.3,
    "encoding": 0.4,
    "spectral": 0.93,
    "centres": 0.95,
    "labels": 0.97,
    "confidence": 0.98,
}
MOST_BY_TIME = 0.92


@dataclass(frozen=True)
class RunKind:
    """A kind of run: the folder of a visitor they are kept in, and the file that makes a folder one of them."""

    name: str
    file: str


CLUSTERINGS = RunKind("runs", "config.json")


@dataclass(frozen=True)
class Status:
    """Where a run stands.

    ``state`` is waiting, running, finished, stopped or broken; ``place`` counts those before it in the line, itself included.
    ``rate`` is in points a second, ``memory`` in bytes; None is "not known".
    """

    state: str
    stage: str | None = None
    share: float = 0.0
    done: int = 0
    total: int = 0
    rate: float | None = None
    seconds: float = 0.0
    left: float | None = None
    memory: float | None = None
    place: int | None = None
    error: str | None = None
    rates: tuple = ()

    @property
    def active(self):
        """Whether there is something to wait for."""
        return self.state in ("waiting", "running")


def new_folder(visitor, shelf=CLUSTERINGS):
    """A folder that does not exist yet, for one more run of this visitor; the oldest runs make room."""
    home = runs_root() / visitor / shelf.name
    make_room(visitor)
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    busy = {run for run in runs_of(visitor, shelf) if LINE.knows(run) or RunFolder(run).is_held()}
    if len(busy) >= MOST_RUNS:
        raise RunError(f"You have {len(busy)} runs at work or in line; wait for one to end or stop one, then start this one.")
    for old in runs_of(visitor, shelf)[MOST_RUNS - 1 :]:
        if old not in busy:
            shutil.rmtree(old, ignore_errors=True)
    # A clock that ran ahead once must not make the next run the oldest.
    number = max([int(1000 * time.time()), *(1 + int(path.name.split("-")[0]) for path in runs_of(visitor, shelf)[:1])])
    return home / f"{number:013d}-{secrets.token_hex(4)}"


def runs_of(visitor, shelf=CLUSTERINGS):
    """The folders of this visitor's runs, newest first; nobody else's."""
    home = runs_root() / visitor / shelf.name
    try:
        return sorted((path for path in home.iterdir() if (path / shelf.file).is_file()), reverse=True)
    except OSError:
        return []


def start(folder, small=False):
    """Begin or resume a run: its worker starts when there is a place; ``small`` ones are done by the server itself."""
    folder = Path(folder)
    (folder / STOPPED).unlink(missing_ok=True)
    LINE.join(folder, small)


def stop(folder):
    """End a run at its next safe place; what is finished is kept, and it can be resumed."""
    folder = Path(folder)
    with contextlib.suppress(OSError):
        (folder / STOPPED).touch()
    if LINE.leave(folder):
        return
    files = RunFolder(folder)
    process = _worker_of(folder)
    if process is not None and files.is_held():
        end(process)


def forget(folder):
    """Remove a run and all that came of it."""
    stop(folder)
    shutil.rmtree(folder, ignore_errors=True)


def status_of(folder) -> Status:
    """Where a run stands, read from its folder alone, except that a server knows which workers it has just started."""
    folder, files = Path(folder), RunFolder(folder)
    state = state_of(folder, files.summary_file.exists)
    if state == "finished":
        return _finished(files)
    events = tail(files.events_file)
    if state == "running":
        return _running(files, events)
    if state == "waiting":
        return Status("waiting", place=LINE.place(folder))
    if state == "stopped" or _last(events, "event") == "Stopped":
        return Status("stopped", share=_share(events)[1])
    return Status("broken", share=_share(events)[1], error=last_words(folder))


def state_of(folder, is_finished):
    """waiting, running, finished, stopped or broken; ``is_finished()`` looks whether all that was asked is there."""
    if not LINE.works_on(folder) and is_finished():
        return "finished"
    if LINE.works_on(folder) or RunFolder(folder).is_held():
        return "running"
    stopped = (folder / STOPPED).exists()
    if (folder / WAITING).exists() and not stopped:
        # A server that was restarted finds those who waited still waiting.
        LINE.join(folder)
        return "waiting"
    if is_finished():
        return "finished"
    return "stopped" if stopped else "broken"


def tail(path):
    """The latest events of a run, as dictionaries; enough to tell where it stands, however long it has been going on."""
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - TAIL_BYTES))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return []
    events = []
    for line in lines:
        with contextlib.suppress(ValueError):
            event = json.loads(line)
            if isinstance(event, dict):
                events.append(event)
    return events


def last_words(folder):
    """The sentence a worker left behind when it could not go on, or None."""
    try:
        lines = (Path(folder) / LOG_NAME).read_text("utf-8", "replace").strip().splitlines()
    except OSError:
        return None
    if lines and lines[-1].startswith(FAULT):
        return UNEXPECTED
    return without_folders(lines[-1])[:500] if lines and lines[-1].rstrip().endswith(".") else None


def without_folders(sentence):
    """A sentence for a visitor, who knows his files by their names and not by where this server keeps them."""
    for root in (runs_root(), cache_folder()):
        sentence = re.sub(re.escape(str(root)) + r"(?:/[\w.-]+)*/", "", str(sentence))
    return sentence


def _finished(files):
    try:
        summary = files.summary()
    except RunError as problem:
        return Status("broken", error=str(problem))
    return Status("finished", share=1.0, done=summary["points"], total=summary["points"], seconds=summary["seconds"])


def _running(files, events):
    stage, share = _share(events)
    begun = next((e["time"] for e in reversed(events) if e.get("event") in ("Started", "Resumed")), None)
    begun = begun or _last(events[:1], "time") or time.time()
    seconds = max(0.0, time.time() - begun)
    point = next((e for e in reversed(events) if e.get("event") == "PointsDone"), {})
    current = point if point.get("stage") == stage else {}
    rate = _rate(current)
    rates = tuple((e["time"] - begun, _rate(e)) for e in events if e.get("event") == "PointsDone" and _rate(e))
    done, total = current.get("done", 0), current.get("total", 0)
    left = _left(files, stage, total - done, rate, seconds)
    share = max(share, min(MOST_BY_TIME, seconds / (seconds + left))) if left else share
    return Status("running", stage, share, done, total, rate, seconds, left, memory_of(files.path), rates=rates)


def _share(events):
    """The stage a run is in, and how far it is in all."""
    stage = next((e["stage"] for e in reversed(events) if e.get("event") in ("StageStarted", "PointsDone")), None)
    share = BEGINS.get(stage, 0.0)
    point = events[-1] if events and events[-1].get("event") == "PointsDone" else {}
    if point.get("stage") == stage and point.get("total"):
        ends = min((at for at in BEGINS.values() if at > share), default=1.0)
        share += (ends - share) * point["done"] / point["total"]
    return stage, share


def _rate(point):
    done = point.get("done", 0) - point.get("before", 0)
    return done / point["seconds"] if point.get("seconds") and done > 0 else None


def _left(files, stage, points, rate, seconds):
    """About how long it will still take: from the rate while points are coded, before that from the estimate."""
    if stage in ("spectral", "centres", "labels", "confidence"):
        return None
    if rate:
        return points / rate * 1.1
    try:
        left = files.config()["need"]["seconds"] - seconds
    except (RunError, KeyError):
        return None
    return left if left > 0 else None


def memory_of(folder):
    """What the worker of a run holds now, in bytes; None where that cannot be seen."""
    import psutil

    process = _worker_of(folder)
    if process is None:
        return None
    try:
        return psutil.Process(process).memory_info().rss
    except psutil.Error:
        return None


def _worker_of(folder):
    """The number of the process in the lock file, if that is a worker and nothing else that came by the same number."""
    import psutil

    try:
        process = int((Path(folder) / "lock").read_text())
        words = psutil.Process(process).cmdline()
    except (OSError, ValueError, psutil.Error):
        return None
    return process if str(folder) in words else None


def _last(events, name):
    return events[-1].get(name) if events else None
