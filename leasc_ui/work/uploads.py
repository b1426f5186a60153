"""Where a visitor's files lie: uploads in a folder of their own, and the server's data folder, which no path may leave."""

import contextlib
import os
import secrets
import shutil
import threading
import time
from pathlib import Path, PurePath

from leasc_core.data.guards import STREAMED, Limits
from leasc_core.errors import DataError
from leasc_core.runs.kept import expire, make_room, needed, uploads_root
from leasc_ui.places import app_folder
from leasc_ui.work.names import safe_name
from leasc_ui.work.slots import visitor

FORGOTTEN_SECONDS, TIDY_SECONDS = 2 * 24 * 3600, 3600
MOST_LISTED = 2000
COPY_BYTES = 1 << 20
# What a stranger's file may grow to on the server's disk; files in the server's own folder are trusted with more.
FROM_STRANGERS = Limits(cells=1 << 31)
_tidied = [float("-inf")]


def new_folder(owner: str):
    """A fresh folder for one upload of this visitor; who fills the quota is refused."""
    tidy()
    make_room(owner)
    folder = uploads_root() / f"{owner}-{secrets.token_hex(16)}"
    try:
        folder.mkdir(parents=True, mode=0o700)
    except OSError as error:
        raise _cannot_keep(error) from None
    return folder


def own(path):
    """The path of an upload, unless it is of another visitor than this thread works for (see ``slots``)."""
    path = Path(path)
    if visitor() and path.parent.parent == uploads_root() and path.parent.name.partition("-")[0] != visitor():
        raise DataError(f"“{safe_name(path.name)}” is not one of your uploads; upload it again.")
    return path


def store(folder, name, stream):
    """Write an upload under a safe name, whole or not at all; returns its path."""
    path = Path(folder) / safe_name(name)
    partial = path.with_name(f"{path.name}.part")
    try:
        with open(partial, "wb", opener=_private) as file:
            shutil.copyfileobj(stream, file, COPY_BYTES)
            file.flush()
            os.fsync(file.fileno())
        partial.rename(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise _cannot_keep(error) from None
    return path


def limits_of(path):
    """How much a file may ask for: uploads less than what the server's owner put there; an upload that is opened stays on."""
    if not Path(path).is_relative_to(uploads_root()):
        return STREAMED
    with contextlib.suppress(OSError):
        os.utime(Path(path).parent)
    return FROM_STRANGERS


def server_folder():
    """The folder whose files every visitor may open: ``LEASC_DATA``, or ``data`` beside the app; None where there is none."""
    folder = Path(os.environ.get("LEASC_DATA") or app_folder() / "data")
    return folder.resolve() if folder.is_dir() else None


def server_files(folder):
    """Names of the files below the folder, relative to it; hidden ones are left out."""
    found = []
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        inside = PurePath(where).relative_to(folder)
        found += [str(inside / name) for name in sorted(names) if not name.startswith(".")]
        if len(found) >= MOST_LISTED:
            break
    return found[:MOST_LISTED]


def inside(folder, name):
    """The path of a file below the server's folder; links that lead out of it are refused too."""
    if folder is None:
        raise DataError("This server has no data folder; upload the file instead.")
    try:
        path = (Path(folder) / str(name)).resolve()
        there = path.is_relative_to(Path(folder).resolve()) and path.exists()
    except (OSError, ValueError):
        there = False
    if not there:
        raise DataError(f"“{safe_name(name)}” is not in the server’s data folder; choose one of the files listed.")
    return path


def _private(path, flags):
    """A new file that nobody else may read, and that is nowhere yet: no link is followed."""
    return os.open(path, flags | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)


def tidy():
    """Remove uploads that nobody opened for two days, and what else is older than this server keeps things."""
    in_use = needed()
    with contextlib.suppress(OSError):
        for folder in uploads_root().iterdir():
            with contextlib.suppress(OSError):
                if folder not in in_use and time.time() - folder.stat().st_mtime > FORGOTTEN_SECONDS:
                    shutil.rmtree(folder, ignore_errors=True)
    expire()


def tidy_now_and_then():
    """:func:`tidy` behind the visitors' backs, at most once an hour."""
    if time.monotonic() - _tidied[0] > TIDY_SECONDS:
        _tidied[0] = time.monotonic()
        threading.Thread(target=tidy, name="tidying", daemon=True).start()


def _cannot_keep(error):
    return DataError(f"The upload cannot be kept on the server ({error.strerror}); free some space in its cache folder.")
