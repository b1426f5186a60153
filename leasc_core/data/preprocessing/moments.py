"""Streamed first and second moments: per column with gaps allowed, and the full scatter matrix."""

import numpy as np
from scipy.linalg.blas import dger

from leasc_core.data.finite import not_finite
from leasc_core.errors import DataError

# Products of float32 rows are formed in float32 and added up in float64: short products keep the error flat.
ROWS_PER_PRODUCT = 1024
# A column that varies by less than this share of its values is constant: a mean of 0.1s is not exactly 0.1.
ROUNDING = 1e-13


class ColumnStatistics:
    """Count, mean, summed squared deviation, smallest and largest value per column; NaN means missing."""

    def __init__(self):
        self.n_rows = 0
        self.count = None

    def add(self, block):
        """Take in more rows; the pairwise update keeps the means and deviations accurate."""
        values = np.asarray(block, dtype=np.float64)
        seen = ~np.isnan(values)
        if self.count is None:
            self._start(values.shape[1])
        count = seen.sum(axis=0)
        block_mean = np.where(seen, values, 0.0).sum(axis=0) / np.maximum(count, 1)
        deviation = np.where(seen, values - block_mean, 0.0)
        total = self.count + count
        shift = block_mean - self.mean
        share = count / np.maximum(total, 1)
        self.squares += np.square(deviation).sum(axis=0) + shift**2 * self.count * share
        self.mean += shift * share
        self.count = total
        self.n_rows += values.shape[0]
        self.smallest = np.fmin(self.smallest, np.fmin.reduce(values, axis=0, initial=np.inf))
        self.largest = np.fmax(self.largest, np.fmax.reduce(values, axis=0, initial=-np.inf))

    def constant_columns(self):
        """True where a column shows one value at most."""
        return ~(self.smallest < self.largest)

    def deviation(self):
        """Population standard deviation, missing entries counted as the mean; 0 where it is but rounding."""
        deviation = np.sqrt(self.squares / self.n_rows)
        rounding = ROUNDING * np.maximum(np.abs(self.smallest), np.abs(self.largest))
        return np.where(deviation > rounding, deviation, 0.0)

    def _start(self, n_features):
        self.count = np.zeros(n_features, dtype=np.int64)
        self.mean = np.zeros(n_features)
        self.squares = np.zeros(n_features)
        self.smallest = np.full(n_features, np.inf)
        self.largest = np.full(n_features, -np.inf)


class Moments:
    """Count, mean and scatter matrix ``sum (x - mean)(x - mean)^T`` of all rows seen, in float64."""

    def __init__(self, n_features):
        self.count = 0
        self.mean = np.zeros(n_features)
        self.scatter = np.zeros((n_features, n_features))

    def add(self, block):
        for start in range(0, block.shape[0], ROWS_PER_PRODUCT):
            self._add_product(block[start : start + ROWS_PER_PRODUCT])

    def _add_product(self, rows):
        """Pairwise update: scatter of the rows about their own mean, plus a rank-one term for the shift."""
        mean = rows.mean(axis=0, dtype=np.float64)
        centred = rows - mean.astype(rows.dtype)
        # What rounding the mean to the rows' type left behind is put back below, so no accuracy is lost.
        left = centred.mean(axis=0, dtype=np.float64)
        self.scatter += centred.T @ centred
        n_rows = rows.shape[0]
        total = self.count + n_rows
        shift = mean - self.mean
        _add_outer(self.scatter, self.count * n_rows / total, shift)
        _add_outer(self.scatter, -n_rows, left)
        self.mean += shift * (n_rows / total)
        self.count = total


def _add_outer(matrix, factor, vector):
    """``matrix += factor * vector vector^T`` in place; the transposed view is the layout BLAS wants."""
    dger(factor, vector, vector, a=matrix.T, overwrite_a=True)


def require_finite(block, first_row, missing_allowed):
    """Refuse infinite values, and missing ones unless a remedy was chosen."""
    wrong = not_finite(block, missing_allowed)
    if not len(wrong):
        return
    row, column = wrong[0]
    where = f"at row {first_row + row}, column {column} (counting from 0)"
    if np.isinf(block[row, column]):
        raise DataError(f"An infinite value stands {where}; replace it by a number or leave it empty.")
    raise DataError(f'A value is missing {where}; choose missing="drop", "mean" or "low_rank".')
