"""The command `leasc`: which words open the app, where it opens, and what it says when it cannot."""

import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import leasc_core
from leasc_ui import launch
from leasc_ui.places import app_folder

ROOT = Path(__file__).parents[2]


def say(monkeypatch, capsys, *words):
    """The exit code of `leasc words…`, and what it prints."""
    monkeypatch.setattr(sys, "argv", ["leasc", *words])
    try:
        code = launch.leasc()
    except SystemExit as end:
        code = end.code
    return code, "".join(capsys.readouterr())


def test_help_lists_the_app_and_all_other_commands(monkeypatch, capsys):
    code, said = say(monkeypatch, capsys, "--help")
    assert code == 0 and said.startswith("usage: leasc ")
    for name in ("app", "cluster", "predict", "synth", "info", "diagnose", "explain", "bench"):
        assert f"\n    {name} " in said
    assert "python -m leasc_core" not in said


def test_a_file_that_is_not_there_is_one_sentence(monkeypatch, capsys):
    code, said = say(monkeypatch, capsys, "nowhere.csv")
    assert code == 1
    assert said.strip() == "nowhere.csv does not exist; check the name, or see `leasc --help` for the commands."


def test_without_streamlit_it_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr(launch.importlib.util, "find_spec", lambda name: None)
    code, said = say(monkeypatch, capsys, "app")
    assert code == 1 and "pip install 'leasc-studio[app]'" in said


def test_a_file_opens_the_data_page_with_it(tmp_path):
    file = tmp_path / "my points & more.csv"
    address = launch.page_address(8501, file)
    assert address == "http://localhost:8501/Data?way=file&file=my+points+%26+more.csv"
    assert launch.page_address(8600, None) == "http://localhost:8600"


def test_the_app_lies_where_it_is_looked_for():
    assert app_folder() == ROOT
    assert (app_folder() / "sample_data" / "four_lines.csv").is_file()


@pytest.mark.parametrize("name", ["app", "proxy", "scheduler", "worker"])
def test_compose_has_every_service(name):
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    assert services[name].get("build") == "." or "image" in services[name]
    assert (services[name].get("profiles") == ["dask"]) == (name in ("scheduler", "worker"))


def test_the_version_has_one_source():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "version" in settings["project"]["dynamic"] and "version" not in settings["project"]
    assert settings["tool"]["setuptools"]["dynamic"]["version"]["attr"] == "leasc_core.__version__"
    assert leasc_core.__version__.count(".") == 2
