"""A benchmark resumes without computing anything twice, keeps what it has, and sets the paper's numbers beside ours."""

import json

import numpy as np
import pandas
import pytest

from leasc_core import baselines, bench, make_union_of_subspaces
from leasc_core.bench import recipes
from leasc_core.bench.paper import numbers as paper
from leasc_core.errors import DataError, ParameterError
from leasc_core.metrics import score


@pytest.fixture
def mine():
    X, y = make_union_of_subspaces(3, 4, 30, 30, noise=0.0, random_state=3)
    return bench.own_data(X, y, name="mine", methods=("lsr", "kmeans"))


@pytest.fixture
def runs(monkeypatch):
    """Every run of a baseline, in order."""
    seen, original = [], baselines.Baseline.run

    def counted(self, X, k, seed=0, **settings):
        seen.append((self.name, seed, settings))
        return original(self, X, k, seed, **settings)

    monkeypatch.setattr(baselines.Baseline, "run", counted)
    return seen


def test_a_finished_benchmark_is_not_computed_again(mine, runs, tmp_path):
    first = bench.run(mine, seeds=2, output=tmp_path)
    assert runs == [("lsr", 0, {}), ("kmeans", 0, {}), ("lsr", 1, {}), ("kmeans", 1, {})]
    again = bench.run(mine, seeds=2, output=tmp_path)
    assert len(runs) == 4 and again.rows == first.rows


def test_it_goes_on_where_it_was_broken_off(mine, runs, tmp_path):
    rows = []
    bench.run(mine, seeds=2, output=tmp_path, on_row=lambda row: rows.append(row) or len(rows) == 3)
    assert len(runs) == 3 and not (tmp_path / "mine.csv").exists(), "who asks for an end is not kept waiting for tables"
    table = bench.run(mine, seeds=2, output=tmp_path)
    assert (tmp_path / "mine.csv").exists() and runs[3:] == [("kmeans", 1, {})] and len(table.rows) == 4


def test_a_torn_last_line_costs_one_row(mine, runs, tmp_path):
    bench.run(mine, seeds=1, output=tmp_path)
    path = tmp_path / "mine.jsonl"
    path.write_bytes(path.read_bytes()[:-40])
    bench.run(mine, seeds=1, output=tmp_path)
    assert runs[2:] == [("kmeans", 0, {})]
    bench.run(mine, seeds=1, output=tmp_path)
    assert len(runs) == 3


def test_other_settings_and_other_data_are_computed(mine, runs, tmp_path):
    bench.run(mine, methods=["lsr"], seeds=1, output=tmp_path)
    bench.run(mine, methods=[bench.Plan("lsr", {"beta": 5.0})], seeds=1, output=tmp_path)
    other = bench.own_data(np.random.default_rng(0).standard_normal((90, 5)), np.arange(90) % 3, "mine", methods=("lsr",))
    bench.run(other, seeds=1, output=tmp_path)
    assert len(runs) == 3


def test_rows_hold_the_metrics_of_the_labels(mine):
    X, y = mine.load(None, 0)
    row = bench.run(mine, methods=["kmeans"], seeds=[4]).rows[0]
    expected = score(y, baselines.get("kmeans").run(X, 3, seed=4).labels)
    assert {name: row[name] for name in expected} == pytest.approx(expected, abs=1e-6)
    assert row["seed"] == 4 and row["labels_used"] == "none" and row["seconds"] >= sum(row["stages"].values()) * 0.99


def test_methods_never_see_labels(mine, runs):
    """The same points with scrambled labels give the same labellings, so the same rows but for the scores."""
    X, y = mine.load(None, 0)
    scrambled = bench.own_data(X, np.random.default_rng(0).permutation(y), name="mine", methods=("lsr",))
    ours, theirs = (bench.run(each, methods=["lsr"], seeds=1).rows[0] for each in (mine, scrambled))
    assert ours["acc"] == 1.0 and theirs["acc"] < 0.7
    assert runs[0] == runs[1]


def test_a_refusal_is_a_row_and_the_others_go_on(monkeypatch):
    X, y = np.random.default_rng(0).standard_normal((60, 5)), np.arange(60) % 3
    small = baselines.Baseline("small", "Small", "everyday", "Little.", "a lot", 50, lambda *_: None)

    def breaks(points, k, seed, clock):
        raise np.linalg.LinAlgError("no convergence")

    broken = baselines.Baseline("broken", "Broken", "everyday", "Breaks.", "a lot", None, breaks)
    known = baselines.registry() | {"small": small, "broken": broken}
    monkeypatch.setattr(baselines, "registry", lambda: known)
    table = bench.run(bench.own_data(X, y, methods=("small", "broken", "kmeans")), seeds=1)
    assert [row["status"] for row in table.rows] == ["refused", "failed", "done"]
    assert "50" in table.rows[0]["message"] and "it can do 50" in table.markdown()


def test_saved_tables_say_the_same(mine, tmp_path):
    table = bench.run(mine, seeds=2, output=tmp_path)
    csv, parquet = pandas.read_csv(tmp_path / "mine.csv"), pandas.read_parquet(tmp_path / "mine.parquet")
    assert list(csv["acc"]) == list(parquet["acc"]) == [row["acc"] for row in table.rows]
    assert "seconds.coding" in parquet.columns
    assert (tmp_path / "mine.md").read_text() == table.markdown()
    lines = [json.loads(line) for line in (tmp_path / "mine.jsonl").read_text().splitlines()]
    assert lines == table.rows


def test_means_deviations_and_the_paper_s_numbers():
    def row(method, seed, acc):
        return {
            "method": method,
            "label": method,
            "family": "x",
            "seed": seed,
            "settings": {},
            "status": "done",
            "acc": acc,
            "nmi": 0.5,
            "ari": 0.5,
            "seconds": 2.0,
            "stages": {"coding": 1.0},
            "megabytes": 10.0,
        }

    recipe = bench.get("yaleb")
    table = bench.Table(recipe, [row("lsr", 0, 0.5), row("lsr", 1, 0.6), row("ssc", 0, 0.76)])
    best, lsr = table.summary()
    assert best["method"] == "ssc" and best["acc_sd"] is None and not best["behind"]
    assert lsr["acc"] == pytest.approx(0.55) and lsr["acc_sd"] == pytest.approx(np.sqrt(0.005)) and lsr["behind"]
    text = table.markdown()
    assert "55.0 ± 7.1 ▼" in text and "67.0 / 70.7" in text and "1.00 / 20" in text


def test_what_is_behind_says_why_below_the_table():
    def row(method, acc):
        return {
            "method": method,
            "label": method,
            "family": "x",
            "seed": 0,
            "settings": {},
            "status": "done",
            "acc": acc,
            "nmi": 0.5,
            "ari": 0.5,
            "seconds": 2.0,
            "stages": {"coding": 1.0},
            "processor": 1.0,
            "processor_stages": {"coding": 1.0 if method.startswith("rpcm") else 60.0},
            "megabytes": 10.0,
        }

    recipe = bench.get("yaleb")
    table = bench.Table(recipe, [row("nystrom", 0.1), row("lrr", 0.5), row("rpcm_nuclear", 0.9), row("rpcm_l1", 0.9)])
    for text in (table.markdown(), table.text()):
        assert recipe.reasons["nystrom"] in text and "nystrom (10.0 against 24.5)" in text
        assert "lrr (50.0 against 67.2): not explained yet" in text, "what nobody looked into is said to be so"
        assert "holds: coding by f (rpcm_nuclear) is 60× as fast as lrr" in text and "rpcm_l1) is" not in text
        assert "4 of 4 runs the machine was busy" in text


def test_claims_fall_whichever_way_they_fall():
    from leasc_core.bench.paper.claims import claims_of

    def line(method, acc, processor):
        return {"method": method, "label": method, "seeds": 1, "acc": acc, "processor": processor, "processor_stages": {}}

    others = [line("slsr", 0.5, 8.0), line("sssc", 0.5, 1.0), line("lbsc_k", 0.95, 1.0)]
    said = claims_of("mnist5k", [line("leasc_f2", 0.9, 2.0), *others])
    assert [sentence.split(":")[0] for sentence in said] == ["holds", "DOES NOT HOLD", "DOES NOT HOLD"]
    assert "4.0× as fast as slsr" in said[0] and "0.5× as fast as sssc" in said[1] and "-5.0 points" in said[2]
    assert claims_of("mine", [line("leasc_f2", 0.9, 2.0), line("slsr", 0.5, 8.0)]) == []


def test_every_reason_is_for_a_row_of_the_paper():
    for recipe in bench.RECIPES.values():
        assert recipe.reasons.keys() <= recipe.paper.keys()


def test_every_recipe_names_known_methods_and_its_missing_files(tmp_path):
    assert set(bench.RECIPES) == {"yaleb", "ar", "mnist5k", "mnist70k", "norb5k", "norb", "mnist8m", "youtube8m"}
    for recipe in bench.RECIPES.values():
        for plan in recipe.plans:
            assert plan.settings.keys() <= baselines.get(plan.method).settings.keys()
        with pytest.raises(DataError, match=recipe.files[0]):
            bench.run(recipe, folder=tmp_path)


def test_the_data_folder_is_given_or_named_by_the_variable(monkeypatch, tmp_path):
    monkeypatch.setenv("LEASC_DATA", str(tmp_path))
    assert recipes.data_folder() == tmp_path
    assert recipes.data_folder(tmp_path / "here") == tmp_path / "here"


def test_the_paper_s_tables_are_copied_right():
    """Cells read again from the paper: a corner and the middle of each table."""
    assert paper.YALEB["ssc"] == (76.5, 78.4) and paper.AR["nystrom_orthogonal"] == (57.6, 79.8)
    assert paper.MNIST5K["leasc_f2"] == (96.2, 91.0) and paper.MNIST5K["nystrom"] == (72.2, 66.1)
    assert paper.MNIST70K["lbsc_k"] == (85.9, 80.2) and paper.NORB["rpcaec"] == (45.3, 31.2)
    assert paper.NORB5K["ssc"] == (49.7, 37.7) and paper.NORB5K["selssc"] == (36.0, 16.5)
    assert paper.MNIST8M["slrr"] == (78.1, 73.0) and paper.YOUTUBE8M["nystrom"] == (11.6, 22.2)
    assert paper.MNIST70K_SECONDS["sellrr"] == 1569 and paper.NORB_SECONDS["leasc_nuclear"] == 710


@pytest.mark.parametrize("seeds", [0, [], [-1], "x", True])
def test_bad_seeds_are_refused(mine, seeds):
    with pytest.raises(ParameterError, match="seeds="):
        bench.run(mine, seeds=seeds)


def test_unknown_names_are_refused(mine):
    with pytest.raises(ParameterError, match="'yale' is unknown"):
        bench.run("yale")
    with pytest.raises(ParameterError, match="'scc' is unknown"):
        bench.run(mine, methods=["scc"])


def test_the_real_recipes_load(shared_data):
    X, y = bench.get("mnist5k").points(shared_data, 0)
    assert X.shape == (5000, 500) and len(np.unique(y)) == 10
    assert not np.array_equal(X, bench.get("mnist5k").points(shared_data, 1)[0])
    faces, people = bench.get("yaleb").points(shared_data, 0)
    assert faces.shape == (2414, 167) and len(np.unique(people)) == 38
