"""How firmly rows hold every number of clusters: re-drawn labelings against each other, beside those of a shapeless cloud."""

from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from ..prepare.choice import shared_nats, shared_table
from ..spectral.sign import sign_is_noise
from .contrast import main_axes, valley
from .scan import AT_FIRST, Scan, scan

# Labelings of so many re-drawn shares of the rows are compared, pair by pair, on the rows that both saw.
DRAWS, CLOUD_DRAWS, SHARE = 4, 3, 0.8
# Numbers this many times the best one, and above the second, are not looked at.
FAR, FAR_FROM = 2.5, 24
# A gap of the spectrum counts as such a factor at most.
GAP = 4.0
# What nats told by clusters that a valley parts count besides.
PARTED = 0.5
# Numbers up to this are looked at one by one and above it in steps of a tenth; so many rows a cluster at least, in the mean.
ONE_BY_ONE, STEP, MOST, ROWS_EACH = 13, 1.1, 100, 7


@dataclass(frozen=True)
class Agreement:
    """Of labelings at one number of clusters: adjusted Rand index and nats that both tell, in the mean of pairs, and the valley
    between the clusters of one (:mod:`contrast`; 1 is none)."""

    rand: float
    shared: float
    valley: float = 1.0

    @property
    def parted(self) -> float:
        """Nats told by clusters that stand apart."""
        return self.shared * (1.0 - self.valley)


@dataclass(frozen=True, eq=False)
class Curve:
    """What one graph of some rows says: by number of clusters the agreement in the data and in a cloud of their covariance."""

    graph: str
    data: dict[int, Agreement]
    cloud: dict[int, Agreement]
    whole: Scan = field(repr=False)

    def information(self, k: int) -> float:
        """Nats that two labelings share beyond what they would in a cloud, times their squared agreement.

        Nats told by clusters that a valley parts count besides, again beyond those of the cloud: a long cloud is cut in two as
        firmly as two groups are, but through its middle. A gap of the spectrum behind k counts as a factor (up to 4): there is
        no further cut as good as these.
        """
        data, cloud = self.data[k], self.cloud[k]
        told = max(0.0, data.shared - cloud.shared) + PARTED * max(0.0, data.parted - cloud.parted)
        return told * max(0.0, data.rand) ** 2 * float(np.clip(self.whole.gap(k), 1.0, GAP))

    def is_over(self, k: int) -> bool:
        """Whether k is so far beyond the best number that none from there on needs to be looked at."""
        return k > FAR_FROM and k > FAR * max(self.data, key=self.information)


@dataclass(frozen=True, eq=False)
class Prepared:
    """Prepared rows (n, d), one shapeless cloud of their covariance, and both along the axes in which valleys are looked for."""

    rows: np.ndarray
    cloud: np.ndarray
    axes: tuple[np.ndarray, np.ndarray]

    @classmethod
    def of(cls, rows: np.ndarray, seed: int = 0) -> "Prepared":
        """All that the graphs of these rows share."""
        cloud = cloud_of(rows, np.random.default_rng([seed, 99]))
        return cls(rows, cloud, (main_axes(rows), main_axes(cloud)))


def curve(prepared: Prepared, graph: str, seed: int = 0, pause=lambda: None) -> Curve:
    """The curve of prepared rows by a graph; ``pause()`` is called before each scan and may raise."""
    rows = prepared.rows
    most = int(min(MOST, max(2, SHARE * len(rows) // ROWS_EACH)))
    pause()
    whole = scan(graph, rows, most, np.random.default_rng(seed), AT_FIRST)
    drawn = [np.sort(np.random.default_rng([seed, draw]).permutation(len(rows))[: _share(rows)]) for draw in range(1, DRAWS + 1)]
    tables = ((rows, DRAWS), (prepared.cloud, CLOUD_DRAWS))
    both = [_drawn(each, graph, drawn[:draws], most, seed, pause) for each, draws in tables]
    made, reach = Curve(graph, {}, {}, whole), AT_FIRST
    for k in numbers_up_to(most):
        pause()
        if made.data and made.is_over(k):
            break
        if k > reach and reach < most:
            reach = min(most, 2 * reach)
            made = replace(made, whole=_grown(made.whole, reach, pause))
            both = [[(some, _grown(each, reach, pause)) for some, each in drawn] for drawn in both]
        if k > min(made.whole.most, *(each.most for drawn in both for _, each in drawn)):
            break
        made.data[k], made.cloud[k] = (_compared(k, drawn, seen, seed) for drawn, seen in zip(both, prepared.axes, strict=True))
    return made


def numbers_up_to(most: int) -> list[int]:
    """2, 3, … 13, then in steps of a tenth."""
    found, k = list(range(2, min(ONE_BY_ONE, most) + 1)), ONE_BY_ONE + 1
    while k <= most:
        found.append(k)
        k = max(k + 1, round(k * STEP))
    return found


def cloud_of(rows: np.ndarray, rng) -> np.ndarray:
    """As many rows of one Gaussian with the mean and the covariance of ``rows``."""
    mean = rows.mean(axis=0)
    _, sizes, right = np.linalg.svd(rows - mean, full_matrices=False)
    return (mean + (rng.standard_normal((len(rows), len(sizes))) * (sizes / np.sqrt(len(rows)))) @ right).astype(np.float32)


def _drawn(rows, graph, drawn, most, seed, pause):
    """The scan of each drawn share, and which rows it is of."""
    found, sign_blind = [], graph == "landmarks" and sign_is_noise(rows, np.random.default_rng(seed))
    for number, some in enumerate(drawn):
        pause()
        rng = np.random.default_rng([seed, 7, number])
        found.append((some, scan(graph, rows[some], most, rng, AT_FIRST, sign_blind)))
    return found


def _grown(each, most, pause):
    pause()
    return each.grown(most)


def _compared(k, drawn, axes, seed):
    """The agreement of the labelings of drawn rows, and the valley in the first of them."""
    labels = np.full((len(drawn), len(axes)), -1)
    for at, (some, each) in enumerate(drawn):
        labels[at, some] = each.labels(k)
    seen = [(first, second, (first >= 0) & (second >= 0)) for first, second in combinations(labels, 2)]
    pairs = [agreement_of(first[both], second[both]) for first, second, both in seen]
    some = drawn[0][0]
    flat = valley(axes[some], labels[0, some], np.random.default_rng([seed, k]))
    return Agreement(*(float(np.mean([getattr(pair, name) for pair in pairs])) for name in ("rand", "shared")), flat)


def agreement_of(first: np.ndarray, second: np.ndarray) -> Agreement:
    """What two labelings (0, 1, …) of the same rows agree on, from one table of how many rows both put where."""
    table = shared_table(first, second)
    together, own, other = (float((each * (each - 1.0)).sum()) for each in (table, table.sum(axis=1), table.sum(axis=0)))
    chance = own * other / max(len(first) * (len(first) - 1.0), 1.0)
    most = 0.5 * (own + other)
    return Agreement(1.0 if most == chance else (together - chance) / (most - chance), shared_nats(table))


def _share(rows):
    return max(2, int(SHARE * len(rows)))
