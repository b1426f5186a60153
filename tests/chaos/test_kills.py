"""``kill -9`` at any moment, then resume: the labels of a run that nobody disturbed."""

import contextlib
import os
import signal
import time

import numpy as np
import pytest

from leasc_core.errors import RunError
from leasc_core.runs import run
from leasc_core.runs.folder import RunFolder
from tests.chaos.nursery import PARAMETERS

pytestmark = pytest.mark.slow

# More with LEASC_KILLS.
KILLS = int(os.environ.get("LEASC_KILLS", "30"))


@pytest.fixture(scope="module")
def duration(nursery, points, tmp_path_factory):
    """Seconds that a run takes in a child, the quickest of three."""
    seconds = []
    for attempt in range(3):
        folder = tmp_path_factory.mktemp("timed") / f"run-{attempt}"
        run.prepare(folder, points, PARAMETERS)
        begun = time.perf_counter()
        nursery.begin(folder)
        assert nursery.status() == 0
        seconds.append(time.perf_counter() - begun)
    return min(seconds)


@pytest.fixture(scope="module")
def length(nursery, points, tmp_path_factory):
    """How many lines an undisturbed run says."""
    folder = tmp_path_factory.mktemp("measured") / "run"
    run.prepare(folder, points, PARAMETERS)
    nursery.begin(folder)
    assert nursery.status() == 0
    return said(folder)


def said(folder):
    """How far a run is: the lines of its events."""
    try:
        return RunFolder(folder).events_file.read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


def wait_until(folder, lines):
    """Wait until a run has said so much, or is done: a moment by its progress, however busy the machine."""
    until = time.monotonic() + 120
    while said(folder) < lines and not RunFolder(folder).summary_file.exists():
        assert time.monotonic() < until, "the run says nothing"
        time.sleep(0.001)


def kill(child):
    """``kill -9``, unless the child was quicker."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)


def test_thirty_kills_lose_nothing(nursery, points, undisturbed, length, tmp_path):
    """Moments all over the run, drawn anew each time; the seed of the draw is in the message if one fails."""
    seed = int(time.time())
    rng = np.random.default_rng(seed)
    killed, stages = 0, set()
    for number in range(KILLS):
        folder = tmp_path / f"run-{number}"
        run.prepare(folder, points, PARAMETERS)
        child = nursery.begin(folder)
        wait_until(folder, length * (number + rng.random()) / KILLS)
        kill(child)
        ended = nursery.status()
        killed += ended == signal.SIGKILL
        stages |= {path.name for path in RunFolder(folder).checkpoints.glob("*")}
        if ended:
            left = run.result_of(folder).labels
            assert left is None or np.array_equal(left, undisturbed), "a killed run looks finished only if it is"
            nursery.begin(folder)
            assert nursery.status() == 0
        assert np.array_equal(run.result_of(folder).labels, undisturbed), f"kill {number} of seed {seed}"
    assert killed >= KILLS // 2, "the kills came too late to matter"
    assert {"representatives.stage", "network.stage", "landmarks.stage", "joins.npy"} <= stages


def test_many_kills_of_one_run(nursery, points, undisturbed, duration, tmp_path):
    run.prepare(tmp_path / "run", points, PARAMETERS)
    for attempt in range(12):
        child = nursery.begin(tmp_path / "run")
        time.sleep(duration * (0.1 + 0.08 * attempt))
        kill(child)
        if nursery.status() == 0:
            break
    result = run.resume(tmp_path / "run")
    assert result.finished and np.array_equal(result.labels, undisturbed)


def test_a_second_process_on_the_folder_is_refused(nursery, points, tmp_path):
    folder = tmp_path / "run"
    run.prepare(folder, points, PARAMETERS)
    child = nursery.begin(folder)
    until = time.monotonic() + 60
    while not RunFolder(folder).is_held():
        assert time.monotonic() < until, "the child never took the folder, or was done before anybody looked"
        time.sleep(0.001)
    os.kill(child, signal.SIGSTOP)
    try:
        with pytest.raises(RunError, match=f"in use by another process .number {child}.*choose another folder"):
            run.resume(folder)
    finally:
        os.kill(child, signal.SIGCONT)
    assert nursery.status() == 0
    assert run.result_of(folder).finished


def test_nothing_half_written_is_left(nursery, points, duration, tmp_path):
    """After a kill and a resume no temporary file remains but that of the kill itself, and none is ever taken for a result."""
    run.prepare(tmp_path / "run", points, PARAMETERS)
    child = nursery.begin(tmp_path / "run")
    time.sleep(0.6 * duration)
    kill(child)
    nursery.status()
    assert run.resume(tmp_path / "run").finished
    names = {path.name for path in (tmp_path / "run").iterdir()}
    assert names >= {"config.json", "events.jsonl", "labels.npy", "model.leasc", "report.html", "summary.json"}
    assert not (tmp_path / "run" / "checkpoints").exists()
