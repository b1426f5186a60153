"""Run folders that somebody has been at: links, flipped bits, missing keys, other data. Refused, redone or the same labels."""

import json
import os
import shutil
import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from leasc_core.data.sources import HASHED_WHOLE
from leasc_core.errors import LeascError, RunError
from leasc_core.events import PointsDone
from leasc_core.runs import contents, run
from leasc_core.runs.folder import RunFolder
from leasc_core.runs.records import CHECKSUM, read_record, write_record
from leasc_core.storage import tables

PARAMETERS = {"n_clusters": 3, "n_representatives": 30, "hidden": [20], "n_landmarks": 40, "block_rows": 100}
# More with LEASC_FLIPS; a flip costs a second.
FLIPS = int(os.environ.get("LEASC_FLIPS", "12"))


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Small runs, many of them: threads would only wait for each other."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    with threadpool_limits(1):
        yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def points(tmp_path_factory):
    path = tmp_path_factory.mktemp("points") / "points.npy"
    rng = np.random.default_rng(0)
    np.save(path, np.concatenate([rng.normal(size=(200, 2)) @ rng.normal(size=(2, 12)) for _ in range(3)]).astype("f4"))
    return path


@pytest.fixture(scope="module")
def stopped(points, tmp_path_factory):
    """A run that was stopped in the middle of coding its points."""
    folder, kept = tmp_path_factory.mktemp("stopped") / "run", tables.SYNC_SECONDS
    tables.SYNC_SECONDS = 0.0
    half = run.start(folder, points, PARAMETERS, on_event=lambda event: isinstance(event, PointsDone) and event.done >= 300)
    tables.SYNC_SECONDS = kept
    assert not half.finished and (folder / "checkpoints" / "joins.npy").exists()
    return folder


@pytest.fixture(scope="module")
def finished(points, tmp_path_factory):
    folder = tmp_path_factory.mktemp("finished") / "run"
    run.start(folder, points, PARAMETERS)
    return folder


@pytest.fixture
def copy(stopped, tmp_path):
    return shutil.copytree(stopped, tmp_path / "run")


PLACES = [
    "checkpoints/joins.npy",
    "checkpoints/joins.progress.json",
    "events.jsonl",
    "lock",
    "checkpoints/identity.json",
    "config.json",
]


@pytest.mark.parametrize("link", [os.symlink, os.link], ids=["symbolic", "hard"])
@pytest.mark.parametrize("place", PLACES)
def test_nothing_is_written_through_a_link(copy, place, link):
    canary = copy.parent / "canary"
    shutil.copy(copy / place, canary)
    before = canary.read_bytes()
    (copy / place).unlink()
    link(canary, copy / place)
    try:
        run.resume(copy)
    except RunError as refusal:
        assert "not part of the run" in str(refusal)
    assert canary.read_bytes() == before and canary.stat().st_mode == (copy.parent / "canary").stat().st_mode


def test_a_folder_of_checkpoints_elsewhere_is_refused(copy, tmp_path):
    shutil.move(copy / "checkpoints", tmp_path / "elsewhere")
    (copy / "checkpoints").symlink_to(tmp_path / "elsewhere")
    before = {file.name: file.read_bytes() for file in (tmp_path / "elsewhere").iterdir()}
    with pytest.raises(RunError, match="is a link to another folder"):
        run.resume(copy)
    assert {file.name: file.read_bytes() for file in (tmp_path / "elsewhere").iterdir()} == before


def test_a_pipe_holds_nothing_up(copy):
    (copy / "checkpoints" / "joins.npy").unlink()
    os.mkfifo(copy / "checkpoints" / "joins.npy")
    with pytest.raises(RunError, match="not the run's own file|link or a pipe"):
        run.resume(copy)


def test_results_are_not_read_through_a_link(finished, tmp_path):
    theirs = shutil.copytree(finished, tmp_path / "run")
    shutil.move(theirs / "labels.npy", tmp_path / "labels.npy")
    (theirs / "labels.npy").symlink_to(tmp_path / "labels.npy")
    with pytest.raises(RunError, match="not part of the run"):
        run.result_of(theirs)


@pytest.mark.parametrize("state", ["stopped", "finished"])
def test_flipped_bits_are_refused_redone_or_without_effect(state, request, finished, tmp_path):
    labels, rng = np.array(run.result_of(finished).labels), np.random.default_rng(1)
    original = request.getfixturevalue(state)
    files = sorted(file.relative_to(original) for file in original.rglob("*") if file.is_file() and file.stat().st_size)
    redone = 0
    for number in range(FLIPS):
        folder = shutil.copytree(original, tmp_path / f"run-{number}")
        file = folder / files[number % len(files)]
        body = bytearray(file.read_bytes())
        at = rng.integers(len(body))
        body[at] ^= 1 << rng.integers(8)
        file.write_bytes(body)
        try:
            found = run.resume(folder)
        except LeascError as refusal:
            assert "\n" not in str(refusal)
            continue
        redone += 1
        assert np.array_equal(found.labels, labels), f"{file.name}, byte {at}"
    assert redone, "most damage can be made good"


def test_a_damaged_table_begins_again(copy, finished):
    table = copy / "checkpoints" / "joins.npy"
    body = bytearray(table.read_bytes())
    body[-20] ^= 4
    table.write_bytes(body)
    assert np.array_equal(run.resume(copy).labels, run.result_of(finished).labels)


def without_checksum(path):
    return {key: value for key, value in json.loads(path.read_text()).items() if key != CHECKSUM}


@pytest.mark.parametrize("key", ["data", "parameters", "need", "program"])
def test_a_configuration_without_a_key(copy, key):
    said = read_record(copy / "config.json")
    said.pop(key)
    write_record(copy / "config.json", said)
    with pytest.raises(RunError, match=f"does not say '{key}'"):
        run.resume(copy)


@pytest.mark.parametrize(
    "labels", [np.zeros((600, 2), int), np.zeros(7, int), np.full(600, 0.5), np.array([{}] * 600, dtype=object)]
)
def test_labels_of_another_shape(finished, tmp_path, labels):
    theirs = shutil.copytree(finished, tmp_path / "run")
    np.save(theirs / "labels.npy", labels)
    write_record(theirs / "summary.json", without_checksum(theirs / "summary.json") | {"checksums": None})
    with pytest.raises(RunError, match="does not hold a label|cannot be read"):
        run.result_of(theirs)


def test_large_data_changed_behind_their_stamp_are_not_resumed(tmp_path, monkeypatch):
    """A third of the rows replaced between the stretches that the fingerprint reads; size and time as they were."""
    monkeypatch.setattr(contents, "HASHED_WHOLE", 0)
    rng = np.random.default_rng(0)
    file, X = tmp_path / "points.npy", rng.normal(size=(600, 12)).astype("f4")
    np.save(file, X)
    run.prepare(tmp_path / "run", file, PARAMETERS)
    stop = lambda event: isinstance(event, PointsDone) and event.done >= 300  # noqa: E731
    assert not run.resume(tmp_path / "run", on_event=stop).finished
    about = file.stat()
    monkeypatch.setattr(
        "leasc_core.data.sources.DataSource.fingerprint", read_record(tmp_path / "run/config.json")["data"]["fingerprint"]
    )
    X[400:] = rng.normal(size=(200, 12))
    np.save(file, X)
    os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns))
    with pytest.raises(RunError, match="is not what it was when the run began"):
        run.resume(tmp_path / "run")


def test_large_data_that_moved_are_known_again(tmp_path, points, monkeypatch):
    monkeypatch.setattr(contents, "HASHED_WHOLE", 0)
    assert HASHED_WHOLE > 0
    file = shutil.copy(points, tmp_path / "points.npy")
    run.prepare(tmp_path / "run", file, PARAMETERS)
    half = run.resume(tmp_path / "run", on_event=lambda event: _known(tmp_path / "run") and isinstance(event, PointsDone))
    assert not half.finished
    os.replace(shutil.copy(file, tmp_path / "again.npy"), file)
    assert run.resume(tmp_path / "run").finished


def _known(folder):
    return RunFolder(folder).contents_file.exists()


def test_looking_does_not_keep_a_worker_out(tmp_path):
    """Whoever asks whether a run is held must not be why a worker is refused."""
    folder, done = RunFolder(tmp_path), threading.Event()
    lookers = [threading.Thread(target=lambda: [folder.is_held() for _ in iter(done.is_set, True)]) for _ in range(4)]
    for looker in lookers:
        looker.start()
    try:
        for _ in range(300):
            with folder.held():
                pass
    finally:
        done.set()
        for looker in lookers:
            looker.join()
