"""What every selector keeps, and what random and K-means promise in particular."""

import copy

import numpy as np
import pytest

from leasc_core.data.sources import ArraySource, open_source
from leasc_core.errors import DataError, ParameterError
from leasc_core.selectors import SELECTORS, DS3Selector, KMeansSelector, RandomSelector, get_selector
from leasc_core.selectors.kmeans import nearest_free

EVERY = pytest.mark.parametrize("name", sorted(SELECTORS))


def blobs(centres, count, deviation, seed=0):
    """``count`` points about each centre, so far apart that K-means has one sensible answer."""
    rng = np.random.default_rng(seed)
    return np.concatenate([centre + deviation * rng.standard_normal((count, len(centre))) for centre in centres])


FAR = np.array([[0.0, 0.0], [100.0, 0.0], [0.0, 100.0], [100.0, 100.0], [50.0, 300.0]])


class ReadRecorder(ArraySource):
    """A source that counts the rows it hands out."""

    def __init__(self, array):
        super().__init__(array)
        self.taken = 0

    def take(self, indices):
        self.taken += len(indices)
        return super().take(indices)


@EVERY
@pytest.mark.parametrize("n", [1, 2, 17, 59, 60])
def test_n_different_sorted_indices_and_the_same_again(name, n):
    Y = np.random.default_rng(1).standard_normal((60, 3))
    picked = get_selector(name).select(Y, n, np.random.default_rng(5))
    assert picked.dtype == np.int64 and len(picked) == n
    assert np.all(np.diff(picked) > 0) and picked[0] >= 0 and picked[-1] < 60
    np.testing.assert_array_equal(picked, get_selector(name).select(Y, n, np.random.default_rng(5)))


@EVERY
def test_whatever_holds_the_numbers_the_choice_is_the_same(name, tmp_path):
    Y = np.random.default_rng(2).integers(-50, 50, (80, 4)).astype(np.float64)
    np.save(tmp_path / "points.npy", Y)
    mapped = np.load(tmp_path / "points.npy", mmap_mode="r")
    holders = [np.asfortranarray(Y), Y.astype(np.int16), Y.astype(np.float16), mapped, tmp_path / "points.npy", open_source(Y)]
    wanted = get_selector(name).select(Y, 9, 3)
    for holder in holders:
        np.testing.assert_array_equal(get_selector(name).select(holder, 9, 3), wanted)


@EVERY
@pytest.mark.parametrize(
    ("n", "words"),
    [(0, "n=0.*at least 1"), (-3, "n=-3"), (31, "n=31.*30 points.*at most 30"), (2.5, "n=2.5"), (True, "n=True"), ("5", "n='5'")],
)
def test_impossible_numbers_are_refused(name, n, words):
    with pytest.raises(ParameterError, match=words):
        get_selector(name).select(np.random.default_rng(0).standard_normal((30, 2)), n, 0)


@EVERY
def test_heaps_of_equal_points_still_give_different_indices(name):
    Y = np.repeat([[0.0, 0.0], [1.0, 1.0]], [40, 3], axis=0)
    assert len(set(get_selector(name).select(Y, 20, 0).tolist())) == 20
    assert len(set(get_selector(name).select(np.ones((12, 2)), 5, 0).tolist())) == 5


@pytest.mark.parametrize("name", ["kmeans", "ds3"])
def test_missing_values_are_refused_where_distances_need_them(name):
    Y = np.random.default_rng(0).standard_normal((30, 3))
    Y[7, 2] = np.nan
    with pytest.raises(DataError, match="Row 7, feature 2 is NaN"):
        get_selector(name).select(Y, 4, 0)
    assert len(RandomSelector().select(Y, 4, 0)) == 4


@EVERY
def test_selectors_are_small_values(name):
    selector = get_selector(name)
    assert copy.deepcopy(selector) == selector and hash(selector) == hash(get_selector(name))
    assert len(repr(selector)) < 80
    assert selector.label and selector.blurb.endswith(".") and "\n" not in selector.blurb
    with pytest.raises(AttributeError):
        selector.name = "other"


def test_get_selector_takes_names_and_instances_and_says_what_it_knows():
    selector = KMeansSelector(iterations=3)
    assert get_selector(selector) is selector
    for wrong in ("K-Means", None, 3, KMeansSelector):
        with pytest.raises(ParameterError, match="random, kmeans, ds3"):
            get_selector(wrong)


def test_random_picks_every_point_equally_often():
    rng = np.random.default_rng(0)
    counts = np.bincount(np.concatenate([RandomSelector().select(np.zeros((10, 1)), 3, rng) for _ in range(3000)]), minlength=10)
    deviation = np.sqrt(3000 * 0.3 * 0.7)
    assert np.abs(counts - 900).max() < 5 * deviation


def test_random_reads_nothing():
    source = ReadRecorder(np.zeros((1000, 2)))
    RandomSelector().select(source, 10, 0)
    assert source.taken == 0


@pytest.mark.parametrize("shift", [0.0, 1e7])
@pytest.mark.parametrize("scale", [1.0, 1e-20, 1e60])
def test_kmeans_takes_the_real_point_nearest_each_blobs_mean(shift, scale):
    Y = blobs(FAR, 30, 1.0) + shift
    groups = Y.reshape(len(FAR), 30, 2)
    nearest = np.linalg.norm(groups - groups.mean(axis=1, keepdims=True), axis=2).argmin(axis=1)
    wanted = nearest + 30 * np.arange(len(FAR))
    # Lloyd's algorithm may end with two centres in one blob; the best of a few starts does not.
    found = [KMeansSelector(iterations=30).select(Y * scale, len(FAR), seed) for seed in range(8)]
    assert any(np.array_equal(picked, wanted) for picked in found)


def test_of_centres_that_share_a_nearest_point_the_others_take_the_next():
    points = np.array([[10.0], [11.0], [28.0], [30.0]], dtype=np.float32)
    centres = np.array([[10.4], [10.1], [30.0]], dtype=np.float32)
    assert nearest_free(points, centres, np.random.default_rng(0)).tolist() == [0, 1, 3]


def test_kmeans_spreads_better_than_chance():
    Y = np.random.default_rng(3).uniform(size=(2000, 2))

    def radius(picked):
        return np.linalg.norm(Y[:, None] - Y[picked], axis=2).min(axis=1).mean()

    chance = np.mean([radius(RandomSelector().select(Y, 50, seed)) for seed in range(5)])
    assert radius(KMeansSelector().select(Y, 50, 0)) < 0.85 * chance


def test_kmeans_reads_a_sample_of_a_large_source():
    source = ReadRecorder(np.random.default_rng(0).standard_normal((200_000, 2)).astype(np.float32))
    picked = KMeansSelector().select(source, 20, 0)
    assert len(picked) == 20 and source.taken <= 10_000
    assert picked[-1] > 100_000


@pytest.mark.parametrize(
    ("selector", "words"),
    [
        (KMeansSelector(iterations=0), "iterations=0"),
        (DS3Selector(norm=1), "norm=1.*'inf' or 2"),
        (DS3Selector(regularisation=0), "regularisation=0"),
        (DS3Selector(coreset=1), "coreset=1"),
        (DS3Selector(coreset=10), "n=12.*coreset=10"),
    ],
)
def test_impossible_parameters_are_refused(selector, words):
    with pytest.raises(ParameterError, match=words):
        selector.select(np.random.default_rng(0).standard_normal((40, 2)), 12, 0)
