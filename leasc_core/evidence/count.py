"""How many clusters, from two draws of one embedding: what both tell in the fewest nats, or else what both can agree on.

Where the data are subspaces, the shortest description finds their number, and draws that know nothing of one another find the
same partition. Where they are not, descriptions go on shortening with every cut through a curved cluster and each draw cuts
elsewhere. Then a gap of the spectrum that both show decides if it is wide; and if there is none, the number is the one at
which the draws share most: information both have, less what only one has.
"""

from dataclasses import dataclass, field

import numpy as np

from ..metrics import adjusted_rand_index
from ..spectral.embedding import eigengap
from .description import description_length, shortest

# Finer partitions from which parts are merged; the shortest outcome counts.
STARTS = (16, 40, 60)
# Two descriptions tell the same story if their partitions agree so well.
SAME_STORY = 0.95
# In fewer features a basis costs next to nothing, and noise that differs from cluster to cluster would be told as clusters.
LEAST_FEATURES = 5
# A relative eigengap from which on nobody would ask further.
WIDE = 3.0


FOUND_BY = {
    "description": "found by the shortest description",
    "eigengap": "found by the eigengap",
    "agreement": "found by what two draws agree on",
    None: "as asked",
}


@dataclass(frozen=True, eq=False)
class Count:
    """A number of clusters, ``how`` it was found, and the adjusted Rand index at which the two draws hold it."""

    k: int
    how: str
    agreement: float
    labels: np.ndarray = field(repr=False)


def count_clusters(points, scans):
    """The number of clusters of ``points`` (comparable ones) by two draws' :class:`SpectralScan`."""
    if points.shape[1] >= LEAST_FEATURES:
        told = [_shortest_description(points, scan) for scan in scans]
        agreement = adjusted_rand_index(*(labels for _, labels in told))
        if agreement >= SAME_STORY and min(labels.max() for _, labels in told) >= 1:
            _, labels = min(told, key=lambda pair: pair[0])
            return Count(int(labels.max()) + 1, "description", agreement, labels)
    gaps = {by_eigengap(scan) for scan in scans}
    k = max(gaps)
    if len(gaps) == 1 and min(scan.gap(k) for scan in scans) >= WIDE:
        labels = [scan.labels(k) for scan in scans]
        return Count(k, "eigengap", adjusted_rand_index(*labels), labels[0])
    return by_agreement(scans)


def by_agreement(scans):
    """The number of clusters at which the partitions of two draws have most in common (:func:`shared_information`)."""
    most = max(2, min(*(scan.most_clusters for scan in scans), _worth_a_look(scans)))
    labels = {k: [scan.labels(k) for scan in scans] for k in range(2, most + 1)}
    k = max(labels, key=lambda k: shared_information(*labels[k]))
    return Count(k, "agreement", adjusted_rand_index(*labels[k]), labels[k][0])


def shared_information(first, second):
    """I − H(first | second) − H(second | first) in nats: more clusters hold more information, but only what both tell counts."""
    from sklearn.metrics import mutual_info_score

    shared = mutual_info_score(first, second)
    return 3 * shared - mutual_info_score(first, first) - mutual_info_score(second, second)


def by_eigengap(scan):
    """The number of clusters behind the largest relative gap."""
    return max(2, eigengap(scan.eigenvalues))


def _worth_a_look(scans):
    """Where the spectrum has left the clusters behind: twice the place of its largest gap beyond the first few, at least 20."""
    return max(20, 2 * max(by_eigengap(scan) for scan in scans))


def _shortest_description(points, scan):
    """Nats a point and labels of the shortest description reached from several finer partitions."""
    starts = sorted({max(2, min(start, scan.most_clusters)) for start in (2 * by_eigengap(scan), *STARTS)})
    partitions = [scan.labels(k) for k in starts]
    precision = min(description_length(points, labels) for labels in partitions)[1]
    ended = [shortest(points, labels, precision) for labels in partitions]
    return min(((description_length(points, labels)[0], labels) for labels in ended), key=lambda pair: pair[0])
