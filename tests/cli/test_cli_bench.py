"""``bench``: lists, tables, own data, sweeps; resumed by the same command; one sentence for what is missing."""

import json

import numpy as np
import pytest

from leasc_core import baselines, bench, make_union_of_subspaces
from leasc_core.cli.main import main


@pytest.fixture
def file(tmp_path, monkeypatch):
    X, y = make_union_of_subspaces(3, 4, 30, 40, noise=0.0, random_state=3)
    np.savez(tmp_path / "planes.npz", X=X, y=y)
    monkeypatch.chdir(tmp_path)
    return "planes.npz"


def test_the_list_names_recipes_files_and_methods(capsys, tmp_path):
    assert main(["bench", "--list", "--data", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    for recipe in bench.RECIPES.values():
        assert recipe.title in out and recipe.files[0] in out
    assert all(name in out for name in baselines.names())


@pytest.mark.parametrize("recipe", ["norb", "ar", "mnist8m", "youtube8m"])
def test_a_recipe_without_its_files_says_which_go_where(capsys, tmp_path, monkeypatch, recipe):
    monkeypatch.chdir(tmp_path)
    assert main(["bench", recipe, "--data", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and bench.get(recipe).files[0] in said and str(tmp_path) in said and "--data" in said
    assert list(tmp_path.iterdir()) == []


def test_one_s_own_data_and_the_same_command_again(file, capsys, tmp_path):
    command = ["bench", file, "--methods", "lsr,kmeans", "--seeds", "2"]
    assert main(command) == 0
    told = capsys.readouterr()
    assert "LSR" in told.out and "100.0" in told.out and told.err.count("\n") == 4
    rows = (tmp_path / "planes-bench" / "planes.jsonl").read_text()
    assert main([*command, "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["method"] for line in lines] == ["lsr", "kmeans"] * 2
    assert main(["bench", "--resume", "planes-bench"]) == 0
    assert (tmp_path / "planes-bench" / "planes.jsonl").read_text() == rows, "nothing is computed twice"


@pytest.mark.slow
def test_two_at_once_find_the_same(file, capsys, tmp_path):
    assert main(["bench", file, "--methods", "lsr,kmeans", "--seeds", "1", "--workers", "2", "-o", "both"]) == 0
    assert "2 runs went on at once" in capsys.readouterr().out
    alone = bench.run(bench.own_data(file), methods=["lsr", "kmeans"], seeds=1)
    together = [json.loads(line) for line in (tmp_path / "both" / "planes.jsonl").read_text().splitlines()]
    assert {(r["method"], r["seed"]): r["acc"] for r in together} == {(r["method"], r["seed"]): r["acc"] for r in alone.rows}


def test_a_sweep_tells_label_free_choices_apart_from_the_oracle_s(file, capsys):
    small = ["--set", "n_representatives=40", "--set", "hidden=[30]", "--draws", "1"]
    assert main(["bench", "sweep", file, "--over", "beta=0.1,1", "--over", "variant=f2", *small]) == 0
    out = capsys.readouterr().out
    chosen, oracle = out.index("Chosen without labels"), out.index("Oracle")
    assert chosen < oracle and "stability" in out and "accuracy" in out[oracle:] and "accuracy" not in out[chosen:oracle]


def test_the_paper_s_grid_has_a_name():
    from leasc_core.cli.commands.bench import axis

    assert axis("beta=paper") == ("beta", [1e-4, 5e-4, 1e-3, 5e-3, 1e-2, 5e-2, 0.1, 1, 10, 50, 100])
    assert axis("variant=f2,l1") == ("variant", ["f2", "l1"])


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        (["yale"], 1, "neither a recipe"),
        (["planes.npz", "--methods", "scc"], 1, "'scc' is unknown"),
        (["planes.npz", "--seeds", "x"], 2, "number of seeds"),
        (["sweep", "planes.npz"], 1, "one or two parameters"),
        (["sweep", "planes.npz", "--over", "beta=-1"], 1, "beta=-1"),
        (["sweep", "planes.npz", "--over", "beta"], 2, "NAME=VALUE"),
        (["sweep"], 2, "after `sweep`"),
        (["--resume", "nowhere"], 1, "holds no benchmark"),
        (["planes.npz", "--methods", "lsr", "--workers", "0"], 1, "workers=0"),
    ],
)
def test_bad_commands_get_one_sentence(file, capsys, command, code, said):
    try:
        found = main(["bench", *command])
    except SystemExit as stop:
        found = stop.code
    assert found == code and said in capsys.readouterr().err
