"""The verdict says which tool fits, and every remedy works when it is carried out."""

import numpy as np
import pytest
from sklearn.datasets import load_wine, make_blobs, make_circles, make_moons

from leasc_core import LeaSC, clustering_accuracy, make_union_of_subspaces
from leasc_core.baselines.model import MethodModel
from leasc_core.errors import BundleError, DataError
from leasc_core.plan.verdict import judge

PLANE = {
    "moons": lambda: make_moons(400, noise=0.05, random_state=0),
    "circles": lambda: make_circles(400, noise=0.04, factor=0.4, random_state=0),
    "blobs": lambda: make_blobs(400, centers=[[0, 0], [6, 0], [0, 6], [6, 6], [3, 3]], cluster_std=0.4, random_state=0),
}
SMALL = {"n_representatives": 100, "hidden": (60,), "random_state": 0}


@pytest.mark.parametrize("name", PLANE)
def test_groups_by_distance_are_told_and_the_other_method_is_better_in_fact(name):
    Y, y = PLANE[name]()
    model = LeaSC(len(set(y)), affinity="landmarks", preprocess=None, **SMALL).fit(Y)
    verdict = model.verdict_
    assert verdict.mark == "wrong tool" and verdict.remedies[0]["action"] == "method"
    better = MethodModel(verdict.remedies[0]["name"], verdict.remedies[0]["k"]).fit(Y)
    assert clustering_accuracy(y, better.labels_) >= max(0.95, clustering_accuracy(y, model.labels_))


def test_subspaces_are_clear():
    Y = make_union_of_subspaces(3, 2, 20, 60, 0.02, 1)[0]
    assert LeaSC(**SMALL).fit(Y).verdict_.mark == "clear"


def test_halves_of_lines_are_no_reason_for_another_tool():
    Y, y = make_union_of_subspaces(3, 1, 5, 80, 0.01, 4)
    model = LeaSC(3, **SMALL).fit(Y)
    assert clustering_accuracy(y, model.labels_) > 0.95 and model.verdict_.mark != "wrong tool"


def test_columns_in_other_units_are_named_and_their_remedies_work():
    Y, y = load_wine(return_X_y=True)
    labels = LeaSC(3, affinity="landmarks", preprocess=None, **SMALL).fit(Y).labels_
    found = judge(Y, labels, None, "none")
    actions = {remedy["action"]: remedy for remedy in found.remedies}
    assert actions["leave_out"]["columns"] == [12] and "standardise" in actions
    standard = LeaSC(3, preprocess="standard", random_state=0).fit(Y)
    assert clustering_accuracy(y, standard.labels_) > clustering_accuracy(y, labels)
    assert not {"standardise", "leave_out"} & {remedy["action"] for remedy in standard.verdict_.remedies}


@pytest.mark.parametrize("method", ["kmeans", "sklearn_spectral"])
def test_a_method_is_a_model(method, tmp_path):
    Y, _ = PLANE["moons"]()
    model = MethodModel(method, 2).fit(Y)
    assert np.array_equal(model.predict(Y), model.labels_)
    model.save(tmp_path / "m.leasc")
    again = MethodModel.load(tmp_path / "m.leasc")
    assert np.array_equal(again.predict(Y[:50] + 0.01), model.predict(Y[:50] + 0.01)) and again.n_clusters_ == 2
    with pytest.raises(DataError, match="3 features"):
        again.predict(np.ones((2, 3)))
    with pytest.raises(BundleError):
        LeaSC.load(tmp_path / "m.leasc")
