"""The verdict on a result: a mark, one sentence, what drags it down, and remedies that a program can carry out."""

from dataclasses import asdict, dataclass

import numpy as np

from ..data.scale import unit_rows
from ..evidence.count import WIDE
from ..evidence.description import comparable, description_length, settle
from ..metrics import adjusted_rand_index
from ..prepare.kinds import MIXED
from ..spectral.nearest import nearest
from .contrast import is_one_curve, valley
from .plateaus import Counts
from .scan import scan

MARKS = ("clear", "usable", "doubtful", "wrong tool")
# Rows looked at, and their nearest by distance whose clusters are compared.
LOOKED_AT, NEAREST = 600, 8
CLEAR, USABLE = 0.9, 0.75
# Smaller clusters say little; a column with this share of all variance hides the others.
FEWEST, DOMINATES = 8, 0.95
# Rivals must leave at most this share of the neighbours apart that these labels do, at most so many, and these at least so many.
BETTER, APART, CUTS = 0.5, 0.04, 0.004
# Where K-means agrees so well with the cut of the graph of neighbours, clusters are round.
SAME = 0.95
# Finer groups by distance, of which so many lie within clusters of the number asked for, are parts of these.
HALVED = 0.9
# By distance so many clusters are looked for at most.
MOST = 20
# Rows are lifted so far from the origin, in units of their spread, that angles between them are distances.
LIFT = 20.0


@dataclass(frozen=True)
class Verdict:
    """What to think of labels.

    Attributes
    ----------
    mark : "clear", "usable", "doubtful" or "wrong tool"
    sentence : why, for the user
    reasons : what drags it down, a sentence each
    remedies : dicts with ``action``: {"action": "standardise"}, {"action": "leave_out", "columns": […]},
        {"action": "n_clusters", "k": …}, {"action": "method", "name": a baseline, "k": …, "by": share of neighbours gained}
    """

    mark: str
    sentence: str
    reasons: tuple[str, ...] = ()
    remedies: tuple[dict, ...] = ()

    def state(self) -> dict:
        """The same as a dict that JSON can carry."""
        return asdict(self)


def judge(rows: np.ndarray, labels: np.ndarray, counts: Counts | None = None, preparation: str | None = None, seed=0) -> Verdict:
    """The verdict on ``labels`` of raw ``rows`` (a sample); no known label is read.

    ``counts`` are those of the fit, or None where the number was given; ``preparation`` is the name of what was done to rows.
    """
    rng = np.random.default_rng(seed)
    some = np.sort(rng.permutation(len(rows))[:LOOKED_AT])
    rows, labels = np.asarray(rows, np.float64)[some], np.unique(np.asarray(labels)[some], return_inverse=True)[1]
    reasons, remedies = _of_columns(rows, preparation)
    rival = _rival(rows, labels, counts, seed)
    if rival is not None:
        name, k, apart, own = rival
        words = {"kmeans": "round blobs", "neighbours": "groups that wind around one another"}[name]
        sentence = (
            f"By distance the rows are {k} {words}: of a row’s nearest {NEAREST}, {own:.0%} lie in other clusters here, and "
            f"{apart:.0%} by {NAMES[name]}."
        )
        remedies.insert(0, {"action": "method", "name": METHODS[name], "k": k, "by": round(own - apart, 3)})
        return Verdict("wrong tool", sentence, tuple(reasons), tuple(remedies))
    mark, sentence = _mark(rows, labels, counts, rng)
    sizes = np.bincount(labels) * (1.0 if len(some) == len(rows) else len(rows) / len(some))
    if len(sizes) > 1 and sizes.min() < FEWEST:
        reasons.append(f"The smallest cluster has {int(sizes.min())} of the {len(rows)} rows looked at: too few to be sure of.")
    if counts is not None and mark in ("doubtful", "usable"):
        remedies += [{"action": "n_clusters", "k": plateau.k} for plateau in counts.plateaus[1:3]]
    return Verdict(mark, sentence, tuple(reasons), tuple(remedies))


NAMES = {"kmeans": "K-means", "neighbours": "a cut of the graph of nearest neighbours"}
METHODS = {"kmeans": "kmeans", "neighbours": "sklearn_spectral"}


def rows_to_judge(source, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """At most 600 rows of a source or array, drawn evenly, and their labels; rows with missing values are left out."""
    some = np.sort(np.random.default_rng(0).permutation(len(source))[:LOOKED_AT])
    rows = np.asarray(source.take(some) if hasattr(source, "take") and not isinstance(source, np.ndarray) else source[some])
    whole = np.isfinite(rows).all(axis=1)
    return rows[whole].astype(np.float32), np.asarray(labels)[some[whole]]


def lifted(rows: np.ndarray, mean: np.ndarray | None = None, spread: np.ndarray | None = None) -> np.ndarray:
    """Rows in standard units (by ``mean`` and ``spread``, or their own) with a large constant column: angles are distances."""
    mean, spread = rows.mean(axis=0) if mean is None else mean, rows.std(axis=0) if spread is None else spread
    scaled = (rows - mean) / np.where(spread > 0, spread, 1.0)
    return np.hstack([scaled, np.full((len(rows), 1), LIFT * np.sqrt(rows.shape[1]))]).astype(np.float32)


def apart_by_distance(rows: np.ndarray, labels: np.ndarray) -> float:
    """The share of each row's nearest rows, by distance, that have another label."""
    _, found = nearest(rows, rows, min(NEAREST, len(rows) - 1) + 1)
    return float((labels[found[:, 1:]] != labels[:, None]).mean())


def _of_columns(rows, preparation):
    """Columns in other units, or one that hides the rest, where the preparation did nothing about it."""
    reasons, remedies, spread = [], [], rows.var(axis=0)
    if preparation not in (None, "none", "centred") or spread.sum() == 0 or rows.shape[1] < 2:
        return reasons, remedies
    largest = int(spread.argmax())
    if spread[largest] >= DOMINATES * spread.sum():
        reasons.append(f"Column {largest} holds {spread[largest] / spread.sum():.0%} of all variance and hides the others.")
        remedies.append({"action": "leave_out", "columns": [largest]})
    if np.sqrt(spread[largest]) >= MIXED * np.sqrt(np.median(spread[spread > 0])):
        reasons.append("The columns are in different units.")
        remedies.append({"action": "standardise"})
    return reasons, remedies


def _rival(rows, labels, counts, seed):
    """(name, k, share apart by it, share apart here) where rows are clusters by distance that these labels cut through."""
    from sklearn.cluster import KMeans

    if rows.shape[1] < 2 or len(rows) < 50 or (counts is not None and counts.found and counts.plateaus[0].how == "description"):
        return None
    by_distance = lifted(rows)
    own, points = apart_by_distance(by_distance, labels), unit_rows(by_distance)
    seen = scan("neighbours", by_distance, MOST, np.random.default_rng(seed))
    gaps = np.maximum(1.0 - seen.eigenvalues, 1e-6)
    ratios = gaps[2 : MOST + 1] / gaps[1:MOST]
    k = 2 + int(ratios.argmax())
    if ratios.max() < WIDE or is_one_curve(seen.eigenvalues):
        return None
    groups = {"neighbours": seen.labels(k)}
    groups["kmeans"] = KMeans(k, n_init=5, random_state=seed).fit_predict(points)
    shares = {name: apart_by_distance(by_distance, each) for name, each in groups.items()}
    round_ones = adjusted_rand_index(groups["kmeans"], groups["neighbours"]) >= SAME
    name = "kmeans" if round_ones or shares["kmeans"] < shares["neighbours"] else "neighbours"
    one = len(np.unique(labels)) == 1
    # A number that was given may be the coarser one: two halves of a line are two groups by distance.
    halved = counts is None and k > len(np.unique(labels)) and _nested(groups[name], labels) >= HALVED
    within = halved or _nested(labels, groups[name]) >= SAME
    worse = one or (own >= CUTS and shares[name] <= BETTER * own and not within)
    return (name, k, shares[name], own) if worse and shares[name] < APART else None


def _nested(finer, coarser):
    """The share of rows that are in the group of ``coarser`` that most of their cluster of ``finer`` is in."""
    table = np.bincount(finer * (int(coarser.max()) + 1) + coarser, minlength=(int(finer.max()) + 1) * (int(coarser.max()) + 1))
    return table.reshape(int(finer.max()) + 1, -1).max(axis=1).sum() / len(finer)


def _on_their_own(rows, labels):
    """Adjusted Rand index between labels and the subspace that tells each row in the fewest nats."""
    points = comparable(rows)
    return adjusted_rand_index(labels, settle(points, labels, description_length(points, labels)[1]))


def _mark(rows, labels, counts, rng):
    if counts is not None and not counts.found:
        return "doubtful", counts.why
    if counts is not None and counts.plateaus[0].how == "description":
        own = _on_their_own(rows, labels)
        mark = "clear" if own >= CLEAR else "usable" if own >= USABLE else "doubtful"
        return mark, counts.why if mark == "clear" else f"{counts.why} But rows moved to the nearest of them agree to {own:.2f}."
    if counts is not None:
        first = counts.plateaus[0]
        mark = (
            "clear" if first.agreement >= CLEAR and first.valley <= 0.5 else "usable" if first.agreement >= USABLE else "doubtful"
        )
        return mark, first.why
    flat = valley(rows, labels, rng)
    mark = "clear" if flat <= 0.15 else "usable" if flat <= 0.6 else "doubtful"
    return mark, f"Borders between clusters hold {flat:.0%} of the points that their middles do (0 % stands apart, 100 % is one)."
