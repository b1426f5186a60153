"""Every baseline: recovers what it can, repeats itself, knows its limit, and says what it is."""

import time

import numpy as np
import pytest

from leasc_core import baselines, clustering_accuracy, make_union_of_subspaces
from leasc_core.errors import DataError, ParameterError

pytestmark = pytest.mark.slow

K = 3
# Distances cannot see a subspace: x and −x lie on one, far apart, and a ball around the origin meets them all.
BLIND_TO_SUBSPACES = {"kmeans", "cosine_kmeans", "nystrom", "nystrom_orthogonal", "umap_hdbscan"}
# A linear function has opposite signs at x and −x, so a linear classifier needs data on one side of each subspace.
ONE_SIDED = {"selssc", "sellrr"}
SLOW = {"umap_hdbscan"}


def each(names):
    return [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in names]


@pytest.fixture(scope="module")
def two_sided():
    """3 independent subspaces of dimension 4 in R³⁰ without noise (on planes, two entries a code, OMP's graph falls apart)."""
    return make_union_of_subspaces(K, 4, 30, 50, noise=0.0, random_state=3)


@pytest.fixture(scope="module")
def one_sided():
    return make_union_of_subspaces(K, 4, 30, 50, noise=0.0, random_state=3, spread="one_sided")


@pytest.fixture(scope="module")
def blobs():
    """3 well separated directions with a little spread: what distances can see."""
    rng = np.random.default_rng(0)
    centres = np.linalg.qr(rng.standard_normal((20, K)))[0].T
    y = np.repeat(np.arange(K), 50)
    return centres[y] + 0.02 * rng.standard_normal((len(y), 20)), y


def test_all_that_the_paper_compares_with_are_there():
    wanted = """lsr ssc lrr ensc ssc_omp ensc_active lbsc_k lbsc_r nystrom nystrom_orthogonal selssc sellrr sssc slrr slsr dae
        ssc_lomp latlrr rpcaec kmeans cosine_kmeans sklearn_spectral umap_hdbscan
        leasc leasc_f2 leasc_l1 leasc_nuclear leasc_elastic_net"""
    assert set(wanted.split()) <= set(baselines.names())
    assert all(baselines.names(family) for family in baselines.FAMILIES)


@pytest.mark.parametrize("name", sorted(set(baselines.names()) - BLIND_TO_SUBSPACES - ONE_SIDED))
def test_independent_subspaces_without_noise_are_recovered(name, two_sided):
    X, y = two_sided
    assert clustering_accuracy(y, baselines.get(name).run(X, K, seed=0).labels) == 1.0


@pytest.mark.parametrize("name", sorted(ONE_SIDED))
def test_linear_classifiers_recover_one_sided_subspaces(name, one_sided):
    X, y = one_sided
    assert clustering_accuracy(y, baselines.get(name).run(X, K, seed=0, n_samples=75).labels) == 1.0


@pytest.mark.parametrize("name", ["sssc", "slrr", "slsr"])
def test_residual_classifiers_label_points_that_were_not_sampled(name, two_sided):
    X, y = two_sided
    assert clustering_accuracy(y, baselines.get(name).run(X, K, seed=0, n_samples=75).labels) == 1.0


@pytest.mark.parametrize("name", each(sorted(BLIND_TO_SUBSPACES)))
def test_what_is_blind_to_subspaces_still_sees_blobs(name, blobs):
    X, y = blobs
    assert clustering_accuracy(y, baselines.get(name).run(X, K, seed=0).labels) == 1.0


@pytest.mark.parametrize("name", each(baselines.names()))
def test_the_same_seed_gives_the_same_labels(name):
    X, _ = make_union_of_subspaces(K, 2, 12, 30, noise=0.3, random_state=1)
    first, second = (baselines.get(name).run(X, K, seed=7).labels for _ in range(2))
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("name", baselines.names())
def test_more_points_than_it_can_finish_are_refused_before_any_work(name):
    method = baselines.get(name)
    if method.largest is None:
        method.check_size(10**9)
        return
    huge = np.broadcast_to(np.float32(1.0), (method.largest + 1, 4))
    with pytest.raises(ParameterError, match=f"{method.largest:,}"):
        method.run(huge, K)


@pytest.mark.parametrize("name", baselines.names())
def test_it_says_what_it_is(name):
    method = baselines.get(name)
    assert method.family in baselines.FAMILIES
    assert method.label and method.cost and method.blurb.endswith(".")
    described = (getattr(method.method, "func", method.method).__doc__ or "").lower()
    assert "default" in described, "a baseline states its fixed settings"


def test_an_outcome_tells_its_cost_and_cannot_be_changed(two_sided):
    outcome = baselines.get("lsr").run(two_sided[0], K)
    assert outcome.labels.dtype == np.int32 and outcome.codes.shape == (150, 150)
    parts = sum(seconds for stage, seconds in outcome.seconds.items() if stage != "total")
    assert 0 < parts <= outcome.seconds["total"]
    assert outcome.megabytes >= 0
    with pytest.raises(AttributeError):
        outcome.labels = None


def test_memory_that_a_method_takes_is_seen(monkeypatch):
    def hungry(points, k, seed, clock):
        eaten = np.ones(40_000_000)
        time.sleep(0.3)  # long enough to be seen by who looks now and then
        return eaten[: len(points)] * 0, None

    method = baselines.Baseline("hungry", "Hungry", "everyday", "Eats.", "320 MB", None, hungry)
    assert 250 < method.run(np.ones((10, 3)), 2).megabytes < 400


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"k": 1}, "k=1"),
        ({"k": 151}, "150 points"),
        ({"k": True}, "k=True"),
        ({"k": 3, "seed": -1}, "seed=-1"),
        ({"k": 3, "sharpness": 2}, "sharpness is no setting"),
    ],
)
def test_bad_arguments_get_one_sentence(two_sided, arguments, message):
    with pytest.raises(ParameterError, match=message):
        baselines.get("lsr").run(two_sided[0], **arguments)


def test_unknown_names_and_missing_values_are_refused(two_sided):
    with pytest.raises(ParameterError, match="'scc' is unknown"):
        baselines.get("scc")
    X = two_sided[0].copy()
    X[4, 2] = np.nan
    with pytest.raises(DataError):
        baselines.get("lsr").run(X, K)


def test_zero_rows_do_no_harm(two_sided):
    X = np.vstack([two_sided[0], np.zeros((1, 30))])
    for name in ("lsr", "lrr", "ssc_omp", "ensc_active", "slsr", "nystrom"):
        assert len(baselines.get(name).run(X, K).labels) == 151
