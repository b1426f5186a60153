"""``cluster --auto`` and the confidence of labels, as a shell runs them."""

import csv
import json

import numpy as np
import pytest

from leasc_core import clustering_accuracy, make_union_of_subspaces
from leasc_core.autopilot.search import SETTINGS
from leasc_core.cli.main import main


@pytest.fixture(scope="module")
def points():
    return make_union_of_subspaces(3, 2, 12, 60, noise=0.02, shuffle=True)


@pytest.fixture(scope="module")
def file(points, tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "planes.npy"
    np.save(path, points[0].astype(np.float32))
    return path


def test_auto_finds_the_number_says_why_and_leaves_its_table(file, points, tmp_path, capsys):
    out = tmp_path / "run"
    asked = ["--auto", "--budget", "0.01s", "--hidden", "40", "-o", str(out), "--labels-out", str(tmp_path / "l.csv")]
    assert main(["cluster", str(file), *asked, "--certain", "0.5"]) == 0
    told = capsys.readouterr()
    assert "may search for 0.01 s" in told.err and "3 clusters" in told.err and "confidence" in told.out
    said = json.loads((out / "autopilot.json").read_text())
    assert said["table"][0]["n_clusters"] == 3 and not said["complete"]
    asked_for = json.loads((out / "config.json").read_text())["parameters"]
    assert asked_for["n_clusters"] == 3 and asked_for["hidden"] == [40] and asked_for["beta"] == SETTINGS[0].beta
    labels, confidence = np.load(out / "labels.npy"), np.load(out / "confidence.npy")
    assert clustering_accuracy(points[1], labels) == 1.0
    with open(tmp_path / "l.csv", newline="") as table:
        rows = list(csv.DictReader(table))
    assert np.allclose([float(row["confidence"]) for row in rows], confidence)
    kept = confidence >= 0.5
    assert [int(row["cluster"]) for row in rows] == np.where(kept, labels, -1).tolist()


def test_predict_writes_confidence_too(file, tmp_path, capsys):
    assert main(["cluster", str(file), "-k", "3", "--hidden", "40", "-o", str(tmp_path / "run"), "-q"]) == 0
    assert main(["predict", str(tmp_path / "run"), str(file), "-o", str(tmp_path / "l.csv"), "-q"]) == 0
    with open(tmp_path / "l.csv", newline="") as table:
        found = [float(row["confidence"]) for row in csv.DictReader(table)]
    assert np.allclose(found, np.load(tmp_path / "run" / "confidence.npy"), atol=1e-5)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--budget", "5s"], "add --auto"),
        (["--certain", "0.9"], "--labels-out"),
        (["--certain", "2", "--labels-out", "l.csv"], "0 to 1"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(file, arguments, words, capsys):
    assert main(["cluster", str(file), *arguments]) == 1
    err = capsys.readouterr().err.strip()
    assert words in err and len(err.splitlines()) == 1


def test_a_time_that_is_none(file, capsys):
    with pytest.raises(SystemExit) as left:
        main(["cluster", str(file), "--auto", "--budget", "soon"])
    assert left.value.code == 2 and "60s" in capsys.readouterr().err
