"""Whether the data of a run are still what they were: a file's size and times; where these differ, a checksum of all it holds."""

import threading
import zlib
from functools import lru_cache
from pathlib import Path

from ..data.sources import HASHED_WHOLE, open_source
from ..errors import DataError, RunError
from ..storage.files import open_own
from .records import read_record, write_record

BLOCK_BYTES = 8 << 20


def stamp_of(path):
    """Size, time of writing, time of the last change of any kind, and number, of a file or of all files in a folder.

    The third is set by the system alone: who writes to a file and puts its time back does not put that back.
    """
    stats = [file.stat() for file in _files(path)]
    return [[about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino] for about in stats]


def is_unchanged(data, contents_file):
    """Whether the file is still the one ``data`` (of a run's configuration) speaks of: the same stamp, or else the same contents.

    The fingerprint of data up to 64 MB reads all of them; of larger ones it is a sample, so all their bytes are compared with the
    checksum in ``contents_file``, and where a run was broken off before it had made that, the answer is no.
    """
    try:
        if stamp_of(data["path"]) == data["stamp"]:
            return True
        source = open_source(data["path"], **data["options"])
        if source.fingerprint != data["fingerprint"]:
            return False
        return _is_small(source.shape, source.dtype.itemsize) or _known(contents_file) == contents_of(data["path"])
    except (OSError, DataError):
        return False


class ContentReader:
    """Computes the checksum of large data in the background of a run, by which a resumed run recognises them."""

    def __init__(self, contents_file, data):
        self._file, self._data, self._unwanted = contents_file, data, threading.Event()
        self._thread = threading.Thread(target=self._work, name="checksum of the data", daemon=True)

    def begin(self):
        """Start reading, unless the data are small or the checksum is there already."""
        import numpy as np

        if not _is_small(self._data["shape"], np.dtype(self._data["dtype"]).itemsize) and _known(self._file) is None:
            self._thread.start()

    def stop(self):
        """End reading; a run that is done needs no checksum."""
        self._unwanted.set()
        if self._thread.is_alive():
            self._thread.join()

    def _work(self):
        try:
            contents = contents_of(self._data["path"], self._unwanted.is_set)
            if contents is not None and stamp_of(self._data["path"]) == self._data["stamp"]:
                write_record(self._file, {"contents": contents})
        except OSError:
            pass  # the run itself says what is wrong with its data or its disk


def contents_of(path, unwanted=lambda: False):
    """A checksum of every byte, of a file or of all files in a folder; None where that is no longer wanted."""
    found = []
    for file in _files(path):
        checksum = 0
        with open(file, "rb", buffering=0) as stream:
            while block := stream.read(BLOCK_BYTES):
                if unwanted():
                    return None
                checksum = zlib.crc32(block, checksum)
        found.append([file.name, checksum])
    return found


def checksum_of(file):
    """The checksum of one file of a run; read once, and again when its size or time has changed."""
    about = file.stat()
    return _checksum(file, (about.st_size, about.st_mtime_ns, about.st_ino))


@lru_cache(maxsize=256)
def _checksum(file, stamp):
    checksum = 0
    with open_own(file) as stream:
        while block := stream.read(BLOCK_BYTES):
            checksum = zlib.crc32(block, checksum)
    return checksum


def _is_small(shape, item_bytes):
    return shape[0] * shape[1] * item_bytes <= HASHED_WHOLE


def _known(contents_file):
    try:
        return read_record(contents_file).get("contents")
    except (OSError, RunError, AttributeError):
        return None


def _files(path):
    path = Path(path)
    return sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
