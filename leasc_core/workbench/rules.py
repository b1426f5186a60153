"""How an edit of some points carries over to others: the same row goes the same way, a new one with its nearest."""

from dataclasses import dataclass, field

import numpy as np

from ..data.sources import DataSource

# Seen points that stand for each side of an edit; what a new point is compared with.
EXEMPLARS = 1500
BLOCK = 4096


def names_of_rows(block: np.ndarray) -> np.ndarray:
    """A 64-bit number for each row of values; the same for equal rows, as float32 or float64."""
    values = np.ascontiguousarray(block, dtype=np.float32) + np.float32(0)  # -0 is 0
    values[np.isnan(values)] = np.float32(np.nan)
    words = values.view(np.uint32).astype(np.uint64)
    odd = np.random.default_rng(0).integers(1, 2**63, words.shape[1], dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    found = (words * odd).sum(axis=1, dtype=np.uint64)
    found ^= found >> np.uint64(33)
    return found * np.uint64(0xFF51AFD7ED558CCD)


@dataclass(frozen=True, eq=False)
class Seen:
    """Where rows that were there when the edits were made have ended; ``names`` are sorted."""

    names: np.ndarray = field(repr=False)
    clusters: np.ndarray = field(repr=False)

    @classmethod
    def of(cls, source: DataSource, rows: np.ndarray, clusters: np.ndarray) -> "Seen":
        """Of these rows; of equal rows in different clusters the first one counts."""
        parts = np.array_split(rows, max(1, -(-len(rows) // BLOCK)))
        names = np.concatenate([names_of_rows(source.take(part)) for part in parts]) if len(rows) else np.empty(0, np.uint64)
        names, first = np.unique(names, return_index=True)
        return cls(names, clusters[first].astype(np.int32))

    def find(self, block: np.ndarray) -> tuple:
        """``(known, clusters)`` of each row; the cluster of an unknown one is of no meaning."""
        if not len(self.names):
            return np.zeros(len(block), bool), np.zeros(len(block), np.int32)
        names = names_of_rows(block)
        at = np.minimum(np.searchsorted(self.names, names), len(self.names) - 1)
        return self.names[at] == names, self.clusters[at]


@dataclass(frozen=True, eq=False)
class Nearest:
    """A point of the clusters ``sources`` goes to the cluster of its nearest exemplar."""

    sources: np.ndarray
    points: np.ndarray = field(repr=False)
    clusters: np.ndarray = field(repr=False)

    @classmethod
    def of(cls, source: DataSource, before: np.ndarray, after: np.ndarray, sources, seed: int = 0) -> "Nearest":
        """From prepared rows with their clusters before and after an edit."""
        rng, chosen = np.random.default_rng(seed), []
        rows = np.flatnonzero(np.isin(before, sources))
        for cluster in np.unique(after[rows]):
            own = rows[after[rows] == cluster]
            chosen.append(own if len(own) <= EXEMPLARS else rng.choice(own, EXEMPLARS, replace=False))
        chosen = np.sort(np.concatenate(chosen))
        return cls(np.asarray(sources), source.take(chosen).astype(np.float32), after[chosen].astype(np.int32))

    def __call__(self, block: np.ndarray) -> np.ndarray:
        """The cluster of each prepared row."""
        points = np.asarray(block, dtype=np.float32)
        centre = self.points.mean(axis=0)  # distances do not depend on it, their digits do
        own, others = points - centre, self.points - centre
        distances = (others**2).sum(axis=1) - 2 * own @ others.T
        return self.clusters[distances.argmin(axis=1)]
