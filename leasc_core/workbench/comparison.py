"""Two results side by side: who is with whom in each, how far they agree, and who moved."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ..errors import DataError
from ..metrics import LARGEST_TABLE, adjusted_rand_index


@dataclass(frozen=True, eq=False)
class Comparison:
    """Clusters of one result (rows of ``table``) against those of another (columns); points in no cluster come last.

    Attributes
    ----------
    table : (k, l) counts.
    first, second : names of the rows and columns, "noise" among them where there is any.
    matches : (row, column) pairs that share most points, one to one.
    agreement : adjusted Rand index: 1 the same, 0 as by chance.
    matched : share of the points that are in matched pairs.
    """

    table: np.ndarray = field(repr=False)
    first: tuple
    second: tuple
    matches: tuple
    agreement: float
    matched: float
    codes: tuple = field(repr=False)

    def rows_of(self, row: int, column: int) -> np.ndarray:
        """The points in a cell of the table."""
        return np.flatnonzero((self.codes[0] == row) & (self.codes[1] == column))

    @property
    def moved(self) -> np.ndarray:
        """The points that are outside the matched pairs."""
        partner = np.full(len(self.first), -1)
        for row, column in self.matches:
            partner[row] = column
        return np.flatnonzero(partner[self.codes[0]] != self.codes[1])

    def moves(self, most: int = 20) -> list:
        """``(row, column, count)`` of the largest groups that moved, largest first."""
        counts = self.table.copy()
        for row, column in self.matches:
            counts[row, column] = 0
        order = np.argsort(-counts, axis=None, kind="stable")[:most]
        cells = zip(*np.unravel_index(order, counts.shape), strict=True)
        return [(int(row), int(column), int(counts[row, column])) for row, column in cells if counts[row, column]]


def compare(
    first: np.ndarray, second: np.ndarray, names: Sequence[str] | None = None, other_names: Sequence[str] | None = None
) -> Comparison:
    """Compare two labelings of the same rows; clusters are 0, 1, … and -1 is none."""
    first, second = np.asarray(first), np.asarray(second)
    if first.shape != second.shape or first.ndim != 1 or not first.size:
        raise DataError(f"One result has {first.size:,} points and the other {second.size:,}; compare results of the same data.")
    (rows, row_names), (columns, column_names) = _coded(first, names), _coded(second, other_names)
    if len(row_names) * len(column_names) > LARGEST_TABLE:
        raise DataError(f"{len(row_names):,} against {len(column_names):,} clusters are too many for a table; compare fewer.")
    size = len(row_names) * len(column_names)
    table = np.bincount(rows * len(column_names) + columns, minlength=size).reshape(len(row_names), -1)
    matches = _matches(table)
    matched = sum(int(table[pair]) for pair in matches) / len(first)
    agreement = adjusted_rand_index(rows, columns)
    return Comparison(table, row_names, column_names, matches, agreement, matched, (rows, columns))


def _coded(labels, names):
    count = int(labels.max(initial=-1)) + 1 if names is None else len(names)
    if labels.min() < -1 or labels.max() >= count:
        raise DataError(f"Labels go from {labels.min()} to {labels.max()} for {count} names; give a name for each cluster.")
    names = [f"cluster {at + 1}" for at in range(count)] if names is None else [str(name) for name in names]
    if (labels < 0).any():
        return np.where(labels < 0, count, labels).astype(np.int64), (*names, "noise")
    return labels.astype(np.int64), tuple(names)


def _matches(table):
    from scipy.optimize import linear_sum_assignment

    pairs = zip(*linear_sum_assignment(table, maximize=True), strict=True)
    return tuple((int(row), int(column)) for row, column in pairs if table[row, column])
