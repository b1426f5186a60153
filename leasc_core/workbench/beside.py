"""What goes with a cluster besides its features: categories that are over-represented, words of its texts, times and numbers."""

import re
from collections import Counter
from dataclasses import dataclass

import numpy as np

from ..data.columns.metadata import Metadata

# A value or a word is told where it is this many standard errors above what chance gives, after allowing for how many were tried.
FALSE_ALARMS = 0.01
FEWEST = 3
MOST_TOLD = 6
# A column of more different values is made of names or texts, not of categories.
MOST_CATEGORIES = 2000
# Words are counted in at most so many texts of a column, an equal share of the rows.
MOST_TEXTS = 50_000
WORD = re.compile(r"[^\W\d_][\w'’-]{2,}")


@dataclass(frozen=True)
class Found:
    """One value (or word) of a column that a cluster has more of than chance gives.

    Attributes
    ----------
    column, value : where and what.
    count : rows of the cluster that have it.
    share, elsewhere : of the cluster's rows with a value, and of all other rows with one.
    score : standard errors above chance.
    """

    column: str
    value: str
    count: int
    share: float
    elsewhere: float
    score: float


def goes_with(metadata: Metadata, roles: dict, labels: np.ndarray, n_clusters: int) -> list:
    """For each cluster the list of :class:`Found`, the surest first; ``roles`` gives each column's role, by name."""
    told = [[] for _ in range(n_clusters)]
    for name in metadata.names:
        role = roles.get(name, "left out")
        if role in ("id", "link", "picture"):
            continue
        for cluster, found in enumerate(_in_column(metadata, name, role, labels, n_clusters)):
            told[cluster] += found
    return [sorted(found, key=lambda one: -one.score)[:MOST_TOLD] for found in told]


def _in_column(metadata, name, role, labels, count):
    values = metadata.column(name)
    if values.dtype.kind not in "OUS":
        return over_represented(name, _as_categories(values), labels, count) if _few_values(values) else ()
    if role == "text" or _are_sentences(values):
        return words_of(name, values, labels, count)
    return over_represented(name, values.astype(str), labels, count)


def over_represented(name: str, values: np.ndarray, labels: np.ndarray, count: int) -> list:
    """Values ("" is none) that a cluster has more of than independence gives: adjusted residuals of the table."""
    known = (values != "") & (labels >= -1)
    levels, codes = np.unique(values[known], return_inverse=True)
    if not 2 <= len(levels) <= MOST_CATEGORIES:
        return [[] for _ in range(count)]
    members = np.where(labels[known] < 0, count, labels[known])
    table = np.bincount(members * len(levels) + codes, minlength=(count + 1) * len(levels)).reshape(count + 1, -1)
    return [_told(name, levels, table[cluster], table.sum(axis=0) - table[cluster]) for cluster in range(count)]


def words_of(name: str, texts: np.ndarray, labels: np.ndarray, count: int, seed: int = 0) -> list:
    """Words in more of a cluster's texts than chance gives; a text has a word or has it not, however often."""
    rows = np.flatnonzero((labels >= 0) & (texts != ""))
    if len(rows) > MOST_TEXTS:
        rows = np.sort(np.random.default_rng(seed).choice(rows, MOST_TEXTS, replace=False))
    counts, sizes = [Counter() for _ in range(count)], np.bincount(labels[rows], minlength=count)
    for row in rows:
        counts[labels[row]].update(set(WORD.findall(str(texts[row]).lower())))
    total = sum(counts, Counter())
    words = np.array([word for word, times in total.items() if times >= FEWEST])
    if not len(words):
        return [[] for _ in range(count)]
    everywhere = np.array([total[word] for word in words])
    found = []
    for cluster in range(count):
        here = np.array([counts[cluster][word] for word in words])
        found.append(_above(name, words, here, everywhere - here, sizes[cluster], sizes.sum() - sizes[cluster]))
    return found


def _told(name, levels, here, there):
    return _above(name, levels, here, there, here.sum(), there.sum())


def _above(name, values, here, there, inside, outside):
    """The values whose share inside exceeds that of all rows by more than chance, by the normal test of two shares."""
    if not inside or not outside:
        return []
    whole = (here + there) / (inside + outside)
    error = np.sqrt(np.maximum(whole * (1 - whole) * (1 / inside + 1 / outside), 1e-300))
    scores = (here / inside - there / outside) / error
    least = _least_score(len(values))
    order = [at for at in np.argsort(-scores, kind="stable")[: 4 * MOST_TOLD] if scores[at] >= least and here[at] >= FEWEST]
    return [
        Found(name, str(values[at]), int(here[at]), float(here[at] / inside), float(there[at] / outside), float(scores[at]))
        for at in order[:MOST_TOLD]
    ]


def _least_score(tried):
    """Standard errors that chance exceeds in one of ``tried`` values with a probability of 0.01 (Bonferroni)."""
    from scipy.stats import norm

    return float(norm.isf(FALSE_ALARMS / max(1, tried)))


def _are_sentences(values):
    """Whether a column of categories holds remarks: several words each, and more of them than anyone would call kinds."""
    some = [str(value) for value in values[:2000] if value]
    return len(set(some)) > 20 and bool(np.median([len(value.split()) for value in some]) >= 4)


def _few_values(values):
    return len(np.unique(values[:10_000])) <= 50 and values.dtype.kind in "iufb"


def _as_categories(values):
    if values.dtype.kind == "f":
        return np.array(["" if value != value else f"{value:g}" for value in values.tolist()])
    return values.astype(str)
