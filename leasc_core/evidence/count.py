"""How many clusters, from two draws of one embedding: what both tell in the fewest nats, or else what both can agree on.

Where the data are subspaces, the shortest description finds their number, and draws that know nothing of one another find the
same partition. Where they are not, descriptions go on shortening with every cut through a curved cluster and each draw cuts
elsewhere. Then a gap of the spectrum that both show decides if it is wide; and if there is none, the number is the one at
which the draws share most: information both have, less what only one has.
"""

from dataclasses import dataclass, field
from itertools import combinations

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
    "agreement": "found by what draws agree on",
    None: "as asked",
}


@dataclass(frozen=True, eq=False)
class Count:
    """A number of clusters and ``how`` it was found, the adjusted Rand index at which two draws hold it, and what they share.

    ``pairs`` is what each pair of draws shares, where there are several.
    """

    k: int
    how: str
    agreement: float
    shared: float
    labels: np.ndarray = field(repr=False)
    pairs: tuple = field(default=(), repr=False)

    @classmethod
    def held(cls, how, first, second):
        """By the labels (0, 1, …) of two draws; the first are kept."""
        return cls(int(first.max()) + 1, how, adjusted_rand_index(first, second), shared_information(first, second), first)


def by_description(points, scans, pause=lambda: None):
    """What two draws, each on its own, tell in the fewest nats; None in too few features."""
    if points.shape[1] < LEAST_FEATURES:
        return None
    told = sorted((_shortest_description(points, scan, pause) for scan in scans), key=lambda pair: pair[0])
    return Count.held("description", *(labels for _, labels in told))


def is_told(count):
    """Whether a count by description is one story, and of more than one cluster."""
    return count is not None and count.k >= 2 and count.agreement >= SAME_STORY


def by_wide_gap(scans):
    """The number behind the largest gap of both spectra, if they are at one and it is wide; else None."""
    gaps = {by_eigengap(scan) for scan in scans}
    k = max(gaps)
    if len(gaps) > 1 or min(scan.gap(k) for scan in scans) < WIDE:
        return None
    return Count.held("eigengap", *(scan.labels(k) for scan in scans))


def at_every_number(scans, numbers=None, pause=lambda: None):
    """How draws hold every number of clusters that is worth a look (or ``numbers``), in the mean over pairs: a Count by k."""
    if numbers is None:
        numbers = range(2, max(2, min(*(scan.most_clusters for scan in scans), _worth_a_look(scans))) + 1)
    table = {}
    for k in numbers:
        pause()
        table[k] = _held_by_all([scan.labels(k) for scan in scans])
    return table


def _held_by_all(labels):
    pairs = [Count.held("agreement", *pair) for pair in combinations(labels, 2)]
    agreement, shared = (float(np.mean([getattr(pair, name) for pair in pairs])) for name in ("agreement", "shared"))
    return Count(pairs[0].k, "agreement", agreement, shared, labels[0], tuple(pair.shared for pair in pairs))


def by_agreement(tables):
    """The number at which draws have most in common, in the mean over tables of :func:`at_every_number`."""
    common = set.intersection(*(set(table) for table in tables))
    return max((_mean_count(tables, k) for k in sorted(common)), key=lambda count: count.shared)


def fewest_by_agreement(tables, above):
    """Of the numbers above ``above`` at which draws share as much as at the best, but for the noise of the pairs, the least."""
    best = by_agreement(tables)
    for count in (_mean_count(tables, k) for k in sorted(tables[0]) if k > above):
        less = np.subtract(best.pairs, count.pairs)
        if count.k >= best.k or less.mean() <= less.std(ddof=1) / np.sqrt(len(less)):
            return count
    return best


def _mean_count(tables, k):
    """The count of k in the mean over tables."""
    counts = [table[k] for table in tables]
    agreement, shared = (float(np.mean([getattr(count, name) for count in counts])) for name in ("agreement", "shared"))
    return Count(k, "agreement", agreement, shared, counts[0].labels, sum((count.pairs for count in counts), ()))


def refines(finer, coarser):
    """Whether one partition only cuts within the clusters of the other: all but 5 % of what the other tells."""
    from sklearn.metrics import mutual_info_score

    told = mutual_info_score(coarser, coarser)
    return mutual_info_score(finer, coarser) >= 0.95 * told


def shared_information(first, second):
    """I − 2 (H(first | second) + H(second | first)) in nats: more clusters hold more information, but what only one tells costs.

    Halving a cluster pays where the draws disagree at less than some 3 % of its points: a cut through a continuum moves by
    more than that from draw to draw, the border between two clusters does not.
    """
    from sklearn.metrics import mutual_info_score

    shared = mutual_info_score(first, second)
    return 5 * shared - 2 * (mutual_info_score(first, first) + mutual_info_score(second, second))


def by_eigengap(scan):
    """The number of clusters behind the largest relative gap."""
    return max(2, eigengap(scan.eigenvalues))


def _worth_a_look(scans):
    """Where the spectrum has left the clusters behind: twice the place of its largest gap beyond the first few, at least 20."""
    return max(20, 2 * max(by_eigengap(scan) for scan in scans))


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
