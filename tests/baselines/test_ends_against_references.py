"""What comes after the codes: cuts, Nyström, classifiers and the pipeline's end, against independent references."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import SpectralClustering

from leasc_core import LeaSC, clustering_accuracy, make_union_of_subspaces
from leasc_core.baselines import cut, get
from leasc_core.baselines.classify import LinearClassifier, ResidualClassifier
from leasc_core.baselines.landmark_end import choose_representatives, cluster_encoded
from leasc_core.baselines.meter import Clock
from leasc_core.baselines.solvers.robust_pca import RobustPCAEncoder
from leasc_core.baselines.spectral import extended_vectors, normalised_kernel, orthogonal_vectors
from leasc_core.spectral.ncut import symmetric_affinity


def unit(X):
    return X / np.linalg.norm(X, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def noisy():
    X, y = make_union_of_subspaces(4, 3, 25, 60, noise=0.15, random_state=2)
    return unit(X), y


@pytest.fixture(scope="module")
def codes(noisy):
    return get("lsr").run(noisy[0], 4).codes


@pytest.mark.parametrize("limit", [0, 10_000])
def test_the_cut_is_scikit_learn_s_on_the_same_affinity(codes, monkeypatch, limit):
    monkeypatch.setattr(cut, "DENSE_UP_TO", limit)
    affinity = symmetric_affinity(codes, 8)
    reference = SpectralClustering(4, affinity="precomputed", assign_labels="kmeans", random_state=0).fit_predict(affinity)
    assert clustering_accuracy(reference, cut.cut_codes(codes, 4, seed=0)) >= 0.98


@pytest.mark.parametrize("kept", [1, 3, 8, None])
@pytest.mark.parametrize("stored", [np.asarray, sparse.csr_matrix])
def test_the_sparse_affinity_is_the_dense_one(codes, kept, stored):
    dense = symmetric_affinity(codes, kept)
    np.testing.assert_allclose(cut.sparse_affinity(stored(codes), kept).toarray(), dense, atol=1e-12)


def test_the_sparse_cut_finds_separate_components():
    """k eigenvalues of exactly 1 are what Lanczos finds hardest."""
    sizes = [40, 55, 70, 35]
    y = np.repeat(np.arange(4), sizes)
    rng = np.random.default_rng(0)
    codes = np.where(y[:, None] == y, rng.random((len(y), len(y))), 0.0)
    V = cut.sparse_embedding(cut.sparse_affinity(codes, None), 4)
    same = V @ V.T
    np.testing.assert_allclose(same, y[:, None] == y, atol=1e-6)


def test_nystrom_with_every_point_sampled_is_the_eigendecomposition(noisy):
    X = noisy[0][:80]
    rows = np.arange(len(X))
    squares = ((X[:, None] - X) ** 2).sum(2)
    width = np.median(np.sort(squares, axis=1)[:, 7])
    S = np.exp(-squares / (2 * width))
    scale = 1 / np.sqrt(S.sum(axis=1))
    values, vectors = np.linalg.eigh(S * scale[:, None] * scale)
    C, A = normalised_kernel(X, rows)
    projector = vectors[:, -4:] @ vectors[:, -4:].T
    for way in (extended_vectors, orthogonal_vectors):
        V = way(C, A, 4)
        np.testing.assert_allclose(V @ V.T, projector, atol=1e-5)


def test_orthogonal_nystrom_has_orthogonal_vectors_where_the_plain_one_has_not(noisy):
    C, A = normalised_kernel(noisy[0], np.arange(0, 240, 6))
    V, plain = orthogonal_vectors(C, A, 4), extended_vectors(C, A, 4)
    np.testing.assert_allclose(V.T @ V, np.eye(4), atol=1e-6)
    assert np.abs(plain.T @ plain - np.eye(4)).max() > 0.1


def test_nystrom_s_vectors_are_those_of_its_own_low_rank_matrix(noisy):
    C, A = normalised_kernel(noisy[0], np.arange(0, 240, 6))
    approximate = C @ np.linalg.pinv(A, rcond=1e-10) @ C.T
    V = orthogonal_vectors(C, A, 4)
    values = np.linalg.eigvalsh(approximate)[-4:]
    np.testing.assert_allclose(V.T @ approximate @ V, np.diag(values), atol=1e-5)


def test_the_linear_classifier_is_a_ridge(noisy):
    from sklearn.linear_model import Ridge

    X, y = noisy
    targets = np.eye(4)[y]
    reference = Ridge(LinearClassifier.RIDGE, fit_intercept=False, tol=1e-10).fit(X, targets).predict(X).argmax(axis=1)
    np.testing.assert_array_equal(LinearClassifier(X, y)(X), reference)


def test_the_residual_classifier_by_its_definition(noisy):
    X, y = noisy
    samples, labels = X[::2], y[::2] + 5
    found = ResidualClassifier(samples, labels)(X[1:40:2])
    for x, label in zip(X[1:40:2], found, strict=True):
        z = np.linalg.solve(samples @ samples.T + ResidualClassifier.RIDGE * np.eye(len(samples)), samples @ x)
        parts = {c: (z[labels == c], samples[labels == c]) for c in range(5, 9)}
        ratios = {c: np.linalg.norm(x - part @ own) / np.linalg.norm(part) for c, (part, own) in parts.items()}
        assert label == min(ratios, key=ratios.get)


def test_the_end_of_the_pipeline_is_leasc_s_own(noisy):
    """With RPCM's f as the encoder the labels are LeaSC's, so encoders differ in nothing else."""
    X = noisy[0].astype(np.float32)
    model = LeaSC(4, n_representatives=100, hidden=(80,), random_state=3).fit(X)
    chosen, sign_blind = choose_representatives(X.astype(np.float64), 100, 3)
    np.testing.assert_allclose(chosen, model.representatives_, atol=1e-6)
    labels, _ = cluster_encoded(X, model.network_, 4, 3, Clock(), sign_blind)
    np.testing.assert_array_equal(labels, model.labels_)


def test_training_lowers_what_the_robust_pca_layers_reach():
    """Against the same number of plain proximal steps, and never below the optimum of the convex problem in (s, o)."""
    X = unit(make_union_of_subspaces(3, 3, 20, 100, noise=0.1, sparse_fraction=0.05, random_state=0)[0])

    def reached(encoder):
        import torch

        rows = torch.from_numpy(X.astype(np.float32))
        U = torch.from_numpy(encoder._dictionary(X).astype(np.float32))
        parameters = [torch.from_numpy(A) for A in (encoder.input, encoder.memory, encoder.threshold)]
        return float(encoder._loss(rows, U, parameters))

    plain = RobustPCAEncoder(rank=9, epochs=0).fit(X, np.random.default_rng(0))
    learned = RobustPCAEncoder(rank=9, epochs=20, learning_rate=1e-2).fit(X, np.random.default_rng(0))
    converged = RobustPCAEncoder(rank=9, layers=3000, epochs=0).fit(X, np.random.default_rng(0))
    assert reached(converged) <= reached(learned) < reached(plain)
