"""Checks on the points that enter an estimator: shape, type, finite values."""

import os
from dataclasses import replace

import numpy as np
from sklearn.utils.validation import validate_data

from ..data.columns.info import ColumnInfo
from ..data.finite import refuse_non_finite
from ..data.guards import LARGEST_VALUE
from ..data.scale import refuse_huge
from ..data.sources import DataSource, open_source
from ..data.sources.matching import match
from ..engine.dask import DaskSource, is_dask_array
from ..errors import DataError

LEAST_POINTS = 2
LEAST_FEATURES = 2


def as_source(estimator, Y, reset):
    """A :class:`DataSource` of ``Y`` (array, frame, memory map, path or source) with its width checked against the fit."""
    if hasattr(Y, "to_pandas") and hasattr(Y, "columns"):  # polars, Arrow and their like
        Y = Y.to_pandas()
    if is_dask_array(Y):
        source = DaskSource(Y)
        _check_width(estimator, source.shape[1], reset)
    elif isinstance(Y, (str, os.PathLike, DataSource, np.memmap)) or _is_dataset(Y) or _is_table(estimator, Y, reset):
        source = _named(estimator, Y, reset)
        _check_width(estimator, source.shape[1], reset)
    else:
        if not reset and hasattr(Y, "columns") and hasattr(Y, "loc"):
            Y = _frame_by_name(estimator, Y)
        if isinstance(Y, (list, tuple)):
            Y = _as_table(Y)
        array = validate_data(
            estimator, Y, reset=reset, dtype="numeric", ensure_all_finite=False, ensure_min_samples=0, ensure_min_features=0
        )
        source = open_source(array)
    _check_size(estimator, source.shape, reset)
    return source


def _as_table(rows):
    try:
        return np.asarray(rows)
    except ValueError:
        raise DataError("The rows have different lengths; give every row a value for each feature.") from None


def _is_dataset(Y):
    return hasattr(Y, "X") and hasattr(Y, "fingerprint")


def _is_table(estimator, Y, reset):
    """Is it a data frame with columns that are no numbers, or new data for what was fitted to a table?"""
    if not (hasattr(Y, "columns") and hasattr(Y, "dtypes") and hasattr(Y, "loc")):
        return False
    return (
        any(getattr(kind, "kind", "O") not in "biuf" for kind in Y.dtypes) if reset else bool(getattr(estimator, "columns_", ()))
    )


def _named(estimator, Y, reset):
    """The source of files and sources: fit remembers the names of features, what comes later is matched to them."""
    if reset:
        source = open_source(Y)
        estimator.columns_ = tuple(replace(column, sample=(), why="") for column in source.columns)
        if source.feature_names is not None:
            estimator.feature_names_in_ = np.array([str(name) for name in source.feature_names], dtype=object)
        elif hasattr(estimator, "feature_names_in_"):
            del estimator.feature_names_in_
        return source
    source = Y if isinstance(Y, DataSource) else open_source(Y, like=known_columns(estimator))
    return match(source, getattr(estimator, "feature_names_in_", None))


def known_columns(estimator):
    """ColumnInfo of the data an estimator was fitted to, as `open_source(like=)` takes them; () where it knows no names."""
    names, columns = getattr(estimator, "feature_names_in_", ()), getattr(estimator, "columns_", ())
    if any(column.role == "feature" for column in columns):
        return columns
    return tuple(ColumnInfo(str(name), "feature", "number") for name in names)


def _frame_by_name(estimator, frame):
    """The frame's columns in the order of fit; a missing or foreign one is refused by its name."""
    names = getattr(estimator, "feature_names_in_", None)
    if names is None or not all(isinstance(name, str) for name in frame.columns) or not frame.columns.is_unique:
        return frame
    own = set(frame.columns)
    missing, foreign = [name for name in names if name not in own], [name for name in frame.columns if name not in set(names)]
    if missing or foreign:
        what = (
            f"no column {missing[0]!r}, which it was fitted to" if missing else f"a column {foreign[0]!r}, which it does not know"
        )
        raise DataError(f"X has {what}: give the columns of fit, in any order.")
    return frame[list(names)]


def as_array(estimator, X, reset, limit=LARGEST_VALUE):
    """``X`` as a two-dimensional array of finite single- or double-precision numbers up to ``limit``."""
    source = as_source(estimator, X, reset)
    block = np.vstack([block for _, block in checked_blocks(source, None)]) if len(source) else np.empty(source.shape)
    block = block if block.dtype in (np.float32, np.float64) else block.astype(np.float64)
    refuse_huge(block, 0, limit)
    return block


def checked_blocks(source, rows):
    """``(start, block)`` of a source; a value that is not finite is an error that says where it is."""
    for start, block in source.raw_blocks(source.block_rows(rows)):
        refuse_non_finite(block, start)
        yield start, block


def _check_width(estimator, width, reset):
    if reset:
        estimator.n_features_in_ = width
    elif width != estimator.n_features_in_:
        raise DataError(
            f"X has {width} features, but {type(estimator).__name__} is expecting {estimator.n_features_in_} features "
            "as input: give points with the same features as those of fit."
        )


def _check_size(estimator, shape, reset):
    name = type(estimator).__name__
    if shape[0] == 0 or shape[1] == 0:
        raise DataError(
            f"The data are empty: 0 sample(s) or 0 feature(s) (shape={shape}) while a minimum of 1 is required; "
            "give at least one row and one column."
        )
    if reset and shape[0] < LEAST_POINTS:
        raise DataError(f"{name} got 1 sample (n_samples=1) and needs at least {LEAST_POINTS}: give more rows.")
    if reset and shape[1] < LEAST_FEATURES:
        raise DataError(
            f"{name} got 1 feature(s) (n_features = 1), which leaves room for a single subspace; give at least "
            f"{LEAST_FEATURES} features."
        )
