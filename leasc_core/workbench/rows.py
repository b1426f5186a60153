"""Row numbers as a short text, so that an edit stands in a file, a script or a report: ``0-5,8,10-12``."""

import re

import numpy as np

from ..errors import DataError

TEXT = re.compile(r"(?:\d{1,18}(?:-\d{1,18})?(?:,\d{1,18}(?:-\d{1,18})?)*)?")


def text_of(rows: np.ndarray) -> str:
    """Rows (any order, repeats allowed) as ranges, first and last row included."""
    rows = np.unique(np.asarray(rows, dtype=np.int64))
    if not len(rows):
        return ""
    ends = np.flatnonzero(np.diff(rows) > 1)
    firsts, lasts = rows[np.r_[0, ends + 1]], rows[np.r_[ends, len(rows) - 1]]
    return ",".join(f"{a}" if a == b else f"{a}-{b}" for a, b in zip(firsts.tolist(), lasts.tolist(), strict=True))


def rows_of(text: str, most: int) -> np.ndarray:
    """The rows of such a text, in order; all must be below ``most``."""
    if not isinstance(text, str) or not TEXT.fullmatch(text):
        raise DataError("Rows must be written as ranges like 0-5,8,10-12; make the edit again.")
    if not text:
        return np.empty(0, np.int64)
    ends = np.array([part.partition("-")[::2] for part in text.split(",")])
    firsts = ends[:, 0].astype(np.int64)
    lasts = np.where(ends[:, 1] == "", ends[:, 0], ends[:, 1]).astype(np.int64)
    if lasts.max() >= most:
        raise DataError(f"Row {lasts.max():,} is beyond the {most:,} rows; the edits belong to other data.")
    if (lasts < firsts).any() or (firsts[1:] <= lasts[:-1]).any():
        raise DataError("Rows must be in order and named once; make the edit again.")
    lengths = lasts - firsts + 1
    return np.repeat(firsts, lengths) + np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
