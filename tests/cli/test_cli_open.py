"""``open``: a project unpacked elsewhere, its clusters as edited and named, its model labelling new points as edited."""

import csv
import json

import numpy as np

from leasc_core import LeaSC, make_union_of_subspaces
from leasc_core.cli.main import main
from leasc_core.data.writers import save_data
from leasc_core.workbench.edited import EditedModel
from leasc_core.workbench.history import History
from leasc_core.workbench.project import write_project
from leasc_core.workbench.steps import Merge, Name, Note


def test_a_project_is_unpacked_told_and_predicts_as_edited(tmp_path, capsys):
    points, _ = make_union_of_subspaces(n_subspaces=3, n_per_subspace=40, random_state=0)
    model = LeaSC(n_clusters=3, hidden=(50,), preprocess=None, affinity="landmarks", random_state=0).fit(points)
    history = History((Merge((0, 2)), Name(1, "pumps"), Note("for Monday")))
    edited = EditedModel(model, history.steps, points)
    model.save(tmp_path / "model.leasc")
    edited.save(tmp_path / "edited.leasc")
    np.save(tmp_path / "labels.npy", model.labels_)
    files = {"runs/1/edits.json": json.dumps(history.plain()).encode()}
    files |= {f"runs/1/{name}": tmp_path / name for name in ("model.leasc", "edited.leasc", "labels.npy")}
    write_project(tmp_path / "p.leascproj", "Machines", {}, files)

    assert main(["open", str(tmp_path / "p.leascproj"), "-o", str(tmp_path / "there")]) == 0
    told = capsys.readouterr().out
    assert "pumps: " in told and "Merged cluster 3 into cluster 1" in told and "for Monday" in told
    with open(tmp_path / "there/runs/1/clusters.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["cluster"] for row in rows] == [edited.names_[label] for label in edited.labels_]

    save_data(tmp_path / "new.npy", points[:50])
    assert main(["predict", str(tmp_path / "there/runs/1"), str(tmp_path / "new.npy"), "-o", str(tmp_path / "l.npy"), "-q"]) == 0
    np.testing.assert_array_equal(np.load(tmp_path / "l.npy"), edited.labels_[:50])


def test_what_is_no_project_is_a_sentence(tmp_path, capsys):
    (tmp_path / "a.leascproj").write_text("no")
    assert main(["open", str(tmp_path / "a.leascproj")]) == 1
    assert "choose a .leascproj file" in capsys.readouterr().err
