"""All clusters side by side in the data's own units: sizes, means, medians and signed effects of every column, in one pass."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ..data.sources import DataSource, open_source
from ..errors import DataError, ParameterError

# Medians are exact up to so many values (160 MB); of more, each cluster's are those of its share of the rows, drawn at random.
MEDIAN_CELLS = 20_000_000
# Rows handled at a time: a block and its squares stay in the processor's cache.
BLOCK_CELLS = 1 << 18
LARGEST_EFFECT = 99.0
FEW = 5


@dataclass(frozen=True, eq=False)
class Profiles:
    """The columns of ``k`` clusters; all arrays but ``sizes`` are (k, n_columns), NaN where a cluster has no value there.

    Attributes
    ----------
    columns : names of the columns.
    sizes : (k,) points of each cluster; ``noise`` more are in none.
    counts : values that are not missing.
    means, spreads : mean and standard deviation (n - 1) of a cluster's own values, in the column's unit.
    means_elsewhere : mean of all other points, those in no cluster among them.
    medians : exact where ``exact``, else of at most ``rows_for_medians`` rows.
    effects : (mean here - mean elsewhere) / pooled standard deviation (Cohen's d): above 0 is higher than elsewhere.
    """

    columns: tuple
    sizes: np.ndarray
    noise: int
    counts: np.ndarray = field(repr=False)
    means: np.ndarray = field(repr=False)
    spreads: np.ndarray = field(repr=False)
    means_elsewhere: np.ndarray = field(repr=False)
    medians: np.ndarray = field(repr=False)
    effects: np.ndarray = field(repr=False)
    exact: bool = True
    rows_for_medians: int = 0

    def __len__(self):
        return len(self.sizes)

    @property
    def shares(self):
        """Shares of all points."""
        return self.sizes / max(1, int(self.sizes.sum()) + self.noise)

    def highest(self, cluster: int, most: int = FEW) -> np.ndarray:
        """Positions of the columns that are highest against elsewhere, the largest effect first."""
        return self._telling(cluster, -1, most)

    def lowest(self, cluster: int, most: int = FEW) -> np.ndarray:
        """Positions of the columns that are lowest against elsewhere, the largest effect first."""
        return self._telling(cluster, 1, most)

    def telling(self, cluster: int, most: int = FEW) -> np.ndarray:
        """Positions of the columns that set the cluster apart, high or low, the largest effect first."""
        sizes = np.abs(np.nan_to_num(self.effects[cluster]))
        order = np.argsort(-sizes, kind="stable")[:most]
        return order[sizes[order] > 0]

    def _telling(self, cluster, sign, most):
        effects = sign * np.nan_to_num(self.effects[cluster])
        order = np.argsort(effects, kind="stable")[:most]
        return order[effects[order] < 0]


def profile(
    source: DataSource | np.ndarray,
    labels: np.ndarray,
    n_clusters: int | None = None,
    columns: Sequence[str] | None = None,
    seed: int = 0,
) -> Profiles:
    """Profile the clusters of raw rows.

    Parameters
    ----------
    source : rows as the file has them, of any size; read once, block by block. Missing values are left out of every figure.
    labels : (n_rows,) clusters 0, 1, …; -1 is no cluster.
    n_clusters : as many as the labels say, unless given.
    columns : names; the source's own, unless given.
    """
    source = source if isinstance(source, DataSource) else open_source(source)
    labels = _checked(labels, len(source))
    count = int(labels.max(initial=-1)) + 1 if n_clusters is None else int(n_clusters)
    if labels.max(initial=-1) >= count:
        raise ParameterError(f"Label {labels.max()} is beyond the {count} clusters; give n_clusters={labels.max() + 1} or more.")
    sums, kept = _Sums(count, source.shape[1]), _Kept(source, labels, count, seed)
    step = max(1, BLOCK_CELLS // source.shape[1])
    for start, block in source.blocks():
        for first in range(0, len(block), step):
            own = slice(start + first, start + min(first + step, len(block)))
            sums.add(block[first : first + step], labels[own])
        kept.add(block, start)
    known = source.feature_names if columns is None else columns
    names = [f"feature {at + 1}" for at in range(source.shape[1])] if known is None else known
    sizes = np.bincount(labels + 1, minlength=count + 1)
    return Profiles(
        tuple(map(str, names)), sizes[1:], int(sizes[0]), *sums.figures(), kept.medians(), sums.effects(), kept.exact, kept.most
    )


class _Sums:
    """Counts, sums and sums of squares of each cluster's values; the last group is that of the points in no cluster."""

    def __init__(self, clusters, width):
        self.shift = None
        self.groups = clusters + 1
        self.counts, self.sums, self.squares = (np.zeros((self.groups, width)) for _ in range(3))

    def add(self, block, labels):
        from scipy.sparse import csc_matrix

        values = block.astype(np.float64)
        if self.shift is None:  # far from 0, squares would lose the digits that spreads are made of
            with np.errstate(invalid="ignore"):
                known = np.maximum(1, (~np.isnan(values)).sum(axis=0))
            self.shift = np.nan_to_num(values).sum(axis=0) / known
        values -= self.shift
        members = np.where(labels < 0, self.groups - 1, labels)
        rows = len(values)
        group = csc_matrix((np.ones(rows), members, np.arange(rows + 1)), shape=(self.groups, rows))
        missing = np.isnan(values)
        if missing.any():
            values[missing] = 0
            self.counts += group @ (~missing).astype(np.float64)
        else:
            self.counts += np.bincount(members, minlength=self.groups)[:, None]
        self.sums += group @ values
        values *= values
        self.squares += group @ values

    def figures(self):
        """``(counts, means, spreads, means elsewhere)`` of the clusters."""
        shift = 0 if self.shift is None else self.shift
        counts = self.counts[:-1].astype(np.int64)
        means, spreads = _mean(self.counts, self.sums), np.sqrt(_variance(self.counts, self.sums, self.squares))
        elsewhere = _mean(self.counts.sum(axis=0) - self.counts, self.sums.sum(axis=0) - self.sums)
        return counts, means[:-1] + shift, spreads[:-1], elsewhere[:-1] + shift

    def effects(self):
        """Cohen's d of each cluster against all other points."""
        here = (self.counts, self.sums, self.squares)
        others = tuple(each.sum(axis=0) - each for each in here)
        within = sum(np.nan_to_num(_variance(*part)) * np.maximum(part[0] - 1, 0) for part in (here, others))
        with np.errstate(divide="ignore", invalid="ignore"):
            pooled = np.sqrt(within / np.maximum(here[0] + others[0] - 2, 1))
            apart = _mean(*here[:2]) - _mean(*others[:2])
            effects = np.where(apart == 0, 0.0, apart / pooled)
        return np.clip(effects, -LARGEST_EFFECT, LARGEST_EFFECT)[:-1]


class _Kept:
    """The rows that medians are taken of: all of them where they are few, else an equal share of each cluster."""

    def __init__(self, source, labels, clusters, seed):
        self.labels, self.clusters = labels, clusters
        rows = MEDIAN_CELLS // max(1, source.shape[1])
        self.exact, self.most = len(labels) <= rows, len(labels)
        self.rows = np.flatnonzero(labels >= 0) if self.exact else self._drawn(rows, np.random.default_rng(seed))
        self.values = np.empty((len(self.rows), source.shape[1]), source.dtype)

    def _drawn(self, rows, rng):
        self.most = max(1, rows // max(1, self.clusters))
        shuffled = rng.permutation(len(self.labels))
        order = shuffled[np.argsort(self.labels[shuffled], kind="stable")]
        starts = np.searchsorted(self.labels[order], np.arange(self.clusters + 1))
        return np.sort(np.concatenate([order[a : min(b, a + self.most)] for a, b in zip(starts, starts[1:], strict=False)]))

    def add(self, block, start):
        first, last = np.searchsorted(self.rows, [start, start + len(block)])
        self.values[first:last] = block[self.rows[first:last] - start]

    def medians(self):
        labels, missing = self.labels[self.rows], np.isnan(self.values).any()
        found = np.full((self.clusters, self.values.shape[1]), np.nan)
        for cluster in range(self.clusters):
            own = self.values[labels == cluster]
            if len(own):
                found[cluster] = _median_of_known(own) if missing else np.median(own.astype(np.float64), axis=0)
        return found


def _median_of_known(values):
    return [np.median(known) if len(known := column[~np.isnan(column)]) else np.nan for column in values.T.astype(np.float64)]


def _mean(counts, sums):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(counts > 0, sums / counts, np.nan)


def _variance(counts, sums, squares):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(counts > 1, np.maximum(squares - sums**2 / counts, 0) / (counts - 1), np.nan)


def _checked(labels, rows):
    labels = np.asarray(labels)
    if labels.shape != (rows,) or labels.dtype.kind not in "iu":
        raise DataError(f"There are {labels.size:,} labels for {rows:,} rows; give one whole number for each row.")
    if labels.size and labels.min() < -1:
        raise DataError(f"Label {labels.min()} is no cluster; clusters are 0, 1, … and -1 stands for none.")
    return labels.astype(np.int64)
