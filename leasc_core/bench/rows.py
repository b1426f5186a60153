"""Rows of a benchmark on disk: one line of JSON each, added when its run ends, so that a broken benchmark goes on."""

import hashlib
import json
import os
from pathlib import Path

import numpy as np

from ..storage.files import replacing, writing
from .picture import code_picture


class RowFile:
    """The rows of a ``.jsonl`` file, and adding to it; None keeps them in memory alone."""

    def __init__(self, path=None):
        self.path = None if path is None else Path(path)
        self.rows = [] if self.path is None else read_rows(self.path)

    def find(self, key):
        """The row already there for this key, or None; a run that failed is tried again."""
        key = _as_stored(key)
        matching = (row for row in reversed(self.rows) if row["key"] == key and row["status"] != "failed")
        return next(matching, None)

    def add(self, row, outcome=None, points=None):
        """Keep a row safe on disk before this returns; gives back the row as it is kept.

        With the ``outcome`` of a run its labels are kept beside it, with its ``points`` also a picture of its codes.
        """
        if outcome is not None and self.path is not None:
            row = {**row, **self._keep(_name_of(row["key"]), outcome, points)}
        line = json.dumps(row, ensure_ascii=False)
        self.rows.append(json.loads(line))
        if self.path is not None:
            self._append(line)
        return self.rows[-1]

    def _append(self, line):
        with writing(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            torn = self.path.exists() and self.path.stat().st_size and not _ends_a_line(self.path)
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(("\n" if torn else "") + line + "\n")
                file.flush()
                os.fsync(file.fileno())

    def _keep(self, name, outcome, points):
        """Labels and picture in files beside the rows; gives back their names."""
        path = self.path.parent / f"labels/{name}.npy"
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path) as file:
                np.save(file, np.asarray(outcome.labels, dtype=np.int32), allow_pickle=False)
        picture = None if points is None else code_picture(outcome, points)
        if picture is None:
            return {"labels_file": f"labels/{name}.npy"}
        picture.save(self.path.parent / f"codes/{name}.npz")
        return {"labels_file": f"labels/{name}.npy", "codes_file": f"codes/{name}.npz"}


def read_rows(path):
    """All whole rows of a file that may be written to meanwhile; a line that a kill tore is left out."""
    try:
        lines = Path(path).read_text(encoding="utf-8").split("\n")
    except FileNotFoundError:
        return []
    rows = []
    for line in lines:
        try:
            rows.append(json.loads(line))
        except ValueError:
            continue
    return rows


def _name_of(key):
    """What was asked, as the name of a file."""
    return hashlib.sha256(json.dumps(_as_stored(key)).encode()).hexdigest()[:16]


def _as_stored(key):
    """A key as it comes back from the file: a tuple is a list there."""
    return json.loads(json.dumps(key))


def _ends_a_line(path):
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
