"""Self-expression: how much of a point is left when a few others write it, in the data and in data without subspaces."""

from dataclasses import dataclass

import numpy as np

from ..theory.subspaces import dimension_by_energy
from .nulls import blobs, one_cloud

# Atoms to choose from grow with the dimension of the whole; a code uses at most so many of them.
ATOMS_PER_DIMENSION, LEAST_ATOMS, MOST_ATOMS = 25, 50, 300
MOST_STEPS = 5
PROBES, WORK, LEAST_DRAWS, MOST_DRAWS = 150, 60_000, 6, 40
NULL_DRAWS = 4
# Up to so many groups may be what explains it; in the plane a line cut into more pieces is a row of blobs.
GROUPS, GROUPS_IN_THE_PLANE = (2, 3, 4, 6, 8, 12), (2, 3, 4, 6, 8)
# Fewer groups are taken where more come nearer by less than this.
HARDLY = 1.03


@dataclass(frozen=True)
class Expression:
    """Shares of a point's length that ``steps`` of ``atoms`` others leave unwritten: in the data, in one cloud, in blobs.

    ``groups`` is the number of blobs that comes nearest to the data.
    """

    steps: int
    atoms: int
    left: float
    left_in_cloud: float
    left_in_blobs: float
    groups: int

    @property
    def against_cloud(self):
        return _ratio(self.left, self.left_in_cloud)

    @property
    def against_blobs(self):
        return _ratio(self.left, self.left_in_blobs)


def measure_expression(points, rng):
    """The residuals of ``points`` and of both kinds of nulls, at the code length that tells most."""
    dimension = dimension_by_energy(np.linalg.svd(points, compute_uv=False))
    atoms = int(np.clip(ATOMS_PER_DIMENSION * dimension, min(LEAST_ATOMS, len(points) // 2), min(MOST_ATOMS, len(points) // 2)))
    steps = int(np.clip(dimension // 2, 1, MOST_STEPS))
    left = _left(points, atoms, steps, rng)
    in_cloud = np.mean([_left(one_cloud(points, rng), atoms, steps, rng) for _ in range(NULL_DRAWS)], axis=0)
    at = int(np.argmin((left + 1e-12) / (in_cloud + 1e-12)))
    nearest, groups = _best_blobs(points, atoms, steps, at, dimension, rng)
    return Expression(at + 1, atoms, float(left[at]), float(in_cloud[at]), nearest, groups)


def pursue(points, atoms, steps):
    """What is left of each point after 1, 2, … ``steps`` atoms (unit rows), each the best next one: (steps, n, d)."""
    left, used, residuals = points.copy(), [], []
    for _ in range(steps):
        chosen = atoms[np.abs(left @ atoms.T).argmax(axis=1)].copy()
        for earlier in used:
            chosen -= np.einsum("ij,ij->i", chosen, earlier)[:, None] * earlier
        lengths = np.linalg.norm(chosen, axis=1, keepdims=True)
        chosen = np.where(lengths > 1e-9, chosen / np.maximum(lengths, 1e-9), 0.0)
        left = left - np.einsum("ij,ij->i", left, chosen)[:, None] * chosen
        used.append(chosen)
        residuals.append(left)
    return np.array(residuals)


def _left(points, atoms, steps, rng):
    """The share of length left by code length: root of the energy left over the energy, over several draws of atoms."""
    units = points / np.linalg.norm(points, axis=1, keepdims=True)
    draws = int(np.clip(WORK // (atoms * points.shape[1]), LEAST_DRAWS, MOST_DRAWS))
    energy, whole = np.zeros(steps), 0.0
    for _ in range(draws):
        order = rng.permutation(len(points))
        probes = points[order[atoms : atoms + PROBES]]
        energy += (pursue(probes, units[order[:atoms]], steps) ** 2).sum(axis=(1, 2))
        whole += (probes**2).sum()
    return np.sqrt(energy / whole)


def _best_blobs(points, atoms, steps, at, dimension, rng):
    """Of K-means groups made into balls, those that write one another most nearly as well as the data do."""
    from sklearn.cluster import KMeans

    best, groups = np.inf, 0
    for count in GROUPS if dimension > 2 else GROUPS_IN_THE_PLANE:
        if 4 * count > len(points):
            break
        labels = KMeans(count, n_init=1, random_state=0).fit_predict(points)
        left = float(_left(blobs(points, labels, rng), atoms, steps, rng)[at])
        if HARDLY * left < best:
            best, groups = left, count
    return best, groups


def _ratio(left, reference):
    return float((left + 1e-12) / (reference + 1e-12))
