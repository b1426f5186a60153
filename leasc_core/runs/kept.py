"""Runs, uploads and converted copies on disk: their size in bytes, the days they were not used, and how they are removed."""

import json
import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from ..data.sources.folders import cache_folder
from ..errors import RunError
from .folder import RunFolder

DAY = 24 * 3600
RUNS, DATA, UPLOADS, COPIES, SESSIONS = "run", "data of runs", "upload", "converted copy", "session"
SHELVES = {"data": DATA, "session": SESSIONS}
# Data that were written for a run are younger than this until the run itself is written down.
SETTLED_DAYS = 1.0


@dataclass(frozen=True)
class StoredFolder:
    """One folder that could go: what it is, its size in bytes, the days since anything in it was written or opened, and the
    folder name of the visitor whose it is ("" where it is nobody's)."""

    kind: str
    path: Path
    bytes: int
    days: float
    visitor: str = ""

    def free(self) -> bool:
        """Remove it, unless a run needs it; returns whether it is gone. Links are removed, never followed."""
        if self.path.is_symlink() or RunFolder(self.path).is_held() or self.path in needed():
            return False
        shutil.rmtree(self.path, ignore_errors=True)
        return not self.path.exists()


def runs_root() -> Path:
    """Where all runs lie: ``LEASC_RUNS``, or ``runs`` in the cache folder."""
    return Path(os.environ.get("LEASC_RUNS") or cache_folder() / "runs")


def uploads_root() -> Path:
    """Where uploads lie, each in a folder whose name begins with its visitor's."""
    return cache_folder() / "uploads"


def stored_folders() -> list[StoredFolder]:
    """All that is kept, the longest unused first."""
    found = [(UPLOADS, path, path.name.partition("-")[0]) for path in _folders(uploads_root())]
    found += [(COPIES, path, "") for path in _folders(cache_folder()) if (path / "about.json").is_file()]
    for visitor in _folders(runs_root()):
        for shelf in _folders(visitor):
            kind = SHELVES.get(shelf.name, RUNS)
            found += [(kind, path, visitor.name) for path in ([shelf] if kind == SESSIONS else _folders(shelf))]
    now = time.time()
    return sorted((_measured(*each, now) for each in found), key=lambda stored: -stored.days)


def needed() -> set[Path]:
    """The folders of uploads that an unfinished run reads, and of data that any run was made from."""
    found = set()
    for config in runs_root().glob("*/*/*/config.json"):
        try:
            data = Path(json.loads(config.read_bytes())["data"]["path"]).parent
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if data.parent != uploads_root() or not (config.parent / "summary.json").exists():
            found.add(data)
    return found


def keep_days() -> float | None:
    """Days after which what is not used is removed (``LEASC_KEEP_DAYS``); None is never."""
    return float(os.environ["LEASC_KEEP_DAYS"]) if os.environ.get("LEASC_KEEP_DAYS") else None


def expire() -> list[StoredFolder]:
    """Free what has been unused for longer than things are kept, and data that no run needs any more; returns what went."""
    days = keep_days()
    gone = []
    for stored in stored_folders():
        old = days is not None and stored.days > days
        if (old or (stored.kind == DATA and stored.days > SETTLED_DAYS)) and stored.free():
            gone.append(stored)
    return gone


def make_room(visitor: str):
    """Expire what is old, then refuse a visitor who fills the quota, ``LEASC_VISITOR_GB``."""
    quota = float(os.environ.get("LEASC_VISITOR_GB") or 0)
    if keep_days() is not None:
        expire()
    used = sum(stored.bytes for stored in stored_folders() if stored.visitor == visitor) if quota else 0
    if used > quota * 1e9:
        raise RunError(
            f"Your runs and uploads take {used / 1e9:.2g} GB, and this server gives each visitor {quota:g} GB: delete a run that "
            "you no longer need, then try again; uploads go by themselves two days after they were last opened."
        )


def _measured(kind, path, visitor, now):
    try:
        size, newest = 0, path.stat().st_mtime
    except OSError:  # somebody else was quicker
        return StoredFolder(kind, path, 0, 0.0, visitor)
    for where, _, names in os.walk(path):
        for name in names:
            try:
                about = os.lstat(Path(where) / name)
            except OSError:
                continue
            size, newest = size + about.st_size, max(newest, about.st_mtime)
    return StoredFolder(kind, path, size, max(0.0, now - newest) / DAY, visitor)


def _folders(path):
    """The folders in a folder; none where there is none, and none that are links."""
    try:
        return sorted(each for each in path.iterdir() if each.is_dir() and not each.is_symlink())
    except OSError:
        return []
