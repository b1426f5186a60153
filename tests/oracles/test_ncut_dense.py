"""Ncut against dense ``eigh`` and against scikit-learn's spectral clustering."""

import numpy as np
import pytest
from sklearn.cluster import SpectralClustering
from sklearn.metrics import adjusted_rand_score

from leasc_core.spectral.ncut import ncut, ncut_embedding, symmetric_affinity


def blocks_affinity(sizes, across, seed=0):
    """Random symmetric weights in [0.5, 1.5] inside blocks, ``across`` of that between them."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(len(sizes)), sizes)
    W = rng.uniform(0.5, 1.5, (y.size, y.size)) * np.where(y[:, None] == y, 1.0, across)
    return (W + W.T) / 2, y


@pytest.mark.parametrize("sizes", [(30, 30), (40, 25, 15), (12, 14, 16, 18, 20)])
@pytest.mark.parametrize("across", [0.0, 0.02, 0.1])
def test_same_partition_as_scikit_learn(sizes, across):
    W, y = blocks_affinity(sizes, across)
    order = np.random.default_rng(1).permutation(len(y))
    W, y = W[np.ix_(order, order)], y[order]
    ours = ncut(W, len(sizes), np.random.default_rng(0))
    theirs = SpectralClustering(len(sizes), affinity="precomputed", random_state=0).fit_predict(W)
    assert adjusted_rand_score(theirs, ours) == 1.0
    assert adjusted_rand_score(y, ours) == 1.0


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_embedding_is_the_leading_eigenvectors(k):
    W, _ = blocks_affinity((20, 25, 30), 0.2)
    D = np.diag(W.sum(axis=1) ** -0.5)
    values, vectors = np.linalg.eigh(D @ W @ D)
    values, V = values[::-1], vectors[:, ::-1][:, :k]
    embedded, found = ncut_embedding(W, k)
    assert np.allclose(found, values[: len(found)], atol=1e-12)
    assert found[0] == pytest.approx(1.0)
    unit = V / np.linalg.norm(V, axis=1, keepdims=True)
    assert np.allclose(embedded @ embedded.T, unit @ unit.T, atol=1e-9)


def test_symmetric_affinity_is_its_definition():
    codes = np.array([[0.0, -4.0, 1.0, 2.0], [0.5, 0.0, -0.25, 0.1], [3.0, 1.0, 0.0, -6.0], [0.0, 0.0, 0.0, 0.0]])
    scaled = np.array([[0, 1, 0.25, 0.5], [1, 0, 0.5, 0.2], [0.5, 1 / 6, 0, 1], [0, 0, 0, 0]])
    assert np.allclose(symmetric_affinity(codes), scaled + scaled.T)
    two = np.array([[0, 1, 0, 0.5], [1, 0, 0.5, 0], [0.5, 0, 0, 1], [0, 0, 0, 0]])
    assert np.allclose(symmetric_affinity(codes, largest=2), two + two.T)
    assert np.allclose(symmetric_affinity(codes, largest=4), scaled + scaled.T)
    assert np.allclose(symmetric_affinity(codes, largest=99), scaled + scaled.T)


@pytest.mark.parametrize("largest", [1, 3, 8])
def test_as_many_entries_a_point_as_asked(largest):
    codes = np.random.default_rng(0).standard_normal((30, 30))
    W = symmetric_affinity(codes, largest)
    kept = np.argsort(-np.abs(codes), axis=1)[:, :largest]
    expected = np.zeros((30, 30), bool)
    np.put_along_axis(expected, kept, True, axis=1)
    assert np.array_equal(W > 0, expected | expected.T)


def test_symmetric_affinity_ignores_the_size_and_sign_of_a_code():
    rng = np.random.default_rng(0)
    codes = rng.standard_normal((20, 20))
    scaled = codes * rng.uniform(0.01, 100, (20, 1)) * rng.choice([-1, 1], (20, 20))
    assert np.allclose(symmetric_affinity(codes, 5), symmetric_affinity(scaled, 5))


def test_points_without_any_affinity_are_labelled_too():
    W, y = blocks_affinity((20, 20), 0.0)
    alone = np.zeros((41, 41))
    alone[:40, :40] = W
    labels = ncut(alone, 2, np.random.default_rng(0))
    assert adjusted_rand_score(y, labels[:40]) == 1.0
    assert labels[40] in (0, 1)
