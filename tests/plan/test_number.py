"""How many clusters: known numbers are found, clouds and curves have none, and what is found is what a fit takes."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from leasc_core import LeaSC, make_union_of_subspaces
from leasc_core.plan import Counts, count, judge
from leasc_core.plan.contrast import is_one_curve, valley
from leasc_core.plan.curve import agreement_of, cloud_of, numbers_up_to
from leasc_core.prepare import recognise
from leasc_core.prepare.choice import mutual_information


def counted(rows, **settings):
    rows = np.asarray(rows, np.float32)
    return count(rows, recognise(rows), **settings)


def arc(rng):
    t = rng.uniform(0, 1, (400, 1))
    return np.hstack([t, np.sin(3 * t), t**2]) + 0.02 * rng.standard_normal((400, 3)) + 1.0


CLOUDS = {
    "one Gaussian": lambda rng: rng.standard_normal((400, 20)) * np.geomspace(1, 0.1, 20),
    "one subspace": lambda rng: rng.standard_normal((400, 4)) @ rng.standard_normal((4, 30)),
    "a cube": lambda rng: rng.uniform(0, 1, (400, 10)),
    "a curve": arc,
    "heavy tails": lambda rng: rng.standard_t(3, (400, 10)),
}


@pytest.mark.parametrize("cloud", CLOUDS)
def test_where_there_are_no_clusters_none_are_found_and_the_verdict_says_so(cloud):
    rows = CLOUDS[cloud](np.random.default_rng(5))
    found = counted(rows)
    assert found.k == 1 and not found.found and found.why.startswith("No clusters found")
    verdict = judge(rows, np.zeros(len(rows), int), found, "none")
    assert verdict.mark == "doubtful" and verdict.sentence == found.why
    assert not any(remedy["action"] in ("method", "n_clusters") for remedy in verdict.remedies)


def test_a_long_cloud_is_cut_as_firmly_as_two_groups_and_only_their_valley_tells():
    rng = np.random.default_rng(7)
    long = rng.standard_normal((300, 6)) * [5, 1, 1, 1, 1, 1]
    parted = rng.standard_normal((300, 6)) + np.where(np.arange(300)[:, None] < 150, -4.5, 4.5) * np.eye(6)[0]
    assert not counted(long).found
    assert counted(parted).k == 2


def test_subspaces_are_told_by_their_description():
    found = counted(make_union_of_subspaces(5, 3, 30, 80, 0.05, 3)[0])
    assert found.k == 5 and found.plateaus[0].how == "description"


def test_blobs_in_groups_are_offered_and_nest():
    centres = np.repeat(np.eye(3, 8) * 12, 3, axis=0) + np.tile(np.eye(3, 8, 3) * 5, (3, 1))
    found = counted(make_blobs(450, centers=centres, cluster_std=0.8, random_state=0)[0] + 4)
    offered = {plateau.k for plateau in found.plateaus}
    assert found.k in (3, 9) and 9 in offered
    assert list(found.levels) == sorted(offered) and [len(each) for each in found.parents] == [len(s) for s in found.sizes]
    assert all(sum(sizes) == pytest.approx(1) for sizes in found.sizes)
    assert Counts.from_state(found.state()) == found


def test_a_fit_that_finds_the_number_is_the_fit_that_is_told_it(tmp_path):
    Y = make_union_of_subspaces(3, 2, 20, 60, 0.02, 1)[0]
    settings = {"n_representatives": 80, "hidden": (60,), "random_state": 0}
    found, told = LeaSC(**settings).fit(Y), LeaSC(3, **settings).fit(Y)
    assert np.array_equal(found.labels_, told.labels_) and told.counts_ is None
    found.save(tmp_path / "m.leasc")
    assert LeaSC.load(tmp_path / "m.leasc").counts_ == found.counts_


def test_a_fit_to_a_cloud_is_one_cluster_that_says_so():
    model = LeaSC(n_representatives=60, hidden=(40,), random_state=0).fit(np.random.default_rng(1).standard_normal((200, 12)))
    assert model.n_clusters_ == 1 and not model.labels_.any() and model.counted_by_ == "none"
    assert not model.predict(np.ones((3, 12))).any()


def test_a_stop_is_heard_between_two_scans():
    class Enough(Exception):
        pass

    calls = iter(range(5))

    def pause():
        if next(calls, None) is None:
            raise Enough

    with pytest.raises(Enough):
        counted(np.random.default_rng(0).standard_normal((200, 5)), pause=pause)


def test_a_valley_is_where_two_clusters_part_and_not_where_one_is_cut():
    rng = np.random.default_rng(0)
    one, two = rng.standard_normal((600, 6)), rng.standard_normal((600, 6))
    two[:300, 0] += 6
    assert valley(one, (one[:, 0] > 0).astype(int), rng) > 0.8
    assert valley(two, np.repeat([0, 1], 300), rng) < 0.1


def test_the_spectrum_of_a_path_is_a_curve_and_that_of_two_is_not():
    path = np.cos(np.pi * np.arange(10) / 100)
    assert is_one_curve(path) and not is_one_curve(np.sort(np.concatenate([path, path]))[::-1][:10])


def test_small_parts():
    assert numbers_up_to(20) == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20]
    assert mutual_information(np.array([0, 0, 1, 1]), np.array([1, 1, 0, 0])) == pytest.approx(np.log(2))
    rows = np.random.default_rng(0).standard_normal((5000, 3)) * [1, 2, 3] + 1
    cloud = cloud_of(rows, np.random.default_rng(1))
    assert np.allclose(cloud.mean(axis=0), rows.mean(axis=0), atol=0.2) and np.allclose(np.cov(cloud.T), np.cov(rows.T), atol=0.6)


def test_agreement_is_what_others_measure():
    from sklearn.metrics import adjusted_rand_score, mutual_info_score

    rng = np.random.default_rng(3)
    first, noise = rng.integers(0, 4, 200), rng.integers(0, 6, 200)
    second = np.where(rng.random(200) < 0.7, first, noise)
    found = agreement_of(first, second)
    assert found.rand == pytest.approx(adjusted_rand_score(first, second))
    assert found.shared == pytest.approx(mutual_info_score(first, second))
    assert agreement_of(first * 0, first * 0).rand == 1.0
