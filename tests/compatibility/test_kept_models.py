"""Models that earlier versions wrote are read and label as they did there; those of a newer version are refused by its name.

``said.json`` beside the models holds what the writing version itself answered; nothing here was made by the code under test.
"""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

import leasc_core
from leasc_core import RPCM, LeaSC
from leasc_core.errors import BundleError, DataError
from leasc_core.storage.versions import unreadable
from leasc_core.workbench.project import read_project, write_project

KEPT = Path(__file__).parent
MODELS = sorted(KEPT.glob("*/*.leasc"))


@pytest.mark.parametrize("path", MODELS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_model_of_an_earlier_version_answers_as_it_did(path):
    said = json.loads((path.parent / "said.json").read_text())
    rows, known = np.array(said["rows"]), said[path.stem]
    model = (RPCM if path.stem == "rpcm" else LeaSC).load(path)
    if "labels" in known:
        assert model.predict(rows).tolist() == known["labels"]
        assert model.labels_.tolist() == known["training_labels"]
    np.testing.assert_allclose(model.transform(rows[:3]), known["codes"], atol=2e-5)
    if "confidence" in known:
        np.testing.assert_allclose(model.predict_confidence(rows), known["confidence"], atol=2e-5)


def test_a_project_of_an_earlier_version_is_opened(tmp_path):
    project = read_project(KEPT / "0.2" / "project.leascproj")
    assert (project.name, project.state) == ("kept", {"notes": "seen"})
    assert (project.extract(tmp_path / "open") / "notes.txt").read_bytes() == b"x"


def test_every_version_has_its_models():
    assert {path.parent.name for path in MODELS} >= {"0.1", "0.2"}
    assert len(MODELS) >= 8


def rewritten(path, to, member, **keys):
    """The same file, its manifest telling other things."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(to, "w") as new:
        for name in old.namelist():
            body = old.read(name)
            new.writestr(name, json.dumps({**json.loads(body), **keys}) if name == member else body)
    return to


def test_a_newer_model_is_refused_by_name(tmp_path):
    newer = rewritten(MODELS[0], tmp_path / "newer.leasc", "manifest.json", version=3, program="7.1.0")
    for kind in (LeaSC, RPCM):
        with pytest.raises(BundleError) as refusal:
            kind.load(newer)
        said = str(refusal.value)
        assert "newer.leasc has model version 3, written by LeaSC Studio 7.1.0" in said
        assert f"this is {leasc_core.__version__}, which reads 1 to 2" in said and "install LeaSC Studio 7.1.0 or newer" in said


def test_a_newer_project_is_refused_by_name(tmp_path):
    project = write_project(tmp_path / "a.leascproj", "mine", {}, {"notes.txt": b"x"})
    newer = rewritten(project, tmp_path / "newer.leascproj", "manifest.json", version=2, program="7.1.0")
    with pytest.raises(DataError, match=r"newer\.leascproj has project version 2, written by LeaSC Studio 7\.1\.0, .* or newer"):
        read_project(newer)


@pytest.mark.parametrize("version", [None, "2", 2.0, True, 0, -1])
def test_a_version_that_never_was_is_refused(version):
    assert "save the model again" in unreadable("a.leasc", "model", {"version": version}, (1, 2))


def test_what_is_written_now_names_its_writer(tmp_path):
    Y = np.random.default_rng(0).normal(size=(30, 4))
    LeaSC(2, preprocess=None, affinity="landmarks", n_representatives=10, random_state=0).fit(Y).save(tmp_path / "a.leasc")
    with zipfile.ZipFile(tmp_path / "a.leasc") as bundle:
        assert json.loads(bundle.read("manifest.json"))["program"] == leasc_core.__version__
