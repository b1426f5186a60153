"""The table of verdicts: yes on sample sets and made subspaces, no on circles, moons, noise and blobs; several draws each."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_circles, make_moons

from leasc_core import load_data, make_preset, make_union_of_subspaces
from leasc_core.diagnosis.expression import measure_expression
from leasc_core.diagnosis.sample import draw_sample
from leasc_core.diagnosis.verdict import diagnose, judge
from tests.test_arrows import ROOT

SAMPLES = ("four_lines.csv", "moving_objects.npz", "shapes_under_light.npz", "digits.npz", "corrupted.npz")
PRESETS = ("crowded_lines", "affine_planes", "one_sided_cones")


def sample_set(name, seed):
    """Four fifths of a sample set, another part for every seed."""
    points = np.asarray(load_data(ROOT / "sample_data" / name).X, dtype=float)
    rng = np.random.default_rng(seed)
    return points[np.sort(rng.choice(len(points), len(points) * 4 // 5, replace=False))]


def circles(seed):
    return make_circles(700, noise=0.05, factor=0.5, random_state=seed)[0]


def moons(seed):
    return make_moons(700, noise=0.08, random_state=seed)[0]


def tilted_circles(seed):
    """Two circles in a plane of ten dimensions, with some noise off it."""
    rng = np.random.default_rng(seed)
    plane = np.linalg.qr(rng.standard_normal((10, 2)))[0]
    return circles(seed) @ plane.T + 0.02 * rng.standard_normal((700, 10))


def noise(seed, features=10):
    return np.random.default_rng(seed).standard_normal((700, features))


def plane_noise(seed):
    return noise(seed, 2)


def stretched_noise(seed):
    """One ellipsoid: directions differ in size, but there is nothing to separate."""
    return noise(seed, 15) * np.exp(-np.arange(15) / 3)


def blobs_one_direction(seed):
    """Four blobs far from the origin: their means share a direction."""
    rng = np.random.default_rng(seed)
    direction = rng.standard_normal(10)
    centres = 20 * direction / np.linalg.norm(direction) + 2 * rng.standard_normal((4, 10))
    return centres[rng.integers(4, size=700)] + 0.6 * rng.standard_normal((700, 10))


def blobs_on_a_ray(seed):
    """Four blobs one behind the other, seen from the origin."""
    rng = np.random.default_rng(seed)
    places = 3 + 3 * rng.integers(4, size=700)
    return places[:, None] * np.ones(10) / np.sqrt(10) + 0.5 * rng.standard_normal((700, 10))


def blobs_apart(seed):
    return make_blobs(700, 10, centers=5, random_state=seed)[0]


NO = (circles, moons, tilted_circles, noise, plane_noise, stretched_noise, blobs_one_direction, blobs_on_a_ray, blobs_apart)


def verdict(points, seed):
    rng = np.random.default_rng(seed)
    return judge(measure_expression(draw_sample(points, rng).points, rng))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", SAMPLES)
def test_sample_sets_are_subspace_data(name, seed):
    assert verdict(sample_set(name, seed), seed) == "subspaces"


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", PRESETS)
def test_made_subspaces_are_subspace_data(name, seed):
    assert verdict(make_preset(name, seed)[0], seed) == "subspaces"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("make", NO, ids=lambda make: make.__name__)
def test_other_data_are_not(make, seed):
    found = verdict(make(seed), seed)
    assert found == ("blobs" if make in (blobs_one_direction, blobs_apart) else "cloud")


def test_a_column_that_outweighs_all_others_is_not_called_subspaces():
    """Numbers of customers in no order beside three planes: one direction holds nearly all, and the advice says what to do."""
    planes, _ = make_union_of_subspaces(3, 2, 8, 80, noise=0.02, random_state=0)
    numbers = np.random.default_rng(0).permutation(np.arange(10_001, 10_241))
    found = diagnose(np.column_stack([numbers, planes]))
    assert found.verdict == "no" and "single direction" in found.headline and "Standardise" in found.advice
    assert diagnose(planes).verdict == "yes"
