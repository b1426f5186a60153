"""A full disk, a file that changes, strange checkpoints, too small a budget: one sentence, nothing lost, nothing half-written."""

import errno
import json
import os
import shutil
import subprocess

import numpy as np
import pytest

from leasc_core.errors import LeascError, RunError
from leasc_core.events import PointsDone, StageStarted
from leasc_core.runs import run
from leasc_core.runs.folder import RunFolder
from leasc_core.runs.records import read_record, write_record
from leasc_core.storage import tables
from leasc_core.storage.checkpoint import FolderStore
from tests.chaos.nursery import PARAMETERS

pytestmark = pytest.mark.slow


def stop_at(done):
    return lambda event: isinstance(event, PointsDone) and event.done >= done


class FullDisk:
    """A file on a disk with little room left."""

    def __init__(self, file, room):
        self.file, self.room = file, room

    def write(self, data):
        if len(data) > self.room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.room -= len(data)
        return self.file.write(data)

    def __getattr__(self, name):
        return getattr(self.file, name)


def test_a_full_disk_ends_the_run_with_a_sentence_and_resumes(points, undisturbed, tmp_path, monkeypatch):
    opened = tables.FileTable._open

    def open_on_a_full_disk(table):
        opened(table)
        table._file = FullDisk(table._file, 200_000)

    monkeypatch.setattr(tables.FileTable, "_open", open_on_a_full_disk)
    with pytest.raises(RunError, match=r"joins.npy cannot be written: the disk of .* is full .*resume, nothing is lost"):
        run.start(tmp_path / "run", points, PARAMETERS)
    monkeypatch.undo()
    result = run.resume(tmp_path / "run")
    assert np.array_equal(result.labels, undisturbed)
    assert result.summary["passes"] < 1, "the rows that were written before are not read again"


def test_a_really_full_disk(points, undisturbed, tmp_path):
    """A file system of two megabytes, where this machine lets us make one."""
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip(f"a small file system cannot be mounted here: {mounted.stderr.decode().strip()}")
    try:
        with pytest.raises(RunError, match="needs .* of disk and .* has .* free"):
            run.prepare(place / "run", points, PARAMETERS)
        run.prepare(tmp_path / "elsewhere", points, PARAMETERS)
        shutil.copytree(tmp_path / "elsewhere", place / "run")
        (place / "ballast").write_bytes(bytes(1_200_000))
        with pytest.raises(RunError, match="cannot be written: the disk of .* is full"):
            run.resume(place / "run")
        (place / "ballast").unlink()
        shutil.copytree(place / "run", tmp_path / "moved")
        assert np.array_equal(run.resume(tmp_path / "moved").labels, undisturbed)
    finally:
        subprocess.run(["umount", str(place)], check=True)


def test_a_file_cut_short_under_a_run(points, tmp_path):
    mine = tmp_path / "points.npy"
    shutil.copy(points, mine)

    def cut(event):
        if isinstance(event, StageStarted) and event.stage == "encoding":
            os.truncate(mine, 500_000)

    with pytest.raises(LeascError, match="changed while the run was reading it|became shorter while it was read"):
        run.start(tmp_path / "run", mine, PARAMETERS, on_event=cut)
    shutil.copy(points, mine)
    assert run.resume(tmp_path / "run").finished, "with the file restored the run goes on"


def test_a_file_that_changes_under_a_run(points, tmp_path):
    mine = tmp_path / "points.npy"
    shutil.copy(points, mine)

    def change(event):
        if isinstance(event, PointsDone) and event.done == event.total:
            np.load(mine, mmap_mode="r+")[:] *= -2

    with pytest.raises(RunError, match="changed while the run was reading it"):
        run.start(tmp_path / "run", mine, PARAMETERS, on_event=change)
    assert not RunFolder(tmp_path / "run").labels_file.exists()
    with pytest.raises(RunError, match="is not what it was when the run began"):
        run.resume(tmp_path / "run")


def test_a_file_that_was_only_touched_is_the_same_file(points, undisturbed, tmp_path):
    mine = tmp_path / "points.npy"
    shutil.copy(points, mine)
    assert not run.start(tmp_path / "run", mine, PARAMETERS, on_event=stop_at(9000)).finished
    os.utime(mine, (1, 1))
    assert np.array_equal(run.resume(tmp_path / "run").labels, undisturbed)


@pytest.mark.parametrize("what", ["dataset", "parameters", "program", "version"])
def test_checkpoints_of_something_else_are_refused(tmp_path, what):
    identity = {"dataset": "abc", "parameters": {"n_clusters": 3}, "program": "0.1.0"}
    FolderStore(tmp_path, identity).put("network", {}, {"layer.0": np.ones((2, 2))})
    FolderStore(tmp_path, identity)
    known = json.loads((tmp_path / "identity.json").read_text())
    (tmp_path / "identity.json").write_text(json.dumps({**known, what: "other"}))
    with pytest.raises(RunError, match=f"made with another {what}.*choose a new run folder"):
        FolderStore(tmp_path, identity)


def test_a_run_of_another_program_version_is_refused(points, tmp_path):
    run.prepare(tmp_path / "run", points, PARAMETERS)
    file = tmp_path / "run" / "config.json"
    file = tmp_path / "run" / "config.json"
    write_record(file, {**read_record(file), "program": "9.0"})
    with pytest.raises(RunError, match="begun by version 9.*start a new run"):
        run.resume(tmp_path / "run")


def test_a_damaged_checkpoint_is_made_again(points, undisturbed, tmp_path):
    assert not run.start(tmp_path / "run", points, PARAMETERS, on_event=stop_at(9000)).finished
    stage = tmp_path / "run" / "checkpoints" / "landmarks.stage"
    stage.write_bytes(stage.read_bytes()[:-1000])
    (tmp_path / "run" / "checkpoints" / "joins.progress.json").write_text("{")
    assert np.array_equal(run.resume(tmp_path / "run").labels, undisturbed)


def test_a_table_shorter_than_it_says_begins_again(points, undisturbed, tmp_path):
    assert not run.start(tmp_path / "run", points, PARAMETERS, on_event=stop_at(9000)).finished
    os.truncate(tmp_path / "run" / "checkpoints" / "joins.npy", 1000)
    assert np.array_equal(run.resume(tmp_path / "run").labels, undisturbed)


def test_a_budget_too_small_is_refused_before_anything_is_written(points, tmp_path):
    with pytest.raises(RunError, match=r"needs about .* GB of memory and may use 0.1 GB: take fewer representatives"):
        run.prepare(tmp_path / "run", points, PARAMETERS, memory_budget=1e8)
    assert not (tmp_path / "run").exists()


def test_a_folder_that_cannot_be_one(points, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(RunError, match="cannot be written"):
        run.prepare(tmp_path / "file" / "run", points, PARAMETERS)


def test_a_folder_that_holds_a_run_is_not_written_over(points, tmp_path):
    run.prepare(tmp_path / "run", points, PARAMETERS)
    with pytest.raises(RunError, match="already holds a run; resume it, or choose another folder"):
        run.prepare(tmp_path / "run", points, PARAMETERS)


NOT_RUNS = [(None, "is not a run folder"), ("{", "cannot be read"), ("{}", "was not written by")]


@pytest.mark.parametrize(("said", "sentence"), NOT_RUNS)
def test_what_is_not_a_run_folder(tmp_path, said, sentence):
    if said is not None:
        (tmp_path / "config.json").write_text(said)
    with pytest.raises(RunError, match=sentence):
        run.resume(tmp_path)
