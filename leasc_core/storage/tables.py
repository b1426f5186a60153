"""Numbers a run makes row by row: in memory, or in a file that remembers how far it is."""

import json
import os
import time
import zlib
from io import BytesIO
from pathlib import Path

import numpy as np

from .files import load_own_array, open_own, replacing, writing

SYNC_SECONDS = 2.0
CHECKED_BYTES = 8 << 20


class MemoryTable:
    """Rows in an array."""

    def __init__(self, shape, dtype):
        self._array, self.done = np.empty(shape, dtype), 0

    def append(self, rows):
        """Add rows at the end."""
        self._array[self.done : self.done + len(rows)] = rows
        self.done += len(rows)

    def close(self):
        pass

    def array(self):
        """The table, complete."""
        return self._array


class FileTable:
    """Rows in a ``.npy`` file. After a kill it goes on from the last sync: ``done`` rows are safe on disk.

    How far it is stands in a second file, written after the rows it speaks of, with their checksum (CRC-32): damaged rows are
    made again. Both files are made for one shape and type.
    """

    def __init__(self, path, shape, dtype):
        self.path, self.shape, self.dtype = Path(path), tuple(shape), np.dtype(dtype)
        self.mark = self.path.with_suffix(".progress.json")
        self._checksum = 0
        self.done = self._safe_rows()
        with writing(self.path):
            self._open()
        self._synced = time.monotonic()

    def append(self, rows):
        """Add rows at the end."""
        with writing(self.path):
            left = memoryview(np.ascontiguousarray(rows, dtype=self.dtype)).cast("B")
            checksum = zlib.crc32(left, self._checksum)
            while left:
                left = left[self._file.write(left) :]
        self.done, self._checksum = self.done + len(rows), checksum
        if time.monotonic() - self._synced > SYNC_SECONDS:
            self.sync()

    def sync(self):
        """Make all rows so far safe."""
        with writing(self.path):
            os.fsync(self._file.fileno())
            with replacing(self.mark) as mark:
                mark.write(json.dumps({"rows": self.done, "checksum": self._checksum, **self._kind()}).encode())
        self._synced = time.monotonic()

    def close(self):
        """End writing; what is there is safe."""
        if not self._file.closed:
            try:
                self.sync()
            finally:
                self._file.close()

    def array(self):
        """The table, complete, mapped from the file."""
        return load_own_array(self.path)

    def _kind(self):
        return {"shape": list(self.shape), "dtype": self.dtype.str}

    def _safe_rows(self):
        """How many rows are there, whole and undamaged; 0 where anything is amiss."""
        try:
            with open_own(self.mark) as mark:
                said = json.loads(mark.read())
            rows = said["rows"]
            whole = (
                type(rows) is int and 0 <= rows <= self.shape[0] and {name: said[name] for name in self._kind()} == self._kind()
            )
            if whole and self._summed(rows) == said["checksum"]:
                self._checksum = said["checksum"]
                return rows
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return 0

    def _summed(self, rows):
        """The checksum of the first rows as they lie in the file; None where the file is too short or another one."""
        checksum, left = 0, rows * self._row_bytes()
        with open_own(self.path) as file:
            if file.read(len(self._header())) != self._header():
                return None
            while left and (block := file.read(min(left, CHECKED_BYTES))):
                checksum, left = zlib.crc32(block, checksum), left - len(block)
        return None if left else checksum

    def _open(self):
        if self.done:
            self._file = open_own(self.path, "r+b", buffering=0)
            self._file.truncate(len(self._header()) + self.done * self._row_bytes())
            self._file.seek(0, os.SEEK_END)
            return
        self.mark.unlink(missing_ok=True)
        self._file = open_own(self.path, "wb", buffering=0)
        self._file.write(self._header())

    def _header(self):
        header = BytesIO()
        said = {"descr": np.lib.format.dtype_to_descr(self.dtype), "fortran_order": False, "shape": self.shape}
        np.lib.format.write_array_header_1_0(header, said)
        return header.getvalue()

    def _row_bytes(self):
        return int(np.prod(self.shape[1:], dtype=np.int64)) * self.dtype.itemsize
