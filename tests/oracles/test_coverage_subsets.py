"""Proposition 1 against brute force over all subsets, and against exact products at a hundred million points."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

import leasc_core.theory.coverage as coverage
from leasc_core.theory.coverage import coverage_probability

HUNDRED_MILLION = 10**8


def partitions(total, largest=None):
    """All ways to write ``total`` as a falling sum of whole numbers."""
    if total == 0:
        yield []
    for first in range(min(total, largest or total), 0, -1):
        for rest in partitions(total - first, first):
            yield [first, *rest]


def share_by_brute_force(sizes):
    """For n = 0..m the exact share of n-subsets that hit every basis: all 2^m subsets are looked at."""
    points = sum(sizes)
    subsets = np.arange(2**points)
    hits = np.ones(len(subsets), dtype=bool)
    for end, size in zip(np.cumsum(sizes), sizes, strict=True):
        hits &= subsets & ((2**size - 1) << (end - size)) != 0
    picked = np.bitwise_count(subsets)
    good = np.bincount(picked[hits], minlength=points + 1)
    return [Fraction(int(count), comb(points, n)) for n, count in enumerate(good)]


SMALL_CASES = [sizes for points in range(1, 13) for sizes in partitions(points)]


def test_every_small_case_equals_brute_force_exactly():
    for sizes in SMALL_CASES:
        for n, share in enumerate(share_by_brute_force(sizes)):
            assert coverage_probability(sizes, n, exact=True) == share, (sizes, n)
            assert coverage_probability(sizes, n) == float(share), (sizes, n)


def test_the_way_for_huge_data_equals_brute_force_on_small_cases_too(monkeypatch):
    monkeypatch.setattr(coverage, "SMALL", 0)
    for sizes in SMALL_CASES:
        for n, share in enumerate(share_by_brute_force(sizes)):
            assert coverage_probability(sizes, n) == pytest.approx(float(share), rel=1e-10), (sizes, n)


def missed_share(points, removed, n):
    """C(m − r, n) / C(m, n) as a product of n exact factors."""
    above = below = 1
    for pick in range(n):
        above, below = above * (points - removed - pick), below * (points - pick)
    return Fraction(above, below)


@pytest.mark.parametrize(("bases", "n"), [(10, 10), (10, 11), (10, 50), (10, 200), (40, 60), (40, 400), (100, 130), (100, 1200)])
def test_equal_bases_in_a_hundred_million_points(bases, n):
    size = HUNDRED_MILLION // bases
    terms = [(-1) ** j * comb(bases, j) * missed_share(HUNDRED_MILLION, j * size, n) for j in range(bases + 1)]
    assert coverage_probability([size] * bases, n) == pytest.approx(float(sum(terms)), rel=1e-10)


@pytest.mark.parametrize("n", [2, 3, 30, 1000])
@pytest.mark.parametrize("sizes", [(HUNDRED_MILLION - 7, 7), (60_000_000, 30_000_000, 10_000_000)])
def test_unequal_bases_in_a_hundred_million_points(sizes, n):
    sums = [[sum(size for bit, size in enumerate(sizes) if s >> bit & 1), s.bit_count()] for s in range(2 ** len(sizes))]
    terms = [(-1) ** count * missed_share(HUNDRED_MILLION, removed, n) for removed, count in sums]
    assert coverage_probability(sizes, n) == pytest.approx(float(sum(terms)), rel=1e-10)


@pytest.mark.parametrize("n", [2, 1234, 50_000_000, HUNDRED_MILLION - 1])
def test_a_basis_of_one_point_is_hit_with_probability_n_over_m(n):
    assert coverage_probability([HUNDRED_MILLION - 1, 1], n) == pytest.approx(n / HUNDRED_MILLION, rel=1e-10)
