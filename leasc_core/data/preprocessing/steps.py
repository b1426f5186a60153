"""The recorded steps: small frozen objects that know how to repeat themselves on new rows."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from leasc_core.data.preprocessing.low_rank import LowRankModel, fill_low_rank
from leasc_core.data.preprocessing.principal import project
from leasc_core.data.scale import unit_rows
from leasc_core.errors import BundleError


def _demand(condition, kind, what):
    if not condition:
        raise BundleError(f"The recorded step {kind!r} is damaged: {what}; save the model again.")


class Step:
    """Base: a step that changes nothing, allows no missing value and keeps every row and column."""

    kind: ClassVar[str]
    # Exactly one step, the first, says what becomes of missing values.
    settles_missing: ClassVar[bool] = False
    allows_missing: ClassVar[bool] = False

    def transform(self, X):
        return X

    def n_features_out(self, n_features):
        """How many columns come out; BundleError where the recorded arrays do not fit ``n_features``."""
        return n_features

    def names_out(self, names):
        """The names of the columns that come out."""
        return names

    def describe(self):
        raise NotImplementedError


@dataclass(frozen=True)
class RefuseMissing(Step):
    kind = "refuse_missing"
    settles_missing = True

    def describe(self):
        return "Missing values are refused."


@dataclass(frozen=True)
class DropRows(Step):
    kind = "drop_rows"
    settles_missing = allows_missing = True

    def describe(self):
        return "Rows with a missing value are left out."

    def transform(self, X):
        return X[self.kept(X)]

    @staticmethod
    def kept(X):
        """Indices of the complete rows."""
        return np.flatnonzero(~np.isnan(X).any(axis=1))


@dataclass(frozen=True)
class FillMean(Step):
    """Missing values become the mean of their column."""

    mean: np.ndarray
    kind = "fill_mean"
    settles_missing = allows_missing = True

    def transform(self, X):
        return np.where(np.isnan(X), self.mean.astype(X.dtype), X)

    def n_features_out(self, n_features):
        _demand(
            self.mean.shape == (n_features,),
            self.kind,
            f"it has {self.mean.shape} means for {n_features} columns",
        )
        return n_features

    def describe(self):
        return "Missing values become the mean of their column."


@dataclass(frozen=True)
class FillLowRank(LowRankModel, Step):
    """Missing values are predicted from the row's other values."""

    kind = "fill_low_rank"
    settles_missing = allows_missing = True

    def transform(self, X):
        return fill_low_rank(X, self)

    def n_features_out(self, n_features):
        one_each = self.mean.shape == self.scale.shape == (n_features,)
        _demand(one_each, self.kind, f"its means and scales do not fit {n_features} columns")
        fits = self.basis.shape == (n_features, self.variances.size) and self.variances.ndim == 1
        _demand(fits, self.kind, f"its basis {self.basis.shape} does not fit {n_features} columns")
        positive = self.noise > 0 and np.all(self.variances > 0) and np.all(self.scale > 0)
        _demand(positive, self.kind, "a variance or scale is not positive")
        return n_features

    def describe(self):
        return f"Missing values are predicted by a model of rank {self.basis.shape[1]}."


@dataclass(frozen=True)
class KeepColumns(Step):
    """Only the listed columns stay."""

    columns: np.ndarray
    n_before: int
    kind = "keep_columns"

    def transform(self, X):
        return X[:, self.columns]

    def n_features_out(self, n_features):
        _demand(self.n_before == n_features, self.kind, f"it expects {self.n_before} columns of {n_features}")
        _demand(
            self.columns.ndim == 1 and self.columns.dtype.kind == "i",
            self.kind,
            "columns are not whole numbers",
        )
        inside = self.columns.size > 0 and np.all((self.columns >= 0) & (self.columns < n_features))
        _demand(inside, self.kind, f"a column lies outside 0 to {n_features - 1}")
        return self.columns.size

    def names_out(self, names):
        return [names[column] for column in self.columns]

    def describe(self):
        return f"{self.columns.size} of {self.n_before} columns stay; the others never change."


@dataclass(frozen=True)
class Standardise(Step):
    """Each column gets mean 0 and standard deviation 1."""

    mean: np.ndarray
    deviation: np.ndarray
    kind = "standardise"

    def transform(self, X):
        return (X - self.mean.astype(X.dtype)) / self.deviation.astype(X.dtype)

    def n_features_out(self, n_features):
        fits = self.mean.shape == self.deviation.shape == (n_features,)
        _demand(fits, self.kind, f"its means and deviations do not fit {n_features} columns")
        _demand(np.all(self.deviation > 0), self.kind, "a deviation is not positive")
        return n_features

    def describe(self):
        return "Each column gets mean 0 and standard deviation 1."


@dataclass(frozen=True)
class PrincipalAxes(Step):
    """Coordinates along the principal axes."""

    mean: np.ndarray
    components: np.ndarray
    variances: np.ndarray
    share: float
    kind = "pca"

    def transform(self, X):
        return project(X, self.mean, self.components)

    def n_features_out(self, n_features):
        _demand(self.mean.shape == (n_features,), self.kind, f"its mean does not fit {n_features} columns")
        fits = self.components.shape == (self.variances.size, n_features) and self.variances.ndim == 1
        _demand(fits and self.variances.size > 0, self.kind, f"its components do not fit {n_features} columns")
        return self.variances.size

    def names_out(self, names):
        return [f"principal axis {number}" for number in range(1, self.variances.size + 1)]

    def describe(self):
        return f"PCA keeps {self.variances.size} components with {self.share:.1%} of the variance."


@dataclass(frozen=True)
class UnitRows(Step):
    """Every row is divided by its norm; a row of zeros stays."""

    kind = "unit_rows"

    def transform(self, X):
        return unit_rows(X)

    def describe(self):
        return "Every row gets length 1."


STEPS = {
    step.kind: step
    for step in (
        RefuseMissing,
        DropRows,
        FillMean,
        FillLowRank,
        KeepColumns,
        Standardise,
        PrincipalAxes,
        UnitRows,
    )
}
