"""Axes above noise: as many as were planted, whatever the noise and the shape of the matrix."""

import numpy as np
import pytest

from leasc_core.features.noise import axes_above_noise
from leasc_core.prepare import Preparation, choose


def planted(n, d, axes, noise, seed=0):
    """Rows on ``axes`` directions of one size and a centre, in noise."""
    rng = np.random.default_rng(seed)
    bases = np.linalg.qr(rng.normal(size=(d, axes)))[0]
    return 5.0 + rng.normal(size=(n, axes)) @ bases.T * np.sqrt(d) + noise * rng.normal(size=(n, d))


@pytest.mark.parametrize(("n", "d"), [(400, 60), (60, 400), (300, 300)])
@pytest.mark.parametrize("axes", [2, 7])
@pytest.mark.parametrize("noise", [1e-6, 0.1, 1.0])
def test_planted_axes_are_counted(n, d, axes, noise):
    assert axes_above_noise(planted(n, d, axes, noise)) == axes


def test_noise_alone_has_none_and_exact_rows_keep_what_they_have():
    rng = np.random.default_rng(1)
    assert axes_above_noise(rng.normal(size=(500, 80))) == 0
    assert axes_above_noise(planted(300, 100, 9, 0.0)) == 9


def test_groups_that_noise_hides_are_prepared_without_it():
    rng = np.random.default_rng(2)
    truth = np.arange(300) % 5
    rows = rng.normal(size=(5, 4))[truth] @ rng.normal(size=(4, 400)) + 6 * rng.normal(size=(300, 400))
    assert choose(rows.astype(np.float32), 5).preparation == "denoised"
    assert 2 <= Preparation("denoised").fit(rows).n_features_out_ <= 4, "five centres differ in four directions"
