"""Plateaus: numbers of clusters that rows hold firmly, the most informative first, or none at all."""

from dataclasses import asdict, dataclass

import numpy as np

from .contrast import is_one_curve
from .curve import Curve

# Information, beside that of a cloud and discounted where no valley parts the clusters, from which on there are any.
LEAST = 0.15
# Of two numbers as informative, that whose clusters stand apart comes before one whose borders run through points.
APART = 1 / 2
# The power of its best information by which a preparation counts.
SHARPLY = 8
# Plateaus offered at most, and those judged; a plateau has at least this share of the best one's information.
MOST_OFFERED, JUDGED, OFFERED = 5, 8, 0.1
# Numbers that differ by less than this share, or by one, are one plateau.
SAME = 0.1
NONE = "No clusters found: labels of re-drawn rows agree no better than in one shapeless cloud of the same spread."
CURVE = "No clusters found: directions of the rows run along one curve or ring, where no place is better to cut than another."


@dataclass(frozen=True)
class Plateau:
    """One number of clusters that can be believed.

    Attributes
    ----------
    k : the number
    agreement, null_agreement : adjusted Rand index of labelings of re-drawn rows, and the same in a cloud without clusters
    valley : points at the borders of clusters beside those at their middles; 0 stands apart, 1 is no border at all
    information : nats that two labelings share beyond those of a cloud, discounted by all of these; larger is better
    how : "description" (of subspaces) or "agreement"
    why : one sentence
    """

    k: int
    agreement: float
    null_agreement: float
    valley: float
    information: float
    how: str
    why: str


@dataclass(frozen=True)
class Counts:
    """``plateaus``, the most informative first (none: no clusters were found), one sentence, and how they nest.

    ``levels`` are their numbers, rising; ``parents[i]`` names, for each cluster of the i-th level, the cluster of the level
    before that holds most of it, and ``sizes[i]`` are its shares of the rows counted. ``judged`` are all numbers that were looked
    at closely, the offered ones among them.
    """

    plateaus: tuple[Plateau, ...]
    why: str
    levels: tuple[int, ...] = ()
    parents: tuple[tuple[int, ...], ...] = ()
    sizes: tuple[tuple[float, ...], ...] = ()
    judged: tuple[Plateau, ...] = ()

    @property
    def found(self) -> bool:
        """Whether there are clusters."""
        return bool(self.plateaus)

    @property
    def k(self) -> int:
        """The number to take: that of the first plateau, or 1."""
        return self.plateaus[0].k if self.plateaus else 1

    def table(self) -> list[dict]:
        """The numbers that were judged as rows of plain values, and whether each is offered."""
        return [asdict(plateau) | {"offered": plateau in self.plateaus} for plateau in self.judged or self.plateaus]

    def state(self) -> dict:
        """All of it as a dict that JSON can carry."""
        return asdict(self)

    @classmethod
    def from_state(cls, settings: dict) -> "Counts":
        """The counts that :meth:`state` recorded."""
        plateaus, judged = (tuple(Plateau(**each) for each in settings.get(name, ())) for name in ("plateaus", "judged"))
        nested = {name: tuple(map(tuple, settings[name])) for name in ("parents", "sizes")}
        return cls(plateaus, settings["why"], tuple(settings["levels"]), **nested, judged=judged)


def weighed(views: list[Curve], told=None) -> Counts:
    """The plateaus of several views (curves of a preparation and a graph each) together.

    ``told`` is the count by description, which comes first, or None.
    """
    total = _together(views)
    judged = [_judged(views, k, total[k]) for k in _peaks(total)[:JUDGED]]
    judged.sort(key=lambda plateau: -plateau.information * (1.0 - APART * plateau.valley))
    usual = _seen_by_most(views)
    if any(is_one_curve(view.whole.eigenvalues) for view in views if view.graph == "neighbours"):
        return Counts((), CURVE, judged=tuple(judged))
    if told is not None:
        judged.insert(0, _told(told))
    elif max((_judged(views, k, usual[k]).information for k in _peaks(usual)[:JUDGED]), default=0.0) < LEAST:
        return Counts((), NONE, judged=tuple(judged))
    offered = []
    for plateau in judged:
        apart = all(abs(plateau.k - other.k) > max(1, SAME * other.k) for other in offered)
        if apart and plateau.information >= OFFERED * judged[0].information:
            offered.append(plateau)
    offered = tuple(offered[:MOST_OFFERED])
    return Counts(offered, offered[0].why, *_nested(offered, _best(views, offered[0].k).whole), judged=tuple(judged))


def _together(views):
    """Information by number of clusters, the mean of the graphs, each as the preparations show it in which it sees most.

    A preparation that hides the clusters must not outvote the one that shows them, but two that are as good both count. Square
    roots are averaged, so that two graphs outweigh one that is very sure: what one kind alone sees does not decide.
    """
    numbers, voices = _numbers(views), []
    for graph in dict.fromkeys(view.graph for view in views):
        seen = np.array([_informations(view, numbers) for view in views if view.graph == graph])
        best = seen.max(axis=1)
        voices.append(np.average(seen, axis=0, weights=(best / max(best.max(), 1e-12)) ** SHARPLY + 1e-12))
    return dict(zip(numbers, np.square(np.mean(np.sqrt(voices), axis=0)).tolist(), strict=True))


def _seen_by_most(views):
    """The same as the median of all views: whether there are clusters at all is not for a few of them to say."""
    numbers = _numbers(views)
    return dict(zip(numbers, np.median([_informations(view, numbers) for view in views], axis=0).tolist(), strict=True))


def _numbers(views):
    return sorted(set.union(*(set(view.data) for view in views)))


def _informations(view, numbers):
    """The information of a view at some numbers; 0 where it did not look so far."""
    return [view.information(k) if k in view.data else 0.0 for k in numbers]


def _peaks(total):
    """The numbers with more information than their neighbours, the best first."""
    numbers, values = list(total), list(total.values())
    peaks = [k for at, k in enumerate(numbers) if 0 < values[at] == max(values[max(0, at - 1) : at + 2])]
    return sorted(peaks, key=lambda k: -total[k])


def _best(views, k):
    """The view that holds k most firmly."""
    return max(views, key=lambda view: view.information(k) if k in view.data else -1.0)


def _judged(views, k, information):
    own = _best(views, k)
    flat, agreement, chance = own.data[k].valley, own.data[k].rand, own.cloud[k].rand
    why = (
        f"With {k} clusters labels of re-drawn rows agree to {agreement:.2f} (in one shapeless cloud of the same spread to "
        f"{chance:.2f}), and borders hold {flat:.0%} of the points that the middles do."
    )
    return Plateau(k, agreement, chance, flat, information * (1.0 - 0.5 * flat), "agreement", why)


def _told(count):
    why = f"Two draws of representatives, each on its own, tell the rows in the fewest nats as {count.k} subspaces."
    return Plateau(count.k, count.agreement, 0.0, 0.0, count.shared, "description", why)


def _nested(plateaus, scan):
    """Levels by rising k, the parent of each cluster in the level before, and shares of the rows."""
    levels, parents, sizes, before = tuple(sorted(p.k for p in plateaus)), [], [], None
    for k in levels:
        labels = scan.labels(min(k, scan.most))
        members = np.bincount(labels)
        coarse = np.zeros_like(labels) if before is None else before
        table = np.bincount(labels * (int(coarse.max()) + 1) + coarse, minlength=len(members) * (int(coarse.max()) + 1))
        parents.append(tuple(int(at) for at in table.reshape(len(members), -1).argmax(axis=1)))
        sizes.append(tuple(float(share) for share in members / len(labels)))
        before = labels
    return levels, tuple(parents), tuple(sizes)
