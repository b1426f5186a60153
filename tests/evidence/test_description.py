"""Description length against its formula, and the number of subspaces it tells on data whose number is known."""

import numpy as np
import pytest

from leasc_core import make_union_of_subspaces
from leasc_core.evidence.description import PRECISIONS, comparable, description_length, shortest
from leasc_core.metrics import clustering_accuracy


def union(k, dim, noise, seed, **more):
    Y, y = make_union_of_subspaces(
        n_subspaces=k, dim=dim, ambient_dim=20, n_per_subspace=80, noise=noise, random_state=seed, **more
    )
    return comparable(Y), y


def test_is_its_formula():
    """By SVD, dimension by dimension, at every precision."""
    X, y = union(3, 2, 0.1, 0)
    total, features = X.shape
    lengths = []
    for precision in PRECISIONS:
        nats = 0.0
        for label in range(3):
            squares = np.linalg.svd(X[y == label], compute_uv=False) ** 2
            n = int((y == label).sum())
            told = [
                n * r * np.log(1 / precision)
                + squares[r:].sum() / (2 * precision**2)
                + n * features * np.log(precision)
                + n * np.log(total / n)
                + 0.5 * r * (features - r) * np.log(total)
                for r in range(1, features)
            ]
            nats += min(told)
        lengths.append(nats / total)
    found, precision = description_length(X, y)
    assert found == pytest.approx(min(lengths), rel=1e-9)
    assert precision == PRECISIONS[int(np.argmin(lengths))]


@pytest.mark.parametrize(
    ("k", "dim", "noise", "more"),
    [(2, 1, 0.05, {}), (4, 3, 0.15, {}), (5, 2, 0.1, {"affine": True}), (4, 3, 0.1, {"imbalance": 8.0})],
)
def test_fragments_are_merged_to_the_subspaces(k, dim, noise, more):
    """Each subspace cut into three at random: the cuts disappear, the subspaces stay."""
    X, y = union(k, dim, noise, 3, **more)
    pieces = 3 * y + np.random.default_rng(0).integers(0, 3, len(y))
    labels = shortest(X, pieces, description_length(X, pieces)[1])
    assert labels.max() + 1 == k
    assert clustering_accuracy(y, labels) > 0.97


def test_the_truth_is_shorter_than_one_subspace_more_or_less():
    X, y = union(4, 2, 0.1, 1)
    merged, cut = np.where(y == 3, 2, y), np.where((y == 0) & (np.arange(len(y)) % 2 == 0), 4, y)
    assert description_length(X, y)[0] < min(description_length(X, merged)[0], description_length(X, cut)[0])


def test_more_columns_than_points_need_no_matrix_of_columns():
    wide = np.random.default_rng(0).standard_normal((60, 9000)).astype(np.float32)
    found = comparable(wide)
    _, sizes, right = np.linalg.svd(wide.astype(np.float64), full_matrices=False)
    same = wide @ right[:48].T
    assert found.shape == (60, 48) and np.allclose(found @ found.T, same @ same.T / (sizes[:48] ** 2).sum() * 60, atol=1e-4)
