"""Description length: the nats that points take when each is told as a subspace, coordinates on it, and what is left over.

Told to precision σ, n of N points in D features on a subspace of dimension r take

    n r log(1/σ) + Σ‖residual‖² / 2σ² + n D log σ + n log(N/n) + ½ r (D − r) log N:

coordinates, what is left over, the name of the subspace, and its basis. One subspace too many pays for a basis, one too few
for the coordinates of a larger span: the shortest description has neither. σ is one for all, and itself chosen by length.
"""

from dataclasses import dataclass, field

import numpy as np

MOST_FEATURES = 60
PRECISIONS = np.geomspace(1e-4, 1.0, 49)
MOST_ROUNDS = 3


def comparable(points):
    """The points in at most 60 principal coordinates (through the origin), of mean squared length one."""
    points = np.asarray(points, dtype=np.float64)
    if points.shape[1] > MOST_FEATURES:
        _, directions = np.linalg.eigh(points.T @ points)
        points = points @ directions[:, : -MOST_FEATURES - 1 : -1]
    size = np.sqrt(np.einsum("ij,ij->", points, points) / max(len(points), 1))
    return points / (size if size > 0 else 1.0)


@dataclass(frozen=True, eq=False)
class Part:
    """Points told together: how many, ΣxxT, and the singular values² a point of that, falling."""

    count: int
    scatter: np.ndarray = field(repr=False)
    energies: np.ndarray = field(repr=False)

    @classmethod
    def of(cls, count, scatter):
        return cls(count, scatter, np.maximum(np.linalg.eigvalsh(scatter)[::-1], 0.0) / count)

    def __add__(self, other):
        return Part.of(self.count + other.count, self.scatter + other.scatter)

    def lengths(self, precisions, total):
        """Nats at each precision with the dimension that is best there, and those dimensions."""
        features = len(self.energies)
        r = np.arange(min(features - 1, max(1, self.count // 2)) + 1)
        left = np.maximum(self.energies.sum() - np.concatenate([[0.0], np.cumsum(self.energies)]), 0.0)[r]
        log = np.log(precisions)[:, None]
        nats = self.count * ((features - r) * log + left / (2 * precisions[:, None] ** 2))
        nats = nats + 0.5 * r * (features - r) * np.log(total)
        best = nats.argmin(axis=1)
        return nats[np.arange(len(precisions)), best] + self.count * np.log(total / self.count), r[best]

    def length(self, precision, total):
        return float(self.lengths(np.array([precision]), total)[0][0])

    def dimension(self, precision, total):
        return int(self.lengths(np.array([precision]), total)[1][0])


def parts_of(points, labels):
    """``{label: Part}``."""
    return {int(label): Part.of(int((labels == label).sum()), _scatter(points[labels == label])) for label in np.unique(labels)}


def description_length(points, labels):
    """Nats a point of the labelled points, and the precision σ that makes them fewest."""
    nats = sum(part.lengths(PRECISIONS, len(points))[0] for part in parts_of(points, labels).values()) / len(points)
    best = int(np.argmin(nats))
    return float(nats[best]), float(PRECISIONS[best])


def shortest(points, labels, precision):
    """Merge parts and move points as long as the description shortens; labels numbered from 0."""
    for _ in range(MOST_ROUNDS):
        merged = merge(points, labels, precision)
        moved = settle(points, merged, precision)
        if np.array_equal(moved, labels):
            break
        labels = moved
    return np.unique(merge(points, labels, precision), return_inverse=True)[1].astype(np.int32)


def merge(points, labels, precision):
    """Join, again and again, the two parts whose union shortens the description most."""
    total, labels = len(points), np.array(labels)
    parts = parts_of(points, labels)
    nats = {name: part.length(precision, total) for name, part in parts.items()}
    names = list(parts)
    unions = {(a, b): (parts[a] + parts[b]) for i, a in enumerate(names) for b in names[:i]}
    gains = {pair: nats[pair[0]] + nats[pair[1]] - union.length(precision, total) for pair, union in unions.items()}
    while gains and max(gains.values()) > 0:
        a, b = max(gains, key=gains.get)
        parts[a], labels[labels == b] = unions[a, b], a
        nats[a] = parts[a].length(precision, total)
        del parts[b], nats[b]
        for pair in [pair for pair in gains if a in pair or b in pair]:
            del gains[pair], unions[pair]
        for c in parts.keys() - {a}:
            unions[a, c] = parts[a] + parts[c]
            gains[a, c] = nats[a] + nats[c] - unions[a, c].length(precision, total)
    return labels


def settle(points, labels, precision):
    """Each point to the subspace that tells it in the fewest nats."""
    squares = np.einsum("ij,ij->i", points, points)
    parts, costs = parts_of(points, labels), []
    for part in parts.values():
        r = part.dimension(precision, len(points))
        basis = np.linalg.eigh(part.scatter)[1][:, ::-1][:, :r]
        left = squares - np.square(points @ basis).sum(axis=1)
        costs.append(-r * np.log(precision) + left / (2 * precision**2) + np.log(len(points) / part.count))
    return np.array(list(parts))[np.argmin(costs, axis=0)]


def _scatter(points):
    return points.T @ points
