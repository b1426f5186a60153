"""What is kept goes when it is old, and never what a run still needs."""

import os
import time

import pytest

from leasc_core.cli.main import main
from leasc_core.errors import RunError
from leasc_core.runs import kept
from leasc_core.runs.records import write_record

OLD = 40 * kept.DAY


@pytest.fixture(autouse=True)
def places(tmp_path, monkeypatch):
    monkeypatch.setenv("LEASC_RUNS", str(tmp_path / "runs"))
    monkeypatch.setenv("LEASC_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("LEASC_KEEP_DAYS", "30")


def folder(path, age=0.0, **files):
    """A folder with files of a kilobyte, or of what is given, last touched ``age`` seconds ago."""
    path.mkdir(parents=True)
    for name, said in {"X": None, **files}.items():
        if said is None:
            (path / f"{name}.npy").write_bytes(bytes(1000))
        else:
            write_record(path / f"{name}.json", said)
    for each in (*path.iterdir(), path):
        os.utime(each, (time.time() - age,) * 2)
    return path


def made_from(data):
    return {"data": {"path": str(data / "X.npy")}}


def test_what_is_old_goes_and_what_a_run_needs_stays():
    home, uploads = kept.runs_root() / "ada", kept.uploads_root()
    needed, read = folder(home / "data" / "needed", OLD), folder(uploads / "ada-read", OLD)
    stay = [
        folder(home / "runs" / "new", config=made_from(needed)),
        folder(home / "runs" / "half", config=made_from(read)),
        folder(home / "data" / "just-written"),
        folder(kept.cache_folder() / "copy", about={}),
        needed,
        read,
    ]
    go = [
        folder(home / "runs" / "old", OLD, config=made_from(needed), summary={}),
        folder(home / "data" / "of-no-run", 2 * kept.DAY),
        folder(home / "session", OLD),
        folder(uploads / "ada-old", OLD),
        folder(kept.cache_folder() / "old-copy", OLD, about={}),
    ]
    assert {stored.path for stored in kept.expire()} == set(go)
    assert all(path.exists() for path in stay) and not any(path.exists() for path in go)


def test_nothing_goes_by_age_where_nothing_is_said_of_it(monkeypatch):
    monkeypatch.delenv("LEASC_KEEP_DAYS")
    old = folder(kept.runs_root() / "ada" / "runs" / "old", OLD, config={})
    assert kept.expire() == [] and old.exists()


def test_a_link_is_removed_by_nobody_and_followed_by_nobody(tmp_path):
    theirs = folder(tmp_path / "elsewhere", OLD)
    kept.uploads_root().mkdir(parents=True)
    (kept.uploads_root() / "ada-link").symlink_to(theirs)
    assert kept.expire() == [] and len(list(theirs.iterdir())) == 1


def test_a_quota_is_each_visitors_own(monkeypatch):
    monkeypatch.setenv("LEASC_VISITOR_GB", "5e-6")
    for number in range(6):
        folder(kept.runs_root() / "ada" / "runs" / str(number))
    kept.make_room("bo")
    with pytest.raises(RunError, match="Your runs and uploads take .* and this server gives each visitor 5e-06 GB: delete a run"):
        kept.make_room("ada")


def test_the_command_frees_only_what_it_is_told_to(capsys):
    old, new = (folder(kept.runs_root() / "ada" / "runs" / name, age) for name, age in (("old", OLD), ("new", 0.0)))
    assert main(["kept"]) == 0 and old.exists()
    assert "2 kept" in capsys.readouterr().out
    assert main(["kept", "--older", "30", "--free"]) == 0
    assert not old.exists() and new.exists() and "1 removed" in capsys.readouterr().out
