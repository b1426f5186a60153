"""Is the sign of a point information? Two-sided subspaces say no, rays and cones say yes."""

import numpy as np
import pytest

from leasc_core.data.synthetic import four_rays, make_union_of_subspaces
from leasc_core.spectral.sign import flip_ratio, sign_is_noise

# (subspaces, dimensions, features, points a subspace, noise)
TWO_SIDED = {
    "4 planes in R20": (4, 2, 20, 200, 0.02),
    "10 of 5 dimensions in R60": (10, 5, 60, 100, 0.1),
    "3 lines": (3, 1, 5, 150, 0.05),
    "noiseless planes": (4, 2, 20, 200, 0.0),
    "more points than the sample": (4, 2, 10, 1500, 0.05),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", TWO_SIDED)
def test_two_sided_subspaces(name, seed):
    for spread in ("gaussian", "uniform"):
        Y, _ = make_union_of_subspaces(*TWO_SIDED[name], random_state=seed, spread=spread)
        assert sign_is_noise(Y, np.random.default_rng(seed))


@pytest.mark.parametrize("seed", range(3))
def test_rays_and_cones_are_one_sided(seed):
    rng = np.random.default_rng(seed)
    assert not sign_is_noise(four_rays(seed)[0], rng)
    assert not sign_is_noise(make_union_of_subspaces(spread="one_sided", random_state=seed)[0], rng)
    # Five dimensions in a cone at 10 % noise, like features that are never negative.
    cone, _ = make_union_of_subspaces(10, 5, 60, 100, noise=0.1, spread="one_sided", random_state=seed)
    assert not sign_is_noise(cone, rng)


def test_real_features_of_digits_are_one_sided(shared_data):
    Y = np.load(shared_data / "mnist_scattering_pca500.npy", mmap_mode="r")[:3000].astype(float)
    assert not sign_is_noise(Y, np.random.default_rng(0))


@pytest.mark.parametrize("make", [lambda: make_union_of_subspaces()[0], lambda: four_rays()[0]], ids=["planes", "rays"])
def test_ratio_depends_on_directions_alone(make):
    """The length of a point, the order of points and a rotation of the space change nothing."""
    Y, rng = make(), np.random.default_rng(0)
    plain = flip_ratio(Y, rng)
    scaled = Y * rng.uniform(0.1, 10, (len(Y), 1))
    rotated = Y @ np.linalg.qr(rng.standard_normal((Y.shape[1],) * 2))[0]
    for same in (scaled, rotated, Y[rng.permutation(len(Y))], -Y):
        assert flip_ratio(same, rng) == pytest.approx(plain, rel=0.1)


def test_points_with_their_mirror_images_are_two_sided():
    rays = four_rays()[0]
    assert sign_is_noise(np.vstack([rays, -rays]), np.random.default_rng(0))


def test_duplicates_do_not_hide_two_sided_subspaces():
    """A file in which every point stands twice says nothing new about its sign."""
    Y = make_union_of_subspaces()[0]
    assert sign_is_noise(np.repeat(Y, 2, axis=0), np.random.default_rng(0))


@pytest.mark.parametrize("points", [np.ones((1, 3)), np.ones((5, 3)), np.zeros((4, 2)), np.eye(2)])
def test_degenerate_points_get_an_answer(points):
    assert isinstance(sign_is_noise(points, np.random.default_rng(0)), bool)
    assert np.isfinite(flip_ratio(points, np.random.default_rng(0)))
