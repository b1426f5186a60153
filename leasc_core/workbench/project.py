"""A project on disk: one file, a zip of a manifest and the files it names. Read without trust: nothing in it is executed.

The manifest says what the app needs to stand as it stood (``state``, plain JSON), and of every other file its size and SHA-256.
"""

import hashlib
import json
import re
import shutil
import time
import zipfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from ..data.guards import GIGABYTE, MEGABYTE, size_text
from ..errors import DataError
from ..storage.files import replacing, writing
from ..storage.versions import stamp, unreadable

SUFFIX = ".leascproj"
FORMAT, VERSION = "leasc-project", 1
MANIFEST = "manifest.json"
MOST_MANIFEST, MOST_FILES, MOST_BYTES, MOST_DEPTH = 64 * MEGABYTE, 10_000, 64 * GIGABYTE, 6
# Files that are compressed already, or read fast where they are not.
STORED = {".leasc", ".npz", ".parquet", ".gz", ".zip", ".png", ".jpg", ".jpeg", ".h5", ".hdf5", ".h5ad"}
RATIO = 1000
PART = re.compile(r"[\w][\w .()+-]{0,150}")
COPY = 1 << 20


@dataclass(frozen=True)
class Project:
    """What a project file says: its name, the app's state, when it was written (seconds since 1970), and its files' sizes."""

    path: Path
    name: str
    state: dict = field(repr=False)
    written: float
    sizes: dict = field(repr=False)
    digests: dict = field(repr=False)

    def extract(self, folder: str | Path) -> Path:
        """Unpack into a folder that does not exist yet, all of it or nothing; returns the folder."""
        folder = Path(folder)
        if folder.exists():
            raise DataError(f"{folder} exists already; name another folder.")
        partial = folder.with_name(f".{folder.name}.part")
        shutil.rmtree(partial, ignore_errors=True)
        free = shutil.disk_usage(folder.resolve().parent).free if folder.resolve().parent.is_dir() else None
        if free is not None and sum(self.sizes.values()) > free:
            raise DataError(f"{self.path.name} unpacks to {size_text(sum(self.sizes.values()))}; {size_text(free)} are free.")
        try:
            with zipfile.ZipFile(self.path) as archive:
                for member, size in self.sizes.items():
                    self._unpack(archive, member, size, partial / member)
            partial.mkdir(parents=True, exist_ok=True)
            partial.rename(folder)
        except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
            raise _refused(self.path, f"cannot be unpacked ({error})") from None
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        return folder

    def _unpack(self, archive, member, size, target):
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        digest, left = hashlib.sha256(), size
        with archive.open(member) as packed, writing(target), target.open("wb") as file:
            while block := packed.read(min(COPY, left + 1)):
                left -= len(block)
                if left < 0:
                    break
                digest.update(block)
                file.write(block)
        if left or digest.hexdigest() != self.digests[member]:
            raise _refused(self.path, f"is damaged: {member} is not what it was when it was saved")


def write_project(path: str | Path, name: str, state: dict, files: dict) -> Path:
    """Write a project, whole or not at all.

    Parameters
    ----------
    state : JSON values.
    files : name inside the project (``runs/1/model.leasc``) to a path, or to bytes.
    """
    path = Path(path)
    for member in files:
        _check_member(path, member)
    with writing(path), replacing(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        described = [_pack(archive, member, content) for member, content in sorted(files.items())]
        manifest = {"format": FORMAT, **stamp(VERSION), "name": str(name)[:200], "written": time.time()}
        archive.writestr(MANIFEST, json.dumps({**manifest, "state": state, "files": described}))
    return path


def read_project(path: str | Path) -> Project:
    """Open a project and look through its table of contents; a :class:`DataError` says what is wrong with any other file."""
    path = Path(path)
    try:
        with zipfile.ZipFile(path) as archive:
            listed = _listed(path, archive)
            if listed.get(MANIFEST, MOST_MANIFEST + 1) > MOST_MANIFEST:
                raise _refused(path, "is not a project")
            manifest = json.loads(archive.read(MANIFEST))
    except FileNotFoundError:
        raise DataError(f"{path.name} does not exist; check the name of the project.") from None
    except DataError:
        raise
    except (zipfile.BadZipFile, OSError, ValueError, EOFError, NotImplementedError, RuntimeError, RecursionError) as error:
        raise _refused(path, f"cannot be read as a project ({error})") from None
    return _checked(path, manifest, listed)


def _listed(path, archive):
    entries = archive.infolist()
    if len(entries) > MOST_FILES:
        raise _refused(path, f"holds {len(entries):,} files and the limit is {MOST_FILES:,}")
    for entry in entries:
        _check_member(path, entry.filename)
        kind = entry.external_attr >> 16 & 0o170000
        if kind not in (0, 0o100000) or entry.flag_bits & 1:
            raise _refused(path, f"holds {entry.filename[:80]!r}, which is not a plain file")
        if entry.file_size > MEGABYTE and entry.file_size > RATIO * max(1, entry.compress_size):
            raise _refused(path, f"holds {entry.filename[:80]!r}, which unpacks to far more than a project’s file")
    if len({entry.filename.casefold() for entry in entries}) < len(entries):
        raise _refused(path, "names a file twice")
    if sum(entry.file_size for entry in entries) > MOST_BYTES:
        raise _refused(path, f"unpacks to more than {size_text(MOST_BYTES)}")
    return {entry.filename: entry.file_size for entry in entries}


def _checked(path, manifest, listed):
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise _refused(path, "is not a project of this program")
    if (why := unreadable(path.name, "project", manifest, (VERSION,))) is not None:
        raise DataError(why)
    try:
        files = {str(each["path"]): (int(each["size"]), str(each["sha256"])) for each in manifest["files"]}
        name, state, written = str(manifest["name"])[:200], manifest["state"], float(manifest["written"])
    except (KeyError, TypeError, ValueError):
        raise _refused(path, "has a manifest that is not complete") from None
    if not isinstance(state, dict):
        raise _refused(path, "has a manifest without a state")
    if {member: size for member, (size, _) in files.items()} != {name: n for name, n in listed.items() if name != MANIFEST}:
        raise _refused(path, "does not hold the files that its manifest names")
    sizes, digests = ({member: each[at] for member, each in files.items()} for at in range(2))
    return Project(path, name, state, written, sizes, digests)


def _pack(archive, member, content):
    digest, size = hashlib.sha256(), 0
    entry = zipfile.ZipInfo(member, date_time=(1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_STORED if PurePosixPath(member).suffix.lower() in STORED else zipfile.ZIP_DEFLATED
    entry.external_attr = 0o100600 << 16
    with archive.open(entry, "w", force_zip64=True) as file:
        for block in [content] if isinstance(content, bytes) else _blocks(content):
            digest.update(block)
            size += len(block)
            file.write(block)
    return {"path": member, "size": size, "sha256": digest.hexdigest()}


def _blocks(path):
    with open(path, "rb") as file:
        while block := file.read(COPY):
            yield block


def _check_member(path, member):
    """Names that stay inside the folder on every system."""
    parts = member.split("/")
    if len(parts) > MOST_DEPTH or not all(PART.fullmatch(part) and part.strip(" .") == part for part in parts):
        raise _refused(path, f"holds a file by the name {member[:80]!r}, which no project has")


def _refused(path, what):
    return DataError(f"{path.name} {what}; choose a {SUFFIX} file, or save the project again.")
