"""Groups of points one by one: dimension, what a flat piece of it leaves, whether it passes the origin, the nearest other."""

from dataclasses import dataclass, field

import numpy as np

from ..theory.subspaces import compare_subspaces, found_subspaces
from .dimension import intrinsic_dimension

LEAST_MEMBERS = 5


@dataclass(frozen=True, eq=False)
class GroupFacts:
    """One group as it was seen in the sample.

    Attributes
    ----------
    label, count : its number, and its points in the sample
    dimension : of the linear span of its points
    spectrum : its singular values as shares of their root sum of squares
    left : share of length outside that span
    offset : distance of its affine hull from the origin, as a share of its points' length; near 0 it is linear
    nearest, affinity, angle : the most similar other group, √(mean cos²) of their principal angles, and the smallest, in degrees
    """

    label: int
    count: int
    dimension: int
    spectrum: np.ndarray = field(repr=False)
    left: float
    offset: float
    nearest: int | None = None
    affinity: float | None = None
    angle: float | None = None


def describe_groups(points, labels, rng):
    """A :class:`GroupFacts` for each group of at least 5 points, in the order of their labels."""
    known, counts = np.unique(labels, return_counts=True)
    enough = known[counts >= LEAST_MEMBERS]
    chosen = np.isin(labels, enough)
    if not chosen.any():
        return ()
    spans = found_subspaces(points[chosen], labels[chosen])
    dimensions = [intrinsic_dimension(points[labels == span.label], rng) for span in spans]
    table = _pairs(spans, dimensions)
    return tuple(
        _facts(points[labels == span.label], span, dimension, table, at, rng)
        for at, (span, dimension) in enumerate(zip(spans, dimensions, strict=True))
    )


def _facts(members, span, dimension, table, at, rng):
    squares = span.singular_values**2
    left = float(np.sqrt(max(0.0, 1.0 - squares[:dimension].sum() / squares.sum())))
    own = {
        "label": span.label,
        "count": span.count,
        "dimension": dimension,
        "left": left,
        "spectrum": np.sqrt(squares / squares.sum()),
        "offset": _offset(members, rng),
    }
    others = np.where(np.arange(len(table.dimensions)) == at, -1.0, np.nan_to_num(table.affinity[at], nan=-1.0))
    if len(others) < 2 or others.max() < 0:
        return GroupFacts(**own)
    nearest = int(others.argmax())
    angle = float(table.smallest[at, nearest])
    return GroupFacts(**own, nearest=table.labels[nearest], affinity=float(others[nearest]), angle=angle)


@dataclass(frozen=True, eq=False)
class _Pairs:
    labels: tuple
    dimensions: np.ndarray
    affinity: np.ndarray
    smallest: np.ndarray


def _pairs(spans, dimensions):
    """Angles of all pairs, each span cut to its dimension."""
    cut = [_Cut(span, dimension) for span, dimension in zip(spans, dimensions, strict=True)]
    table = compare_subspaces(cut)
    return _Pairs(tuple(span.label for span in spans), table.dimensions, table.affinity, table.smallest)


@dataclass(frozen=True, eq=False)
class _Cut:
    """A span whose dimension is known."""

    span: object
    known: int

    def dimension(self, rule, energy):
        return self.known

    def basis(self, dimension):
        return self.span.basis(dimension)


def _offset(members, rng):
    """How far from the origin the flat piece lies that fits the centred points, as a share of their length."""
    mean = members.mean(axis=0)
    centred = members - mean
    if not centred.any():
        return 1.0
    along = np.linalg.svd(centred, full_matrices=False)[2][: intrinsic_dimension(centred, rng)]
    outside = mean - along.T @ (along @ mean)
    return float(np.linalg.norm(outside) / np.sqrt((members**2).sum(axis=1).mean()))
