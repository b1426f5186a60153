"""The number of clusters by the eigengap, on affinities whose number is known."""

import numpy as np
import pytest

from leasc_core.spectral.embedding import MOST_CLUSTERS, eigengap, spectral_map


def block_rows(blocks, landmarks=6, points=40, leak=0.0, seed=0):
    """Rows of B that join each group's points to its own landmarks, but for a share ``leak`` of the weight."""
    rng = np.random.default_rng(seed)
    own = np.kron(np.eye(blocks), np.ones((points, landmarks))) * rng.uniform(0.2, 1, (blocks * points, blocks * landmarks))
    other = rng.uniform(size=own.shape) * (own == 0)
    own /= own.sum(axis=1, keepdims=True)
    other /= np.maximum(other.sum(axis=1, keepdims=True), 1e-300)
    return (1 - leak) * own + leak * other


@pytest.mark.parametrize("blocks", [2, 3, 5, 10, 25, MOST_CLUSTERS])
@pytest.mark.parametrize("leak", [0.0, 0.02, 0.1])
def test_finds_the_blocks(blocks, leak):
    B = block_rows(blocks, leak=leak)
    found, k = spectral_map(B.T @ B, B.sum(axis=0), None)
    assert k == blocks
    assert found.directions.shape[1] == 2 * k + 1


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_few_columns(size):
    """Fewer landmarks than the most clusters: as many clusters as there can be, at most."""
    B = np.random.default_rng(0).dirichlet(np.ones(size), 30)
    found, k = spectral_map(B.T @ B, B.sum(axis=0), None)
    assert 1 <= k <= size
    assert np.isfinite(found(B)).all()


def test_is_its_formula():
    """The largest (1 − σ²_{k+1}) / (1 − σ²_k) with k ≥ 2."""
    values = np.array([1.0, 0.99, 0.98, 0.6, 0.5, 0.1])
    ratios = {k: (1 - values[k]) / (1 - values[k - 1]) for k in range(2, 6)}
    assert eigengap(values) == max(ratios, key=ratios.get) == 3


def test_one_cluster_may_be_asked_for():
    B = block_rows(3, leak=0.1)
    found, k = spectral_map(B.T @ B, B.sum(axis=0), 1)
    assert k == 1
    assert np.isfinite(found(B)).all()
