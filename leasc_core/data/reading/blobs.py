"""A file as a reader sees it: name, size, first bytes and a way in; on disk, in memory or gzipped."""

import gzip
import io
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path, PurePath

from leasc_core.data.guards import check_bytes, check_expansion, parsing, refuse

HEAD = 1 << 16
GZIP_MAGIC = b"\x1f\x8b"
# Deflate cannot do better than this.
GZIP_LARGEST_RATIO = 1032


class Blob:
    """One file, either at `path` or in memory as `data`."""

    packed = False

    def __init__(self, name, path=None, data=None):
        self.name, self.path, self.data = name, path, data
        self.is_folder = path is not None and path.is_dir()
        self.size = len(data) if path is None else path.stat().st_size

    def open(self):
        """A fresh seekable binary file at its beginning."""
        return io.BytesIO(self.data) if self.path is None else open(self.path, "rb")

    def head(self, count=HEAD):
        """The first `count` bytes."""
        with self.open() as file:
            return file.read(count)

    def tail(self, count):
        """The last `count` bytes."""
        with self.open() as file:
            file.seek(max(0, self.size - count))
            return file.read(count)

    @contextmanager
    def on_disk(self):
        """The path of the file, written to a temporary folder when it lives in memory."""
        if self.path is not None:
            yield self.path.resolve()
            return
        with tempfile.TemporaryDirectory(prefix="leasc-") as folder:
            path = Path(folder) / "file"
            path.write_bytes(self.data)
            yield path


class GzipBlob(Blob):
    """What is inside a gzipped file, unpacked as it is read and never beyond the expansion limit."""

    packed = True

    def __init__(self, outer, limits):
        self.outer, self.limits = outer, limits
        self.path, self.is_folder = outer.path, False
        self.name = outer.name[:-3] if outer.name.lower().endswith(".gz") else outer.name
        self.stored, self.size = outer.size, None
        # A gzip file ends with its unpacked length modulo 2^32: an honest bomb is refused without unpacking.
        unpacked = int.from_bytes(outer.tail(4), "little")
        if unpacked > GZIP_LARGEST_RATIO * outer.size:
            raise refuse(outer.name, "is a gzip file that is damaged or cut short", "save or download it again")
        check_expansion(outer.name, outer.size, unpacked, limits)

    def open(self):
        """A fresh forward-only binary file at its beginning."""
        return io.BufferedReader(_GuardedGzip(self.outer, self.limits), 1 << 18)


class _GuardedGzip(io.RawIOBase):
    """A reader that stops when the bytes unpacked outgrow the bytes consumed."""

    def __init__(self, outer, limits):
        self.name_of_file, self.limits, self.unpacked = outer.name, limits, 0
        self.stored_file = outer.open()
        self.file = gzip.GzipFile(fileobj=self.stored_file)

    def readable(self):
        return True

    def readinto(self, buffer):
        with parsing(self.name_of_file, "gzip"):
            count = self.file.readinto(buffer)
        self.unpacked += count
        check_expansion(self.name_of_file, self.stored_file.tell(), self.unpacked, self.limits)
        return count

    def close(self):
        if not self.closed:
            self.file.close()
            self.stored_file.close()
        super().close()


def open_blob(thing, name, limits):
    """The `Blob` behind a path, bytes or an open file, its size checked."""
    if isinstance(thing, Blob):
        return thing
    name = name and PurePath(name).name
    if isinstance(thing, (bytes, bytearray, memoryview)):
        blob = Blob(name or "upload", data=bytes(thing))
    elif isinstance(thing, (str, os.PathLike)):
        blob = _blob_at(Path(thing), name)
    elif hasattr(thing, "read"):
        blob = _blob_of_file(thing, name, limits)
    else:
        what = f"cannot be read as a file (it is a {type(thing).__name__})"
        raise refuse(name or "input", what, "give a path, bytes or an open binary file")
    if not blob.is_folder:
        check_bytes(blob.name, blob.size, limits)
        if blob.head(2) == GZIP_MAGIC:
            return GzipBlob(blob, limits)
    return blob


def _blob_at(path, name):
    try:
        exists, usable = path.exists(), path.is_file() or path.is_dir()
        readable = os.access(path, os.R_OK)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise refuse(path.name, f"is not a usable path ({reason})", "check its name") from None
    if not exists:
        raise refuse(path.name, "does not exist", "check the path")
    if not usable:
        raise refuse(path.name, "is neither a file nor a folder", "give a regular file")
    if not readable:
        raise refuse(path.name, "may not be read by this user", "check its permissions")
    return Blob(name or path.name, path=path)


def _blob_of_file(file, name, limits):
    if file.seekable():
        file.seek(0)
    data = file.read(limits.bytes + 1)
    if isinstance(data, str):
        raise refuse(name or "input", "is open as text", "open it in binary mode")
    return Blob(name or Path(str(getattr(file, "name", "upload"))).name, data=data)
