"""The class of every row, gathered block by block, as whole numbers or as names."""

import re

import numpy as np

from leasc_core.data.guards import LARGEST_EXACT_INTEGER, refuse

UNKNOWN = -1
WHOLE = re.compile(r"[-+]?\d{1,15}", re.ASCII)
MOST_CLASSES = 100_000


class Labels:
    """Collects labels while a file is read.

    Parameters
    ----------
    file_name, source : where they come from, for messages: "iris.csv", "column 'species'".
    certain : whether someone asked for these labels; if not, unsuitable ones are dropped with a note.
    """

    def __init__(self, file_name, source, certain=True):
        self.file_name, self.source, self.certain = file_name, source, certain
        self.chunks, self.codes, self.given_up, self.sides = [], {}, False, None

    def clear(self):
        """Forget what was collected: the file is read from its beginning."""
        self.chunks, self.codes, self.given_up, self.sides = [], {}, False, None

    def __len__(self):
        return sum(len(chunk) for chunk in self.chunks)

    def add(self, values):
        """An array of numbers or of texts, one label a row."""
        values = np.asarray(values)
        if values.dtype.kind == "S":
            values = np.char.decode(values, "utf-8", "replace")
        if values.dtype.kind == "U":
            self.add_texts(values.ravel())
        else:
            self.add_numbers(values)

    def add_numbers(self, values):
        """A label a row (NaN where it is missing), a map of one a pixel, whose sides are kept, or rows with a single 1."""
        values = np.asarray(values)
        chosen = places_of_ones(values)
        if chosen is not None:
            values = chosen
        self.sides = values.shape if values.ndim == 2 else None
        self.chunks.append(values.ravel())

    def repeat(self):
        """Are they whole numbers (or names) of which each stands for several rows on average?"""
        values = np.concatenate(self.chunks) if self.chunks else np.empty(0)
        values = values[~np.isnan(values)] if values.dtype.kind == "f" else values
        whole = values.dtype.kind in "biu" or bool(np.all(values == np.floor(values)))
        return whole and 1 < len(np.unique(values)) <= len(values) / 2

    def add_names(self, names, positions):
        """Rows given as positions in a list of names; a negative position where the label is missing."""
        codes = np.array([self.codes.setdefault(_sound(name), len(self.codes)) for name in names] + [UNKNOWN])
        if len(self.codes) > MOST_CLASSES:
            if self.certain:
                raise self._too_many()
            self.given_up, self.codes = True, {}
        if self.given_up:
            codes = np.zeros(len(names) + 1, int)
        self.chunks.append(codes[np.where(positions < 0, len(names), positions)])

    def add_texts(self, values):
        """One text a row."""
        names, positions = np.unique(values, return_inverse=True)
        self.add_names([str(name) for name in names], positions)

    def finish(self, n_rows):
        """`(y, label_names, notes)`: whole numbers as they stand, names coded from 0 in order."""
        values = np.concatenate(self.chunks) if self.chunks else np.empty(0)
        if len(values) != n_rows:
            what = f"has {n_rows:,} rows but {len(values):,} labels in {self.source}"
            raise refuse(self.file_name, what, "choose other labels or pass label=False")
        if self.given_up:
            return None, None, [f"{self.source} has too many different texts, so it is not used as labels"]
        if self.codes:
            return self._finish_names(values)
        return self._finish_numbers(values)

    def _finish_names(self, values):
        if len(self.codes) > max(50, len(values) // 2):
            if self.certain:
                raise self._too_many()
            return None, None, [f"{self.source} has many different texts, so it is not used as labels"]
        names = sorted(self.codes)
        places = {name: place for place, name in enumerate(names)}
        order = np.array([places[name] for name in self.codes] + [UNKNOWN])
        missing = int((values == UNKNOWN).sum())
        if not missing and all(_is_whole(name) for name in names):
            numbers = np.array([int(name) for name in self.codes] + [UNKNOWN], dtype=np.int64)
            return numbers[values], None, [f"labels taken from {self.source}"]
        return (
            order[values].astype(np.int64),
            names,
            [f"labels taken from {self.source}", *_missing_note(missing)],
        )

    def _too_many(self):
        what = f"has {len(self.codes):,} different texts in {self.source}, too many to be labels"
        return refuse(self.file_name, what, "remove it or name the label column with label=")

    def _finish_numbers(self, values):
        missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), bool)
        known = values[~missing]
        with np.errstate(invalid="ignore"):
            whole = len(known) and np.all(known == np.floor(known)) and np.all(np.abs(known) <= LARGEST_EXACT_INTEGER)
        if not whole:
            if self.certain:
                what = f"holds values in {self.source} that are not whole numbers, so they cannot be labels"
                raise refuse(self.file_name, what, "choose other labels or pass label=False")
            return None, None, [f"{self.source} holds no whole numbers, so it is not used as labels"]
        unknown = min(UNKNOWN, int(known.min()) - 1) if missing.any() else UNKNOWN
        y = np.where(missing, unknown, values).astype(np.int64)
        return y, None, [f"labels taken from {self.source}", *_missing_note(int(missing.sum()), unknown)]


def places_of_ones(values) -> np.ndarray | None:
    """Where each row (or each column) of a table has its only 1 among 0 or -1; None for any other table."""
    if values.ndim != 2 or min(values.shape) < 2 or values.dtype.kind not in "biuf" or max(values.shape) <= 2:
        return None
    ones = values == 1
    if not (np.all(ones | (values == 0)) or np.all(ones | (values == -1))):
        return None
    by_length = (1, 0) if values.shape[0] >= values.shape[1] else (0, 1)
    axis = next((axis for axis in by_length if np.all(ones.sum(axis=axis) == 1)), None)
    return None if axis is None else ones.argmax(axis=axis)


def _missing_note(count, code=UNKNOWN):
    return [f"{count:,} rows have no label and are coded {code}"] if count else []


def _is_whole(text):
    return WHOLE.fullmatch(text) is not None


def _sound(text):
    """The text without halves of signs, which no file could hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
