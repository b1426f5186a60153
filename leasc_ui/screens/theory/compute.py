"""The numbers behind the Theory page, sampled where the data are large. No Streamlit in here."""

from dataclasses import dataclass, field

import numpy as np

from leasc_ui.screens.representatives.compute import Coverage, spread_rows, usual_count

# Multiplications a page can wait for, in all and for one section.
AFFORDABLE = 1_500_000_000
MOST_ROWS, MOST_PAIRS, MOST_OF_A_SPAN = 50_000, 2000, 20_000
ANGLES = 1440
LARGEST, MOST_SUBSPACES = 10**9, 100_000
# Subspaces where nobody knows how many.
UNLABELLED = 10
CURVE = 120


def parse_sizes(words):
    """Whole numbers from "50, 50" or "10 × 6000, 25"; None where the text is something else, or more than can be meant."""
    sizes = []
    for part in words.replace("×", "x").replace(";", ",").replace(" x ", "x").replace(",", " ").split():
        times, mark, size = part.rpartition("x")
        times = times if mark else "1"
        if not (size.isdecimal() and times.isdecimal()) or len(part) > 24:
            return None
        repeated, size = int(times), int(size)
        if not 1 <= size <= LARGEST or not 1 <= repeated <= MOST_SUBSPACES - len(sizes):
            return None
        sizes += [size] * repeated
    return sizes or None


def written_sizes(sizes):
    """The shortest text that :func:`parse_sizes` reads as these sizes: runs of equal ones are written once."""
    parts, sizes = [], [int(size) for size in sizes]
    while sizes:
        run = next((i for i, size in enumerate(sizes) if size != sizes[0]), len(sizes))
        parts.append(f"{run} × {sizes[0]}" if run > 1 else str(sizes[0]))
        sizes = sizes[run:]
    return ", ".join(parts)


def group_sizes(subject):
    """Points in each subspace, and where that is known from: "class", "cluster" or "" for a guess."""
    labels, name = (subject.known, "class") if subject.known is not None else subject.groups
    if labels is None:
        points = len(subject.source)
        count = min(UNLABELLED, points)
        return (points // count + (np.arange(count) < points % count)).tolist(), ""
    return np.unique(labels, return_counts=True)[1].tolist(), name


def usual_picks(subject):
    """As many as there are representatives, or would usually be."""
    return usual_count(len(subject.source)) if subject.indices is None else len(subject.indices)


def exact_chance(sizes, picks):
    """The probability of Proposition 1 as "1820/1843" where it is short enough to read, else None."""
    from leasc_core.theory.coverage import SMALL, coverage_probability

    if sum(sizes) > SMALL:
        return None
    fraction = coverage_probability(sizes, picks, exact=True)
    return f"{fraction.numerator}/{fraction.denominator}" if 1 < fraction.denominator < 10**7 else None


def points_as_seen(source, rows, unit):
    """Rows in double precision, of length one where ``unit``: so f sees them."""
    from leasc_core.data.scale import unit_rows
    from leasc_core.selectors.base import read_rows

    points = read_rows(source, rows)
    return unit_rows(points) if unit else points


@dataclass(frozen=True, eq=False)
class Radius(Coverage):
    """Distances to the nearest representative, and ρ_ij of each representative."""

    radii: np.ndarray = field(repr=False, default=None)

    @property
    def curve(self):
        """``(radii, shares)``: how much of the data lies within each radius of a representative."""
        radii = np.linspace(0.0, self.radius, CURVE)
        return radii, np.searchsorted(np.sort(self.distances), radii, side="right") / len(self.distances)


def radius_of(subject, unit) -> Radius:
    """Definition 1 over all points, or over as many as take a moment."""
    from leasc_core.theory.radius import nearest_rows

    width, indices = subject.source.shape[1], subject.indices
    most = int(np.clip(AFFORDABLE // (width * len(indices)), 1000, MOST_ROWS))
    rows = np.union1d(spread_rows(len(subject.source), most), indices)
    representatives = points_as_seen(subject.source, indices, unit)
    parts = [
        nearest_rows(points_as_seen(subject.source, rows[start : start + 4096], unit), representatives)
        for start in range(0, len(rows), 4096)
    ]
    nearest, distances = (np.concatenate(part) for part in zip(*parts, strict=True))
    radii = np.zeros(len(indices))
    np.maximum.at(radii, nearest, distances)
    return Radius(rows, distances, indices[nearest], len(subject.source), radii)


@dataclass(frozen=True, eq=False)
class Contraction:
    """Theorem 1 on sampled rows; ``report`` has one entry a row."""

    rows: np.ndarray = field(repr=False)
    report: object = field(repr=False)
    total: int


def contraction_of(subject) -> Contraction:
    from leasc_core.theory.contraction import contraction_report

    units = max(W.shape[1] for W in subject.network.weights)
    most = int(np.clip(AFFORDABLE // (2 * units**2), 300, MOST_PAIRS))
    rows = spread_rows(len(subject.source), most)
    seen = (points_as_seen(subject.source, each, True) for each in (subject.indices, rows))
    return Contraction(rows, contraction_report(subject.network, *seen), len(subject.source))


def norms_by_angle(network):
    """‖J‖_F all round the unit circle, for points of two features: f sees nothing but the direction."""
    from leasc_core.encoder.jacobian import jacobian_norms

    turns = 2 * np.pi * np.arange(ANGLES) / ANGLES
    return jacobian_norms(network, np.column_stack([np.cos(turns), np.sin(turns)]))


def spans_of(subject):
    """The linear spans of the groups, from as many points as take a moment; and how many those were."""
    from leasc_core.theory.subspaces import found_subspaces

    labels, _ = subject.groups
    width = subject.source.shape[1]
    most = int(np.clip(AFFORDABLE // (width * min(width, 500)), 500, MOST_OF_A_SPAN))
    rows = spread_rows(len(subject.source), most)
    return found_subspaces(points_as_seen(subject.source, rows, True), np.asarray(labels)[rows]), len(rows)


def sizes_for(subject, points, iterations):
    """The letters of Table II for this subject, as if it had so many points and the solver took so many iterations."""
    from leasc_core.theory.complexity import Sizes

    n = usual_picks(subject)
    hidden = (subject.settings.hidden,)
    if subject.network is not None:
        hidden = tuple(W.shape[1] for W in subject.network.weights[:-1])
    return Sizes(points, n, subject.source.shape[1], hidden, subject.settings.epochs, iterations)
