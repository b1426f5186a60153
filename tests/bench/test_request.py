"""A benchmark written down in a folder: done by another process, stopped, resumed, looked at; with or without labels."""

import json
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from leasc_core import bench, make_union_of_subspaces
from leasc_core.bench import request
from leasc_core.data.preprocessing import Preprocessor
from leasc_core.errors import DataError, ParameterError, RunError


@pytest.fixture
def file(tmp_path):
    X, y = make_union_of_subspaces(3, 4, 30, 40, noise=0.0, random_state=3)
    np.savez(tmp_path / "points.npz", X=X, y=y)
    return tmp_path / "points.npz"


def test_a_table_is_prepared_done_and_read(file, tmp_path):
    folder = tmp_path / "bench"
    request.prepare_table(folder, request.file_data(file), methods=["lsr", bench.Plan("ssc_omp", {"entries": 5})], seeds=2)
    asked = request.request_of(folder)
    assert request.count_of(asked) == 4 and request.rows_of(folder) == [] and not request.is_running(folder)
    seen = []
    request.resume(folder, on_row=lambda row: seen.append(request.rows_of(folder)[-1] == row) or len(seen) == 3)
    assert seen == [True] * 3, "each row is on disk when it is told"
    table = request.resume(folder)
    assert len(table.rows) == 4 and table.rows[:3] == request.rows_of(folder)[:3]
    assert {line["method"]: line["acc"] for line in table.summary()}["lsr"] == 1.0


def test_without_labels_there_are_no_scores_but_agreement_over_seeds(tmp_path):
    X, y = make_union_of_subspaces(3, 4, 30, 40, noise=0.0, random_state=3)
    np.save(tmp_path / "points.npy", X)
    with pytest.raises(ParameterError, match="give clusters"):
        request.prepare_table(tmp_path / "a", request.file_data(tmp_path / "points.npy"))
    request.prepare_table(tmp_path / "b", request.file_data(tmp_path / "points.npy", 3), ["lsr", "kmeans"], seeds=3)
    table = request.resume(tmp_path / "b")
    best, other = table.summary()
    assert best["method"] == "lsr" and best["stability"] == 1.0 > other["stability"]
    text = table.markdown()
    assert "acc" not in best and "acc" not in table.rows[0] and "held-out residual %" in text and "ACC" not in text
    labels = np.load(tmp_path / "b" / table.rows[0]["labels_file"])
    assert len(labels) == len(X) and len({tuple(pair) for pair in zip(labels, y, strict=True)}) == 3


def test_preprocessing_and_labels_of_their_own_file(file, tmp_path):
    with np.load(file) as held:
        X, y = held["X"], held["y"]
    np.save(tmp_path / "p.npy", X)
    np.save(tmp_path / "y.npy", y)
    data = request.file_data(tmp_path / "p.npy", preprocess={"n_components": 12}, labels=tmp_path / "y.npy", name="a b/c")
    request.prepare_table(tmp_path / "out", data, ["kmeans"], seeds=[7])
    row = request.resume(tmp_path / "out").rows[0]
    assert row["features"] == 12 and row["clusters"] == 3 and (tmp_path / "out" / "a_b_c.csv").exists()
    prepared = Preprocessor(n_components=12).fit(X).transform(X)
    reference = bench.run(bench.own_data(prepared, y), methods=["kmeans"], seeds=[7]).rows[0]
    assert row["acc"] == reference["acc"]


def test_a_sweep_is_prepared_and_done(file, tmp_path):
    small = {"hidden": [30], "n_representatives": 40, "epochs": 1}
    request.prepare_sweep(tmp_path / "s", request.file_data(file), {"beta": (0.1, 1.0)}, small, draws=1)
    grid = request.resume(tmp_path / "s")
    assert np.isfinite(grid.matrix("acc")).all() and (tmp_path / "s" / "sweep.csv").exists()
    assert [row["key"] for row in request.rows_of(tmp_path / "s")] == [row["key"] for row in grid.rows]
    again = request.resume(tmp_path / "s", on_row=lambda row: True)
    assert len(again.rows) == 1 and len(request.rows_of(tmp_path / "s")) == 2, "found, not computed"


WORK = """
import sys, time
from leasc_core import baselines
from leasc_core.bench import request
slow = baselines.Baseline("slow", "Slow", "everyday", "Waits.", "time", None, lambda *_: time.sleep(600))
known = baselines.registry() | {"slow": slow}
baselines.registry = lambda: known
request.resume(sys.argv[1])
"""


def test_a_killed_worker_loses_one_row_and_another_goes_on(file, tmp_path):
    folder = tmp_path / "bench"
    request.prepare_table(folder, request.file_data(file), ["lsr", "kmeans"], seeds=1)
    asked = json.loads((folder / "bench.json").read_text())
    asked["methods"].insert(1, ["slow", {}])
    (folder / "bench.json").write_text(json.dumps(asked))
    worker = subprocess.Popen([sys.executable, "-c", WORK, str(folder)])
    until = time.monotonic() + 60
    while not request.rows_of(folder) and time.monotonic() < until:
        time.sleep(0.05)
    assert request.is_running(folder) and [row["method"] for row in request.rows_of(folder)] == ["lsr"]
    with pytest.raises(RunError, match="in use"):
        request.resume(folder)
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    assert not request.is_running(folder)
    asked["methods"].pop(1)
    (folder / "bench.json").write_text(json.dumps(asked))
    assert [row["method"] for row in request.resume(folder).rows] == ["lsr", "kmeans"]
    assert len(request.rows_of(folder)) == 2


def test_a_folder_keeps_one_question(file, tmp_path):
    request.prepare_table(tmp_path / "b", request.file_data(file), ["lsr"], seeds=1)
    request.prepare_table(tmp_path / "b", request.file_data(file), ["lsr"], seeds=2)
    with pytest.raises(RunError, match="another benchmark"):
        request.prepare_table(tmp_path / "b", request.file_data(file, clusters=5), ["lsr"], seeds=1)
    with pytest.raises(RunError, match="holds no benchmark"):
        request.resume(tmp_path / "nowhere")
    (tmp_path / "b" / "bench.json").write_text("[1]")
    with pytest.raises(RunError, match="was not written by"):
        request.resume(tmp_path / "b")


def test_labels_of_another_length_are_refused():
    with pytest.raises(DataError, match="9 labels"):
        bench.own_data(np.ones((10, 3)), np.zeros(9))
