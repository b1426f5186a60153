"""The league goes on where it stopped, leaves out what is not there, and prints a line a set."""

from dataclasses import asdict

import numpy as np
import pytest

from leasc_core.bench import league
from leasc_core.bench.league import OURS, league_table, run_league
from leasc_core.bench.leave_out import leave_one_out
from leasc_core.cli.main import main
from leasc_core.errors import ParameterError
from leasc_core.prepare import Evidence


def test_rows_are_measured_once_and_tables_name_every_method(tmp_path):
    settings = {"methods": (OURS, "kmeans"), "seeds": (0,), "sets": ("iris", "wine")}
    first = run_league(tmp_path, **settings)
    again = run_league(tmp_path, **settings)
    assert first == again and len(first) == 4
    assert len((tmp_path / "rows.jsonl").read_text().splitlines()) == 4
    table = league_table(first)
    assert "| iris |" in table and "| wine |" in table and OURS in table and "kmeans" in table
    ours = {row["key"]["set"]: row["accuracy"] for row in first if row["key"]["method"] == OURS}
    assert ours["iris"] >= 0.95 and ours["wine"] >= 0.92


def test_files_that_are_absent_are_left_out(tmp_path):
    assert run_league(tmp_path, data=tmp_path, sets=("orl",)) == []


def test_an_unknown_set_is_refused(tmp_path):
    with pytest.raises(ParameterError, match="no set of the league"):
        run_league(tmp_path, sets=("moon",))


def test_the_command_prints_the_table(tmp_path, capsys):
    assert main(["bench", "league", "iris", "--methods", "kmeans", "--seeds", "1", "-o", str(tmp_path / "out")]) == 0
    assert "| iris |" in capsys.readouterr().out


def test_a_rule_is_learned_on_the_other_sets():
    """Where agreement misleads on two sets, the third is judged by another score, whatever would be best on itself."""

    def candidate(agreement, score, accuracy):
        return asdict(Evidence("none", "landmarks", score, agreement, 0.0, 100, 3, 0.1)) | {"accuracy": accuracy}

    misled = [candidate(1.0, 0.2, 0.3), candidate(0.8, 0.8, 0.9)]
    itself = [candidate(1.0, 0.2, 0.7), candidate(0.8, 0.8, 0.5)]
    third = leave_one_out({"a": misled, "b": misled, "c": itself})[2]
    assert (third["left out"], third["oracle"]) == (0.5, 0.7)


def test_the_left_out_column_is_printed_and_resumed(tmp_path, capsys):
    command = ["bench", "league", "iris", "wine", "--leave-one-out", "-o", str(tmp_path)]
    assert main(command) == main(command) == 0
    assert len((tmp_path / "evidence.jsonl").read_text().splitlines()) == 2
    assert capsys.readouterr().out.count("| wine |") == 2


def test_pixels_without_a_class_do_not_judge(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    X = np.repeat(np.eye(4), 30, axis=0) + 0.02 * rng.standard_normal((120, 4))
    truth = np.repeat([0, 1, 2, -1], 30)
    one = league.LeagueSet("made", None, lambda folder: [(X, truth, None)], "–")
    monkeypatch.setattr(league, "SETS", (one,))
    row = run_league(tmp_path, methods=("kmeans", "kmeans@prepared"), seeds=(0,))[0]
    assert row["accuracy"] == 1.0
