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
        """One label a row (NaN where it is missing), or a map of one label a pixel, whose sides are kept."""
        self.sides = np.shape(values) if np.ndim(values) == 2 else None
        self.chunks.append(np.asarray(values).ravel())

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


def _missing_note(count, code=UNKNOWN):
    return [f"{count:,} rows have no label and are coded {code}"] if count else []


def _is_whole(text):
    return WHOLE.fullmatch(text) is not None


def _sound(text):
    """The text without halves of signs, which no file could hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
