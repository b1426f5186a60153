"""The paper's corruptions, alone or together: noise, outlying entries, missing entries, outlier points."""

from dataclasses import dataclass
from numbers import Real

import numpy as np

from leasc_core.errors import ParameterError


@dataclass(frozen=True)
class Corruption:
    """How much of each corruption; the meanings are those of `make_union_of_subspaces`."""

    noise: float = 0.0
    sparse_fraction: float = 0.0
    sparse_magnitude: float = 5.0
    missing_fraction: float = 0.0
    outlier_fraction: float = 0.0

    def check(self, n_features):
        """Raise a ParameterError that names the first value outside its limits."""
        limits = {
            "noise": np.inf,
            "sparse_fraction": 1.0,
            "sparse_magnitude": np.inf,
            "missing_fraction": (n_features - 1) / n_features,
            "outlier_fraction": 1.0,
        }
        for name, highest in limits.items():
            value = getattr(self, name)
            if not (isinstance(value, Real) and 0 <= value <= highest and value < np.inf):
                raise ParameterError(f"{name}={value!r} is not a number from 0 to {highest:.4g}; choose one that is.")


def corrupt(clean, centred, corruption, streams):
    """Add every corruption asked for; return ``(Y, errors, sparse, missing, outliers)``.

    Parameters
    ----------
    clean : (n_samples, n_features)
    centred : the same without the subspaces' offsets: what the noise level is relative to
    corruption : Corruption
    streams : dict of Generators named "noise", "sparse", "missing" and "outliers"
    """
    outliers = _chosen(clean.shape[0], corruption.outlier_fraction, streams["outliers"])
    sparse = _chosen(clean.size, corruption.sparse_fraction, streams["sparse"]).reshape(clean.shape)
    errors = _gaussian(centred, corruption.noise, streams["noise"])
    errors[outliers] = _random_points(clean, int(outliers.sum()), streams["outliers"]) - clean[outliers]
    typical_entry = np.sqrt(np.mean(clean**2))
    signs = streams["sparse"].choice([-1.0, 1.0], size=int(sparse.sum()))
    errors[sparse] += corruption.sparse_magnitude * typical_entry * signs
    Y = clean + errors
    missing = _missing(clean.shape, corruption.missing_fraction, streams["missing"])
    Y[missing] = np.nan
    return Y, errors, sparse, missing, outliers


def _gaussian(centred, level, rng):
    """Gaussian vectors whose root mean square norm is exactly ``level`` times that of ``centred``."""
    if level == 0:
        return np.zeros_like(centred)
    noise = rng.standard_normal(centred.shape)
    noise *= level * np.linalg.norm(centred) / np.linalg.norm(noise)
    return noise


def _random_points(clean, count, rng):
    """Uniformly random directions whose norm is the root mean square norm of the clean points."""
    directions = rng.standard_normal((count, clean.shape[1]))
    typical_norm = np.linalg.norm(clean) / np.sqrt(clean.shape[0])
    return directions * (typical_norm / np.linalg.norm(directions, axis=1, keepdims=True))


def _chosen(count, fraction, rng):
    """A mask with exactly ``round(fraction * count)`` places True."""
    mask = np.zeros(count, dtype=bool)
    mask[rng.choice(count, size=round(fraction * count), replace=False, shuffle=False)] = True
    return mask


def _missing(shape, fraction, rng):
    """A mask with that share of all entries True and at least one entry of every row left."""
    mask = np.zeros(shape, dtype=bool)
    count = round(fraction * mask.size)
    if count == 0:
        return mask
    kept = np.zeros(shape, dtype=bool)
    kept[np.arange(shape[0]), rng.integers(shape[1], size=shape[0])] = True
    mask.flat[rng.choice(np.flatnonzero(~kept), size=count, replace=False, shuffle=False)] = True
    return mask
