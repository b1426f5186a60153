"""TSC's weights against scikit-learn's cosine distances (that it recovers subspaces, every baseline is tested for)."""

import numpy as np
from sklearn.metrics.pairwise import cosine_distances

from leasc_core import baselines


def test_weights_fall_with_the_angle_between_lines():
    X = np.random.default_rng(0).standard_normal((60, 5))
    weights = baselines.get("tsc").run(X, 3).codes
    angles = np.arccos(1.0 - np.minimum(cosine_distances(X), cosine_distances(X, -X)))
    apart = ~np.eye(60, dtype=bool)
    np.testing.assert_allclose(weights[apart], np.exp(-2.0 * angles[apart]), rtol=1e-6)
    assert (np.diag(weights) == 0).all()
