"""Which points stand for all, and how well: the computations behind the Representatives page. No Streamlit in here."""

from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from leasc_ui.charts.axes import facing
from leasc_ui.session.pipeline import ChosenRepresentatives, RepresentativeSettings

FEWEST, MOST, USUAL_MOST = 2, 1500, 1000
DRAWN = 50_000
FITTED = 2000
# Multiplications, and distances, that a page can wait for: a fraction of a second.
AFFORDABLE, DISTANCES = 4_000_000_000, 8_000_000
FARTHEST = 20
BLOCK = 4096
CURVE = 60
NEARLY_SURE = 0.99


def usual_count(points):
    """How many representatives are a good start for so many points: 84 for 800, 795 for 70,000, never more than 1,000."""
    return int(np.clip(3 * np.sqrt(points), min(FEWEST, points), min(USUAL_MOST, points)))


def choose(data, settings: RepresentativeSettings) -> ChosenRepresentatives:
    """The rows of ``data`` (a ``LoadedData``) that a selector takes."""
    from leasc_core.selectors import get_selector

    start = perf_counter()
    indices = get_selector(settings.selector).select(data.points, settings.count, np.random.default_rng(settings.seed))
    return ChosenRepresentatives(data.fingerprint, settings, indices, perf_counter() - start)


@dataclass(frozen=True, eq=False)
class Plane:
    """Some rows of the data laid out in the plane: the data itself where it has two features, else its main directions."""

    rows: np.ndarray = field(repr=False)
    places: np.ndarray = field(repr=False)
    centre: np.ndarray = field(repr=False)
    axes: np.ndarray = field(repr=False)
    share: float | None
    total: int

    def __call__(self, points):
        """The places of other points."""
        return ((points - self.centre) @ self.axes).astype(np.float32)

    @property
    def whole(self):
        return len(self.rows) == self.total


def plane_of(source) -> Plane:
    """At most 50,000 rows of a source in the plane; values that are not finite are refused, with their place."""
    from leasc_core.selectors.base import read_rows

    rows = spread_rows(len(source), DRAWN)
    width = source.shape[1]
    if width == 2:
        centre, axes, share = np.zeros(2), np.eye(2), None
    else:
        centre, axes, share = main_directions(read_rows(source, spread_rows(len(source), FITTED)))
    parts = [((read_rows(source, part) - centre) @ axes).astype(np.float32) for part in _parts(rows)]
    return Plane(rows, np.vstack(parts), centre, axes, share, len(source))


def spread_rows(total, most):
    """All rows, or ``most`` of them at random but always the same ones, in order."""
    if total <= most:
        return np.arange(total)
    return np.sort(np.random.default_rng(0).choice(total, most, replace=False, shuffle=False))


def main_directions(points):
    """Centre, two principal directions (d, 2) and the share of the variance they hold."""
    centre = points.mean(axis=0)
    _, sizes, directions = np.linalg.svd(points - centre, full_matrices=False)
    axes = np.zeros((points.shape[1], 2))
    axes[:, : min(2, len(directions))] = facing(directions[:2]).T
    total = float(sizes @ sizes)
    return centre, axes, float(sizes[:2] @ sizes[:2] / total) if total > 0 else 1.0


@dataclass(frozen=True, eq=False)
class Coverage:
    """How far points are from their nearest representative; ``rows`` says which points were measured."""

    rows: np.ndarray = field(repr=False)
    distances: np.ndarray = field(repr=False)
    nearest: np.ndarray = field(repr=False)
    total: int

    @property
    def radius(self):
        """ρ of Definition 1 over the measured points."""
        return float(self.distances.max())

    @property
    def whole(self):
        return len(self.rows) == self.total

    @property
    def farthest(self):
        """Positions in ``rows`` of the least covered points, the worst first."""
        return np.argsort(-self.distances, kind="stable")[:FARTHEST]


def coverage_of(source, indices) -> Coverage:
    """Distances to the nearest representative; of a large source, those of as many points as take about half a second."""
    from leasc_core.selectors.base import read_rows

    representatives = read_rows(source, indices)
    affordable = max(1000, min(AFFORDABLE // max(1, representatives.size), DISTANCES // len(representatives)))
    rows = np.union1d(spread_rows(len(source), min(DRAWN, affordable)), indices)
    centre = representatives.mean(axis=0)
    representatives -= centre
    squares = np.einsum("ij,ij->i", representatives, representatives)
    distances, nearest = np.empty(len(rows)), np.empty(len(rows), dtype=np.int64)
    for start in range(0, len(rows), BLOCK):
        part = slice(start, start + BLOCK)
        points = read_rows(source, rows[part]) - centre
        gaps = squares - 2 * points @ representatives.T
        at = nearest[part] = gaps.argmin(axis=1)
        # The difference itself, and not its expansion: exact to rounding where points lie close together.
        distances[part] = np.linalg.norm(points - representatives[at], axis=1)
    return Coverage(rows, distances, indices[nearest], len(source))


@dataclass(frozen=True, eq=False)
class Chance:
    """Proposition 1 for this data: the probability that n random picks meet every subspace, over n."""

    sizes: np.ndarray = field(repr=False)
    picks: np.ndarray = field(repr=False)
    probabilities: np.ndarray = field(repr=False)
    at: int
    probability: float
    needed: int

    @property
    def certain(self):
        """Whether so many picks cannot miss a subspace: P = 1 exactly when n > max(m − mᵢ)."""
        return self.at > int(self.sizes.sum() - self.sizes.min())


def chance_of(sizes, count) -> Chance:
    """The curve, its value at ``count``, and the picks needed to be nearly sure."""
    from leasc_core.theory.coverage import coverage_probability, picks_needed

    needed, total = picks_needed(sizes, NEARLY_SURE), int(np.sum(sizes))
    last = min(total, max(int(1.3 * needed), count, len(sizes) + 1))
    picks = np.unique(np.linspace(0, last, CURVE).astype(int).tolist() + [count])
    probabilities = np.array([coverage_probability(sizes, int(n)) for n in picks])
    return Chance(np.asarray(sizes), picks, probabilities, count, coverage_probability(sizes, count), needed)


def sizes_of(data, assumed):
    """Points in each subspace: the labels' own counts, or so many equal shares."""
    if data.labels is not None:
        return np.unique(data.labels, return_counts=True)[1]
    points = len(data.points)
    assumed = min(assumed, points)
    return points // assumed + (np.arange(assumed) < points % assumed)


def _parts(rows):
    return (rows[start : start + BLOCK] for start in range(0, len(rows), BLOCK))
