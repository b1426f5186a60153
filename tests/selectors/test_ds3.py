"""DS3 as a selector: how many it finds, that it covers, and what must not change its mind."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from leasc_core.data.synthetic import four_rays
from leasc_core.errors import DataError, ParameterError
from leasc_core.selectors.ds3 import DS3Selector, largest_strength
from leasc_core.selectors.ds3_solver import solve_ds3

BOTH = pytest.mark.parametrize("norm", ["inf", 2])


@BOTH
def test_about_as_many_as_the_paper_found_on_its_example(norm):
    Y, y = four_rays()
    picked = DS3Selector(norm).select(Y, None, 0)
    assert 75 <= len(picked) <= 100
    assert np.bincount(y[picked], minlength=4).min() >= 8


@BOTH
@pytest.mark.parametrize("n", [3, 40, 150])
def test_exactly_n_that_cover_better_than_chance(norm, n):
    Y = four_rays(3)[0][::4]
    picked = DS3Selector(norm).select(Y, n, 0)
    rng = np.random.default_rng(0)
    chance = np.mean([cdist(Y, Y[rng.choice(len(Y), n, replace=False)]).min(axis=1).sum() for _ in range(20)])
    assert len(np.unique(picked)) == n
    assert cdist(Y, Y[picked]).min(axis=1).sum() < 0.9 * chance


def test_from_the_largest_strength_on_the_most_central_point_stands_for_all():
    Y = np.random.default_rng(4).standard_normal((50, 3))
    central = cdist(Y, Y).sum(axis=1).argmin()
    assert DS3Selector(regularisation=1.0).select(Y, None, 0).tolist() == [central]
    for norm in ("inf", 2):
        assert len(DS3Selector(norm, regularisation=1e-6).select(Y, None, 0)) == 50


def test_a_lone_representative_costs_the_same_under_both_norms():
    Y = np.random.default_rng(4).standard_normal((50, 3))
    D = cdist(Y, Y)
    weights = np.ones(50)
    assert largest_strength(D, 2) * np.linalg.norm(weights) == pytest.approx(largest_strength(D, "inf") * weights.max())


def test_fewer_representatives_the_stronger_the_penalty():
    Y = four_rays(1)[0][::4]
    counts = [len(DS3Selector(regularisation=each).select(Y, None, 0)) for each in (1e-4, 1e-3, 1e-2, 1e-1)]
    assert counts == sorted(counts, reverse=True) and counts[0] > 4 * counts[-1]


@BOTH
def test_neither_scale_nor_place_nor_order_changes_the_choice(norm):
    Y = four_rays(2)[0][::8]
    order = np.random.default_rng(0).permutation(len(Y))
    picked = DS3Selector(norm).select(Y, None, 0)
    np.testing.assert_array_equal(DS3Selector(norm).select(1024 * Y, None, 0), picked)
    np.testing.assert_array_equal(DS3Selector(norm).select(Y + 64.0, None, 0), picked)
    np.testing.assert_array_equal(np.sort(order[DS3Selector(norm).select(Y[order], None, 0)]), picked)


def test_well_separated_groups_get_one_each():
    centres = np.array([[0.0, 0.0], [50.0, 0.0], [0.0, 50.0]])
    Y = np.repeat(centres, 20, axis=0) + 0.1 * np.random.default_rng(0).standard_normal((60, 2))
    for n in (None, 3):
        picked = DS3Selector(regularisation=0.05).select(Y, n, 0)
        assert np.unique(picked // 20).tolist() == [0, 1, 2] and len(picked) == 3


@BOTH
def test_points_that_are_all_alike_in_their_role_do_not_confuse_it(norm):
    angles = np.linspace(0, 2 * np.pi, 150, endpoint=False)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    assert len(DS3Selector(norm, regularisation=1.0).select(circle, None, 0)) >= 1
    picked = DS3Selector(norm).select(circle, 10, 0)
    assert len(np.unique(picked)) == 10


def test_above_the_coreset_the_choice_still_covers():
    Y = np.concatenate([four_rays(seed)[0] for seed in range(3)])
    selector = DS3Selector(coreset=200)
    picked = selector.select(Y, 40, 0)
    assert len(np.unique(picked)) == 40
    chance = cdist(Y, Y[np.random.default_rng(0).choice(len(Y), 40, replace=False)]).min(axis=1).max()
    assert cdist(Y, Y[picked]).min(axis=1).max() < chance
    assert len(selector.select(Y, None, 0)) < 200


@pytest.mark.parametrize("D", [np.full((2, 2), np.nan), -np.ones((2, 2)), np.ones(3), np.zeros((0, 3))])
def test_tables_that_are_no_dissimilarities_are_refused(D):
    with pytest.raises(DataError, match="dissimilarity"):
        solve_ds3(D, 1.0)


def test_strengths_and_norms_out_of_range_are_refused():
    for strength in (0, -1, np.inf, np.nan):
        with pytest.raises(ParameterError, match="strength="):
            solve_ds3(np.ones((2, 2)), strength)
    with pytest.raises(ParameterError, match="norm=1"):
        solve_ds3(np.ones((2, 2)), 1.0, norm=1)


@BOTH
def test_the_solver_leaves_its_input_alone_and_ends_quickly(norm):
    Y = four_rays(0)[0][::4]
    D = cdist(Y, Y)
    kept = D.copy()
    for relative in (1e-4, 1e-2, 0.3):
        _, _, iterations = solve_ds3(D, relative * largest_strength(D, norm), norm, tol=1e-6)
        assert iterations < 150
    np.testing.assert_array_equal(D, kept)
