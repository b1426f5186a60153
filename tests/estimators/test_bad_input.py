"""Bad input gets one clear sentence that names the value, the limit and the remedy."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from leasc_core import RPCM, LandmarkSpectralClustering, LeaSC, make_union_of_subspaces
from leasc_core.errors import DataError, ParameterError

ESTIMATORS = (RPCM, LandmarkSpectralClustering, LeaSC)


@pytest.fixture(scope="module")
def points():
    return make_union_of_subspaces(n_per_subspace=20)[0]


def quick(**settings):
    return LeaSC(**{"n_clusters": 4, "hidden": (20,), "epochs": 0, "random_state": 0, **settings})


def spoil(points, value):
    points = points.copy()
    points[7, 3] = value
    return points


@pytest.mark.parametrize("make", ESTIMATORS)
@pytest.mark.parametrize(("value", "word"), [(np.nan, "NaN"), (np.inf, "inf"), (-np.inf, "inf")])
def test_a_value_that_is_not_finite_is_named(make, points, value, word):
    with pytest.raises(DataError, match=rf"Row 7, feature 3 is {word}.*drop"):
        make().fit(spoil(points, value))


def test_nan_at_predict_is_named(points):
    model = quick().fit(points)
    with pytest.raises(DataError, match="Row 7, feature 3 is NaN"):
        model.predict(spoil(points, np.nan))
    with pytest.raises(DataError, match="Row 7, feature 3 is NaN"):
        model.transform(spoil(points, np.nan))


@pytest.mark.parametrize("make", ESTIMATORS)
@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (np.empty((0, 5)), "0 sample"),
        (np.empty((5, 0)), "0 feature"),
        (np.ones((1, 5)), "1 sample.*at least 2"),
        (np.arange(10.0)[:, None], "1 feature.*at least 2"),
        (np.arange(10.0), "Reshape your data"),
        (np.ones((3, 3, 3)), "dim 3"),
        (np.ones((5, 4)) + 1j, "Complex"),
        (np.array([["a", "b"], ["c", "d"]]), "convert string|numeric"),
        (np.array([[object(), 1], [2, 3]], dtype=object), "number|float"),
    ],
    ids=["no rows", "no columns", "one point", "one feature", "1-D", "3-D", "complex", "strings", "objects"],
)
def test_arrays_that_cannot_be_used(make, bad, words):
    with pytest.raises((ValueError, TypeError), match=words):
        make().fit(bad)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"n_clusters": 0}, "n_clusters=0 .*at least 1"),
        ({"n_clusters": -3}, "n_clusters=-3"),
        ({"n_clusters": 2.5}, "n_clusters=2.5 .*whole number"),
        ({"n_clusters": 81}, "n_clusters=81 is more than the 80 points"),
        ({"n_representatives": 81}, "n_representatives=81 is more than the 80 points.*at most 80"),
        ({"n_representatives": 0}, "n_representatives=0"),
        ({"beta": 0.0}, "beta=0.0 .*greater than 0"),
        ({"beta": -1.0}, "beta=-1.0"),
        ({"beta": np.nan}, "beta=nan"),
        ({"alpha": 0.0, "variant": "elastic_net"}, "alpha=0.0"),
        ({"alpha_bar": -2}, "alpha_bar=-2"),
        ({"variant": "l3"}, "variant='l3' is unknown.*'l1'"),
        ({"noise": "huber"}, "noise='huber'"),
        ({"solver": "sgd"}, "solver='sgd'"),
        ({"train": "joint"}, "train='joint'.*solver='paper'"),
        ({"activation": "swish"}, "activation='swish'"),
        ({"hidden": (0,)}, "hidden="),
        ({"hidden": 50}, "hidden=50"),
        ({"affinity": "rbf"}, "affinity='rbf'"),
        ({"n_landmarks": 3}, "n_landmarks=3 cannot hold n_clusters=4"),
        ({"n_neighbors": 0}, "n_neighbors=0"),
        ({"sign": "maybe"}, "sign='maybe'"),
        ({"selector": "best"}, "best"),
        ({"code_dim": 0}, "code_dim=0"),
        ({"tol": 0.0}, "tol=0.0"),
    ],
    ids=lambda v: str(v) if isinstance(v, dict) else "",
)
def test_parameters_outside_their_limits(points, settings, words):
    with pytest.raises(ParameterError, match=words):
        quick(**settings).fit(points)


def test_identical_points_cannot_be_divided():
    with pytest.raises(DataError, match="1 distinct point.*fewer than the 4 clusters"):
        quick().fit(np.ones((30, 4)))


def test_a_few_duplicates_do_no_harm(points):
    assert quick().fit(np.vstack([points, points[:10]])).labels_.shape == (90,)


def test_zero_rows_are_warned_of(points):
    with pytest.warns(UserWarning, match="Row 80 is all zeros .*drop such rows"):
        labels = quick(preprocess=None).fit(np.vstack([points, np.zeros((2, points.shape[1]))])).labels_
    assert labels.shape == (82,)


def test_one_cluster_is_warned_of(points):
    with pytest.warns(UserWarning, match="n_clusters=1 .*at least 2"):
        assert set(quick(n_clusters=1).fit(points).labels_) == {0}


@pytest.mark.parametrize("make", ESTIMATORS)
def test_a_different_width_at_predict(make, points):
    model = make().fit(points)
    use = model.transform if make is RPCM else model.predict
    with pytest.raises(ValueError, match="X has 19 features, but .* is expecting 20 features"):
        use(points[:, :-1])


@pytest.mark.parametrize("make", ESTIMATORS)
def test_use_before_fit(make, points):
    model = make()
    with pytest.raises(NotFittedError, match="fit"):
        (model.transform if make is RPCM else model.predict)(points)


def test_fit_stays_silent_on_good_data(points):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        quick().fit(points).predict(points)
