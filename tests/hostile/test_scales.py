"""Data of any size a number can have give the labels of the same data at the usual size, or a sentence; never silent nonsense."""

import warnings

import numpy as np
import pytest

from leasc_core import LeaSC, baselines, clustering_accuracy, make_union_of_subspaces
from leasc_core.data.scale import divided, exponent_of, safe_norms
from leasc_core.diagnosis.verdict import diagnose
from leasc_core.errors import DataError
from leasc_core.estimators.rpcm import RPCM
from leasc_core.selectors import SELECTORS

Y, y = make_union_of_subspaces(n_subspaces=3, dim=2, ambient_dim=12, n_per_subspace=50, noise=0.01, random_state=0)
SCALES = [(1e20, "f4"), (1e-23, "f4"), (1e-40, "f4"), (1e200, "f8"), (1e-200, "f8")]
SMALL = {"n_clusters": 3, "n_representatives": 40, "hidden": (30,), "random_state": 0}
METHODS = {
    "leasc": lambda X: LeaSC(**SMALL).fit(X).labels_,
    "leasc of landmarks": lambda X: LeaSC(preprocess=None, affinity="landmarks", **SMALL).fit(X).labels_,
    "kmeans": lambda X: baselines.get("kmeans").run(X, 3, seed=0).labels,
    "ssc": lambda X: baselines.get("ssc").run(X, 3, seed=0).labels,
    "leasc_f2": lambda X: baselines.get("leasc_f2").run(X, 3, seed=0).labels,
}


def scaled(scale, kind):
    return (Y * scale).astype(kind)


@pytest.mark.parametrize(
    ("name", "scale", "kind"), [(name, *each) for name in METHODS for each in (SCALES[:2] if name == "leasc" else SCALES[::2])]
)
def test_labels_do_not_depend_on_the_scale(name, scale, kind):
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        usual, found = METHODS[name](Y.astype(kind)), METHODS[name](scaled(scale, kind))
    assert clustering_accuracy(usual, found) == 1


def test_a_model_labels_new_points_of_the_same_scale():
    model = LeaSC(preprocess="centred", **SMALL).fit(scaled(1e20, "f4"))
    assert np.array_equal(model.predict(scaled(1e20, "f4")), model.labels_)


@pytest.mark.parametrize(("scale", "kind"), SCALES[:2] + SCALES[3:])
def test_the_diagnosis_and_the_selectors_see_the_same_data(scale, kind):
    X, usual = scaled(scale, kind), Y.astype(kind)
    assert [check.good for check in diagnose(X).checks] == [check.good for check in diagnose(usual).checks]
    for kind_of in SELECTORS.values():
        chosen = [kind_of().select(data, 12, np.random.default_rng(0)) for data in (X, usual)]
        assert np.array_equal(*chosen), kind_of


def test_rows_that_are_taken_as_they_are_and_cannot_be_squared_are_refused():
    with pytest.raises(DataError, match="Row 0, feature 0 is .* too large to compute with: divide the data by a constant"):
        RPCM(hidden=(5,)).fit(Y * 1e200)


def test_usual_rows_are_not_touched_and_odd_ones_are_exact():
    block, norms = safe_norms(Y)
    assert block is Y and exponent_of(Y) == 0 and divided(Y, 0) is Y
    np.testing.assert_allclose(norms, np.linalg.norm(Y, axis=1))
    odd, lengths = safe_norms(np.ldexp(Y, 600))
    np.testing.assert_array_equal(odd / lengths[:, None], *[safe_norms(np.ldexp(Y, 700))[0] / lengths[:, None]])
