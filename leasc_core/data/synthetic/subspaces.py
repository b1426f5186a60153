"""Orthonormal bases of subspaces that stand at a chosen angle to one another."""

import numpy as np

from leasc_core.errors import ParameterError

DRAWS_PER_SUBSPACE = 500
SLACK_RADIANS = 1e-9


def random_frame(ambient_dim, dim, rng):
    """Orthonormal columns ``(ambient_dim, dim)`` whose span is uniformly distributed."""
    frame, triangle = np.linalg.qr(rng.standard_normal((ambient_dim, dim)))
    return frame * np.where(np.diag(triangle) < 0, -1.0, 1.0)


def random_bases(dims, ambient_dim, rng):
    """One uniformly random basis for each dimension."""
    return [random_frame(ambient_dim, dim, rng) for dim in dims]


def bases_at_angle(dims, ambient_dim, angle, rng):
    """Bases whose neighbours' smallest principal angle is exactly ``angle`` degrees; no other pair is closer.

    The remaining principal angles are drawn between ``angle`` and 90 degrees. Where the ambient space has
    room for all dimensions side by side, every pair has the same principal angles; where it has not, each
    subspace is turned out of its predecessor.
    """
    widest_pair = max((a + b for a, b in zip(dims, dims[1:], strict=False)), default=0)
    if widest_pair > ambient_dim:
        raise ParameterError(
            f"angle={angle:g} is impossible: neighbours whose dimensions add up to {widest_pair} always meet "
            f"in ambient_dim={ambient_dim}; raise ambient_dim to {widest_pair}, lower dim, or use angle=None."
        )
    if sum(dims) <= ambient_dim:
        return _equiangular_bases(dims, ambient_dim, np.radians(angle), rng)
    return _chained_bases(dims, ambient_dim, np.radians(angle), rng)


def smallest_angle(first, second):
    """Smallest principal angle in radians between the spans of two orthonormal bases, accurate near 0 too."""
    wide, narrow = (first, second) if first.shape[1] >= second.shape[1] else (second, first)
    inner = wide.T @ narrow
    sines = np.linalg.svd(narrow - wide @ inner, compute_uv=False)
    cosines = np.linalg.svd(inner, compute_uv=False)
    return float(np.arctan2(sines[-1], cosines[0]))


def _other_angles(angle, count, rng):
    """The smallest angle followed by ``count - 1`` angles drawn between it and a right angle."""
    return np.concatenate([[angle], np.sort(rng.uniform(angle, np.pi / 2, size=count - 1))])


def _equiangular_bases(dims, ambient_dim, angle, rng):
    """Column j of each basis makes the j-th angle with column j of any other, a right angle with the rest."""
    frame = random_frame(ambient_dim, sum(dims), rng)
    angles = _other_angles(angle, max(dims), rng)
    bases = [np.empty((ambient_dim, dim)) for dim in dims]
    used = 0
    for column, column_angle in enumerate(angles):
        members = [basis for basis in bases if basis.shape[1] > column]
        axes = frame[:, used : used + len(members)]
        directions = axes @ _equiangular_coordinates(len(members), column_angle)
        used += len(members)
        for basis, direction in zip(members, directions.T, strict=True):
            basis[:, column] = direction
    return bases


def _equiangular_coordinates(count, angle):
    """Symmetric root of the Gram matrix with 1 on the diagonal and cos(angle) elsewhere: unit columns."""
    apart = np.sqrt(2.0) * np.sin(angle / 2)
    together = np.sqrt(apart**2 + count * np.cos(angle))
    return apart * np.eye(count) + (together - apart) / count


def _chained_bases(dims, ambient_dim, angle, rng):
    bases = [random_frame(ambient_dim, dims[0], rng)]
    for dim in dims[1:]:
        bases.append(_next_in_chain(bases, dim, angle, rng))
    return bases


def _next_in_chain(bases, dim, angle, rng):
    """The first drawn neighbour of the last basis that is not closer than ``angle`` to any earlier one."""
    for _ in range(DRAWS_PER_SUBSPACE):
        candidate = _turned_out(bases[-1], dim, angle, rng)
        if all(smallest_angle(candidate, earlier) >= angle - SLACK_RADIANS for earlier in bases[:-1]):
            return candidate
    raise ParameterError(
        f"angle={np.degrees(angle):g} is too wide: subspace {len(bases) + 1} found no place that far from "
        f"all earlier ones in ambient_dim={bases[0].shape[0]} ({DRAWS_PER_SUBSPACE} draws); lower angle or "
        f"n_subspaces, or raise ambient_dim."
    )


def _turned_out(basis, dim, angle, rng):
    """A basis of ``dim`` columns whose principal angles with ``basis`` begin with ``angle``."""
    ambient_dim, base_dim = basis.shape
    turned = min(dim, base_dim)
    angles = _other_angles(angle, turned, rng)
    inside = basis @ random_frame(base_dim, turned, rng)
    outside = rng.standard_normal((ambient_dim, dim))
    for _ in range(2):  # twice is enough for orthogonality to working precision
        outside -= basis @ (basis.T @ outside)
    outside = np.linalg.qr(outside)[0]
    outside[:, :turned] = inside * np.cos(angles) + outside[:, :turned] * np.sin(angles)
    return outside
