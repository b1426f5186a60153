"""Description length: the nats to encode points, each by its cluster's subspace, coordinates in it, and what is left over.

Told to precision σ, n of N points in D features on a subspace of dimension r take

    n r log(1/σ) + Σ‖residual‖² / 2σ² + n D log σ + n log(N/n) + ½ r (D − r) log N:

coordinates, what is left over, the name of the subspace, and its basis. One subspace too many pays for a basis, one too few
for the coordinates of a larger span: the shortest description has neither. σ is one for all, and itself chosen by length. A
point at the origin is no subspace (r ≥ 1), else what is too short to have a direction would be a cluster of its own.
"""

from dataclasses import dataclass, field

import numpy as np

MOST_FEATURES = 48
PRECISIONS = np.geomspace(1e-4, 1.0, 49)
MOST_ROUNDS = 3


def comparable(points):
    """The points in at most 48 principal coordinates (through the origin), of mean squared length one."""
    points = np.asarray(points, dtype=np.float64)
    if points.shape[1] > max(MOST_FEATURES, len(points)):
        values, places = np.linalg.eigh(points @ points.T)
        points = (places * np.sqrt(np.maximum(values, 0.0)))[:, : -MOST_FEATURES - 1 : -1]
    elif points.shape[1] > MOST_FEATURES:
        _, directions = np.linalg.eigh(points.T @ points)
        points = points @ directions[:, : -MOST_FEATURES - 1 : -1]
    size = np.sqrt(np.einsum("ij,ij->", points, points) / max(len(points), 1))
    return points / (size if size > 0 else 1.0)


@dataclass(frozen=True, eq=False)
class Parts:
    """Clusters as a Gaussian code needs them, a row each: numbers of points, Σxxᵀ, and its eigenvalues a point, falling."""

    counts: np.ndarray
    scatters: np.ndarray = field(repr=False)
    energies: np.ndarray = field(repr=False)

    @classmethod
    def of(cls, counts, scatters):
        energies = np.linalg.eigvalsh(scatters)[:, ::-1] / np.maximum(counts, 1)[:, None]
        return cls(counts, scatters, np.maximum(energies, 0.0))

    @classmethod
    def labelled(cls, points, labels):
        """One set for each label 0, 1, …"""
        members = [points[labels == label] for label in range(int(labels.max()) + 1)]
        return cls.of(np.array([len(each) for each in members]), np.stack([each.T @ each for each in members]))

    def lengths(self, precision, total):
        """Nats of each cluster with the dimension that needs the fewest, and those dimensions."""
        features, counts = self.energies.shape[1], self.counts[:, None]
        r = np.arange(features)
        left = self.energies.sum(axis=1, keepdims=True) - np.hstack([np.zeros_like(counts), np.cumsum(self.energies, axis=1)])
        nats = counts * ((features - r) * np.log(precision) + np.maximum(left[:, :-1], 0.0) / (2 * precision**2))
        nats = nats + 0.5 * r * (features - r) * np.log(total)
        nats = np.where((r >= 1) & (r <= np.maximum(counts // 2, 1)), nats, np.inf)
        best = nats.argmin(axis=1)
        names = self.counts * np.log(total / np.maximum(self.counts, 1))
        return nats[np.arange(len(nats)), best] + names, best


def description_length(points, labels):
    """Nats a point of points labelled 0, 1, …, and the precision σ that makes them fewest."""
    parts = Parts.labelled(points, labels)
    nats = [parts.lengths(precision, len(points))[0].sum() / len(points) for precision in PRECISIONS]
    best = int(np.argmin(nats))
    return float(nats[best]), float(PRECISIONS[best])


def shortest(points, labels, precision):
    """Merge parts and move points, in turn, as long as that changes anything; labels are numbered from 0."""
    labels = merge(points, _numbered(labels), precision)
    for _ in range(MOST_ROUNDS):
        moved = merge(points, settle(points, labels, precision), precision)
        if np.array_equal(moved, labels):
            break
        labels = moved
    return labels


def merge(points, labels, precision):
    """Join, again and again, the two parts whose union shortens the description most."""
    total, labels = len(points), labels.copy()
    parts = Parts.labelled(points, labels)
    counts, scatters = parts.counts.copy(), parts.scatters.copy()
    nats = parts.lengths(precision, total)[0]

    def gain(a, others):
        union = Parts.of(counts[a] + counts[others], scatters[a] + scatters[others])
        return nats[a] + nats[others] - union.lengths(precision, total)[0]

    gains = np.full((len(counts), len(counts)), -np.inf)
    for a in range(1, len(counts)):
        gains[a, :a] = gain(a, np.arange(a))
    while gains.size and gains.max() > 0:
        a, b = np.unravel_index(gains.argmax(), gains.shape)
        nats[a] += nats[b] - gains[a, b]
        counts[a], scatters[a], counts[b] = counts[a] + counts[b], scatters[a] + scatters[b], 0
        labels[labels == b] = a
        gains[[a, b]] = gains[:, [a, b]] = -np.inf
        others = np.flatnonzero((counts > 0) & (np.arange(len(counts)) != a))
        if others.size:
            gains[a, others] = gain(a, others)
    return _numbered(labels)


def settle(points, labels, precision):
    """Labels: each point goes to the subspace that encodes it in the fewest nats."""
    squares = np.einsum("ij,ij->i", points, points)
    parts, costs = Parts.labelled(points, labels), []
    for count, scatter, r in zip(parts.counts, parts.scatters, parts.lengths(precision, len(points))[1], strict=True):
        basis = np.linalg.eigh(scatter)[1][:, ::-1][:, :r]
        left = squares - np.square(points @ basis).sum(axis=1)
        costs.append(-r * np.log(precision) + left / (2 * precision**2) + np.log(len(points) / count))
    return _numbered(np.argmin(costs, axis=0))


def _numbered(labels):
    """The same partition with labels 0, 1, … and none left out."""
    return np.unique(labels, return_inverse=True)[1]
