"""Principal component analysis in one pass over blocks of rows, by components or by variance kept."""

from numbers import Integral, Real

import numpy as np
from scipy.linalg import eigh

from leasc_core.data.preprocessing.blocks import row_blocks
from leasc_core.data.preprocessing.moments import Moments, require_finite
from leasc_core.errors import DataError, ParameterError

# A float64 scatter matrix of this many features takes 0.8 GB.
MAX_SCATTER_FEATURES = 10_000


class StreamingPCA:
    """Principal axes of rows that are read once, block by block.

    Parameters
    ----------
    n_components : int or None, how many components to keep
    variance : float in (0, 1] or None, keep the fewest components that hold this share of the variance
        (give one of the two, or neither to keep all)

    Attributes
    ----------
    mean_ : (n_features,)
    components_ : (n_components, n_features), orthonormal rows; the largest entry of each is positive
    explained_variance_ : (n_components,), with divisor n_samples - 1
    explained_variance_ratio_ : (n_components,)
    """

    def __init__(self, n_components=None, variance=None):
        self.n_components = n_components
        self.variance = variance

    def fit(self, data):
        """Learn from an array, a path, a source, or a list or generator of blocks."""
        check_pca_parameters(self.n_components, self.variance)
        rows, moments = _rows_or_moments(data)
        count = sum(block.shape[0] for block in rows) if moments is None else moments.count
        n_features = rows[0].shape[1] if moments is None else moments.mean.size
        if count < 2:
            raise DataError(f"PCA needs at least 2 rows and got {count}; add rows or leave PCA out.")
        limit = min(count, n_features)
        if self.n_components is not None and self.n_components > limit:
            raise ParameterError(
                f"n_components={self.n_components} exceeds {limit}, the smaller of {count} rows and "
                f"{n_features} columns; lower it."
            )
        if moments is None:
            self.mean_, variances, axes = _axes_of_rows(np.concatenate(rows), count)
            total = variances.sum()
        else:
            total = np.trace(moments.scatter) / (count - 1)
            self.mean_, variances, axes = _axes_of_moments(moments, self.n_components)
        kept = self._number_kept(variances, total)
        self.explained_variance_ = variances[:kept]
        self.explained_variance_ratio_ = variances[:kept] / total if total > 0 else np.zeros(kept)
        self.components_ = _with_fixed_signs(axes[:kept])
        return self

    def transform(self, X):
        """Coordinates of the rows along the components; float32 stays float32."""
        return project(X, self.mean_, self.components_)

    def inverse_transform(self, Z):
        """The rows that have these coordinates."""
        return Z @ self.components_.astype(Z.dtype) + self.mean_.astype(Z.dtype)

    def _number_kept(self, variances, total):
        if self.n_components is not None:
            return self.n_components
        if self.variance is None:
            return variances.size
        reached = np.cumsum(variances) >= self.variance * total * (1 - 1e-12)
        return int(np.argmax(reached)) + 1 if reached.any() else variances.size


def project(X, mean, components):
    """``(X - mean) components^T`` in the type of X."""
    return (X - mean.astype(X.dtype)) @ components.T.astype(X.dtype)


def check_pca_parameters(n_components, variance):
    """Refuse both at once, and values outside their limits."""
    if n_components is not None and variance is not None:
        raise ParameterError(f"n_components={n_components} and variance={variance} were both given; choose one of them.")
    if n_components is not None and not (isinstance(n_components, Integral) and n_components >= 1):
        raise ParameterError(f"n_components={n_components!r} is not a whole number of at least 1; give one.")
    if variance is not None and not (isinstance(variance, Real) and 0 < variance <= 1):
        raise ParameterError(f"variance={variance!r} is not in (0, 1]; give the share of variance to keep.")


def _rows_or_moments(data):
    """All rows, as blocks, where they are no more than the features, else their moments: the cheaper one."""
    kept, n_rows, moments = [], 0, None
    for block in row_blocks(data):
        require_finite(block, n_rows, missing_allowed=False)
        n_rows += block.shape[0]
        if moments is not None:
            moments.add(block)
            continue
        kept.append(block)
        if n_rows > block.shape[1]:
            moments = _moments_of(kept)
            kept = []
    if not kept and moments is None:
        raise DataError("PCA got no rows; check the source of the data.")
    return kept, moments


def _moments_of(blocks):
    n_features = blocks[0].shape[1]
    if n_features > MAX_SCATTER_FEATURES:
        raise DataError(
            f"PCA of {n_features} columns and as many rows exceeds its limit of {MAX_SCATTER_FEATURES} "
            f"columns; reduce the columns first, for images by a smaller size."
        )
    moments = Moments(n_features)
    for block in blocks:
        moments.add(block)
    return moments


def _axes_of_rows(rows, count):
    mean = rows.mean(axis=0, dtype=np.float64)
    _, scales, axes = np.linalg.svd(rows - mean, full_matrices=False)
    return mean, scales**2 / (count - 1), axes


def _axes_of_moments(moments, n_components):
    n_features = moments.mean.size
    wanted = None if n_components is None else (n_features - n_components, n_features - 1)
    values, vectors = eigh(moments.scatter / (moments.count - 1), subset_by_index=wanted)
    return moments.mean, np.maximum(values[::-1], 0.0), vectors.T[::-1]


def _with_fixed_signs(axes):
    """Turn each axis so that its entry of largest size is positive: an axis has no sign of its own."""
    peaks = np.argmax(np.abs(axes), axis=1)
    return axes * np.where(axes[np.arange(axes.shape[0]), peaks] < 0, -1.0, 1.0)[:, None]
