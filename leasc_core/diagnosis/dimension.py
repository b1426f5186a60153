"""How many dimensions points have: directions that stand out from what points without any would show."""

import numpy as np

from ..theory.subspaces import ENERGY, dimension_by_energy
from .nulls import shapeless

DRAWS = 2
# By so much its energy exceeds what chance gives.
STANDS_OUT = 1.1


def intrinsic_dimension(points, rng, energy=ENERGY):
    """The fewest directions through the origin that hold 95 % of the energy, of those that stand out; where none does, all count.

    One direction after the other is taken away while its energy exceeds that of the rest turned at random, row by row.
    """
    most = dimension_by_energy(np.linalg.svd(points, compute_uv=False), energy)
    rest = points
    for found in range(most):
        if rest.shape[1] < 2:
            return max(1, found)
        energies, directions = np.linalg.eigh(rest.T @ rest)
        chance = max(_largest_energy(shapeless(rest, rng)) for _ in range(DRAWS))
        if energies[-1] < STANDS_OUT * chance:
            return found or most
        rest = rest @ directions[:, :-1]
    return most


def _largest_energy(points):
    return np.linalg.eigvalsh(points.T @ points)[-1]
