"""Explanations against what was planted: weights that reconstruct, known bases, outliers, features, borders."""

import numpy as np
import pytest

from leasc_core import LeaSC, make_union_of_subspaces
from leasc_core.errors import DataError
from leasc_core.explain.cluster import explain_cluster
from leasc_core.explain.margins import doubtful_neighbours, margins_and_rivals
from leasc_core.explain.point import error_shares, explain_point
from leasc_core.theory.subspaces import principal_angles


@pytest.fixture(scope="module")
def planes():
    """Three planes in ten dimensions, each on features of its own, and a model of them."""
    rng = np.random.default_rng(0)
    points, labels = np.zeros((360, 10)), np.repeat([0, 1, 2], 120)
    for cluster in range(3):
        points[labels == cluster, 3 * cluster : 3 * cluster + 2] = rng.standard_normal((120, 2))
    points += 0.01 * rng.standard_normal(points.shape)
    return points, labels, LeaSC(3, hidden=(200,), n_representatives=120, random_state=0).fit(points)


def test_margins_are_what_brute_force_measures():
    rng = np.random.default_rng(1)
    embedded, centres = rng.standard_normal((40, 3)), rng.standard_normal((4, 3))
    distances = np.array([[np.linalg.norm(row - centre) for centre in centres] for row in embedded])
    labels = distances.argmin(axis=1)
    margins, rivals = margins_and_rivals(embedded, centres, labels)
    ordered = np.sort(distances, axis=1)
    np.testing.assert_allclose(margins, 1 - ordered[:, 0] / ordered[:, 1], atol=1e-6)
    np.testing.assert_array_equal(rivals, np.argsort(distances, axis=1)[:, 1])
    alone, none = margins_and_rivals(embedded, centres[:1], np.zeros(40))
    assert (alone == 1).all() and (none == -1).all()


def test_weights_and_error_give_the_point_back(planes):
    points, _, model = planes
    units = points / np.linalg.norm(points, axis=1, keepdims=True)
    codes = model.transform(points)
    labels = model.labels_[model.representative_indices_]
    usual = error_shares(units, codes, model.representatives_)
    found = explain_point(units[5], codes[5], model.representatives_, labels, usual, most=len(codes[5]))
    by_hand = sum(weight * model.representatives_[at] for at, weight in zip(found.helpers, found.weights, strict=True))
    np.testing.assert_allclose(by_hand + found.error, units[5], atol=1e-6)
    assert found.error_share == pytest.approx(np.linalg.norm(found.error), abs=1e-6)
    assert found.shares.sum() == pytest.approx(1, abs=1e-6) and (np.diff(found.shares) <= 0).all()
    # Planes at right angles help themselves.
    assert found.by_cluster.argmax() == model.labels_[5] and found.by_cluster.max() > 0.8


def test_a_planted_outlier_is_told_from_the_others(planes):
    points, _, model = planes
    odd = np.zeros((1, 10))
    odd[0, 9] = 1.0  # a feature that no plane has
    both = np.vstack([points, odd])
    units = both / np.linalg.norm(both, axis=1, keepdims=True)
    codes = model.transform(both)
    shares = error_shares(units, codes, model.representatives_)
    labels = model.labels_[model.representative_indices_]
    verdicts = [
        explain_point(units[row], codes[row], model.representatives_, labels, shares[:-1]).is_outlier for row in (3, 150, 300, -1)
    ]
    assert verdicts == [False, False, False, True]


def test_a_cluster_s_basis_and_features_are_those_planted(planes):
    points, labels, _ = planes
    margins, rivals = np.linspace(0, 1, 360), np.where(labels == 0, 1, 0)
    for cluster in range(3):
        found = explain_cluster(points, labels, cluster, margins, rivals)
        truth = np.eye(10)[:, 3 * cluster : 3 * cluster + 2]
        assert found.dimension == 2
        assert np.degrees(principal_angles(found.basis, truth).max()) < 2
        assert set(found.features[:2]) == {3 * cluster, 3 * cluster + 1}
        assert (found.energy[:2] > found.energy_elsewhere[:2]).all()


def test_basis_of_a_made_subspace():
    points, labels, truth = make_union_of_subspaces(
        n_subspaces=2, dim=3, ambient_dim=15, n_per_subspace=150, noise=0.02, random_state=3, return_truth=True
    )
    found = explain_cluster(points, labels, 1, np.ones(300), np.zeros(300, int))
    assert found.dimension == 3 and np.degrees(principal_angles(found.basis, truth.bases[1]).max()) < 3


def test_exemplars_doubts_and_the_rival():
    labels = np.zeros(100, int)
    labels[60:] = 1
    margins, rivals = np.full(100, 0.9), np.where(labels == 0, 2, 0)
    margins[:6], rivals[:4] = 0.1, 1
    margins[50] = 1.0
    found = explain_cluster(np.random.default_rng(0).standard_normal((100, 4)), labels, 0, margins, rivals)
    assert found.exemplars[0] == 50 and set(found.doubtful) >= set(range(6))
    assert found.rival == 1 and found.doubtful_share == pytest.approx(6 / 60) and found.rival_share == pytest.approx(4 / 6)
    certain = explain_cluster(np.random.default_rng(0).standard_normal((100, 4)), labels, 1, margins, rivals)
    assert certain.rival is None and certain.doubtful_share == 0
    with pytest.raises(DataError, match="Cluster 7"):
        explain_cluster(np.ones((100, 4)), labels, 7, margins, rivals)


def test_nearest_doubtful_neighbours_by_brute_force():
    rng = np.random.default_rng(2)
    embedded, margins = rng.standard_normal((50, 2)), rng.random(50)
    found = doubtful_neighbours(7, embedded, margins, most=3)
    distances = {at: np.linalg.norm(embedded[at] - embedded[7]) for at in range(50) if at != 7 and margins[at] <= 1 / 3}
    assert list(found) == sorted(distances, key=distances.get)[:3]
