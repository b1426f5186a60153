"""Proposition 1 at its limits: the paper's example, certainty, monotony, the number of picks, bad input."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leasc_core.errors import ParameterError
from leasc_core.theory.coverage import coverage_probability, picks_needed

basis_sizes = st.lists(st.integers(1, 40), min_size=1, max_size=8)


def test_the_papers_example():
    assert coverage_probability([50, 50], 7, exact=True) == Fraction(1820, 1843)
    assert coverage_probability([50, 50], 7) == pytest.approx(0.98752, abs=5e-6)


@settings(max_examples=60, deadline=None)
@given(basis_sizes)
def test_impossible_certain_and_rising_in_between(sizes):
    points = sum(sizes)
    values = [coverage_probability(sizes, n, exact=True) for n in range(points + 1)]
    certain = max(points - size for size in sizes)
    assert all((value == 0) == (n < len(sizes)) for n, value in enumerate(values))
    assert all((value == 1) == (n > certain) for n, value in enumerate(values))
    assert all(now < then or now == then in (0, 1) for now, then in zip(values, values[1:], strict=False))


@pytest.mark.parametrize("sizes", [[10**6] * 100, [9 * 10**7, 9 * 10**6, 10**6], np.full(10**6, 100)])
def test_rising_and_a_probability_at_a_hundred_million_points(sizes):
    needed = picks_needed(sizes, 0.9)
    picks = np.unique(np.linspace(len(sizes), 2 * needed, 30).astype(int))
    values = np.array([coverage_probability(sizes, int(n)) for n in picks])
    assert np.all((values >= 0) & (values <= 1))
    assert np.all(np.diff(values) >= -1e-12)
    assert values[-1] > 0.99


def test_a_million_small_bases_agree_with_independent_misses():
    """With a million bases their misses are nearly independent: P ≈ Π(1 − q_i), to about 1/number of bases."""
    sizes, n = np.full(10**6, 100), 17_000_000
    missed = np.exp(np.sum(np.log1p(-n / (10**8 - np.arange(100)))))
    assert np.log(coverage_probability(sizes, n)) == pytest.approx(10**6 * np.log1p(-missed), rel=1e-3)


@settings(max_examples=40, deadline=None)
@given(basis_sizes, st.floats(0.01, 1.0))
def test_picks_needed_is_the_first_number_that_is_enough(sizes, probability):
    counted = next(n for n in range(sum(sizes) + 1) if float(coverage_probability(sizes, n, exact=True)) >= probability)
    assert picks_needed(sizes, probability) == counted


def test_picks_needed_for_certainty_and_on_huge_data():
    assert picks_needed([50, 50], 1) == 51
    assert picks_needed([10**8 - 3, 3], 1) == 10**8 - 2
    sizes = [10**6] * 100
    needed = picks_needed(sizes)
    assert coverage_probability(sizes, needed) >= 0.99 > coverage_probability(sizes, needed - 1)


@pytest.mark.parametrize("sizes", [[], [3, 0], [2, -1], [2.5], "many", [[3, 4]], [True, True]])
def test_sizes_that_are_none_are_refused(sizes):
    with pytest.raises(ParameterError, match="number of points of each basis"):
        coverage_probability(sizes, 1)


@pytest.mark.parametrize("n", [-1, 101, 2.5, True, None])
def test_impossible_numbers_of_picks_are_refused(n):
    with pytest.raises(ParameterError, match="from 100 points; give 0 to 100"):
        coverage_probability([50, 50], n)


def test_exact_fractions_of_huge_data_and_impossible_probabilities_are_refused():
    with pytest.raises(ParameterError, match="at most 20000 points, not 100000000"):
        coverage_probability([5 * 10**7] * 2, 10, exact=True)
    for probability in (0, -0.5, 1.5, float("nan")):
        with pytest.raises(ParameterError, match="above 0 and at most 1"):
            picks_needed([5, 5], probability)
