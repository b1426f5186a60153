"""Counts (cells × genes, documents × words): rows brought to one size, logarithms, and the columns that vary most."""

import numpy as np

from leasc_core.errors import BundleError, DataError

MOST_COLUMNS = 2000


class CountFeatures:
    """Rows divided by their sum, times the median sum, log(1 + x), of the ``MOST_COLUMNS`` columns of largest variance.

    Attributes
    ----------
    size_ : the median sum of a row
    columns_ : which columns stay, in their order
    """

    def fit(self, rows: np.ndarray) -> "CountFeatures":
        """Learn the size and the columns from some rows."""
        rows = _checked(rows)
        sums = rows.sum(axis=1)
        self.size_ = float(np.median(sums[sums > 0])) if (sums > 0).any() else 1.0
        logs = self._logs(rows)
        order = np.argsort(-logs.var(axis=0), kind="stable")[:MOST_COLUMNS]
        self.columns_ = np.sort(order)
        return self

    def transform(self, rows: np.ndarray) -> np.ndarray:
        """(n, columns kept) float32."""
        return self._logs(_checked(rows))[:, self.columns_]

    def _logs(self, rows):
        sums = rows.sum(axis=1, keepdims=True)
        return np.log1p(rows * (self.size_ / np.where(sums > 0, sums, 1.0))).astype(np.float32)

    def state(self) -> tuple[dict, dict]:
        """``(settings, arrays)``, all that :meth:`from_state` needs."""
        return {"size": self.size_}, {"columns": self.columns_}

    @classmethod
    def from_state(cls, settings: dict, arrays: dict) -> "CountFeatures":
        """What :meth:`state` recorded; BundleError where it is not sound."""
        made, size, columns = cls(), settings.get("size"), arrays.get("columns")
        sound = isinstance(size, float) and size > 0 and columns is not None and columns.dtype.kind == "i" and columns.ndim == 1
        if not sound or columns.size == 0 or columns.min() < 0:
            raise BundleError("The recorded preparation of counts is not sound; save the model again.")
        made.size_, made.columns_ = size, columns
        return made


def _checked(rows):
    rows = np.asarray(rows, np.float64)
    if rows.size and rows.min() < 0:
        row, column = np.argwhere(rows < 0)[0]
        raise DataError(
            f"Row {row} of a block, column {column} is {rows[row, column]:g}, and logarithms needs values from 0 on; "
            'take preprocess="centred", or give the counts as they were measured.'
        )
    return rows
