"""How many clusters: the shortest description as a union of subspaces, beside the eigengap's answer."""

from dataclasses import dataclass, field

import numpy as np

from ..spectral.embedding import eigengap
from .description import description_length, shortest

# Finer partitions from which parts are merged; the shortest outcome counts.
STARTS = (8, 16, 26, 40)


@dataclass(frozen=True, eq=False)
class Count:
    """A number of clusters, the partition of the sample that speaks for it, and its description in nats a point."""

    k: int
    labels: np.ndarray = field(repr=False)
    nats: float
    precision: float


def by_description(points, scan):
    """The number of clusters in the shortest description reached from several finer partitions of one embedding.

    ``points`` are :func:`~leasc_core.evidence.description.comparable`.
    """
    starts = sorted({min(start, scan.most_clusters) for start in (*STARTS, 2 * by_eigengap(scan))})
    partitions = [scan.labels(max(2, k)) for k in starts]
    precision = min(description_length(points, labels) for labels in partitions)[1]
    return min((_ended(points, labels, precision) for labels in partitions), key=lambda count: count.nats)


def by_eigengap(scan):
    """The number of clusters behind the largest relative gap."""
    return eigengap(scan.eigenvalues)


def _ended(points, labels, precision):
    labels = shortest(points, labels, precision)
    nats, precision = description_length(points, labels)
    return Count(int(labels.max()) + 1, labels, nats, precision)
