"""The subspaces behind found clusters: their intrinsic dimensions, and the principal angles and affinity between them."""

from dataclasses import dataclass, field

import numpy as np

from leasc_core.errors import DataError, ParameterError

ENERGY, LEAST_GAP = 0.95, 2.0
# Singular values below so much of the first are rounding.
NOTHING = 1e-12


def principal_angles(first, second):
    """The principal angles between two spans in radians, rising; columns span, (d, p) and (d, q) give min(p, q) angles.

    Small angles are read from sines and large ones from cosines (Björck & Golub), so that both are accurate.
    """
    first, second = (_orthonormal(each) for each in (first, second))
    if first.shape[0] != second.shape[0]:
        raise DataError(
            f"Subspaces of {first.shape[0]} and of {second.shape[0]} features have no angles; give bases with equally many rows."
        )
    wide, narrow = (first, second) if first.shape[1] >= second.shape[1] else (second, first)
    if not narrow.shape[1]:
        return np.empty(0)
    inner = wide.T @ narrow
    cosines = np.clip(np.linalg.svd(inner, compute_uv=False), 0.0, 1.0)
    sines = np.clip(np.linalg.svd(narrow - wide @ inner, compute_uv=False)[::-1], 0.0, 1.0)
    return np.where(cosines**2 > 0.5, np.arcsin(sines), np.arccos(cosines))


def subspace_affinity(first, second):
    """√(Σ cos²θ / min(p, q)): 1 where one subspace holds the other, 0 where they are orthogonal; nan of an empty one."""
    angles = principal_angles(first, second)
    return float(np.sqrt(np.mean(np.cos(angles) ** 2))) if len(angles) else float("nan")


def dimension_by_energy(singular_values, energy=ENERGY):
    """The fewest directions that hold this share of the sum of squares."""
    if not 0 < energy <= 1:
        raise ParameterError(f"energy={energy} is not above 0 and at most 1; give a share such as 0.95.")
    squares = _falling(singular_values) ** 2
    if not squares.size or squares[0] == 0:
        return 0
    shares = np.cumsum(squares) / squares.sum()
    return int(np.argmax(shares >= energy * (1 - 1e-12))) + 1


def dimension_by_gap(singular_values, least=LEAST_GAP):
    """The i of the largest ratio σ_i/σ_{i+1}; where none is at least ``least`` there is no gap, and every direction counts.

    Values that are nothing but rounding count as equal.
    """
    values = _falling(singular_values)
    if not values.size or values[0] == 0:
        return 0
    values = np.maximum(values, NOTHING * values[0])
    ratios = values[:-1] / values[1:]
    return int(ratios.argmax()) + 1 if ratios.size and ratios.max() >= least else len(values)


@dataclass(frozen=True, eq=False)
class FoundSubspace:
    """The linear span of a cluster's points: singular values in falling order, directions as columns in that order."""

    label: int
    count: int
    singular_values: np.ndarray = field(repr=False)
    directions: np.ndarray = field(repr=False)

    def dimension(self, rule="energy", energy=ENERGY):
        """By ``rule``: the share of "energy", or the largest "gap"."""
        if rule not in ("energy", "gap"):
            raise ParameterError(f"rule={rule!r} is unknown; choose 'energy' or 'gap'.")
        return dimension_by_energy(self.singular_values, energy) if rule == "energy" else dimension_by_gap(self.singular_values)

    def basis(self, dimension):
        """Orthonormal columns of its main ``dimension`` directions."""
        return self.directions[:, :dimension]


def found_subspaces(points, labels):
    """A :class:`FoundSubspace` for each label, by the SVD of its rows through the origin: subspaces are linear."""
    points, labels = np.asarray(points, dtype=np.float64), np.asarray(labels)
    if len(points) != len(labels):
        raise DataError(f"There are {len(labels)} labels for {len(points)} points; give one label a point.")
    spans = []
    for label in np.unique(labels):
        members = points[labels == label]
        _, sizes, directions = np.linalg.svd(members, full_matrices=False)
        spans.append(FoundSubspace(int(label), len(members), sizes, directions.T))
    return spans


@dataclass(frozen=True, eq=False)
class SubspaceTable:
    """Every pair of found subspaces: the smallest principal angle in degrees, and the affinity."""

    dimensions: np.ndarray
    smallest: np.ndarray = field(repr=False)
    affinity: np.ndarray = field(repr=False)


def compare_subspaces(spans, rule="energy", energy=ENERGY):
    """Angles and affinities of all pairs, each subspace with its intrinsic dimension by ``rule``."""
    dimensions = np.array([span.dimension(rule, energy) for span in spans])
    bases = [span.basis(dimension) for span, dimension in zip(spans, dimensions, strict=True)]
    smallest, affinity = np.zeros((len(spans),) * 2), np.eye(len(spans))
    for i, first in enumerate(bases):
        for j, second in enumerate(bases[:i]):
            angles = principal_angles(first, second)
            smallest[i, j] = smallest[j, i] = np.degrees(angles[0]) if len(angles) else np.nan
            affinity[i, j] = affinity[j, i] = np.sqrt(np.mean(np.cos(angles) ** 2)) if len(angles) else np.nan
    return SubspaceTable(dimensions, smallest, affinity)


def _falling(singular_values):
    values = np.asarray(singular_values, dtype=np.float64)
    if values.ndim != 1 or not np.all(np.isfinite(values)) or np.any(values < 0):
        raise ParameterError("singular_values must be one row of finite numbers of at least 0; give those of an SVD.")
    return np.sort(values)[::-1]


def _orthonormal(columns):
    """An orthonormal basis of the span: directions of nothing but rounding do not count."""
    columns = np.asarray(columns, dtype=np.float64)
    if columns.ndim != 2:
        raise DataError(f"A basis of shape {columns.shape} has no columns; give an array of features by directions.")
    if not columns.size:
        return columns
    left, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    return left[:, sizes > max(columns.shape) * np.finfo(float).eps * sizes[0]] if sizes[0] > 0 else left[:, :0]
