"""Axes of a clean cut: orthonormal, found whatever the rotation of the coordinates and the sizes of the clusters."""

import numpy as np
from scipy import stats

from leasc_core.spectral.kmeans import nearest_centre
from leasc_core.spectral.rotation import turned_axes


def test_turned_indicators_are_found_again():
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(6), [200, 5, 40, 10, 80, 5])
    places = np.eye(6)[y] @ stats.ortho_group.rvs(6, random_state=0) + 0.02 * rng.normal(size=(len(y), 6))
    places /= np.linalg.norm(places, axis=1, keepdims=True)
    axes = turned_axes(places)
    np.testing.assert_allclose(axes @ axes.T, np.eye(6), atol=1e-10)
    labels = nearest_centre(places, axes)
    assert len({(a, b) for a, b in zip(y, labels, strict=True)}) == 6
