"""Rows of a benchmark on disk: one line of JSON each, added when its run ends, so that a broken benchmark goes on."""

import json
import os
from pathlib import Path

from ..runs.files import writing


class RowFile:
    """The rows of a ``.jsonl`` file, and adding to it; None keeps them in memory alone."""

    def __init__(self, path=None):
        self.path = None if path is None else Path(path)
        self.rows = [] if self.path is None or not self.path.exists() else _read(self.path)

    def find(self, key):
        """The row already there for this key, or None; a run that failed is tried again."""
        matching = (row for row in reversed(self.rows) if row["key"] == key and row["status"] != "failed")
        return next(matching, None)

    def add(self, row):
        """Keep a row, safe on disk before this returns."""
        self.rows.append(row)
        if self.path is None:
            return
        with writing(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            torn = self.path.exists() and self.path.stat().st_size and not _ends_a_line(self.path)
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(("\n" if torn else "") + json.dumps(row, ensure_ascii=False) + "\n")
                file.flush()
                os.fsync(file.fileno())


def _read(path):
    """All whole rows; a last line that a kill tore is left out."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            rows.append(json.loads(line))
        except ValueError:
            continue
    return rows


def _ends_a_line(path):
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
