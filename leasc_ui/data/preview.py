"""What a first look at data needs: projection, singular spectrum, dimension, statistics and pictures. No Streamlit in here.

Large data are looked at through a sample, and every part says how many rows it has seen.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from leasc_ui.charts.axes import facing
from leasc_ui.work.cache import LruCache

MOST_DRAWN = 50_000
# Rows for the spectrum: the smaller side of the matrix decides what its eigenvalues cost.
SPECTRUM_ROWS, SPECTRUM_SIDE = 5000, 1200
NEIGHBOUR_ROWS, NEIGHBOURS = 1500, 10
STATISTICS_CELLS = 2_000_000
ENERGY = 0.99
BINS = 16
PICTURES = 40
AXES = ("1st principal axis", "2nd principal axis", "3rd principal axis")
TABLE_ROWS, TABLE_COLUMNS = 100, 50


@dataclass(frozen=True)
class Projection:
    """Places of the drawn points along the first principal axes (or the features themselves, if there are two)."""

    rows: np.ndarray = field(repr=False)
    places: np.ndarray = field(repr=False)
    shares: tuple
    axes: tuple


@dataclass(frozen=True)
class Spectrum:
    """Singular values as shares of the largest; ``together`` of them hold 99 % of the energy, ``local`` is the dimension
    around a point."""

    values: np.ndarray = field(repr=False)
    together: int
    local: float | None
    seen: int
    seen_nearby: int


@dataclass(frozen=True)
class FeatureStatistics:
    """One entry a feature, over the values that are there."""

    seen: int
    mean: np.ndarray = field(repr=False)
    deviation: np.ndarray = field(repr=False)
    low: np.ndarray = field(repr=False)
    high: np.ndarray = field(repr=False)
    missing: np.ndarray = field(repr=False)
    histograms: np.ndarray = field(repr=False)


def sample_rows(n_rows, most, seed=0):
    """All row numbers, or ``most`` of them drawn evenly at random, in order."""
    if n_rows <= most:
        return np.arange(n_rows)
    return np.sort(np.random.default_rng(seed).choice(n_rows, most, replace=False))


class Preview:
    """A look at ``source``, the rows as read, and ``points``, the rows as later rooms see them; each part on first use."""

    def __init__(self, source, points):
        self.source, self.points = source, points

    @cached_property
    def _sample(self):
        """Centre-free rows for spectrum and axes."""
        n, d = self.points.shape
        rows = sample_rows(n, SPECTRUM_ROWS if d <= SPECTRUM_SIDE else SPECTRUM_SIDE)
        return _take(self.points, rows)

    @cached_property
    def projection(self) -> Projection:
        n, d = self.points.shape
        rows = sample_rows(n, MOST_DRAWN)
        if d == 2:
            names = self.source.feature_names if self.source.shape[1] == 2 else None
            axes = tuple(str(name)[:40] for name in names) if names else ("first feature", "second feature")
            return Projection(rows, _take(self.points, rows), (), axes)
        centre = self._sample.mean(axis=0)
        variances, axes = _axes(self._sample - centre)
        total = variances.sum()
        shares = tuple(variances[:3] / total if total > 0 else np.zeros(3))
        places = np.concatenate([(_take(self.points, part) - centre) @ axes[:3].T for part in _parts(rows, d)])
        return Projection(rows, places.astype(np.float32), shares, AXES)

    @cached_property
    def spectrum(self) -> Spectrum:
        squares = _axes(self._sample)[0]
        total = squares.sum()
        together = int(np.searchsorted(np.cumsum(squares), ENERGY * total) + 1) if total > 0 else 0
        values = np.sqrt(squares / squares[0]) if total > 0 else np.zeros(len(squares))
        nearby = self._sample[sample_rows(len(self._sample), NEIGHBOUR_ROWS)]
        return Spectrum(values, together, local_dimension(nearby), len(self._sample), len(nearby))

    @cached_property
    def statistics(self) -> FeatureStatistics:
        n, d = self.source.shape
        rows = sample_rows(n, max(1000, STATISTICS_CELLS // d))
        return feature_statistics(_take(self.source, rows))

    @cached_property
    def first_rows(self):
        return self.source.rows(0, min(TABLE_ROWS, len(self.source)))[:, :TABLE_COLUMNS]

    def pictures(self, image_shape, order="C", count=PICTURES):
        """Pictures evenly spaced over the rows, (n, h, w) or (n, h, w, c), as bytes."""
        rows = np.unique(np.linspace(0, len(self.source) - 1, count).astype(int))
        values = self.source.take(rows).astype(np.float64)
        stack = np.stack([row.reshape(image_shape, order=order) for row in values])
        return rows, _grey(stack)


_PREVIEWS, _LABELS = LruCache(6), LruCache(12)


def preview_of(data) -> Preview:
    """The look at these data, kept while they are looked at."""
    return _PREVIEWS.get(data.fingerprint, lambda: Preview(data.source, data.points))


def coded_labels(data):
    """Labels as numbers from 0, and the name of each; ``(None, None)`` without labels."""
    if data.labels is None:
        return None, None
    key = (data.fingerprint, id(data.labels))
    return _LABELS.get(key, lambda: (*code_labels(data.labels, data.label_names), data.labels))[:2]


def pictures_of(data, rows):
    """The pictures of these rows as bytes, all on one scale of grey."""
    values = data.source.take(np.asarray(rows)).astype(np.float64)
    return _grey(np.stack([row.reshape(data.image_shape, order=data.recipe.get("image_order", "C")) for row in values]))


def _grey(stack):
    low, high = np.nanmin(stack), np.nanmax(stack)
    return np.nan_to_num((stack - low) * (255 / (high - low)) if high > low else np.zeros_like(stack)).astype(np.uint8)


def code_labels(labels, label_names):
    """Labels as numbers from 0 in order of value, and a name for each."""
    values, codes = np.unique(labels, return_inverse=True)
    return codes, tuple(_label_name(value, label_names) for value in values.tolist())


def _label_name(value, names):
    if names and 0 <= value < len(names):
        return str(names[value])
    return "no label" if names or value == -1 else f"class {value}"


def montage(pictures, across, gap=1):
    """Pictures side by side, ``across`` in a row, on grey."""
    n, height, width = pictures.shape[:3]
    down = -(-n // across)
    sheet = np.full((down * (height + gap) - gap, across * (width + gap) - gap, *pictures.shape[3:]), 128, np.uint8)
    for number, picture in enumerate(pictures):
        top, left = number // across * (height + gap), number % across * (width + gap)
        sheet[top : top + height, left : left + width] = picture
    return sheet


def local_dimension(rows, k=NEIGHBOURS):
    """The dimension around a point: Levina and Bickel's maximum likelihood over the k nearest neighbours, whose inverses are
    averaged over the points, as MacKay and Ghahramani correct it. None where too few points differ."""
    rows = np.unique(rows, axis=0)
    if len(rows) < k + 2:
        return None
    squares = np.einsum("ij,ij->i", rows, rows)
    distances = squares[:, None] + squares - 2 * rows @ rows.T
    np.fill_diagonal(distances, np.inf)
    nearest = np.sqrt(np.maximum(np.sort(np.partition(distances, k, axis=1)[:, :k], axis=1), np.finfo(float).tiny))
    mean_logarithm = np.log(nearest[:, -1:] / nearest[:, :-1]).mean()
    return float(1 / mean_logarithm) if mean_logarithm > 0 else None


def feature_statistics(rows) -> FeatureStatistics:
    """Mean, deviation, range, missing values and a histogram of every column."""
    rows = rows.astype(np.float64, copy=False)
    missing = np.isnan(rows)
    count = np.maximum(1, len(rows) - missing.sum(axis=0))
    filled = np.where(missing, 0.0, rows)
    mean = filled.sum(axis=0) / count
    deviation = np.sqrt(np.where(missing, 0.0, (filled - mean) ** 2).sum(axis=0) / count)
    low = np.where(missing, np.inf, rows).min(axis=0)
    high = np.where(missing, -np.inf, rows).max(axis=0)
    empty = missing.all(axis=0)
    low, high = np.where(empty, np.nan, low), np.where(empty, np.nan, high)
    return FeatureStatistics(len(rows), mean, deviation, low, high, missing.sum(axis=0), _histograms(rows, missing, low, high))


def _histograms(rows, missing, low, high):
    """Counts of ``BINS`` equal bins a column, of at most 200 columns."""
    width = np.where(high > low, high - low, 1.0)
    columns = range(min(rows.shape[1], 200))
    counts = np.zeros((len(columns), BINS), dtype=np.int64)
    for at in columns:
        there = rows[~missing[:, at], at]
        if len(there):
            bins = np.minimum(((there - low[at]) * (BINS / width[at])).astype(int), BINS - 1)
            counts[at] = np.bincount(bins, minlength=BINS)
    return counts


def _axes(rows):
    """Squared singular values, falling, and right singular vectors as rows, by the smaller Gram matrix."""
    n, d = rows.shape
    if d <= n:
        squares, vectors = np.linalg.eigh(rows.T @ rows)
        axes = vectors[:, ::-1].T
    else:
        squares, vectors = np.linalg.eigh(rows @ rows.T)
        top = vectors[:, ::-1][:, :3]
        axes = top.T @ rows
        axes /= np.maximum(np.linalg.norm(axes, axis=1, keepdims=True), np.finfo(float).tiny)
    return np.maximum(squares[::-1], 0), facing(axes[:3])


def _take(source, rows):
    if len(rows) == len(source):
        return source.rows(0, len(source)).astype(np.float64, copy=False)
    return source.take(rows).astype(np.float64, copy=False)


def _parts(rows, n_features, cells=4_000_000):
    size = max(1, cells // n_features)
    return (rows[start : start + size] for start in range(0, len(rows), size))
