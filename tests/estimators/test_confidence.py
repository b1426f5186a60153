"""Confidence and ensembles: what they promise, by independent means and for any block size."""

from importlib import import_module
from threading import Lock

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression

from leasc_core import LeaSC, make_union_of_subspaces
from leasc_core.encoder.mlp import MLP
from leasc_core.errors import DataError, ParameterError
from leasc_core.estimators.confidence import Calibration, certain
from leasc_core.metrics import adjusted_rand_index
from leasc_core.spectral.kmeans import margins
from leasc_core.spectral.landmarks import LandmarkGraph
from leasc_core.stages.ensemble import JointGraph, Together

learning = import_module("leasc_core.stages.learn")

SETTINGS = {"n_clusters": 3, "n_representatives": 60, "hidden": (40,), "epochs": 0, "random_state": 0}


@pytest.fixture(scope="module")
def planes():
    return make_union_of_subspaces(3, 2, 12, 80, noise=0.25, random_state=4)


@pytest.fixture(scope="module")
def fitted(planes):
    return LeaSC(**SETTINGS, n_draws=3, confidence_draws=3).fit(planes[0])


def test_margins_by_all_distances():
    rng = np.random.default_rng(0)
    points, centres = rng.standard_normal((30, 4)), rng.standard_normal((5, 4))
    near = np.sort(np.linalg.norm(points[:, None] - centres, axis=2), axis=1)
    assert np.allclose(margins(points, centres), 1 - near[:, 0] / near[:, 1], atol=1e-6)


def test_confidence_is_a_share_that_rises_with_the_margin(planes, fitted):
    assert fitted.confidence_.shape == (240,) and fitted.confidence_.min() >= 0 and fitted.confidence_.max() <= 1
    wrong = fitted.labels_ != fitted.labels_[0]
    assert 0 < wrong.sum() < 240
    rising = fitted.calibration_(np.linspace(0, 1, 50))
    assert (np.diff(rising) >= 0).all()


def test_the_calibration_is_isotonic_regression():
    rng = np.random.default_rng(2)
    seen, agreed = rng.random(200), rng.random(200)
    expected = IsotonicRegression(out_of_bounds="clip").fit(seen, agreed).predict([0.1, 0.5, 2.0])
    assert np.allclose(Calibration.fit(seen, agreed)([0.1, 0.5, 2.0]), expected, atol=1e-6)


def test_certain_labels():
    kept, share = certain(np.array([0.2, 0.9, 0.95, 1.0]), 0.9)
    assert kept.tolist() == [False, True, True, True] and share == 0.75


@pytest.mark.parametrize("rows", [7, 100])
def test_streamed_is_whole(planes, fitted, rows):
    again = LeaSC(**SETTINGS, n_draws=3, confidence_draws=3, block_rows=rows).fit(planes[0])
    assert np.array_equal(again.labels_, fitted.labels_)
    assert np.allclose(again.confidence_, fitted.confidence_, atol=1e-5)
    assert np.array_equal(again.predict(planes[0]), fitted.labels_)


@pytest.mark.parametrize("affinity", ["landmarks", "codes"])
def test_a_bundle_keeps_draws_and_confidence(planes, tmp_path, affinity):
    model = LeaSC(**SETTINGS, n_draws=2, confidence_draws=1, affinity=affinity).fit(planes[0])
    model.save(tmp_path / "m.leasc")
    loaded = LeaSC.load(tmp_path / "m.leasc")
    assert np.array_equal(loaded.predict(planes[0]), model.labels_)
    assert np.array_equal(loaded.confidence_, model.confidence_)
    labels, confidence = loaded.predict_with_confidence(planes[0])
    assert np.array_equal(labels, model.labels_) and np.allclose(confidence, model.confidence_, atol=1e-5)
    assert np.array_equal(loaded.predict_confidence(planes[0]), confidence)


def test_equal_draws_are_one_draw():
    """The same landmarks twice: half the weight each, the same spectrum, the same coordinates but for a factor."""
    rng = np.random.default_rng(0)
    network = MLP((rng.standard_normal((5, 6)).astype(np.float32), rng.standard_normal((6, 4)).astype(np.float32)))
    points = rng.standard_normal((50, 5)).astype(np.float32)
    graph = LandmarkGraph.fit(network(points), 12, 3, False, rng)
    single, double = graph.rows(network(points)), JointGraph((graph, graph)).rows(Together((network, network))(points))
    assert np.allclose(double.toarray(), np.hstack([single.toarray() / 2] * 2))


def test_one_draw_of_an_ensemble_is_the_plain_fit(planes):
    plain, one = LeaSC(**SETTINGS).fit(planes[0]), LeaSC(**SETTINGS, n_draws=1).fit(planes[0])
    assert np.array_equal(plain.labels_, one.labels_) and not hasattr(plain, "confidence_")


def test_where_draws_agree_the_consensus_does_too():
    Y, y = make_union_of_subspaces(3, 2, 15, 60, noise=0.01, random_state=2)
    single, consensus = (LeaSC(**SETTINGS, n_draws=n).fit(Y).labels_ for n in (1, 3))
    assert adjusted_rand_index(single, consensus) == adjusted_rand_index(y, consensus) == 1.0


@pytest.mark.parametrize(("variant", "noise", "times"), [("f2", "auto", 10.0), ("nuclear", "auto", 1.0), ("nuclear", "f2", 10.0)])
def test_other_draws_are_freer_where_errors_are_squared(planes, monkeypatch, variant, noise, times):
    fitted = []

    def solve(points, coding, context, real=learning.solve):
        fitted.append(coding.beta)
        return real(points, coding, context)

    monkeypatch.setattr(learning, "solve", solve)
    LeaSC(**SETTINGS, variant=variant, noise=noise, beta=0.5, n_draws=3).fit(planes[0])
    assert fitted == [0.5, 0.5 * times, 0.5 * times]


def test_the_number_is_found_and_it_is_said_how(planes):
    model = LeaSC(**{**SETTINGS, "n_clusters": None}).fit(planes[0])
    assert model.n_clusters_ == 3 and model.counted_by_ == "description"
    assert LeaSC(**SETTINGS).fit(planes[0]).counted_by_ is None


def test_no_draw_at_all_is_refused(planes):
    with pytest.raises(ParameterError, match="n_draws=0"):
        LeaSC(**SETTINGS, n_draws=0).fit(planes[0])


def test_many_points_in_order_are_counted_as_if_they_were_shuffled():
    """More points than are counted on, sorted by cluster: all of the clusters must be among those that are looked at."""
    Y, _ = make_union_of_subspaces(4, 2, 15, 1000, noise=0.01, random_state=0, shuffle=False)
    assert LeaSC(**{**SETTINGS, "n_clusters": None}).fit(Y).n_clusters_ == 4


class Listener:
    """Hears events by a bound method, and holds what cannot be copied."""

    def __init__(self):
        self.lock, self.heard = Lock(), []

    def hear(self, event):
        with self.lock:
            self.heard.append(type(event).__name__)


def test_a_listener_hears_every_draw_itself(planes):
    listener, heard = Listener(), []
    LeaSC(**SETTINGS, n_draws=3, confidence_draws=1, on_event=listener.hear).fit(planes[0])
    LeaSC(**SETTINGS, n_draws=3, confidence_draws=1, on_event=lambda event: heard.append(type(event).__name__)).fit(planes[0])
    assert listener.heard.count("NetworkEpoch") == heard.count("NetworkEpoch") >= 3
    assert listener.heard.count("StageStarted") == heard.count("StageStarted")


def test_draws_have_representatives_of_their_own_even_of_few_points(planes, monkeypatch):
    chosen = []

    def solve(points, coding, context, real=learning.solve):
        chosen.append(points)
        return real(points, coding, context)

    monkeypatch.setattr(learning, "solve", solve)
    LeaSC(**{**SETTINGS, "n_representatives": None}, n_draws=3).fit(planes[0])
    whole, *others = [{row.tobytes() for row in points} for points in chosen]
    assert len(others) == 2 and others[0] != others[1] and all(other < whole for other in others)
    assert all(len(other) == int(0.6 * len(whole)) for other in others)


def test_a_missing_value_among_points_that_are_only_counted_is_named(tmp_path):
    """One of 5,000, far from the representatives: whoever looks at it says where it is in the file."""
    Y, _ = make_union_of_subspaces(3, 2, 12, 1700, noise=0.01, random_state=0)
    Y[4321, 3] = np.nan
    np.save(tmp_path / "holed.npy", Y.astype(np.float32))
    with pytest.raises(DataError, match="Row 4321, feature 3 is NaN"):
        LeaSC(**{**SETTINGS, "n_clusters": None, "n_representatives": 40}).fit(str(tmp_path / "holed.npy"))
