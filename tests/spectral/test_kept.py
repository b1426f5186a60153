"""Graphs that keep their points: the cut is that of the dense problem, kept points keep their labels, new ones find theirs."""

import numpy as np
import pytest
from scipy import linalg

from leasc_core import make_union_of_subspaces
from leasc_core.coding.closed_form import ridge_codes
from leasc_core.errors import ParameterError
from leasc_core.metrics import clustering_accuracy
from leasc_core.spectral.codes import largest_codes
from leasc_core.spectral.kept import KEPT_GRAPHS, ExactJoin, NeighbourJoin, cut_vectors, fit_kept

Y, TRUTH = make_union_of_subspaces(n_subspaces=3, dim=2, ambient_dim=20, n_per_subspace=80, noise=0.01, random_state=0)
Y = Y.astype(np.float32)


def blobs(n=80):
    rng = np.random.default_rng(0)
    directions = linalg.orth(rng.normal(size=(12, 3))).T
    y = np.repeat(np.arange(3), n)
    return (directions[y] + rng.normal(0, 0.15, (3 * n, 12))).astype(np.float32), y


@pytest.mark.parametrize("kind", KEPT_GRAPHS)
def test_the_points_of_fit_keep_their_labels_whatever_the_block(kind):
    X, _ = blobs()
    X = np.vstack([X, X[:5]])
    model, labels = fit_kept(X, kind, 3, np.random.default_rng(0))
    for size in (1, 17, len(X)):
        parts = np.concatenate([model.label(X[i : i + size]) for i in range(0, len(X), size)])
        np.testing.assert_array_equal(parts, labels)


@pytest.mark.parametrize("kind", ["exact", "exact_soft", "shape"])
def test_subspaces_are_found_and_new_points_join_theirs(kind):
    known = np.arange(len(Y)) % 4 > 0
    model, labels = fit_kept(Y[known], kind, 3, np.random.default_rng(0))
    everything = np.concatenate([labels, model.label(Y[~known])])
    assert clustering_accuracy(np.concatenate([TRUTH[known], TRUTH[~known]]), everything) > 0.97


def test_neighbours_find_blobs_and_new_points_join_them():
    X, y = blobs()
    known = np.arange(len(X)) % 4 > 0
    model, labels = fit_kept(X[known], "neighbours", 3, np.random.default_rng(0))
    assert clustering_accuracy(y[known], labels) == 1.0
    assert clustering_accuracy(np.concatenate([y[known], y[~known]]), np.concatenate([labels, model.label(X[~known])])) == 1.0


@pytest.mark.parametrize("join", [lambda X: ExactJoin.fit(X, 1.0), lambda X: NeighbourJoin.fit(X, 7)])
def test_the_vectors_are_those_of_the_dense_generalised_problem(join):
    """W v = λ D v, solved densely: the same eigenvalues, and vectors that solve it."""
    W = join(Y / np.linalg.norm(Y, axis=1, keepdims=True))[1]
    values, vectors, scale = cut_vectors(W, 4)
    W = W.toarray()
    D = np.diag(W.sum(axis=1))
    np.testing.assert_allclose(values, linalg.eigh(W, D, eigvals_only=True)[::-1][:4], atol=1e-8)
    V = scale[:, None] * vectors
    np.testing.assert_allclose(W @ V, D @ V * values, atol=1e-6 * np.abs(D).max())


def test_a_new_point_is_placed_by_nystroem():
    X, _ = blobs()
    model, _ = fit_kept(X, "neighbours", 3, np.random.default_rng(0))
    new = X[:6] + np.float32(0.05)
    unit = new / np.linalg.norm(new, axis=1, keepdims=True)
    expected = model.join(unit).toarray() @ model.directions
    np.testing.assert_allclose(model.embed(new), expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-6)


def test_too_many_points_are_refused_with_the_remedy():
    with pytest.raises(ParameterError, match="landmarks"):
        fit_kept(np.ones((4001, 2), np.float32), "exact", 2, np.random.default_rng(0))
    with pytest.raises(ParameterError, match="fewer clusters"):
        fit_kept(np.ones((3, 2), np.float32), "neighbours", 5, np.random.default_rng(0))


def test_exact_joins_are_the_codes_of_the_closed_form():
    """The hat matrix divided by 1 − its diagonal, against the closed form by singular values."""
    X, _ = blobs(30)
    X = X / np.linalg.norm(X, axis=1, keepdims=True)
    codes = ridge_codes(X.T.astype(np.float64), 0.5, zero_diagonal=True).T
    kept = largest_codes(codes, 8)
    expected = (kept + kept.T).toarray() if hasattr(kept, "toarray") else kept + kept.T
    np.testing.assert_allclose(ExactJoin.fit(X, 2.0)[1].toarray(), expected, atol=1e-9)
