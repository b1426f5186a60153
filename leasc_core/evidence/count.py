"""Counts subspaces by description length: two draws of one embedding each give their shortest partition, and must agree.

Where the data are subspaces, the shortest description finds their number, and draws that know nothing of one another find the
same partition. Where they are not, descriptions go on shortening with every cut through a curved cluster and each draw cuts
elsewhere; then :mod:`leasc_core.plan` asks what re-drawn labelings agree on.
"""

from dataclasses import dataclass, field

import numpy as np

from ..metrics import adjusted_rand_index
from ..spectral.embedding import eigengap
from .description import description_length, shortest

# Finer partitions from which parts are merged; the shortest outcome counts.
STARTS = (16, 40, 60)
# Two draws agree from this adjusted Rand index of their partitions on.
SAME_STORY = 0.95
# In fewer features a basis costs next to nothing, and noise that differs from cluster to cluster would be taken for clusters.
LEAST_FEATURES = 5
# A relative eigengap so wide that no other evidence is asked.
WIDE = 3.0


FOUND_BY = {
    "description": "found by the shortest description",
    "eigengap": "found by the eigengap",
    "agreement": "found by what draws agree on",
    "none": "no clusters found",
    None: "as asked",
}


@dataclass(frozen=True, eq=False)
class Count:
    """A number of clusters, ``how`` it was found, and the adjusted Rand index and the shared nats of two draws."""

    k: int
    how: str
    agreement: float
    shared: float
    labels: np.ndarray = field(repr=False)

    @classmethod
    def held(cls, how, first, second):
        """The count of two draws by their labels (0, 1, …); those of the first are kept."""
        return cls(int(first.max()) + 1, how, adjusted_rand_index(first, second), shared_information(first, second), first)


def by_description(points, scans, pause=lambda: None):
    """The count by the shortest description of each of two draws; None with fewer than 5 features."""
    if points.shape[1] < LEAST_FEATURES:
        return None
    found = sorted((_shortest_description(points, scan, pause) for scan in scans), key=lambda pair: pair[0])
    return Count.held("description", *(labels for _, labels in found))


def is_reproducible(count):
    """Whether a count has at least two clusters, and two draws agree on them."""
    return count is not None and count.k >= 2 and count.agreement >= SAME_STORY


def shared_information(first, second):
    """I − 2 (H(first | second) + H(second | first)) in nats: more clusters hold more information, but disagreement costs.

    Halving a cluster pays where the draws disagree at less than some 3 % of its points: a cut through a continuum moves by
    more than that from draw to draw, the border between two clusters does not.
    """
    from sklearn.metrics import mutual_info_score

    shared = mutual_info_score(first, second)
    return 5 * shared - 2 * (mutual_info_score(first, first) + mutual_info_score(second, second))


def by_eigengap(scan):
    """The number of clusters behind the largest relative gap."""
    return max(2, eigengap(scan.eigenvalues))


def _shortest_description(points, scan, pause):
    """Nats a point and labels of the shortest description reached from several finer partitions."""
    starts = sorted({max(2, min(start, scan.most_clusters)) for start in (2 * by_eigengap(scan), *STARTS)})
    partitions = []
    for k in starts:
        pause()
        partitions.append(scan.labels(k))
    precision = min(description_length(points, labels) for labels in partitions)[1]
    ended = []
    for labels in partitions:
        pause()
        ended.append(shortest(points, labels, precision))
    return min(((description_length(points, labels)[0], labels) for labels in ended), key=lambda pair: pair[0])
