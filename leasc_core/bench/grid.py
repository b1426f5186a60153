"""The cells of a sweep as matrices, and which cell is best: by what needs no labels, or, called by its name, by an oracle."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..errors import ParameterError
from ..storage.files import replacing, writing

# What needs no labels: its words, and whether more of it is better.
QUALITIES = {
    "stability": ("agreement of labels over re-drawn representatives (ARI)", True),
    "eigengap": ("relative eigengap after the k-th value", True),
    "code_error": ("error of f at points it was not taught, ‖Z − f(Y)‖ / ‖Z‖", False),
}
# What judges by labels.
SCORES = {"acc": "accuracy", "nmi": "normalised mutual information", "ari": "adjusted Rand index"}


@dataclass(frozen=True, eq=False)
class Grid:
    """Rows of a sweep by their place; cells that are not there yet, or were refused, are NaN."""

    axes: dict
    rows: list = field(repr=False)

    def matrix(self, measure):
        """Values of one of :data:`QUALITIES`, :data:`SCORES`, ``seconds`` or ``megabytes``: first axis down, second across."""
        first, *second = self.axes.values()
        table = np.full((len(first), len(second[0]) if second else 1), np.nan)
        for row in self.rows:
            value = value_of(row, measure)
            if value is not None:
                table[self.place(row)] = value
        return table

    def place(self, row):
        """(row, column) of a cell."""
        at = [list(values).index(row["cell"][name]) for name, values in self.axes.items()]
        return (at[0], at[1] if len(at) > 1 else 0)

    def chosen(self, quality="stability"):
        """The row that a label-free quality chooses (the first of equals), or None where none is known."""
        if quality not in QUALITIES:
            known = ", ".join(QUALITIES)
            raise ParameterError(f"{quality!r} needs labels or chooses nothing; choose by one of {known}, or ask oracle().")
        return self._best(quality, QUALITIES[quality][1])

    def oracle(self, measure="acc"):
        """The row that looking at the labels would choose: a bound to compare with, never a result."""
        if measure not in SCORES:
            raise ParameterError(f"{measure!r} is no score; an oracle looks at one of {', '.join(SCORES)}.")
        return self._best(measure, True)

    def frame(self):
        """One line a cell: parameters, label-free qualities, and the scores under names that begin with ``by_labels``."""
        import pandas

        lines = []
        for row in self.rows:
            quality, scores = row.get("quality") or {}, row.get("scores") or {}
            named = {f"by_labels.{name}": value for name, value in scores.items()}
            lines.append({**row["cell"], "status": row["status"], **quality, "seconds": row.get("seconds"), **named})
        frame = pandas.DataFrame(lines)
        words = [name for name in self.axes if not pandas.api.types.is_numeric_dtype(frame[name])]
        return frame.astype(dict.fromkeys(words, str))

    def save(self, folder):
        """``sweep.csv`` and ``sweep.parquet`` in ``folder``."""
        folder, frame = Path(folder), self.frame()
        with writing(folder / "sweep.csv"):
            folder.mkdir(parents=True, exist_ok=True)
            with replacing(folder / "sweep.csv") as file:
                frame.to_csv(file, index=False)
            with replacing(folder / "sweep.parquet") as file:
                frame.to_parquet(file, index=False)

    def _best(self, measure, more):
        known = [row for row in self.rows if value_of(row, measure) is not None]
        return max(known, key=lambda row: value_of(row, measure) * (1 if more else -1), default=None)


def value_of(row, measure):
    """One number of a cell, or None."""
    if measure in QUALITIES:
        return (row.get("quality") or {}).get(measure)
    if measure in SCORES:
        return (row.get("scores") or {}).get(measure)
    return row.get(measure)
