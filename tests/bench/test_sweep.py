"""A sweep computes every cell once, goes on where it was broken off, and lets no label choose."""

import numpy as np
import pandas
import pytest

from leasc_core import LeaSC, bench, make_union_of_subspaces
from leasc_core.bench.quality import held_out_code_error, relative_eigengap, stability
from leasc_core.data.sources import open_source
from leasc_core.errors import ParameterError
from leasc_core.metrics import adjusted_rand_index

SMALL = {"hidden": (30,), "n_representatives": 40, "epochs": 1}


@pytest.fixture(scope="module")
def points():
    return make_union_of_subspaces(3, 3, 20, 40, noise=0.05, random_state=1)


@pytest.fixture(scope="module")
def mine(points):
    return bench.own_data(*points, name="mine")


@pytest.fixture
def fits(monkeypatch):
    """Parameters of every fit, in order."""
    seen, original = [], LeaSC.fit

    def counted(self, Y, y=None):
        seen.append((self.beta, self.alpha, self.random_state))
        return original(self, Y, y)

    monkeypatch.setattr(LeaSC, "fit", counted)
    return seen


def test_every_cell_is_a_fit_a_draw_and_in_its_place(mine, fits, points):
    sweep = bench.Sweep(mine, {"beta": (0.1, 1.0), "n_neighbors": (3, 5, 7)}, SMALL, draws=2, seed=4)
    grid = bench.run_sweep(sweep)
    assert fits == [(beta, None, seed) for beta in (0.1, 1.0) for _ in range(3) for seed in (4, 5)]
    models = [LeaSC(3, beta=1.0, n_neighbors=7, **SMALL, random_state=seed).fit(points[0]) for seed in (4, 5)]
    row = grid.rows[-1]
    assert grid.place(row) == (1, 2) and row["cell"] == {"beta": 1.0, "n_neighbors": 7}
    assert row["quality"]["stability"] == pytest.approx(adjusted_rand_index(models[0].labels_, models[1].labels_), abs=1e-6)
    accuracies = [np.mean(_best_match(points[1], model.labels_)) for model in models]
    assert grid.matrix("acc")[1, 2] == pytest.approx(np.mean(accuracies), abs=1e-6)
    assert grid.matrix("eigengap").shape == (2, 3) and np.isfinite(grid.matrix("code_error")).all()


def _best_match(y, labels):
    """Brute force over the 3! ways to name clusters."""
    from itertools import permutations

    return max((np.array(names)[labels] == y for names in permutations(range(3))), key=np.sum)


def test_it_goes_on_where_it_was_stopped(mine, fits, tmp_path):
    sweep = bench.Sweep(mine, {"beta": (0.1, 1.0, 10.0)}, SMALL, draws=1)
    seen = []
    part = bench.run_sweep(sweep, output=tmp_path, on_cell=lambda row: seen.append(row) or len(seen) == 2)
    assert len(fits) == len(part.rows) == 2 and np.isnan(part.matrix("seconds")[2, 0])
    whole = bench.run_sweep(sweep, output=tmp_path)
    assert len(fits) == 3 and whole.rows[:2] == part.rows
    assert whole.rows[0]["quality"]["stability"] is None, "one draw has nothing to agree with"


def test_alpha_means_nothing_without_its_norm_and_is_not_computed_again(mine, fits):
    """The paper: F², ℓ1 and nuclear are irrelevant to α; the elastic net is not."""
    axes = {"variant": ("f2", "elastic_net"), "alpha": (0.1, 10.0)}
    grid = bench.run_sweep(bench.Sweep(mine, axes, SMALL, draws=1))
    assert fits == [(None, None, 0), (None, 0.1, 0), (None, 10.0, 0)]
    assert grid.matrix("code_error")[0, 0] == grid.matrix("code_error")[0, 1]
    assert [row["cell"]["alpha"] for row in grid.rows] == [0.1, 10.0, 0.1, 10.0]


def test_labels_choose_nothing(points):
    X, y = points
    axes, scrambled = {"beta": (0.01, 1.0)}, np.random.default_rng(0).permutation(y)
    grids = [
        bench.run_sweep(bench.Sweep(bench.own_data(X, labels, clusters=3), axes, SMALL, draws=2))
        for labels in (y, scrambled, None)
    ]
    for quality in bench.QUALITIES:
        choices = [grid.chosen(quality)["cell"] for grid in grids]
        assert choices[0] == choices[1] == choices[2]
        np.testing.assert_array_equal(grids[0].matrix(quality), grids[2].matrix(quality))
    assert grids[2].oracle("acc") is None and grids[2].rows[0]["scores"] is None
    with pytest.raises(ParameterError, match="needs labels"):
        grids[0].chosen("acc")
    with pytest.raises(ParameterError, match="is no score"):
        grids[0].oracle("stability")


def test_the_best_cell_by_quality_and_by_an_oracle():
    def row(beta, stability, error, acc):
        return {
            "cell": {"beta": beta},
            "status": "done",
            "seconds": 1.0,
            "scores": {"acc": acc},
            "quality": {"stability": stability, "code_error": error, "eigengap": None},
        }

    refused = {"cell": {"beta": 4}, "status": "refused", "message": "no"}
    grid = bench.Grid({"beta": (1, 2, 3, 4)}, [row(1, 0.2, 0.1, 0.9), row(2, 0.8, 0.3, 0.5), row(3, 0.5, 0.2, 0.7), refused])
    assert grid.chosen("stability")["cell"]["beta"] == 2 and grid.chosen("code_error")["cell"]["beta"] == 1
    assert grid.oracle("acc")["cell"]["beta"] == 1 and grid.chosen("eigengap") is None
    assert list(grid.frame().columns) == ["beta", "status", "stability", "code_error", "eigengap", "seconds", "by_labels.acc"]


def test_cells_that_leasc_refuses_say_why_and_the_others_go_on(mine, tmp_path):
    axes = {"n_representatives": (40, 4000), "zero_diagonal": ("auto", False)}
    grid = bench.run_sweep(bench.Sweep(mine, axes, {"hidden": (30,)}, draws=1))
    assert [row["status"] for row in grid.rows] == ["done", "done", "refused", "refused"]
    assert "at most 120" in grid.rows[-1]["message"] and np.isnan(grid.matrix("acc")[1]).all()
    grid.save(tmp_path)
    saved = pandas.read_parquet(tmp_path / "sweep.parquet")
    assert list(saved["n_representatives"]) == [40, 40, 4000, 4000] and list(saved["zero_diagonal"][:2]) == ["auto", "False"]


@pytest.mark.parametrize(
    ("axes", "message"),
    [
        ({}, "one or two"),
        ({"beta": (1,), "alpha": (1,), "tol": (1,)}, "one or two"),
        ({"beta": ()}, "at least one"),
        ({"beta": (1, 1)}, "each of them once"),
        ({"beta": (-1,)}, "beta=-1"),
        ({"random_state": (1, 2)}, "cannot be swept"),
        ({"beta": range(1, 40), "n_landmarks": range(2, 40)}, "at most 1,000"),
    ],
)
def test_bad_axes_get_one_sentence(mine, axes, message):
    with pytest.raises(ParameterError, match=message):
        bench.Sweep(mine, axes)


def test_the_eigengap_and_the_stability_by_their_definitions():
    assert relative_eigengap(np.array([1.0, 0.9, 0.8, 0.4]), 3) == pytest.approx(0.6 / 0.2)
    assert relative_eigengap(np.array([1.0, 0.9]), 2) is None
    a, b, c = [0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1]
    pairs = [adjusted_rand_index(*pair) for pair in ((a, b), (a, c), (b, c))]
    assert stability([a, b, c]) == pytest.approx(np.mean(pairs)) and pairs[0] == 1.0
    assert stability([a]) is None


def test_the_code_error_is_that_of_points_nobody_taught(points):
    """Against ridge regression in scikit-learn, at the same points."""
    from sklearn.linear_model import Ridge

    X = points[0]
    model = LeaSC(3, beta=2.0, **SMALL, random_state=0).fit(X)
    error = held_out_code_error(model, open_source(X), np.random.default_rng(0), count=1000)
    others = np.setdiff1d(np.arange(len(X)), model.representative_indices_)
    unit = X[others] / np.linalg.norm(X[others], axis=1, keepdims=True)
    codes = Ridge(0.5, fit_intercept=False).fit(model.representatives_.T, unit.T).coef_
    assert error == pytest.approx(np.linalg.norm(codes - model.network_(unit)) / np.linalg.norm(codes), rel=1e-5)
    everyone = LeaSC(3, hidden=(30,), n_representatives=len(X), random_state=0).fit(X)
    assert held_out_code_error(everyone, open_source(X), np.random.default_rng(0)) is None


def test_how_representatives_are_chosen_can_be_swept(mine):
    grid = bench.run_sweep(bench.Sweep(mine, {"selector": ("random", "kmeans")}, SMALL, draws=1))
    assert [row["status"] for row in grid.rows] == ["done", "done"]
    with pytest.raises(ParameterError, match="'best' is not known"):
        bench.Sweep(mine, {"selector": ("best",)})
