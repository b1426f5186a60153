"""The diagnosis: every check with its number, what chance would give and a sentence, and what follows from them."""

from dataclasses import asdict, dataclass, field

import numpy as np

from ..data.scale import unit_rows
from ..data.sources import open_source
from ..errors import DataError
from ..evidence.count import LEAST_FEATURES, WIDE, by_eigengap
from ..evidence.description import comparable, description_length, shortest
from ..theory.subspaces import dimension_by_energy
from .expression import measure_expression
from .groups import describe_groups
from .oddities import share_of_outliers
from .rivals import compare_with_cosine
from .sample import draw_sample
from .words import BLOBS, CLOUD, all_checks, headline

SEEN = 800
# The quick look at groups merges so many parts.
PARTS = 24


@dataclass(frozen=True)
class Check:
    """One question: ``value`` in the data, ``chance`` where nothing of the kind is there, and both in a sentence.

    ``good`` is True or False where the answer speaks for or against subspaces, None where it only informs.
    """

    name: str
    value: float
    chance: float | None
    sentence: str
    good: bool | None = None


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """``verdict`` is "yes" or "no"; ``headline`` says why and ``advice`` what to do.

    ``groups`` are those of the labels that were given, or of a quick clustering of the sample (``groups_found``).
    """

    verdict: str
    headline: str
    advice: str
    checks: tuple
    groups: tuple = field(repr=False)
    groups_found: bool
    dimension: int
    spectrum: np.ndarray = field(repr=False)
    total: int
    looked_at: int
    features: int

    def facts(self):
        """All of it as plain values, for JSON."""
        plain = asdict(self)
        plain["spectrum"] = [float(value) for value in self.spectrum]
        for group in plain["groups"]:
            group["spectrum"] = [float(value) for value in group["spectrum"]]
        return plain


def diagnose(data, labels=None, seed=0):
    """Is this a union of subspaces? Looks at about 800 rows, in about a second.

    Parameters
    ----------
    data : array, path or source; rows are points
    labels : one a point, of a clustering to look at; None looks at a quick clustering of the sample
    """
    source = open_source(data)
    if labels is not None and len(labels) != len(source):
        raise DataError(f"There are {len(labels)} labels for {len(source)} points; give one label a point.")
    rng = np.random.default_rng(seed)
    sample = draw_sample(source, rng, labels)
    points = sample.points
    some = points if len(points) <= SEEN else points[np.sort(rng.choice(len(points), SEEN, replace=False))]
    expression = measure_expression(some, rng)
    found = labels is None
    grouping = _quick_groups(points, seed) if found else np.asarray(labels)[sample.rows]
    groups = describe_groups(points, grouping, rng)
    dimension = dimension_by_energy(sample.singular_values)
    usual = int(np.median([group.dimension for group in groups])) if groups else dimension
    rival = compare_with_cosine(points, grouping, usual, rng) if len(groups) > 1 else None
    outliers = share_of_outliers(some, expression.steps, rng)
    kind = judge(expression)
    if kind == "subspaces" and dimension == 1 and min(points.shape) > 2:
        kind = "line"
    verdict, words, advice = headline(kind, expression, groups, rival, dimension, sample, found)
    checks = tuple(Check(*each) for each in all_checks(expression, groups, rival, outliers, dimension, sample))
    spectrum = sample.singular_values / np.linalg.norm(sample.singular_values)
    return Diagnosis(
        verdict, words, advice, checks, groups, found, dimension, spectrum, sample.total, sample.looked_at, sample.features
    )


def judge(expression):
    """What kind of data: "subspaces", one "cloud", or "blobs"; at most so much may be left, as a share of what these leave."""
    if expression.against_cloud >= CLOUD:
        return "cloud"
    return "blobs" if expression.against_blobs >= BLOBS else "subspaces"


def _quick_groups(points, seed):
    """What one draw of the method would find in the sample: as many as a wide eigengap says, or parts merged by description."""
    from ..autopilot.draws import Setting, draw
    from ..spectral.sign import sign_is_noise

    if points.shape[1] < 2:
        return np.zeros(len(points), dtype=int)
    directions = unit_rows(points)
    scan = draw(directions, Setting(1.0), sign_is_noise(directions, np.random.default_rng(seed)), seed).scan
    k = min(by_eigengap(scan), max(2, scan.most_clusters))
    if points.shape[1] < LEAST_FEATURES or scan.gap(k) >= WIDE:
        return scan.labels(k)
    labels, told = scan.labels(max(2, min(PARTS, scan.most_clusters))), comparable(points)
    return shortest(told, labels, description_length(told, labels)[1])
