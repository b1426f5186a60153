"""Fitted costs: known sums of powers come back, weights stay positive, and what fits into a time is the largest that does."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leasc_core.errors import ParameterError
from leasc_core.theory.growth import Growth, fit_growth

weights = st.floats(1e-12, 1e-3)


@settings(max_examples=40)
@given(weights, weights)
def test_a_known_cost_comes_back(square, cube):
    points = np.array([100, 300, 900, 2700])
    fitted = fit_growth(points, square * points**2.0 + cube * points**3.0, (2, 3))
    assert fitted(10**6) == pytest.approx(square * 1e12 + cube * 1e18, rel=1e-4)


def test_no_weight_is_negative_and_a_straight_line_stays_one():
    points = np.array([10, 100, 1000])
    fitted = fit_growth(points, 1e-3 * points, (0, 1, 3))
    assert min(fitted.weights) >= 0
    assert fitted(np.array([1e4, 1e5])) == pytest.approx([10, 100], rel=1e-6)


def test_noise_of_ten_per_cent_moves_a_far_guess_little():
    rng, points = np.random.default_rng(0), np.array([200, 400, 800, 1600])
    seconds = 1e-10 * points**3.0 * rng.uniform(0.9, 1.1, 4)
    assert fit_growth(points, seconds, (2, 3))(10**6) == pytest.approx(1e8, rel=0.3)


def test_the_largest_number_of_points_within_a_time():
    cost = Growth((0, 3), (1.0, 1.0))
    assert cost.largest(28) == 3 and cost.largest(27.9) == 2 and cost.largest(1.5) == 0


@pytest.mark.parametrize(("points", "seconds"), [([1], [1.0]), ([1, 2], [1.0]), ([1, 2], [0.0, 1.0]), ([0, 2], [1.0, 1.0])])
def test_too_little_or_impossible_times_are_refused(points, seconds):
    with pytest.raises(ParameterError, match="do not fix 2 powers"):
        fit_growth(points, seconds, (0, 1))
