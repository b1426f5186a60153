"""Filling missing values by a low-rank model: a mean, a few axes, and each row's best place among them.

The model is probabilistic PCA on scaled columns: row = mean + scale * (basis a + noise), a ~ N(0, variances).
"""

from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

CANDIDATE_RANKS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
HIDDEN_SHARE = 0.1
WARM_UP = 5
# The search for the rank may stop earlier than the fit: it compares errors, it does not keep the values.
SEARCH_ROWS, SEARCH_ITERATIONS, SEARCH_SETTLED = 1000, 50, 1e-3
FIT_ITERATIONS, FIT_SETTLED = 200, 1e-5
# Below this share of a column's variance, noise is taken as rounding: it keeps the small systems solvable.
NOISE_FLOOR = 1e-8
ROWS_PER_SOLVE = 1024


@dataclass(frozen=True)
class LowRankModel:
    """mean, scale ``(n_features,)``; basis ``(n_features, rank)``; variances ``(rank,)``; noise variance."""

    mean: np.ndarray
    scale: np.ndarray
    basis: np.ndarray
    variances: np.ndarray
    noise: float


def fit_low_rank(sample, seed=0):
    """Learn a `LowRankModel` from rows with NaNs; its rank best predicts values hidden from the fit."""
    # Thousands of small products: threads would spend their time waiting for one another.
    with threadpool_limits(1, user_api="blas"):
        return _fit(sample, seed)


def _fit(sample, seed):
    mean, scale = _column_scales(sample)
    scaled = (sample - mean) / scale
    rank = _best_rank(scaled[:: max(1, scaled.shape[0] // SEARCH_ROWS)], seed)
    start = _random_basis(scaled.shape[1], rank, seed)
    _, centre, basis, variances, noise = _iterate(scaled, start, FIT_ITERATIONS, FIT_SETTLED)
    return LowRankModel(mean + centre * scale, scale, basis, variances, noise)


def fill_low_rank(X, model):
    """Copy of X whose NaNs are the values at each row's most probable place in the model."""
    filled = np.array(X)
    gaps = np.isnan(filled)
    rows = np.flatnonzero(gaps.any(axis=1))
    for start in range(0, rows.size, ROWS_PER_SOLVE):
        some = rows[start : start + ROWS_PER_SOLVE]
        scaled = (filled[some].astype(np.float64) - model.mean) / model.scale
        expected = _places(scaled, model) @ model.basis.T * model.scale + model.mean
        filled[some] = np.where(gaps[some], expected, filled[some])
    return filled


def _places(scaled, model):
    """Most probable coordinates: ridge least squares on the observed entries of each row."""
    seen = (~np.isnan(scaled)).astype(np.float64)
    values = np.where(np.isnan(scaled), 0.0, scaled)
    n_features, rank = model.basis.shape
    products = (model.basis[:, :, None] * model.basis[:, None, :]).reshape(n_features, rank * rank)
    systems = (seen @ products).reshape(len(seen), rank, rank) + np.diag(model.noise / model.variances)
    return np.linalg.solve(systems, (values @ model.basis)[:, :, None])[:, :, 0]


def _column_scales(sample):
    """Mean and standard deviation of the observed values; 0 and 1 where there are none to speak of."""
    seen = ~np.isnan(sample)
    count = np.maximum(seen.sum(axis=0), 1)
    mean = np.where(seen, sample, 0.0).sum(axis=0) / count
    scale = np.sqrt(np.square(np.where(seen, sample - mean, 0.0)).sum(axis=0) / count)
    return mean, np.where(scale > 0, scale, 1.0)


def _best_rank(scaled, seed):
    """The rank, 0 (the mean) included, with the smallest error on observed values hidden from the fit."""
    observed = np.flatnonzero(~np.isnan(scaled))
    count = int(HIDDEN_SHARE * observed.size)
    hidden = np.random.default_rng(seed).choice(observed, size=count, replace=False)
    truth = scaled.flat[hidden]
    holed = scaled.copy()
    holed.flat[hidden] = np.nan
    best_rank, smallest_error, worse = 0, np.square(truth).sum(), 0
    for rank in CANDIDATE_RANKS:
        if rank >= min(scaled.shape) or worse == 2:
            break
        start = _random_basis(scaled.shape[1], rank, seed)
        filled = _iterate(holed, start, SEARCH_ITERATIONS, SEARCH_SETTLED)[0]
        error = np.square(filled.flat[hidden] - truth).sum()
        worse = 0 if error < smallest_error else worse + 1
        if worse == 0:
            best_rank, smallest_error = rank, error
    return best_rank


def _random_basis(n_features, rank, seed):
    return np.linalg.qr(np.random.default_rng(seed).standard_normal((n_features, rank)))[0]


def _iterate(scaled, basis, max_iterations, settled):
    """Fill, turn the axes towards the filled rows, fill again until the filled values settle.

    Its fixed point puts every row where `_places` would, without solving a system for each row.
    Returns ``(filled, centre, basis, variances, noise)``.
    """
    gaps = np.isnan(scaled)
    filled = np.where(gaps, 0.0, scaled)
    for _ in range(WARM_UP):
        basis = _turned(filled - filled.mean(axis=0), basis)[0]
    for _ in range(max_iterations):
        centre = filled.mean(axis=0)
        centred = filled - centre
        basis, variances, noise = _turned(centred, basis)
        shrinkage = variances / (variances + noise)
        expected = (centred @ basis * shrinkage @ basis.T + centre)[gaps]
        change = np.linalg.norm(expected - filled[gaps])
        filled[gaps] = expected
        if change <= settled * np.linalg.norm(expected):
            break
    return filled, centre, basis, variances, noise


def _turned(centred, basis):
    """One step of orthogonal iteration: ``(basis, variances beyond the noise, noise)``."""
    n_rows, n_features = centred.shape
    rank = basis.shape[1]
    basis = np.linalg.qr(centred.T @ (centred @ basis))[0]
    coordinates = centred @ basis
    values, turn = np.linalg.eigh(coordinates.T @ coordinates / n_rows)
    total = np.square(centred).sum() / n_rows
    left_over = max(total - values.sum(), 0.0) / (n_features - rank)
    floor = max(NOISE_FLOOR * total / n_features, np.finfo(float).tiny)
    noise = max(left_over, floor)
    return basis @ turn, np.maximum(values - noise, floor), float(noise)
