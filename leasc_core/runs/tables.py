"""Numbers a run makes row by row: in memory, or in a file that remembers how far it is."""

import json
import os
import time
from io import BytesIO
from pathlib import Path

import numpy as np

from .files import replacing, writing

SYNC_SECONDS = 2.0


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

    How far it is stands in a second file, written after the rows it speaks of; both are made for one shape and type.
    """

    def __init__(self, path, shape, dtype):
        self.path, self.shape, self.dtype = Path(path), tuple(shape), np.dtype(dtype)
        self.mark = self.path.with_suffix(".progress.json")
        self.done = self._safe_rows()
        with writing(self.path):
            self._open()
        self._synced = time.monotonic()

    def append(self, rows):
        """Add rows at the end."""
        with writing(self.path):
            left = memoryview(np.ascontiguousarray(rows, dtype=self.dtype)).cast("B")
            while left:
                left = left[self._file.write(left) :]
        self.done += len(rows)
        if time.monotonic() - self._synced > SYNC_SECONDS:
            self.sync()

    def sync(self):
        """Make all rows so far safe."""
        with writing(self.path):
            os.fsync(self._file.fileno())
            with replacing(self.mark) as mark:
                mark.write(json.dumps({"rows": self.done, **self._kind()}).encode())
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
        return np.load(self.path, mmap_mode="r", allow_pickle=False)

    def _kind(self):
        return {"shape": list(self.shape), "dtype": self.dtype.str}

    def _safe_rows(self):
        try:
            said = json.loads(self.mark.read_text())
            header = self._header()
            whole = self.path.stat().st_size >= len(header) + said["rows"] * self._row_bytes()
            return said["rows"] if whole and {name: said[name] for name in self._kind()} == self._kind() else 0
        except (OSError, ValueError, KeyError):
            return 0

    def _open(self):
        if self.done:
            self._file = open(self.path, "r+b", buffering=0)  # noqa: SIM115 - close() closes it
            self._file.truncate(len(self._header()) + self.done * self._row_bytes())
            self._file.seek(0, os.SEEK_END)
            return
        self.mark.unlink(missing_ok=True)
        self._file = open(self.path, "wb", buffering=0)  # noqa: SIM115 - close() closes it
        self._file.write(self._header())

    def _header(self):
        header = BytesIO()
        said = {"descr": np.lib.format.dtype_to_descr(self.dtype), "fortran_order": False, "shape": self.shape}
        np.lib.format.write_array_header_1_0(header, said)
        return header.getvalue()

    def _row_bytes(self):
        return int(np.prod(self.shape[1:], dtype=np.int64)) * self.dtype.itemsize
