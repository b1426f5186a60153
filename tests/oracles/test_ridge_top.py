"""The top layer against scikit-learn's ridge, and its leave-one-out error against leaving each point out."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from leasc_core.encoder.ridge import SKETCH, STRENGTHS, ridge_top

SHAPES = {"dual (points < units)": (12, 30), "primal (points > units)": (30, 12), "square": (15, 15)}


def layer(shape, outputs=4, seed=0, noise=0.3):
    rng = np.random.default_rng(seed)
    H = rng.standard_normal(shape)
    return H, H @ rng.standard_normal((shape[1], outputs)) + noise * rng.standard_normal((shape[0], outputs))


def left_out_error(H, Z, strength):
    """Refit without each point in turn."""
    left_out = np.empty_like(Z)
    for i in range(len(H)):
        ridge = Ridge(strength, fit_intercept=False, solver="svd").fit(np.delete(H, i, 0), np.delete(Z, i, 0))
        left_out[i] = ridge.predict(H[i : i + 1]).reshape(-1)
    return np.linalg.norm(Z - left_out) / np.linalg.norm(Z)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("noise", [0.0, 0.3, 10.0])
def test_top_layer_is_the_ridge_that_leaves_one_out_best(shape, noise):
    H, Z = layer(shape, noise=noise)
    B, error = ridge_top(H, Z)
    largest = np.linalg.norm(H, 2) ** 2
    errors = [left_out_error(H, Z, s * largest) for s in STRENGTHS]
    assert error == pytest.approx(min(errors), rel=1e-6)
    ridge = Ridge(STRENGTHS[np.argmin(errors)] * largest, fit_intercept=False, solver="svd").fit(H, Z)
    assert np.abs(B - ridge.coef_.T).max() <= 1e-6 * np.abs(ridge.coef_).max()


@pytest.mark.parametrize("shape", [(20, 40), (40, 20)])
def test_wide_codes_choose_nearly_the_same_strength(shape):
    """Beyond 64 outputs a sketch decides: its ridge is one of the grid, and all but the best of it."""
    H, Z = layer(shape, outputs=3 * SKETCH, noise=1.0)
    B, error = ridge_top(H, Z)
    largest = np.linalg.norm(H, 2) ** 2
    errors = np.array([left_out_error(H, Z, s * largest) for s in STRENGTHS])
    ridges = [Ridge(s * largest, fit_intercept=False, solver="svd").fit(H, Z).coef_.T for s in STRENGTHS]
    chosen = int(np.argmin([np.abs(B - R).max() for R in ridges]))
    assert np.allclose(B, ridges[chosen], atol=1e-6 * np.abs(B).max())
    assert errors[chosen] <= 1.05 * errors.min()
    assert error == pytest.approx(errors[chosen], rel=0.2)


@pytest.mark.parametrize("shape", [(10, 25), (25, 10)])
def test_degenerate_layers(shape):
    """Dead units, repeated points, all zeros: a finite answer."""
    H, Z = layer(shape)
    H[:, ::2] = 0
    H[1] = H[0]
    for hidden, codes in ((H, Z), (np.zeros(shape), Z), (H, np.zeros_like(Z)), (1e8 * H, Z), (1e-8 * H, Z)):
        B, error = ridge_top(hidden, codes)
        assert np.isfinite(B).all()
        assert np.isfinite(error)


def test_single_precision_in_is_solved_in_double():
    H, Z = layer((30, 12))
    double, _ = ridge_top(H, Z)
    single, _ = ridge_top(H.astype(np.float32), Z.astype(np.float32))
    assert np.allclose(single, double, atol=1e-4 * np.abs(double).max())
