"""The verdict says which tool fits, and every remedy works when it is carried out."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine, make_blobs, make_circles, make_moons

from leasc_core import LeaSC, clustering_accuracy, make_union_of_subspaces
from leasc_core.baselines.model import MethodModel
from leasc_core.errors import BundleError, DataError
from leasc_core.plan import Counts, Plateau
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


def test_labels_that_are_not_the_subspaces_told_are_not_clear():
    Y, y = make_union_of_subspaces(3, 2, 20, 60, 0.02, 1)
    told = Counts((Plateau(3, 1.0, 0.0, 0.0, 1.0, "description", "Told."),), "Told.")
    mixed = np.where(np.arange(len(y)) % 2, y, (y + 1) % 3)
    assert judge(Y, y, told).mark == "clear" and judge(Y, mixed, told).mark == "doubtful"


def test_columns_in_other_units_are_named_and_their_remedies_work():
    Y, y = load_wine(return_X_y=True)
    labels = LeaSC(3, affinity="landmarks", preprocess=None, **SMALL).fit(Y).labels_
    found = judge(Y, labels, None, "none")
    actions = {remedy["action"]: remedy for remedy in found.remedies}
    assert actions["leave_out"]["columns"] == [12] and "standardise" in actions
    standard = LeaSC(3, preprocess="standard", random_state=0).fit(Y)
    assert clustering_accuracy(y, standard.labels_) > clustering_accuracy(y, labels)
    assert not {"standardise", "leave_out"} & {remedy["action"] for remedy in standard.verdict_.remedies}


# What a person would say of these sets, and the accuracy that at most one click must lead to.
REAL = {
    "wine": (load_wine, {"clear", "usable"}, 0.92),
    "iris": (load_iris, {"clear", "usable"}, 2 / 3),  # two of its three kinds overlap
    "moons": (lambda **_: PLANE["moons"](), {"wrong tool"}, 0.95),
    "circles": (lambda **_: PLANE["circles"](), {"wrong tool"}, 0.95),
    "blobs": (lambda **_: PLANE["blobs"](), {"wrong tool", "clear"}, 0.95),
}


@pytest.mark.parametrize("name", REAL)
def test_the_verdict_is_honest_and_one_click_leads_to_a_good_result(name):
    load, marks, wanted = REAL[name]
    Y, y = load(return_X_y=True)
    model = LeaSC(random_state=0).fit(Y)
    assert model.verdict_.mark in marks, model.verdict_
    results = [model, *(clicked(Y, remedy) for remedy in model.verdict_.remedies)]
    reached = [clustering_accuracy(y, result.labels_) for result in results if result is not None]
    assert max(reached) >= wanted, reached


def clicked(Y, remedy):
    """What the button of a remedy comes to."""
    if remedy["action"] == "n_clusters":
        return LeaSC(remedy["k"], random_state=0).fit(Y)
    if remedy["action"] == "standardise":
        return LeaSC(preprocess="standard", random_state=0).fit(Y)
    return MethodModel(remedy["name"], remedy["k"]).fit(Y) if remedy["action"] == "method" else None


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
