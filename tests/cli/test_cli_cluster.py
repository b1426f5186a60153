"""``cluster``, ``predict`` and ``--resume``, as a shell runs them: files, exit codes, sentences and JSON lines."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from leasc_core import LeaSC, clustering_accuracy, make_union_of_subspaces
from leasc_core.cli.main import main

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SMALL = {"n_clusters": 3, "n_representatives": 60, "hidden": (40,), "random_state": 0}
ARGUMENTS = ["-k", "3", "--representatives", "60", "--hidden", "40"]


@pytest.fixture(scope="module")
def points():
    return make_union_of_subspaces(3, 2, 12, 150, shuffle=True)


@pytest.fixture(scope="module")
def file(points, tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "planes.npy"
    np.save(path, points[0].astype(np.float32))
    return path


@pytest.fixture(scope="module")
def finished(file, tmp_path_factory):
    """A finished run, made by the command."""
    folder = tmp_path_factory.mktemp("runs") / "planes"
    assert main(["cluster", str(file), *ARGUMENTS, "-o", str(folder), "--quiet"]) == 0
    return folder


def labels_of(folder):
    return np.load(folder / "labels.npy", allow_pickle=False)


def sentence(capsys):
    """What was said on stderr: one line, no traceback."""
    out, err = capsys.readouterr()
    assert out == "" and len(err.strip().splitlines()) == 1 and "Traceback" not in err
    return err.strip()


def test_the_command_gives_the_labels_of_the_estimator(file, finished, points):
    expected = LeaSC(**SMALL).fit(str(file)).labels_
    np.testing.assert_array_equal(labels_of(finished), expected)
    assert clustering_accuracy(points[1], expected) > 0.98
    for name in ("config.json", "events.jsonl", "labels.npy", "model.leasc", "report.html", "summary.json"):
        assert (finished / name).is_file()


@pytest.mark.parametrize("suffix", [".csv", ".npy", ".parquet"])
def test_predict_writes_what_the_model_says(file, finished, tmp_path, suffix):
    output = tmp_path / f"labels{suffix}"
    assert main(["predict", str(finished), str(file), "-o", str(output), "-q"]) == 0
    expected = LeaSC.load(finished / "model.leasc").predict(str(file))
    if suffix == ".npy":
        written = np.load(output, allow_pickle=False)
    else:
        import pandas

        written = (pandas.read_csv if suffix == ".csv" else pandas.read_parquet)(output)["cluster"].to_numpy()
    np.testing.assert_array_equal(written, expected)


def test_the_end_is_told(file, points, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("truth.npy", points[1])
    assert main(["cluster", str(file), *ARGUMENTS, "--truth", "truth.npy", "--labels-out", "l.csv"]) == 0
    out, err = capsys.readouterr()
    assert "3 clusters in 450 points, as asked" in out and "ACC 1.000" in out and "used for nothing else" in out
    assert "needs about" in err and "GB of memory" in err and "MB of disk" in err and "encoding" in err
    assert "\x1b" not in out + err, "no colours where there is no terminal"
    assert (tmp_path / "planes-leasc" / "report.html").is_file()
    assert len((tmp_path / "l.csv").read_text().splitlines()) == 451


def test_labels_inside_the_file_judge_the_result(tmp_path, points, capsys):
    np.savez(tmp_path / "planes.npz", X=points[0], y=points[1])
    assert main(["cluster", str(tmp_path / "planes.npz"), *ARGUMENTS, "-o", str(tmp_path / "run"), "--json"]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    ours = labels_of(tmp_path / "run")
    assert last["scores"]["acc"] == clustering_accuracy(points[1], ours)
    unlabelled = np.load(tmp_path / "planes.npz")["X"]
    np.testing.assert_array_equal(ours, LeaSC(**SMALL).fit(unlabelled).labels_)


def test_every_line_of_json_mode_is_json(file, tmp_path, capsys):
    assert main(["cluster", str(file), *ARGUMENTS, "-o", str(tmp_path / "run"), "--json"]) == 0
    out, err = capsys.readouterr()
    events = [json.loads(line, parse_constant=pytest.fail) for line in out.splitlines()]
    kinds = [event["event"] for event in events]
    assert err == "" and kinds[0] == "Prepared" and kinds[-1] == "Finished"
    assert {"StageStarted", "StageFinished", "NetworkEpoch", "PointsDone"} <= set(kinds)
    assert sum(events[-1]["sizes"]) == events[-1]["points"] == 450
    assert events[0]["memory"] > 0 and events[0]["seconds"] > 0 and events[0]["disk"] > 0


def test_quiet_says_nothing(file, tmp_path, capsys):
    assert main(["cluster", str(file), *ARGUMENTS, "-o", str(tmp_path / "run"), "-q"]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing.npy"], ["missing.npy", "does not exist"]),
        (["FILE", "-k", "0"], ["n_clusters=0", "at least 1"]),
        (["FILE", "-k", "451"], ["451", "450 points"]),
        (["FILE", "--memory", "50MB"], ["GB of memory", "raise the memory budget"]),
        (["FILE", "--set", "colour=red"], ["colour", "no parameter"]),
        (["FILE", "--array", "X"], ["array='X'"]),
        (["FILE", "--label", "7"], ["holds no labels", "7"]),
        (["FILE", "--truth", "FILE"], ["one label a point"]),
        (["FILE", "--labels-out", "labels.doc"], ["labels.doc", ".csv"]),
        (["--resume", "nowhere"], ["nowhere", "not a run folder"]),
    ],
)
def test_what_is_wrong_is_one_sentence(file, tmp_path, capsys, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    code = main(["cluster", *[str(file) if word == "FILE" else word for word in arguments]])
    said = sentence(capsys)
    assert code == 1 and all(word in said for word in words), said
    assert not list(tmp_path.iterdir()), "nothing half-written stays behind"


def test_folders_that_cannot_be_used(file, finished, tmp_path, capsys):
    (tmp_path / "thesis.txt").write_text("mine")
    assert main(["cluster", str(file), "-o", str(tmp_path)]) == 1
    assert "holds other files" in sentence(capsys) and [p.name for p in tmp_path.iterdir()] == ["thesis.txt"]
    assert main(["cluster", str(file), "-o", str(tmp_path / "thesis.txt")]) == 1
    assert "is a file" in sentence(capsys)
    assert main(["cluster", str(file), "-o", str(finished)]) == 1
    assert "--resume" in sentence(capsys)
    assert main(["cluster", str(file), "-k", "4", "-o", str(finished), "--resume"]) == 1
    assert "n_clusters=3, not 4" in sentence(capsys)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere, so permissions refuse it nothing")
def test_a_folder_without_permission(file, tmp_path, capsys):
    (tmp_path / "locked").mkdir(mode=0o500)
    assert main(["cluster", str(file), "-o", str(tmp_path / "locked" / "run")]) == 1
    assert "does not allow writing" in sentence(capsys)


def test_commands_that_are_not_understood(capsys):
    for arguments in ([], ["frobnicate"], ["cluster"], ["cluster", "x", "-k", "ten"], ["cluster", "x", "--memory", "lots"]):
        with pytest.raises(SystemExit) as stop:
            sys.exit(main(arguments))
        assert stop.value.code == 2 and "--help" in sentence(capsys)


def test_a_finished_run_is_only_read_again(finished, capsys):
    before = (finished / "labels.npy").stat().st_mtime_ns
    assert main(["cluster", "--resume", str(finished)]) == 0
    assert "3 clusters" in capsys.readouterr().out and (finished / "labels.npy").stat().st_mtime_ns == before


def shell(*arguments, **settings):
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "leasc_core", *map(str, arguments)]
    return subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **settings)


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A file of 20,000 points, options that take it in blocks of 32, and the labels it should get."""
    path = tmp_path_factory.mktemp("many") / "many.npy"
    np.save(path, make_union_of_subspaces(5, 3, 30, 4000, shuffle=True)[0].astype(np.float32))
    model = LeaSC(5, n_representatives=100, hidden=(60,), n_landmarks=100, n_draws=2, random_state=0).fit(str(path))
    options = ["-k", "5", "--representatives", "100", "--hidden", "60", "--landmarks", "100", "--draws", "2"]
    options += ["--block-rows", "32"]
    return path, options, model.labels_


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_cleanly_and_resume_gives_the_same_labels(many, tmp_path, number, code):
    path, options, expected = many
    run = shell("cluster", path, *options, "-o", tmp_path / "run", "--json")
    for line in run.stdout:
        if json.loads(line)["event"] == "PointsDone":
            run.send_signal(number)
            break
    out, err = run.communicate(timeout=60)
    assert run.returncode == code, (out, err)
    last = json.loads(out.splitlines()[-1])
    assert last["event"] == "Stopped" and "--resume" in last["resume"] and "Traceback" not in err
    assert not (tmp_path / "run" / "labels.npy").exists()
    assert main(["cluster", "--resume", str(tmp_path / "run"), "-q"]) == 0
    np.testing.assert_array_equal(labels_of(tmp_path / "run"), expected)


def test_a_second_process_is_refused(file, tmp_path, capsys):
    from leasc_core.runs.folder import RunFolder
    from leasc_core.runs.run import prepare

    prepare(tmp_path / "run", file, {"n_clusters": 3, "n_representatives": 60, "hidden": [40]})
    with RunFolder(tmp_path / "run").held():
        assert main(["cluster", "--resume", str(tmp_path / "run")]) == 1
        assert "in use by another process" in sentence(capsys)
    assert main(["cluster", "--resume", str(tmp_path / "run"), "-q"]) == 0


def test_a_reader_that_goes_away_ends_the_command_quietly(finished):
    run = shell("info", finished, bufsize=0)
    run.stdout.close()
    assert run.wait(timeout=60) == 141 and run.stderr.read() == ""
    run.stderr.close()
