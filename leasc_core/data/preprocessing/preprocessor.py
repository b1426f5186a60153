"""The Preprocessor: learn the cleaning on one data set, record it, repeat it on any other."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from leasc_core.data.preprocessing.blocks import as_rows, is_single_use, row_blocks
from leasc_core.data.preprocessing.low_rank import fit_low_rank
from leasc_core.data.preprocessing.moments import ColumnStatistics, require_finite
from leasc_core.data.preprocessing.principal import StreamingPCA, check_pca_parameters
from leasc_core.data.preprocessing.record import record_steps, steps_from_record
from leasc_core.data.preprocessing.sampling import RowSample
from leasc_core.data.preprocessing.steps import (
    DropRows,
    FillLowRank,
    FillMean,
    KeepColumns,
    PrincipalAxes,
    RefuseMissing,
    Standardise,
    UnitRows,
)
from leasc_core.errors import BundleError, DataError, ParameterError

MISSING = ("error", "drop", "mean", "low_rank")
STATE_VERSION = 1


class Preprocessor:
    """Missing values, constant columns, standardising, PCA and unit rows, in this order.

    `fit` takes an array, a path, a source or a list of blocks and never holds it whole; the low-rank model is
    learned from an even sample of at most 5,000 rows. float32 rows stay float32.

    Parameters
    ----------
    missing : "error", "drop" (rows), "mean" or "low_rank"
    drop_constant : bool, leave out columns that show one value only
    standardise : bool, mean 0 and standard deviation 1 per column
    n_components, variance : PCA by number of components or by share of variance kept; both None: no PCA
    unit_rows : bool, divide every row by its norm

    Attributes
    ----------
    steps_ : list of the recorded steps, each with ``describe()``
    n_features_in_, n_features_out_ : columns before and after
    n_rows_, n_missing_ : rows and missing values seen by `fit`
    """

    def __init__(
        self,
        missing: str = "error",
        *,
        drop_constant: bool = False,
        standardise: bool = False,
        n_components: int | None = None,
        variance: float | None = None,
        unit_rows: bool = False,
    ):
        self.missing = missing
        self.drop_constant = drop_constant
        self.standardise = standardise
        self.n_components = n_components
        self.variance = variance
        self.unit_rows = unit_rows

    def fit(self, data: Any) -> "Preprocessor":
        """Learn every step; returns itself."""
        self._check_parameters(data)
        statistics, sample = self._read_columns(data)
        self.steps_ = [self._missing_step(statistics, sample, getattr(data, "feature_names", None) or "")]
        if self.drop_constant:
            self.steps_.append(_changing_columns(statistics))
        if self.standardise:
            self.steps_.append(self._scaling(statistics, data))
        if self._reduces():
            self.steps_.append(self._principal_axes(data))
        if self.unit_rows:
            self.steps_.append(UnitRows())
        self.n_features_out_ = self._count_features_out()
        return self

    def transform(self, X: ArrayLike, *, return_rows: bool = False) -> Any:
        """Repeat the steps on an array; with ``return_rows`` also the indices of the rows that stayed."""
        X, rows = self._repeat(as_rows(X), 0)
        return (X, rows) if return_rows else X

    def fit_transform(self, X: ArrayLike, *, return_rows: bool = False) -> Any:
        """Learn the steps on an array and repeat them on it."""
        return self.fit(X).transform(X, return_rows=return_rows)

    def transform_blocks(self, data: Any) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield ``(block, rows)``: each transformed block and where its rows stood in the whole."""
        first_row = 0
        for block in row_blocks(data):
            transformed, rows = self._repeat(block, first_row)
            yield transformed, rows + first_row
            first_row += block.shape[0]

    def names_out(self, names: Sequence[str] | None) -> list[str] | None:
        """The names of the columns that come out, from those that go in."""
        for step in self.steps_:
            names = step.names_out(list(names))
        return names

    def state(self) -> tuple[dict, dict]:
        """``(settings, arrays)``: a dict that JSON can carry and named arrays, all `from_state` needs."""
        steps, arrays = record_steps(self.steps_)
        settings = {
            "version": STATE_VERSION,
            "parameters": dict(self._parameters()),
            "n_features_in": self.n_features_in_,
            "n_rows": self.n_rows_,
            "n_missing": self.n_missing_,
            "steps": steps,
        }
        return settings, arrays

    def sentences(self) -> list[str]:
        """What is done, step by step."""
        return [step.describe() for step in self.steps_]

    @classmethod
    def from_state(cls, settings: dict, arrays: dict) -> "Preprocessor":
        """The Preprocessor that `state` recorded; BundleError where the record is not sound."""
        if not isinstance(settings, dict) or settings.get("version") != STATE_VERSION:
            raise BundleError(f"The recorded preprocessing is not of version {STATE_VERSION}; save the model again.")
        counts = [settings.get(name) for name in ("n_features_in", "n_rows", "n_missing")]
        if not all(type(count) is int and count >= 0 for count in counts):
            raise BundleError(f"The recorded preprocessing has counts {counts}; save the model again.")
        try:
            made = cls(**settings["parameters"])
        except (KeyError, TypeError) as error:
            raise BundleError("The recorded preprocessing has unknown parameters; save the model again.") from error
        made.n_features_in_, made.n_rows_, made.n_missing_ = counts
        made.steps_ = steps_from_record(settings.get("steps"), arrays, made.n_features_in_)
        made.n_features_out_ = made._count_features_out()
        return made

    def _parameters(self):
        names = ("missing", "drop_constant", "standardise", "n_components", "variance", "unit_rows")
        return ((name, getattr(self, name)) for name in names)

    def _reduces(self):
        return self.n_components is not None or self.variance is not None

    def _check_parameters(self, data):
        if self.missing not in MISSING:
            raise ParameterError(f"missing={self.missing!r} is not known; choose one of {', '.join(MISSING)}.")
        check_pca_parameters(self.n_components, self.variance)
        rereads = self._reduces() or (self.standardise and self.missing == "low_rank")
        if rereads and is_single_use(data):
            raise ParameterError(
                "These steps read the data more than once and a generator can be read only once; "
                "give an array, a source or a list of blocks."
            )

    def _read_columns(self, data):
        """One pass: the columns' statistics, and a sample of rows where the low-rank model needs it."""
        statistics, sample = ColumnStatistics(), RowSample() if self.missing == "low_rank" else None
        self.n_rows_ = self.n_missing_ = 0
        for block in row_blocks(data):
            require_finite(block, self.n_rows_, missing_allowed=self.missing != "error")
            self.n_rows_ += block.shape[0]
            self.n_missing_ += int(np.isnan(block).sum())
            statistics.add(DropRows().transform(block) if self.missing == "drop" else block)
            if sample is not None:
                sample.add(block)
        if self.n_rows_ == 0:
            raise DataError("There are no rows to learn from; check the source of the data.")
        if statistics.n_rows == 0:
            raise DataError(
                f'Each of the {self.n_rows_} rows has a missing value and missing="drop" leaves none; '
                f'choose "mean" or "low_rank".'
            )
        self.n_features_in_ = statistics.count.size
        return statistics, sample

    def _missing_step(self, statistics, sample, names):
        if self.missing == "error":
            return RefuseMissing()
        if self.missing == "drop":
            return DropRows()
        empty = np.flatnonzero(statistics.count == 0)
        if empty.size and not self.drop_constant:
            raise DataError(
                f"Column {empty[0]} (counting from 0){names and f', {names[empty[0]]!r},'} has no value at all, so none can be "
                f"filled in; leave that column out, or all that never change (drop_constant)."
            )
        if self.missing == "mean":
            return FillMean(statistics.mean)
        return FillLowRank(**vars(fit_low_rank(sample.rows())))

    def _scaling(self, statistics, data):
        """Means and deviations of the columns after filling; a column that never changes keeps scale 1."""
        if self.missing == "low_rank":
            statistics = ColumnStatistics()
            for block, _ in self.transform_blocks(data):
                statistics.add(block)
            mean, deviation = statistics.mean, statistics.deviation()
        else:
            columns = self.steps_[-1].columns if self.drop_constant else slice(None)
            mean, deviation = statistics.mean[columns], statistics.deviation()[columns]
        return Standardise(mean, np.where(deviation > 0, deviation, 1.0))

    def _principal_axes(self, data):
        pca = StreamingPCA(self.n_components, self.variance)
        pca.fit(block for block, _ in self.transform_blocks(data))
        share = float(pca.explained_variance_ratio_.sum())
        return PrincipalAxes(pca.mean_, pca.components_, pca.explained_variance_, share)

    def _count_features_out(self):
        count = self.n_features_in_
        for step in self.steps_:
            count = step.n_features_out(count)
        return count

    def _repeat(self, block, first_row):
        """The block after all steps, and the indices within it of the rows that stayed."""
        if block.shape[1] != self.n_features_in_:
            raise DataError(
                f"The data have {block.shape[1]} columns and the recorded preprocessing expects "
                f"{self.n_features_in_}; give the same columns as before."
            )
        first = self.steps_[0]
        require_finite(block, first_row, missing_allowed=first.allows_missing)
        rows = first.kept(block) if isinstance(first, DropRows) else np.arange(block.shape[0])
        for step in self.steps_:
            block = step.transform(block)
        return block, rows


def _changing_columns(statistics):
    columns = np.flatnonzero(~statistics.constant_columns())
    if columns.size == 0:
        raise DataError(
            f"Each of the {statistics.count.size} columns holds one value and drop_constant leaves none; check the data."
        )
    return KeepColumns(columns, statistics.count.size)
