"""What a server or a person has lying about: runs, uploads and converted copies, how large, how long unused; and freeing them."""

import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from ..data.sources.folders import cache_folder
from ..errors import RunError
from .folder import RunFolder

DAY = 24 * 3600
RUNS, DATA, UPLOADS, COPIES = "run", "data of runs", "upload", "converted copy"


@dataclass(frozen=True)
class StoredFolder:
    """One folder that could go: what it is, its size in bytes, the days since anything in it was written or opened."""

    kind: str
    path: Path
    bytes: int
    days: float

    def free(self) -> bool:
        """Remove it, unless a process is working on it; returns whether it is gone. Links are removed, never followed."""
        if self.path.is_symlink() or RunFolder(self.path).is_held():
            return False
        shutil.rmtree(self.path, ignore_errors=True)
        return not self.path.exists()


def runs_root() -> Path:
    """Where all runs lie: ``LEASC_RUNS``, or ``runs`` in the cache folder."""
    return Path(os.environ.get("LEASC_RUNS") or cache_folder() / "runs")


def stored_folders() -> list[StoredFolder]:
    """All that is kept, the longest unused first."""
    found = [(UPLOADS, path) for path in _folders(cache_folder() / "uploads")]
    found += [(COPIES, path) for path in _folders(cache_folder()) if (path / "about.json").is_file()]
    for visitor in _folders(runs_root()):
        for shelf in _folders(visitor):
            found += [(DATA if shelf.name == "data" else RUNS, path) for path in _folders(shelf)]
    now = time.time()
    return sorted((_measured(kind, path, now) for kind, path in found), key=lambda stored: -stored.days)


def keep_days() -> float | None:
    """After how many days unused things go by themselves: ``LEASC_KEEP_DAYS``; None is never."""
    return float(os.environ["LEASC_KEEP_DAYS"]) if os.environ.get("LEASC_KEEP_DAYS") else None


def make_room(visitor: str):
    """Free what has been unused for longer than things are kept; refuse a visitor who fills the quota, ``LEASC_VISITOR_GB``."""
    days, quota = keep_days(), float(os.environ.get("LEASC_VISITOR_GB") or 0)
    if days is None and not quota:
        return
    found = stored_folders()
    gone = {kept.path for kept in found if days is not None and kept.days > days and kept.free()}
    used = sum(kept.bytes for kept in found if kept.path not in gone and runs_root() / visitor in kept.path.parents)
    if quota and used > quota * 1e9:
        raise RunError(
            f"Your runs take {used / 1e9:.2g} GB, and this server gives each visitor {quota:g} GB: forget a run that you no "
            "longer need, then start this one."
        )


def _measured(kind, path, now):
    size, newest = 0, path.stat().st_mtime
    for where, _, names in os.walk(path):
        for name in names:
            try:
                about = os.lstat(Path(where) / name)
            except OSError:
                continue
            size, newest = size + about.st_size, max(newest, about.st_mtime)
    return StoredFolder(kind, path, size, max(0.0, now - newest) / DAY)


def _folders(path):
    """The folders in a folder; none where there is none, and none that are links."""
    try:
        return sorted(each for each in path.iterdir() if each.is_dir() and not each.is_symlink())
    except OSError:
        return []
