"""The spectral map against ``eigh`` of the dense m × m affinity that the product never forms."""

import numpy as np
import pytest
from scipy import sparse

from leasc_core.data.scale import unit_rows
from leasc_core.spectral.codes import CodeGraph, GramSum
from leasc_core.spectral.embedding import DENSE_UP_TO, low_pass, spectral_map, top_eigenvectors
from leasc_core.spectral.landmarks import LandmarkGraph


def clustered_codes(n_clusters=4, per_cluster=60, width=12, spread=0.9, seed=0):
    rng = np.random.default_rng(seed)
    middles = rng.standard_normal((n_clusters, width))
    codes = np.repeat(middles, per_cluster, axis=0) + spread * rng.standard_normal((n_clusters * per_cluster, width))
    return unit_rows(codes.astype(np.float32))


def landmark_rows(sign_blind=False, neighbours=4):
    codes = clustered_codes()
    graph = LandmarkGraph.fit(codes, 40, neighbours, sign_blind, np.random.default_rng(0))
    return graph.rows(codes).toarray().astype(float)


def dense_affinity(B):
    """W = B D⁻¹ Bᵀ: two points are alike where they share landmarks (Eq. 9)."""
    return (B / B.sum(axis=0)) @ B.T


def dense_spectrum(B):
    values, vectors = np.linalg.eigh(dense_affinity(B))
    return values[::-1], vectors[:, ::-1]


def documented_weights(values, k):
    """1 / (gap + gap of the k-th), gap = 1 − σ², the first counted as 1."""
    gaps = 1 - values
    weights = 1 / (gaps + gaps[k - 1])
    return weights / weights[0]


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("k", [2, 4, 7])
@pytest.mark.parametrize("sign_blind", [False, True])
def test_landmark_map_is_the_weighted_eigenvectors_of_the_dense_affinity(k, sign_blind, kind):
    B = landmark_rows(sign_blind)
    values, vectors = dense_spectrum(B)
    used = 2 * k + 1
    found, found_k = spectral_map(kind(B.T @ B), B.sum(axis=0), k)
    assert found_k == k
    assert np.allclose(found.eigenvalues[:used], values[:used], atol=1e-10)
    assert values[0] == pytest.approx(1.0), "a random walk: the largest eigenvalue is 1"
    weighted = vectors[:, :used] * documented_weights(values[:used], k)
    # Inner products are what K-means sees, and are blind to signs and to rotations inside an eigenspace.
    raw = B @ found.directions
    assert np.allclose(raw @ raw.T, weighted @ weighted.T, atol=1e-8)
    unit = weighted / np.linalg.norm(weighted, axis=1, keepdims=True)
    assert np.allclose(found(B) @ found(B).T, unit @ unit.T, atol=1e-7)
    assert np.allclose(np.linalg.norm(found(B), axis=1), 1)


def test_low_pass_is_its_formula():
    values = np.array([1.0, 0.97, 0.9, 0.6, 0.3])
    assert np.allclose(low_pass(values, 3), documented_weights(values, 3))
    assert (np.diff(low_pass(values, 3)) < 0).all()


def test_new_rows_are_placed_as_the_same_rows_were():
    B = sparse.csr_matrix(landmark_rows())
    found, _ = spectral_map((B.T @ B).tocsr(), np.asarray(B.sum(axis=0)).ravel(), 4)
    whole = found(B)
    for block in (1, 7, 100):
        parts = [found(B[start : start + block]) for start in range(0, B.shape[0], block)]
        assert np.allclose(np.vstack(parts), whole, atol=1e-12)


def code_spectrum(codes):
    """Eqs. 9–10 as printed: Z̃ = D^{-1/2}|f(Y)| with one row a representative; eigenpairs of the dense Z̃ᵀZ̃."""
    F = np.abs(codes.T.astype(float))
    Z_tilde = F / np.sqrt(F.sum(axis=1, keepdims=True))
    values, vectors = np.linalg.eigh(Z_tilde.T @ Z_tilde)
    return values[::-1], vectors[:, ::-1]


def code_map(codes, k):
    total = GramSum.of(CodeGraph().rows(codes))
    return spectral_map(total.gram, total.degrees, k)[0]


@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
def test_code_map_follows_the_dense_eigenvectors_of_eq_10(scale):
    """Each coordinate is an eigenvector of Z̃ᵀZ̃ up to its weight, whatever the size of the codes."""
    codes = scale * clustered_codes()
    values, vectors = code_spectrum(codes)
    embedded = CodeGraph().rows(codes) @ code_map(codes, 4).directions
    cosines = np.abs(np.sum(embedded * vectors[:, :9], axis=0)) / np.linalg.norm(embedded, axis=0)
    separate = np.minimum(np.diff(-values[:10]), np.diff(-values[:10], prepend=-np.inf)[:9]) > 1e-4 * values[0]
    assert separate.sum() >= 4
    assert np.allclose(cosines[separate], 1, atol=1e-3)


def test_code_map_reports_the_eigenvalues_of_eq_10():
    codes = clustered_codes()
    values, _ = code_spectrum(codes)
    assert np.allclose(code_map(codes, 4).eigenvalues, values[:9] / values[0], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_the_size_of_codes_does_not_change_their_clusters(scale):
    """|codes| times a constant is the same graph: the same embedding, the same weights of its coordinates."""
    codes = clustered_codes()
    plain, scaled = (code_map(c, 4)(CodeGraph().rows(c)) for c in (codes, np.float32(scale) * codes))
    assert np.allclose(plain @ plain.T, scaled @ scaled.T, atol=1e-3)


@pytest.mark.parametrize("block", [1, 50, 1000])
def test_gram_sum_is_the_gram_in_any_blocks(block):
    codes = np.abs(clustered_codes(per_cluster=250))
    parts = [GramSum.of(codes[start : start + block]) for start in range(0, len(codes), block)]
    total = sum(parts[1:], parts[0])
    exact = codes.astype(float)
    assert np.allclose(total.gram, exact.T @ exact, rtol=1e-5)
    assert np.allclose(total.degrees, exact.sum(axis=0), rtol=1e-9)


def random_gram(size, seed=0):
    """A positive matrix with a decaying spectrum in [0, 1]."""
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(rng.standard_normal((size, size)))[0]
    values = 0.97 ** np.arange(size)
    return (Q * values) @ Q.T, values, Q


@pytest.mark.parametrize("size", [30, DENSE_UP_TO, DENSE_UP_TO + 50])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_top_eigenvectors_dense_or_lanczos(size, kind):
    gram, values, Q = random_gram(size)
    found, vectors = top_eigenvectors(kind(gram), 9)
    assert np.allclose(found, values[:9], atol=1e-8)
    assert np.allclose(np.abs(np.sum(vectors * Q[:, :9], axis=0)), 1, atol=1e-6)
    again = top_eigenvectors(kind(gram), 9)[1]
    assert np.array_equal(vectors, again)
    largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(9)]
    assert (largest > 0).all()


@pytest.mark.parametrize("alike", [True, False], ids=["identical blocks", "different blocks"])
@pytest.mark.parametrize(("blocks", "size"), [(5, 20), (3, 250), (5, 140), (12, 60)])
def test_every_copy_of_a_repeated_eigenvalue_is_found(blocks, size, alike):
    """k groups that share no landmark have the eigenvalue 1 k times, and all k vectors are needed."""
    rng = np.random.default_rng(0)
    one = sparse.random(4 * size, size, density=5 / size, random_state=1).toarray() + 1e-3
    parts = [one if alike else one * rng.uniform(0.5, 1.5, one.shape) for _ in range(blocks)]
    parts = [part / part.sum(axis=1, keepdims=True) for part in parts]
    B = sparse.block_diag(parts, format="csr")
    found, _ = spectral_map((B.T @ B).tocsr(), np.asarray(B.sum(axis=0)).ravel(), blocks)
    assert (found.eigenvalues > 1 - 1e-8).sum() == blocks
    embedded = found(B)
    home = np.repeat(np.arange(blocks), 4 * size)
    centres = np.array([embedded[home == b].mean(axis=0) for b in range(blocks)])
    nearest = np.argmin(((embedded[:, None] - centres) ** 2).sum(axis=2), axis=1)
    assert (nearest == home).all()


def test_an_empty_landmark_is_no_trouble():
    B = np.hstack([landmark_rows(), np.zeros((240, 1))])
    found, _ = spectral_map(B.T @ B, B.sum(axis=0), 4)
    assert np.isfinite(found(B)).all()
    without, _ = spectral_map(B[:, :-1].T @ B[:, :-1], B[:, :-1].sum(axis=0), 4)
    assert np.allclose(found(B) @ found(B).T, without(B[:, :-1]) @ without(B[:, :-1]).T, atol=1e-8)
