"""Points on a union of subspaces with every truth known: the data to learn and to test the method on."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real

import numpy as np

from leasc_core.data.synthetic.corruption import Corruption, corrupt
from leasc_core.data.synthetic.subspaces import bases_at_angle, random_bases
from leasc_core.errors import ParameterError

SPREADS = ("gaussian", "uniform", "one_sided")

# (x from, x to, slope, standard deviation of the noise on y) of the paper's 800-point example.
FOUR_RAYS = (
    (1.0, 2.2, 0.7, 0.18),
    (-3.0, -1.0, -0.5, 0.09),
    (-3.0, -1.0, 0.33, 0.10),
    (1.5, 3.5, -0.25, 0.10),
)
POINTS_PER_RAY = 200


@dataclass(frozen=True)
class Truth:
    """What the generator knows: ``Y = clean + errors`` wherever ``missing`` is False.

    Attributes
    ----------
    labels : (n_samples,) the subspace each point was drawn on, outlier points included
    bases : list of (ambient_dim, dim_k) orthonormal columns
    offsets : (n_subspaces, ambient_dim), zero rows for linear subspaces
    clean : (n_samples, ambient_dim) points exactly on their subspace
    errors : (n_samples, ambient_dim) the E that was added, known under missing entries too
    sparse : (n_samples, ambient_dim) True where a sparse outlying entry was added
    missing : (n_samples, ambient_dim) True where Y is NaN
    outliers : (n_samples,) True for outlier points (label -1 in y)
    """

    labels: np.ndarray
    bases: list
    offsets: np.ndarray
    clean: np.ndarray
    errors: np.ndarray
    sparse: np.ndarray
    missing: np.ndarray
    outliers: np.ndarray


def make_union_of_subspaces(
    n_subspaces: int = 4,
    dim: int | Sequence[int] = 2,
    ambient_dim: int = 20,
    n_per_subspace: int | Sequence[int] = 200,
    noise: float = 0.02,
    random_state: int | np.random.RandomState | None = 0,
    *,
    angle: float | None = None,
    imbalance: float = 1.0,
    affine: bool = False,
    spread: str = "gaussian",
    sparse_fraction: float = 0.0,
    sparse_magnitude: float = 5.0,
    missing_fraction: float = 0.0,
    outlier_fraction: float = 0.0,
    shuffle: bool = False,
    return_truth: bool = False,
) -> tuple:
    """Draw points on a union of subspaces, corrupt them in known ways, and return ``(Y, y)``.

    Parameters
    ----------
    n_subspaces : int, the number of subspaces
    dim : int or one int per subspace
    ambient_dim : int, the number of features
    n_per_subspace : int (the average when ``imbalance`` > 1) or one int per subspace
    noise : float, level of the Gaussian noise: the root mean square of the noise vectors' norms is ``noise``
        times that of the clean points' norms (for affine subspaces: of their distances from the offset),
        exactly and in every draw
    random_state : int, Generator or None; the same int gives the same bytes
    angle : degrees in (0, 90], or None for independently random subspaces; the smallest principal angle
        between neighbouring subspaces k and k+1, which no other pair undercuts
    imbalance : float >= 1, largest size over smallest; sizes fall geometrically and keep their total
    affine : False, True or the norm of the offsets (True is 1); offsets are orthogonal to their subspace
    spread : "gaussian", "uniform" (in the ball) or "one_sided" (a cone: coordinates between 0.5 and 1.5
        before scaling, so the mirror image of a point is never near the data); expected squared norm 1
    sparse_fraction, sparse_magnitude : share of all entries that get an error of this many typical (root mean
        square) clean entries with a random sign
    missing_fraction : share of all entries set to NaN; every point keeps at least one entry
    outlier_fraction : share of the points replaced by a random direction of typical norm; their label is -1
    shuffle : bool, mix the order of the points (otherwise they stand subspace by subspace)
    return_truth : bool, return a `Truth` as third value

    Returns
    -------
    Y : float64 array (n_samples, ambient_dim)
    y : int64 array (n_samples,)
    """
    n_subspaces = _whole(n_subspaces, "n_subspaces", 1)
    ambient_dim = _whole(ambient_dim, "ambient_dim", 1)
    dims = _one_each(dim, n_subspaces, "dim", ambient_dim)
    sizes = _sizes(n_per_subspace, n_subspaces, imbalance)
    corruption = Corruption(noise, sparse_fraction, sparse_magnitude, missing_fraction, outlier_fraction)
    corruption.check(ambient_dim)
    streams = _streams(random_state)

    bases = _bases(dims, ambient_dim, angle, streams["bases"])
    offsets = _offsets(bases, affine, streams["offsets"])
    labels = np.repeat(np.arange(n_subspaces), sizes)
    rng = streams["coordinates"]
    centred = np.concatenate(
        [_coordinates(size, basis.shape[1], spread, rng) @ basis.T for size, basis in zip(sizes, bases, strict=True)]
    )
    if shuffle:
        order = streams["shuffle"].permutation(labels.size)
        labels, centred = labels[order], centred[order]
    clean = centred + offsets[labels]
    Y, errors, sparse, missing, outliers = corrupt(clean, centred, corruption, streams)
    y = np.where(outliers, -1, labels)
    if not return_truth:
        return Y, y
    return Y, y, Truth(labels, bases, offsets, clean, errors, sparse, missing, outliers)


def four_rays(random_state: int | np.random.RandomState | None = 0, *, return_truth: bool = False) -> tuple:
    """The paper's 800-point example: four noisy rays from the origin in the plane, 200 points each.

    Returns ``(Y, y)``, with ``return_truth`` also a `Truth`; the noise acts on the second feature alone.
    """
    rng = _streams(random_state)["coordinates"]
    y = np.repeat(np.arange(len(FOUR_RAYS)), POINTS_PER_RAY)
    clean, errors = np.empty((y.size, 2)), np.zeros((y.size, 2))
    for ray, (left, right, slope, deviation) in enumerate(FOUR_RAYS):
        x = rng.uniform(left, right, POINTS_PER_RAY)
        clean[y == ray] = np.column_stack([x, slope * x])
        errors[y == ray, 1] = deviation * rng.standard_normal(POINTS_PER_RAY)
    if not return_truth:
        return clean + errors, y
    bases = [np.array([[1.0], [slope]]) / np.hypot(1.0, slope) for _, _, slope, _ in FOUR_RAYS]
    nowhere = np.zeros(clean.shape, dtype=bool)
    offsets = np.zeros((len(bases), 2))
    return clean + errors, y, Truth(y, bases, offsets, clean, errors, nowhere, nowhere, nowhere[:, 0])


def _streams(random_state):
    """One independent stream a concern: turning one corruption on leaves everything else as it was."""
    if isinstance(random_state, np.random.Generator):
        random_state = int(random_state.integers(2**63))
    elif random_state is not None:
        random_state = _whole(random_state, "random_state", 0)
    names = ("bases", "offsets", "coordinates", "noise", "sparse", "missing", "outliers", "shuffle")
    seeds = np.random.SeedSequence(random_state).spawn(len(names))
    return {name: np.random.default_rng(seed) for name, seed in zip(names, seeds, strict=True)}


def _bases(dims, ambient_dim, angle, rng):
    if angle is None:
        return random_bases(dims, ambient_dim, rng)
    if not (isinstance(angle, Real) and 0 < angle <= 90):
        raise ParameterError(f"angle={angle} is outside (0, 90] degrees; choose one inside, or None for random.")
    return bases_at_angle(dims, ambient_dim, float(angle), rng)


def _offsets(bases, affine, rng):
    """Rows of norm ``affine``, each orthogonal to its subspace; zeros for linear subspaces."""
    ambient_dim = bases[0].shape[0]
    offsets = np.zeros((len(bases), ambient_dim))
    if affine == 0:
        return offsets
    if not (isinstance(affine, Real) and 0 < affine < np.inf):
        raise ParameterError(f"affine={affine} is not a positive norm; use False, True or the norm of the offsets.")
    widest = max(basis.shape[1] for basis in bases)
    if widest == ambient_dim:
        raise ParameterError(
            f"affine={affine} is impossible: a subspace of dim={widest} fills ambient_dim={ambient_dim}; "
            f"lower dim or raise ambient_dim."
        )
    for row, basis in zip(offsets, bases, strict=True):
        direction = rng.standard_normal(ambient_dim)
        direction -= basis @ (basis.T @ direction)
        row[:] = direction * (affine / np.linalg.norm(direction))
    return offsets


def _coordinates(count, dim, spread, rng):
    """Coordinates on one subspace, ``(count, dim)``, scaled so that the expected squared norm is 1."""
    if spread == "gaussian":
        return rng.standard_normal((count, dim)) / np.sqrt(dim)
    if spread == "uniform":
        direction = rng.standard_normal((count, dim))
        radius = np.sqrt((dim + 2) / dim) * rng.uniform(size=(count, 1)) ** (1 / dim)
        return direction * (radius / np.linalg.norm(direction, axis=1, keepdims=True))
    if spread == "one_sided":
        return rng.uniform(0.5, 1.5, size=(count, dim)) / np.sqrt(dim * 13 / 12)
    raise ParameterError(f"spread={spread!r} is not known; choose one of {', '.join(SPREADS)}.")


def _sizes(n_per_subspace, n_subspaces, imbalance):
    if not (isinstance(imbalance, Real) and 1 <= imbalance < np.inf):
        raise ParameterError(f"imbalance={imbalance} is not a finite number of at least 1 (1 is balanced); give one.")
    sizes = _one_each(n_per_subspace, n_subspaces, "n_per_subspace", None)
    if imbalance == 1:
        return sizes
    if np.ndim(n_per_subspace):
        raise ParameterError(
            f"imbalance={imbalance:g} contradicts a list of sizes; give n_per_subspace as one number, or imbalance=1."
        )
    if n_subspaces == 1:
        raise ParameterError(f"imbalance={imbalance:g} needs at least 2 subspaces, not 1; use imbalance=1.")
    total = sum(sizes)
    shares = np.geomspace(imbalance, 1, n_subspaces)
    ends = np.rint(np.cumsum(shares) / shares.sum() * total).astype(int)
    sizes = np.diff(ends, prepend=0).tolist()
    if min(sizes) < 1:
        raise ParameterError(
            f"imbalance={imbalance:g} leaves a subspace without points; lower it or raise n_per_subspace={n_per_subspace}."
        )
    return sizes


def _one_each(value, n_subspaces, name, limit):
    """A number for all subspaces or a list with one for each, as a list of ints."""
    values = [value] * n_subspaces if np.ndim(value) == 0 else list(value)
    if len(values) != n_subspaces:
        raise ParameterError(f"{name} lists {len(values)} values for n_subspaces={n_subspaces}; give one number or one each.")
    values = [_whole(each, name, 1) for each in values]
    if limit is not None and max(values) > limit:
        raise ParameterError(f"{name}={max(values)} exceeds ambient_dim={limit}; lower {name} or raise ambient_dim.")
    return values


def _whole(value, name, lowest):
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < lowest:
        raise ParameterError(f"{name}={value!r} is not a whole number of at least {lowest}; give one.")
    return int(value)
