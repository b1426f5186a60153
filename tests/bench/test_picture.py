"""Pictures of codes: the entries of the codes themselves, sorted by cluster, of learned codes as of classical ones."""

import numpy as np
import pytest

from leasc_core import LeaSC, baselines, bench, make_union_of_subspaces
from leasc_core.bench import picture
from leasc_core.errors import DataError


@pytest.fixture(scope="module")
def planes():
    return make_union_of_subspaces(3, 2, 12, 30, noise=0.01, random_state=1)


def test_classical_codes_are_shown_as_they_are(planes, tmp_path):
    outcome = baselines.get("lsr").run(planes[0], 3, seed=0)
    order = np.argsort(outcome.labels, kind="stable")
    shown = picture.code_picture(outcome, planes[0])
    np.testing.assert_array_equal(shown.codes, outcome.codes[np.ix_(order, order)])
    shown.save(tmp_path / "a" / "b.npz")
    again = picture.CodePicture.load(tmp_path / "a" / "b.npz")
    np.testing.assert_allclose(again.codes, shown.codes, rtol=1e-6)
    assert again.count == (90, 90) and np.array_equal(again.helpers, np.sort(outcome.labels))
    with pytest.raises(DataError, match="cannot be read"):
        picture.CodePicture.load(tmp_path / "nothing.npz")


def test_learned_codes_are_those_of_the_function(planes):
    X, _ = planes
    outcome = baselines.get("leasc_f2").run(X, 3, seed=4, n_representatives=20)
    model = LeaSC(3, n_representatives=20, random_state=4).fit(X)
    shown = picture.code_picture(outcome, X)
    across = np.argsort(model.labels_, kind="stable")
    down = np.argsort(model.labels_[model.representative_indices_], kind="stable")
    np.testing.assert_allclose(shown.codes, model.transform(X)[np.ix_(across, down)], atol=1e-6)
    assert shown.count == (90, 20)


def test_of_many_points_some_of_each_cluster(planes, monkeypatch):
    monkeypatch.setattr(picture, "MOST_POINTS", 30)
    monkeypatch.setattr(picture, "MOST_HELPERS", 12)
    outcome = baselines.get("ssc_omp").run(planes[0], 3, seed=0)
    shown = picture.code_picture(outcome, planes[0])
    assert shown.codes.shape == (30, 12) and shown.count == (90, 90)
    shares = np.bincount(outcome.labels, minlength=3) / 3
    assert np.all(np.abs(np.bincount(shown.points, minlength=3) - shares) <= 1.1) and np.all(np.diff(shown.points) >= 0)


def test_what_has_no_helpers_has_no_picture(planes):
    assert picture.code_picture(baselines.get("kmeans").run(planes[0], 3), planes[0]) is None


def test_the_first_seed_of_each_method_is_pictured(planes, tmp_path):
    recipe = bench.own_data(*planes, name="mine", methods=("lsr", "kmeans"))
    rows = bench.run(recipe, seeds=[3, 5], output=tmp_path).rows
    assert [(row["method"], row["seed"]) for row in rows if "codes_file" in row] == [("lsr", 3)]
    assert picture.CodePicture.load(tmp_path / rows[0]["codes_file"]).codes.shape == (90, 90)
