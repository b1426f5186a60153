"""K-means and the nearest-centre search against brute force and scikit-learn."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

from leasc_core.spectral.kmeans import kmeans_centres, nearest_centre, quick_kmeans_centres, stand_apart
from leasc_core.spectral.nearest import nearest


def blobs(centres=8, per_centre=50, width=5, spread=0.1, seed=0):
    rng = np.random.default_rng(seed)
    middles = 3 * rng.standard_normal((centres, width))
    y = np.repeat(np.arange(centres), per_centre)
    return middles[y] + spread * rng.standard_normal((y.size, width)), y


def distances(points, centres):
    return ((points[:, None].astype(float) - centres.astype(float)) ** 2).sum(axis=2)


@pytest.mark.parametrize("rows", [3, 200])
def test_nearest_is_brute_force(rows):
    points, centres = blobs()[0][:rows], blobs(seed=1, per_centre=3)[0]
    squared, found = nearest(points, centres, 4)
    exact = distances(points, centres)
    assert np.array_equal(found, np.argsort(exact, axis=1)[:, :4])
    assert np.allclose(squared, np.sort(exact, axis=1)[:, :4], rtol=1e-4, atol=1e-4)


def test_mirrored_nearest_counts_each_centre_once():
    """c and −c are one centre: the nearer of the two counts."""
    rng = np.random.default_rng(0)
    points, centres = rng.standard_normal((100, 6)), 0.5 * rng.standard_normal((7, 6))
    squared, found = nearest(points, centres, 5, mirrored=True)
    exact = np.minimum(distances(points, centres), distances(points, -centres))
    assert np.array_equal(found % 7, np.argsort(exact, axis=1)[:, :5])
    assert np.allclose(squared, np.sort(exact, axis=1)[:, :5], rtol=1e-4)


def test_quick_kmeans_centres_come_near_scikit_learn():
    points = np.random.default_rng(0).standard_normal((3000, 8))
    ours = quick_kmeans_centres(points, 100, np.random.default_rng(0), iterations=10)
    theirs = KMeans(100, init="random", n_init=1, max_iter=10, random_state=0).fit(points)
    inertia = distances(points, ours).min(axis=1).sum()
    assert inertia <= 1.05 * theirs.inertia_


def test_mirrored_centres_ignore_signs():
    """Points ± a few directions: every centre lies on one of them, none in the middle where ± would meet."""
    rng = np.random.default_rng(0)
    directions = np.linalg.qr(rng.standard_normal((8, 4)))[0].T
    points = directions[np.arange(400) % 4] * rng.choice([-1.0, 1.0], (400, 1)) + 0.02 * rng.standard_normal((400, 8))
    centres = quick_kmeans_centres(points, 12, rng, mirrored=True)
    assert (np.abs(centres @ directions.T).max(axis=1) > 0.95).all()


@pytest.mark.parametrize("mirrored", [False, True])
def test_no_empty_centre_is_left_and_the_seed_repeats(mirrored):
    points = np.repeat(blobs(3, 1)[0], 40, axis=0)
    centres = quick_kmeans_centres(points, 20, np.random.default_rng(0), mirrored=mirrored)
    assert 1 <= len(centres) <= 20
    assert np.isfinite(centres).all()
    _, home = nearest(points, centres, 1, mirrored)
    assert np.abs(distances(points, centres)[np.arange(120), home[:, 0] % len(centres)]).max() <= 1e-6 or mirrored
    assert np.array_equal(centres, quick_kmeans_centres(points, 20, np.random.default_rng(0), mirrored=mirrored))


def test_iterations_are_told():
    seen = []
    quick_kmeans_centres(blobs()[0], 10, np.random.default_rng(0), iterations=4, on_iteration=seen.append)
    assert seen == [1, 2, 3, 4]


@pytest.mark.parametrize("per_centre", [30, 1600])
def test_kmeans_centres_find_the_blobs(per_centre):
    """Above 10,000 points a sample starts it; the result is as good."""
    points, y = blobs(8, per_centre)
    centres = kmeans_centres(points, 8, np.random.default_rng(0))
    assert adjusted_rand_score(y, nearest_centre(points, centres)) == 1.0
    exact = np.array([points[y == k].mean(axis=0) for k in range(8)])
    assert distances(exact, centres).min(axis=1).max() <= 1e-6


@pytest.mark.parametrize("spread", [0.05, 1.0, 4.0])
def test_kmeans_centres_are_as_good_as_many_starts(spread):
    """Whether clusters stand apart (one start is enough) or not."""
    points, _ = blobs(12, 60, width=20, spread=spread)
    ours = distances(points, kmeans_centres(points, 12, np.random.default_rng(0))).min(axis=1).sum()
    assert ours <= 1.002 * KMeans(12, n_init=20, random_state=0).fit(points).inertia_


def test_halves_of_one_cluster_do_not_stand_apart():
    """One start is not believed where it divides a cluster, for then it has joined two others."""
    points, y = blobs(4, 100, width=4)
    exact = np.array([points[y == k].mean(axis=0) for k in range(4)])
    assert stand_apart(points, exact)
    halves = KMeans(2, n_init=1, random_state=0).fit(points[y == 0]).cluster_centers_
    assert not stand_apart(points, np.vstack([halves, exact[1], exact[2:].mean(axis=0)]))


def test_kmeans_centres_repeat_with_the_seed():
    points, _ = blobs(6, 40, spread=2.0)
    first, second = (kmeans_centres(points, 4, np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(first, second)


def test_nearest_centre_is_the_nearest():
    points, centres = np.random.default_rng(0).standard_normal((2, 500, 3))
    assert np.array_equal(nearest_centre(points, centres[:20]), distances(points, centres[:20]).argmin(axis=1))
