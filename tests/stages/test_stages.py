"""The pipeline's steps called one by one give what LeaSC gives, and a fit may begin with a step already done."""

import numpy as np
import pytest

from leasc_core import RPCM, BundleError, DataError, LeaSC, ParameterError, make_union_of_subspaces
from leasc_core.events import StageStarted
from leasc_core.stages import Coding, Context, Encode, Representatives, choose, cluster, learn, project_codes
from leasc_core.stages.learn import sums_are_one

SETTINGS = {"n_representatives": 80, "hidden": (60,), "random_state": 7}


@pytest.fixture(scope="module")
def points():
    return make_union_of_subspaces(n_subspaces=3, dim=2, ambient_dim=12, n_per_subspace=90, noise=0.01, random_state=0)[0]


def by_hand(points, k, **graph):
    """Algorithm 1 written out with the stages."""
    context = Context.local(7)
    chosen = choose(points, 80, context, sign="auto")
    coding = Coding("f2", zero_diagonal=False, tol=1e-2, hidden=(60,))
    network = learn(chosen.points, coding, context.seeded(context.seeds.integer("coding"))).network
    graph |= {"sign_ignored": chosen.sign_ignored}
    from leasc_core import open_source

    source = open_source(points)
    assert project_codes(source, Encode(network), 80, 256, context) is None
    return cluster(source, Encode(network), k, context, **graph)


@pytest.mark.parametrize("k", [3, None])
@pytest.mark.parametrize("affinity", ["landmarks", "codes"])
def test_the_stages_in_a_row_are_leasc_with_the_number_told_or_found(points, k, affinity):
    fitted = by_hand(points, 3, affinity=affinity)
    whole = LeaSC(k, affinity=affinity, preprocess=None, **SETTINGS).fit(points)
    assert fitted.n_clusters == whole.n_clusters_
    assert np.array_equal(fitted.labels, whole.labels_)


@pytest.mark.parametrize("draws", [1, 2])
def test_a_fit_that_starts_with_its_own_representatives_and_function_gives_the_same_labels(points, draws):
    whole = LeaSC(3, n_draws=draws, **SETTINGS).fit(points)
    chosen = Representatives(whole.representative_indices_, whole.representatives_)
    seen = []
    again = LeaSC(3, n_draws=draws, on_event=seen.append, **SETTINGS).fit(points, start=(chosen, whole.rpcm_))
    assert np.array_equal(again.labels_, whole.labels_)
    begun = [event.stage for event in seen if isinstance(event, StageStarted)]
    assert begun.count("representatives") == begun.count("coding") == draws - 1


def test_a_fit_may_start_with_representatives_alone(points):
    chosen = choose(points, 50, selector="kmeans", rng=5)
    model = LeaSC(3, **SETTINGS).fit(points, start=chosen)
    assert np.array_equal(model.representative_indices_, chosen.indices)
    assert model.transform(points).shape == (len(points), 50)


def test_a_saved_model_keeps_the_activation_of_the_function_it_started_with(points, tmp_path):
    chosen = choose(points, 50, rng=5)
    rpcm = RPCM(activation="tanh", hidden=(30,), random_state=0).fit(chosen.points)
    model = LeaSC(3, random_state=0).fit(points, start=(chosen, rpcm))
    model.save(tmp_path / "model.leasc")
    assert np.array_equal(LeaSC.load(tmp_path / "model.leasc").predict(points), model.predict(points))


@pytest.mark.parametrize(
    "start, error, words",
    [
        ("yesterday", ParameterError, "is no stage of LeaSC"),
        ((Representatives(np.arange(2), np.eye(2, 12)), RPCM()), ParameterError, "not fitted"),
        (Representatives(np.arange(4), np.eye(4, 5)), DataError, "12 features"),
        (Representatives(np.array([0, 1, 2, 9999]), np.eye(4, 12)), DataError, "9999 is not among the 270 points"),
    ],
)
def test_a_start_that_does_not_fit_is_refused(points, start, error, words):
    with pytest.raises(error, match=words):
        LeaSC(3).fit(points, start=start)


def test_a_function_of_other_representatives_is_refused(points):
    chosen = choose(points, 50, rng=5)
    rpcm = RPCM(hidden=(10,), epochs=0).fit(chosen.points[:40])
    with pytest.raises(DataError, match="40 codes, but there are 50 representatives"):
        LeaSC(3).fit(points, start=(chosen, rpcm))


@pytest.mark.parametrize("settings", [{}, {"solver": "paper", "max_iter": 200, "tol": 1e-2}])
def test_an_rpcm_saved_and_loaded_is_the_same(points, tmp_path, settings):
    fitted = RPCM("l1", hidden=(30,), random_state=0, **settings).fit(points[::5])
    fitted.save(tmp_path / "codes.rpcm")
    loaded = RPCM.load(tmp_path / "codes.rpcm")
    assert loaded.get_params() == fitted.get_params()
    assert np.array_equal(loaded.codes_, fitted.codes_) and np.array_equal(loaded.errors_, fitted.errors_)
    assert np.array_equal(loaded.transform(points), fitted.transform(points))
    assert (loaded.gap_, loaded.n_iter_, loaded.converged_) == (fitted.gap_, fitted.n_iter_, fitted.converged_)
    assert list(loaded.history_) == list(fitted.history_) and list(loaded.network_history_) == list(fitted.network_history_)


def test_a_leasc_is_no_rpcm(points, tmp_path):
    LeaSC(3, **SETTINGS).fit(points).save(tmp_path / "model.leasc")
    with pytest.raises(BundleError):
        RPCM.load(tmp_path / "model.leasc")


class EveryOther:
    """A selector of somebody's own."""

    def select(self, source, n, rng):
        return np.arange(0, 2 * n, 2)


def test_a_model_with_somebody_s_own_selector_is_refused_at_save_and_saved_once_it_has_a_known_one(points, tmp_path):
    model = LeaSC(3, **SETTINGS | {"selector": EveryOther()}).fit(points)
    with pytest.raises(BundleError, match="EveryOther of your own cannot be saved.*'kmeans'"):
        model.save(tmp_path / "model.leasc")
    model.selector = "random"
    model.save(tmp_path / "model.leasc")
    assert np.array_equal(LeaSC.load(tmp_path / "model.leasc").predict(points), model.predict(points))


def test_affine_codes_are_asked_for_where_they_cost_nothing():
    """Planes away from the origin have codes that sum to one anyway; lines through it, seen from both sides, have not."""
    settings = {"n_subspaces": 3, "dim": 2, "ambient_dim": 12, "n_per_subspace": 40, "noise": 0.01, "random_state": 0}
    away, through = (make_union_of_subspaces(**settings, affine=affine)[0] for affine in (3.0, False))
    assert sums_are_one(away) and not sums_are_one(through)
    codes = RPCM(variant="f2", affine="auto", hidden=(20,)).fit(away).codes_
    np.testing.assert_allclose(codes.sum(axis=1), 1.0, atol=1e-6)
    given, free = (RPCM(variant="f2", affine=affine, hidden=(20,)).fit(through).codes_ for affine in (False, "auto"))
    np.testing.assert_array_equal(given, free)
