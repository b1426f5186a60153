"""Checks on the points that enter an estimator: shape, type, finite values, directions."""

import os
import warnings

import numpy as np
from sklearn.utils.validation import validate_data

from ..data.sources import DataSource, open_source
from ..engine.dask import DaskSource, is_dask_array
from ..errors import DataError

LEAST_POINTS = 2
LEAST_FEATURES = 2


def as_source(estimator, Y, reset):
    """A :class:`DataSource` of ``Y`` (array, frame, memory map, path or source) with its width checked against the fit."""
    if is_dask_array(Y):
        source = DaskSource(Y)
        _check_width(estimator, source.shape[1], reset)
    elif isinstance(Y, (str, os.PathLike, DataSource, np.memmap)) or (hasattr(Y, "X") and hasattr(Y, "fingerprint")):
        source = open_source(Y)
        _check_width(estimator, source.shape[1], reset)
    else:
        array = validate_data(
            estimator, Y, reset=reset, dtype="numeric", ensure_all_finite=False, ensure_min_samples=0, ensure_min_features=0
        )
        source = open_source(array)
    _check_size(estimator, source.shape, reset)
    return source


def as_array(estimator, X, reset):
    """``X`` as a two-dimensional array of finite single- or double-precision numbers."""
    source = as_source(estimator, X, reset)
    block = np.vstack([block for _, block in checked_blocks(source, None)]) if len(source) else np.empty(source.shape)
    return block if block.dtype in (np.float32, np.float64) else block.astype(np.float64)


def checked_blocks(source, rows):
    """``(start, block)`` of a source; a value that is not finite is an error that says where it is."""
    for start, block in source.raw_blocks(source.block_rows(rows)):
        if block.dtype.kind == "f" and not np.isfinite(np.sum(block, dtype=np.float64)):
            refuse_non_finite(block, start)
        yield start, block


def prepared(block, rows, unit_rows):
    """Rows as the network sees them: floating, finite, of length one where asked.

    ``rows`` is the number of the first, or the numbers of all, for what is said of a bad one.
    """
    block = block if block.dtype in (np.float32, np.float64) else block.astype(np.float32)
    if not np.isfinite(np.sum(block, dtype=np.float64)):
        refuse_non_finite(block, rows)
    return directions(block, rows) if unit_rows else block


def refuse_non_finite(block, rows):
    """Name the first NaN or infinite value."""
    where = np.argwhere(~np.isfinite(block))
    if len(where):
        row, column = where[0]
        what = "NaN (missing)" if np.isnan(block[row, column]) else "inf (infinite)"
        raise DataError(
            f"Row {_number(rows, row)}, feature {column} is {what}, and {len(where)} value(s) near it are not finite: "
            "drop those rows or fill them in (leasc_core.data.preprocessing does both)."
        )


def directions(block, rows):
    """Rows scaled to length one; a zero row has no direction, stays zero, and is warned of."""
    norms = np.sqrt(np.einsum("ij,ij->i", block, block))
    zero = np.flatnonzero(norms == 0)
    if zero.size:
        warnings.warn(
            f"Row {_number(rows, zero[0])} is all zeros ({zero.size} such row(s) near it): it lies on every subspace at once, so "
            "its label means nothing; drop such rows.",
            stacklevel=2,
        )
    return block / np.where(norms > 0, norms, 1.0)[:, None].astype(block.dtype)


def _number(rows, at):
    """The number of a row within a block: counted on from the first, or looked up."""
    return rows[at] if np.ndim(rows) else rows + at


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
        raise DataError(f"The data are empty: 0 sample(s) or 0 feature(s) (shape={shape}) while a minimum of 1 is required; "
                        "give at least one row and one column.")  # fmt: skip
    if reset and shape[0] < LEAST_POINTS:
        raise DataError(f"{name} got 1 sample (n_samples=1) and needs at least {LEAST_POINTS}: give more rows.")
    if reset and shape[1] < LEAST_FEATURES:
        raise DataError(
            f"{name} got 1 feature(s) (n_features = 1), which leaves room for a single subspace; give at least "
            f"{LEAST_FEATURES} features."
        )
