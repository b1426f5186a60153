"""Definition 1: how far every point is from the representative that stands for it, in one pass over the data."""

from dataclasses import dataclass, field

import numpy as np

from leasc_core.data.finite import refuse_non_finite
from leasc_core.data.scale import unit_rows as of_length_one
from leasc_core.data.sources import open_source
from leasc_core.errors import DataError, ParameterError
from leasc_core.selectors.base import read_rows

# Distances held at once.
CELLS = 4_000_000


@dataclass(frozen=True, eq=False)
class RepresentativeRadius:
    """ρ of Definition 1.

    Attributes
    ----------
    radii : ρ_ij, the largest distance of a point that representative j stands for; 0 where it stands for itself alone
    counts : m_ij, how many points it stands for
    farthest : the row of the point at that distance
    uncovered : points of a subspace that has no representative (always 0 without labels)
    """

    radii: np.ndarray = field(repr=False)
    counts: np.ndarray = field(repr=False)
    farthest: np.ndarray = field(repr=False)
    uncovered: int = 0

    @property
    def radius(self):
        """ρ, infinite where a subspace has no representative."""
        return float("inf") if self.uncovered else float(self.radii.max())


def representative_radius(source, indices, labels=None, unit_rows=False):
    """ρ_ij and ρ of a source (rows, an array, a path) and the row numbers of its representatives.

    Parameters
    ----------
    labels : one for every point; then only representatives of a point's own subspace may stand for it, as in the paper
    unit_rows : measure between directions, as f sees the points
    """
    n = len(np.asarray(indices))
    radii, counts, farthest = np.zeros(n), np.zeros(n, dtype=np.int64), np.asarray(indices, dtype=np.int64).copy()
    uncovered = 0
    for start, nearest, distances in nearest_representatives(source, indices, labels, unit_rows):
        known = np.isfinite(distances)
        uncovered += int(np.count_nonzero(~known))
        counts += np.bincount(nearest[known], minlength=n)
        # Points in rising order of distance: of each representative the last one written is the farthest.
        order = np.flatnonzero(known)[np.argsort(distances[known], kind="stable")]
        block, rows = np.zeros(n), np.zeros(n, dtype=np.int64)
        block[nearest[order]], rows[nearest[order]] = distances[order], start + order
        longer = block > radii
        radii[longer], farthest[longer] = block[longer], rows[longer]
    return RepresentativeRadius(radii, counts, farthest, uncovered)


def nearest_representatives(source, indices, labels=None, unit_rows=False):
    """``(first row, nearest, distances)`` block by block; ``nearest`` counts in ``indices``, distances are Euclidean.

    A point whose subspace has no representative is at distance inf.
    """
    source = open_source(source)
    indices = np.asarray(indices)
    if indices.ndim != 1 or not indices.size:
        raise ParameterError(f"indices={indices!r} name no representatives; give at least one row number.")
    if labels is not None and len(labels) != len(source):
        raise DataError(f"There are {len(labels)} labels for {len(source)} points; give one label a point.")
    representatives = read_rows(source, indices)
    if unit_rows:
        representatives = of_length_one(representatives)
    labels = None if labels is None else np.asarray(labels)
    size = max(1, min(CELLS // len(indices), CELLS // source.shape[1]))
    for start, block in source.blocks(size):
        block = block.astype(np.float64, copy=False)
        refuse_non_finite(block, start)
        block = of_length_one(block) if unit_rows else block
        forbidden = None if labels is None else labels[start : start + len(block), None] != labels[indices]
        yield start, *nearest_rows(block, representatives, forbidden)


def nearest_rows(points, representatives, forbidden=None):
    """The nearest row of ``representatives`` for each row of ``points``, and its distance; ``forbidden`` masks pairs."""
    centre = representatives.mean(axis=0)
    shifted, others = points - centre, representatives - centre
    gaps = np.einsum("ij,ij->i", others, others) - 2 * shifted @ others.T
    if forbidden is not None:
        gaps[forbidden] = np.inf
    nearest = gaps.argmin(axis=1)
    # The difference itself and not its expansion, which loses half the digits of short distances.
    distances = np.linalg.norm(points - representatives[nearest], axis=1)
    if forbidden is not None:
        distances[forbidden.all(axis=1)] = np.inf
    return nearest, distances
