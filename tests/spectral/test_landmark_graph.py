"""Joins to landmarks against brute-force distances, signed and mirrored."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leasc_core.data.scale import unit_rows
from leasc_core.spectral.landmarks import LandmarkGraph, default_landmarks


def unit_codes(rows, width, seed=0):
    return unit_rows(np.random.default_rng(seed).standard_normal((rows, width)).astype(np.float32))


def shorter(landmarks):
    """Means of unit codes are shorter than one, each by its own amount."""
    return landmarks * np.random.default_rng(5).uniform(0.4, 1.0, (len(landmarks), 1)).astype(np.float32)


def squared_distances(codes, landmarks, sign_blind):
    """‖c − l‖², or the smaller of ‖c − l‖² and ‖c + l‖² (for unit length, 2 − 2|cos|)."""
    codes, landmarks = codes.astype(float), landmarks.astype(float)
    minus = ((codes[:, None] - landmarks) ** 2).sum(axis=2)
    if not sign_blind:
        return minus
    return np.minimum(minus, ((codes[:, None] + landmarks) ** 2).sum(axis=2))


def brute_force(codes, landmarks, r, sign_blind):
    """Nearest r landmarks and the heat kernel whose width is the distance to the next one."""
    distances = squared_distances(codes, landmarks, sign_blind)
    order = np.argsort(distances, axis=1)
    ordered = np.take_along_axis(distances, order, axis=1)
    weights = np.exp(-ordered[:, :r] / ordered[:, r : r + 1])
    return order[:, :r], weights / weights.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("sign_blind", [False, True])
@pytest.mark.parametrize(("width", "count", "r"), [(3, 50, 4), (20, 60, 5), (40, 30, 3), (10, 8, 5), (30, 6, 5)])
def test_join_is_brute_force(width, count, r, sign_blind):
    codes, landmarks = unit_codes(200, width), shorter(unit_codes(count, width, seed=1))
    indices, weights = LandmarkGraph(landmarks, r, sign_blind).join(codes)
    expected_indices, expected = brute_force(codes, landmarks, r, sign_blind)
    assert (np.sort(indices, axis=1) == np.sort(expected_indices, axis=1)).mean() > 0.995, "up to ties by rounding"
    assert np.abs(weights - expected).max() <= 1e-4


def test_mirrored_join_is_by_cosine():
    """Among unit-length landmarks the nearest without sign is the one of largest |cos|."""
    codes, landmarks = unit_codes(300, 8), unit_codes(100, 8, seed=1)
    indices, _ = LandmarkGraph(landmarks, 1, True).join(codes)
    assert np.array_equal(indices[:, 0], np.abs(codes @ landmarks.T).argmax(axis=1))


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10_000),
    count=st.integers(2, 30),
    r=st.integers(1, 8),
    sign_blind=st.booleans(),
)
def test_a_join_is_a_distribution_over_different_landmarks(seed, count, r, sign_blind):
    """Weights are positive, fall with distance and sum to one; no landmark is joined twice."""
    codes = unit_codes(25, 6, seed)
    r = min(r, count - 1)
    indices, weights = LandmarkGraph(shorter(unit_codes(count, 6, seed + 1)), r, sign_blind).join(codes)
    assert indices.shape == weights.shape == (25, r)
    assert indices.min() >= 0
    assert indices.max() < count
    assert (weights > 0).all()
    assert np.allclose(weights.sum(axis=1), 1, atol=1e-5)
    assert (np.diff(weights, axis=1) <= 1e-6).all()
    assert all(len(set(row)) == r for row in indices)


@pytest.mark.parametrize("sign_blind", [False, True])
def test_join_sees_directions_only(sign_blind):
    codes, landmarks = unit_codes(60, 5), unit_codes(20, 5, seed=1)
    graph = LandmarkGraph(landmarks, 3, sign_blind)
    sizes = np.random.default_rng(0).uniform(0.01, 100, (60, 1)).astype(np.float32)
    first, second = graph.rows(codes).toarray(), graph.rows(sizes * codes).toarray()
    assert np.allclose(first, second, atol=1e-4)
    flipped = graph.rows(-codes).toarray()
    assert np.allclose(first, flipped, atol=1e-6) == sign_blind


@pytest.mark.parametrize("block", [1, 7, 19, 20, 64])
def test_join_does_not_depend_on_the_block(block):
    codes, graph = unit_codes(150, 12), LandmarkGraph(unit_codes(40, 12, seed=1), 4, False)
    whole = graph.rows(codes).toarray()
    parts = [graph.rows(codes[start : start + block]).toarray() for start in range(0, 150, block)]
    assert np.allclose(np.vstack(parts), whole, atol=1e-5)


def test_matrix_places_weights_at_their_landmarks():
    codes, graph = unit_codes(40, 6), LandmarkGraph(unit_codes(15, 6, seed=1), 3, False)
    indices, weights = graph.join(codes)
    expected = np.zeros((40, 15))
    np.put_along_axis(expected, indices.astype(int), weights, axis=1)
    assert np.allclose(graph.rows(codes).toarray(), expected)


def test_a_code_that_is_a_landmark_and_copies_of_landmarks():
    """Distances of zero, and a width of zero where copies abound, still give a distribution."""
    landmarks = unit_codes(6, 4)
    graph = LandmarkGraph(np.repeat(landmarks, 5, axis=0), 3, False)
    _, weights = graph.join(landmarks)
    assert np.isfinite(weights).all()
    assert np.allclose(weights.sum(axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("sign_blind", [False, True])
def test_zero_codes_are_joined_to_something(sign_blind):
    indices, weights = LandmarkGraph(unit_codes(10, 4), 3, sign_blind).join(np.zeros((2, 4), np.float32))
    assert np.isfinite(weights).all()
    assert np.allclose(weights.sum(axis=1), 1, atol=1e-5)
    assert ((indices >= 0) & (indices < 10)).all()


@pytest.mark.parametrize("sign_blind", [False, True])
def test_fit_places_landmarks_among_the_codes(sign_blind):
    codes = unit_codes(400, 6)
    graph = LandmarkGraph.fit(codes, 50, 4, sign_blind, np.random.default_rng(0))
    assert 40 <= len(graph.landmarks) <= 50
    drawn = codes[np.random.default_rng(1).choice(400, len(graph.landmarks), replace=False)]
    fitted, random = (squared_distances(codes, c, sign_blind).min(axis=1).mean() for c in (graph.landmarks, drawn))
    assert fitted < 0.9 * random


@pytest.mark.parametrize(("rows", "wanted", "neighbours"), [(1, 5, 3), (2, 5, 3), (3, 2, 9), (30, 100, 5)])
def test_fewer_codes_than_landmarks_or_neighbours(rows, wanted, neighbours):
    codes = unit_codes(rows, 4)
    graph = LandmarkGraph.fit(codes, wanted, neighbours, False, np.random.default_rng(0))
    assert 1 <= len(graph.landmarks) <= min(rows, wanted)
    indices, weights = graph.join(codes)
    assert indices.shape[1] == graph.neighbours <= max(1, len(graph.landmarks) - 1)
    assert np.allclose(weights.sum(axis=1), 1, atol=1e-5)


@pytest.mark.parametrize(("points", "expected"), [(1, 1), (2, 2), (16, 8), (10_000, 1000), (70_000, 7000), (10**9, 8000)])
def test_default_number_of_landmarks(points, expected):
    """m^¾ or a tenth, never more than the points or 8,000."""
    assert default_landmarks(points) == expected


def test_unit_rows():
    A = np.array([[3.0, 4.0], [0.0, 0.0], [-1e-20, 0.0]])
    assert np.allclose(unit_rows(A), [[0.6, 0.8], [0, 0], [-1, 0]])
    assert unit_rows(A.astype(np.float32)).dtype == np.float32
