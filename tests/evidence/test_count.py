"""Matching of labels, and shared information against plain entropies."""

import itertools

import numpy as np
import pytest

from leasc_core.evidence.count import shared_information
from leasc_core.evidence.matching import matched
from leasc_core.evidence.scan import SpectralScan, separation


def joins(blocks, seed, points=40, landmarks=6, leak=0.02):
    """Rows of B that join each group's points to its own landmarks, but for a share ``leak``."""
    rng = np.random.default_rng(seed)
    own = np.kron(np.eye(blocks), np.ones((points, landmarks))) * rng.uniform(0.2, 1, (blocks * points, blocks * landmarks))
    return (1 - leak) * own / own.sum(axis=1, keepdims=True) + leak / own.shape[1]


def test_shared_information_by_entropies():
    first, second = np.array([0, 0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 1, 1])
    entropy = {"first": np.log(3), "second": -(np.log(1 / 3) / 3 + 2 / 3 * np.log(2 / 3))}
    mutual = entropy["second"]  # the second is a function of the first
    unshared = entropy["first"] - mutual
    assert shared_information(first, second) == pytest.approx(mutual - 2 * unshared)
    assert shared_information(first, first) == pytest.approx(entropy["first"])


def test_matching_is_the_best_of_all():
    rng = np.random.default_rng(1)
    reference, labels = rng.integers(0, 4, 60), rng.integers(0, 4, 60)
    best = max(int((np.array(names)[labels] == reference).sum()) for names in itertools.permutations(range(4)))
    assert int((matched(labels, reference, 4) == reference).sum()) == best


def test_separation_of_two_tight_groups_is_nearly_one():
    points = np.repeat([[0.0, 0.0], [1.0, 0.0]], 20, axis=0) + 0.001 * np.random.default_rng(0).standard_normal((40, 2))
    assert separation(points, np.repeat([0, 1], 20)) > 0.99
    assert separation(points, np.zeros(40, int)) == 0.0


def test_many_points_are_clustered_from_a_sample_of_them():
    rows = joins(3, 0, points=1500)
    labels = SpectralScan.of(rows).labels(3)
    assert (matched(labels, np.repeat([0, 1, 2], 1500), 3) == np.repeat([0, 1, 2], 1500)).all()


def test_points_not_seen_are_labelled_by_those_that_were():
    rows = joins(3, 0)
    seen = np.sort(np.random.default_rng(1).choice(len(rows), 60, replace=False))
    labels = SpectralScan.of(rows, seen).labels(3)
    assert len(labels) == len(rows) and (matched(labels, np.repeat([0, 1, 2], 40), 3) == np.repeat([0, 1, 2], 40)).all()
