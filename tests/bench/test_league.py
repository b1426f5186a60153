"""The league goes on where it stopped, leaves out what is not there, and prints a line a set."""

import pytest

from leasc_core.bench.league import OURS, league_table, run_league
from leasc_core.cli.main import main
from leasc_core.errors import ParameterError


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
