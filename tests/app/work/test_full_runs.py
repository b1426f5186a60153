"""Runs at full scale: started, told from the folder alone, stopped, resumed after a kill, in line, and nobody else's."""

import os
import signal
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from leasc_core.errors import RunError
from leasc_core.runs.folder import RunFolder
from leasc_core.runs.run import result_of
from leasc_ui.data.recipes import load_recipe
from leasc_ui.results.asked import ClusterSettings, request_of
from leasc_ui.screens.cluster.request import clusters_of, request, restore, same_run
from leasc_ui.screens.representatives.compute import choose
from leasc_ui.screens.train.compute import train
from leasc_ui.screens.train.settings import TrainSettings
from leasc_ui.session.pipeline import ROOMS, Pipeline, RepresentativeSettings, TrainedModel
from leasc_ui.work import runs as full_runs
from leasc_ui.work.names import slug
from leasc_ui.work.queue import LOG_NAME, WAITING, Line, Worker, worker_command

PATIENCE = 60
PLANES = {
    "kind": "synthetic",
    "parameters": {"n_subspaces": 3, "dim": 2, "ambient_dim": 12, "n_per_subspace": 60, "noise": 0.01, "random_state": 0},
}
SMALL = TrainSettings(hidden=40)


def until(condition):
    deadline = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return found


def prepared(visitor="me", recipe=PLANES, clusters=3):
    """A run that is written down and not begun: its folder and the pipeline it was made from."""
    data = load_recipe(recipe)
    chosen = choose(data, RepresentativeSettings("random", 40, 0))
    model = TrainedModel(chosen.fingerprint, SMALL, train(data, chosen, SMALL, lambda event: None))
    folder, small = request(visitor, data, chosen, model, ClusterSettings(clusters, mine=True))
    assert small
    return folder, Pipeline(data, chosen, model)


def over(folder):
    return until(lambda: None if (status := full_runs.status_of(folder)).active else status)


@pytest.mark.slow
def test_a_worker_of_its_own_does_the_run_and_the_folder_says_so():
    folder, pipeline = prepared()
    assert full_runs.status_of(folder).state == "broken", "nobody works on it yet"
    full_runs.start(folder)
    assert full_runs.status_of(folder).active
    held = until(lambda: RunFolder(folder).is_held() or full_runs.status_of(folder).state == "finished")
    assert held
    status = over(folder)
    assert (status.state, status.share, status.total) == ("finished", 1.0, 180)
    pipeline.clusters = clusters_of(folder)
    assert [pipeline.status(room) for room in ROOMS] == ["ready"] * 4
    labels = np.asarray(pipeline.clusters.labels)
    truth = np.repeat(np.arange(3), 60)
    assert all(np.ptp(labels[truth == plane]) == 0 for plane in range(3)), "three clean planes are three clusters"
    assert result_of(folder).summary["scores"]["acc"] == 1.0, "labels written beside the points are scored"


def test_a_worker_that_is_stopped_says_so_and_goes_on_when_resumed():
    folder, _ = prepared()
    full_runs.start(folder)
    full_runs.stop(folder)
    status = over(folder)
    assert status.state == "stopped" and RunFolder(folder).summary() is None
    full_runs.start(folder, small=True)
    assert over(folder).state == "finished"


def test_a_killed_worker_is_told_as_broken_and_resumed():
    folder, _ = prepared()
    worker = Worker(folder)
    until(lambda: RunFolder(folder).is_held())
    assert full_runs.status_of(folder).state == "running", "another server's worker is seen by its folder alone"
    process = int((folder / "lock").read_text())
    assert process != os.getpid() and os.getsid(process) != os.getsid(0), "it lives on without this server"
    os.kill(process, signal.SIGKILL)
    until(lambda: not worker.alive())
    assert full_runs.status_of(folder).state == "broken"
    full_runs.start(folder, small=True)
    assert over(folder).state == "finished"


@pytest.mark.slow
def test_stopping_signals_a_worker_that_another_server_began():
    folder, _ = prepared()
    worker = Worker(folder)
    until(lambda: RunFolder(folder).is_held() and (folder / "lock").read_text())
    full_runs.stop(folder)
    until(lambda: not worker.alive())
    assert full_runs.status_of(folder).state in ("stopped", "finished")


def test_a_lock_held_by_something_that_is_no_worker_is_never_signalled():
    folder, _ = prepared()
    with RunFolder(folder).held():
        assert (folder / "lock").read_text() == str(os.getpid())
        full_runs.stop(folder)
        assert full_runs.status_of(folder).memory is None
    assert full_runs.status_of(folder).state == "stopped"


def test_progress_is_read_from_the_last_events():
    folder, _ = prepared()
    now = time.time()
    lines = [
        f'{{"time": {now - 20}, "event": "Started", "process": 1}}',
        f'{{"time": {now - 12}, "event": "StageStarted", "stage": "encoding", "total": 1000}}',
        f'{{"time": {now - 2}, "event": "PointsDone", "stage": "encoding", '
        '"done": 600, "total": 1000, "seconds": 10, "before": 100}',
        '{"time": 3, "event": "Poi',
    ]
    RunFolder(folder).events_file.write_text("\n".join(lines))
    with RunFolder(folder).held():
        status = full_runs.status_of(folder)
    assert (status.state, status.stage, status.done, status.total) == ("running", "encoding", 600, 1000)
    assert status.rate == pytest.approx(50) and status.left == pytest.approx(8, rel=0.2)
    assert status.seconds == pytest.approx(20, abs=2) and 0.4 < status.share < 0.93


def test_the_sentence_of_a_worker_that_failed_is_kept_and_a_fault_of_ours_is_not_shown_raw(tmp_path):
    folder, pipeline = prepared()
    (tmp_path / "runs" / "me" / "data" / pipeline.data.fingerprint / "made-points.npz").write_bytes(b"changed")
    full_runs.start(folder, small=True)
    status = over(folder)
    assert status.state == "broken" and "made-points.npz" in status.error
    (folder / LOG_NAME).write_text("A fault in the program (TypeError: x); LEASC_TRACEBACK=1 shows where.")
    assert "TypeError" not in full_runs.status_of(folder).error


class Standing:
    """A worker that works until it is told to stop."""

    began = []

    def __init__(self, folder):
        Standing.began.append(folder.name)
        self._over = threading.Event()

    def alive(self):
        return not self._over.is_set()

    def stop(self):
        self._over.set()


def test_two_work_at_once_and_the_others_wait_in_order(tmp_path):
    Standing.began.clear()
    line = Line(at_once=2, worker=Standing)
    home = tmp_path / "runs" / "me" / "runs"
    folders = [home / name for name in "abcd"]
    for folder in folders:
        folder.mkdir(parents=True)
        line.join(folder)
        line.join(folder)
    assert Standing.began == ["a", "b"]
    assert [line.place(folder) for folder in folders] == [None, None, 1, 2]
    assert [(folder / WAITING).exists() for folder in folders] == [False, False, True, True]
    assert line.leave(folders[2]) and line.place(folders[3]) == 1 and not (folders[2] / WAITING).exists()
    line.leave(folders[0])
    until(lambda: Standing.began == ["a", "b", "d"])
    assert not line.leave(folders[0]) and line.works_on(folders[3])


def test_workers_of_an_earlier_server_count_too(tmp_path):
    Standing.began.clear()
    line, home = Line(at_once=1, worker=Standing), tmp_path / "runs"
    other, mine = home / "you" / "runs" / "x", home / "me" / "runs" / "y"
    for folder in (other, mine):
        folder.mkdir(parents=True)
    with RunFolder(other).held():
        line.join(mine)
        assert line.place(mine) == 1 and not Standing.began
    until(lambda: Standing.began == ["y"])


def test_who_waited_when_the_server_was_restarted_waits_again(monkeypatch):
    Standing.began.clear()
    monkeypatch.setattr(full_runs, "LINE", Line(at_once=1, worker=Standing))
    folder, _ = prepared()
    (folder / WAITING).touch()
    assert full_runs.status_of(folder).state == "waiting"
    assert full_runs.status_of(folder).state == "running" and Standing.began == [folder.name]


def test_nobody_sees_the_runs_of_another():
    mine, _ = prepared("me")
    yours, _ = prepared("you")
    assert full_runs.runs_of("me") == [mine] and full_runs.runs_of("you") == [yours]
    assert full_runs.runs_of("nobody") == []
    assert Path(mine).parent.stat().st_mode & 0o077 == 0, "other accounts of the machine see nothing either"


def test_old_runs_make_room_and_the_same_question_is_not_computed_twice(monkeypatch):
    monkeypatch.setattr(full_runs, "MOST_RUNS", 2)
    first, pipeline = prepared()
    full_runs.start(first, small=True)
    assert over(first).state == "finished"
    assert same_run("me", pipeline.model.fingerprint, ClusterSettings(3, mine=True)) == first
    assert (
        same_run("me", pipeline.model.fingerprint, ClusterSettings(2, mine=True)) is None
        and same_run("you", pipeline.model.fingerprint, ClusterSettings(3, mine=True)) is None
    )
    later = [prepared()[0] for _ in range(2)]
    assert not first.exists() and full_runs.runs_of("me") == later[::-1]


def test_a_clock_that_ran_ahead_does_not_make_the_next_run_the_oldest(monkeypatch):
    monkeypatch.setattr(full_runs, "MOST_RUNS", 2)
    with monkeypatch.context() as ahead:
        ahead.setattr(full_runs, "time", SimpleNamespace(time=lambda: time.time() + 1e6))
        first = empty_run()
    later = [empty_run() for _ in range(2)]
    assert full_runs.runs_of("me") == later[::-1] and not first.exists()


def empty_run():
    folder = full_runs.new_folder("me")
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    return folder


def test_nobody_may_have_more_runs_in_line_than_are_kept(monkeypatch, tmp_path):
    monkeypatch.setattr(full_runs, "MOST_RUNS", 2)
    monkeypatch.setattr(full_runs.LINE, "knows", lambda run: True)
    for _ in range(2):
        empty_run()
    with pytest.raises(RunError, match="You have 2 runs at work or in line; wait for one to end or stop one"):
        full_runs.new_folder("me")
    assert full_runs.new_folder("you").parent.parent.name == "you"


@pytest.mark.parametrize("cleaning", ["drop", "mean", "scattering"])
def test_every_kind_of_cleaning_reaches_the_worker_and_comes_back(cleaning):
    usual = {
        "missing": "error",
        "drop_constant": False,
        "standardise": False,
        "n_components": 10,
        "variance": None,
        "unit_rows": True,
    }
    gaps = {
        **PLANES,
        "parameters": {**PLANES["parameters"], "missing_fraction": 0.01},
        "preprocess": {**usual, "missing": cleaning},
    }
    pictures = {"kind": "sample", "name": "digits", "preprocess": {**usual, "scattering": True}}
    folder, pipeline = prepared(recipe=pictures if cleaning == "scattering" else gaps)
    full_runs.start(folder, small=True)
    assert over(folder).state == "finished", full_runs.last_words(folder)
    assert len(result_of(folder).labels) == len(pipeline.data)
    again = Pipeline()
    restore(again, folder)
    again.clusters = clusters_of(folder)
    assert [again.status(room) for room in ROOMS] == ["ready"] * 4
    assert np.array_equal(again.representatives.indices, pipeline.representatives.indices)
    points = again.data.points.rows(0, 5)
    assert np.allclose(again.model.rpcm.transform(points), pipeline.model.rpcm.transform(points))
    assert request_of(folder).settings == ClusterSettings(3, mine=True)


def test_the_command_is_the_programs_own():
    assert [sys.executable, "-m", "leasc_core", "cluster", "--resume", "x", "--quiet"] == worker_command("x")[-7:]


def test_names_for_files():
    assert slug("../etc/My Data (1).CSV") == "my-data-1" and slug("Digits") == "digits" and slug("???") == "data"
    assert slug("Meßwerte_Größe 2026.csv") == "meßwerte-größe-2026" and slug("हिन्दी डेटा.csv") == "हिन्दी-डेटा"
    assert len(slug("測" * 500).encode()) <= 80
