"""A saved model predicts as before, and a spoilt file is refused with a reason."""

import errno
import json
import os
import zipfile

import numpy as np
import pytest

from leasc_core import KMeansSelector, LeaSC, make_union_of_subspaces
from leasc_core.errors import BundleError
from leasc_core.estimators.packing import pack
from leasc_core.storage.bundle import write_bundle


@pytest.fixture(scope="module")
def points():
    return make_union_of_subspaces(n_per_subspace=60)[0]


@pytest.fixture(scope="module", params=["landmarks", "codes", "narrow"])
def model(request, points):
    settings = {"affinity": "codes"} if request.param == "codes" else {"code_dim": 10 if request.param == "narrow" else None}
    return LeaSC(4, n_representatives=90, hidden=(60, 30), activation="tanh", random_state=0, **settings).fit(points)


def test_round_trip(model, points, tmp_path):
    model.save(tmp_path / "model.leasc")
    loaded = LeaSC.load(tmp_path / "model.leasc")
    assert (loaded.predict(points) == model.labels_).all()
    np.testing.assert_array_equal(loaded.transform(points), model.transform(points))
    np.testing.assert_array_equal(loaded.representatives_, model.representatives_)
    assert loaded.get_params() == model.get_params()
    loaded.save(tmp_path / "again.leasc")
    assert (tmp_path / "again.leasc").stat().st_size == (tmp_path / "model.leasc").stat().st_size


def test_a_selector_instance_travels(points, tmp_path):
    model = LeaSC(4, selector=KMeansSelector(), n_representatives=40, hidden=(20,), epochs=0, random_state=0).fit(points)
    model.save(tmp_path / "model.leasc")
    assert LeaSC.load(tmp_path / "model.leasc").selector == KMeansSelector()


def test_nothing_is_left_behind_and_an_old_file_is_replaced(model, tmp_path):
    (tmp_path / "model.leasc").write_text("old")
    model.save(tmp_path / "model.leasc")
    assert [p.name for p in tmp_path.iterdir()] == ["model.leasc"]


def rewrite(path, manifest=None, arrays=None, compression=zipfile.ZIP_STORED, extra=None):
    """The same bundle with a changed manifest, changed array bytes, or another member."""
    with zipfile.ZipFile(path) as bundle:
        old, body = json.loads(bundle.read("manifest.json")), bundle.read("arrays.safetensors")
    with zipfile.ZipFile(path, "w", compression) as bundle:
        bundle.writestr("manifest.json", json.dumps(manifest(old) if manifest else old))
        bundle.writestr("arrays.safetensors", arrays(body) if arrays else body)
        if extra:
            bundle.writestr(extra, b"x")


def flip(body):
    return body[:-9] + bytes([body[-9] ^ 1]) + body[-8:]


def changed(**keys):
    return lambda manifest: {**manifest, **keys}


def setting(**keys):
    return lambda manifest: {**manifest, "settings": {**manifest["settings"], **keys}}


def parameter(**keys):
    return lambda m: setting(parameters={**m["settings"]["parameters"], **keys})(m)


@pytest.mark.parametrize(
    "attack",
    [
        {"arrays": flip},
        {"arrays": lambda body: body[:100]},
        {"manifest": changed(version=99)},
        {"manifest": changed(format="other")},
        {"manifest": changed(kind="RPCM")},
        {"manifest": changed(settings=[])},
        {"manifest": setting(n_features=7)},
        {"manifest": setting(layers=1)},
        {"manifest": setting(layers=0)},
        {"manifest": setting(layers="many")},
        {"manifest": setting(n_clusters=9)},
        {"manifest": setting(parameters={})},
        {"manifest": parameter(variant="evil")},
        {"manifest": parameter(hidden=[0])},
        {"manifest": parameter(unknown=1)},
        {"manifest": parameter(selector={"class": "os.system", "fields": {}})},
        {"compression": zipfile.ZIP_DEFLATED},
        {"extra": "../../evil.py"},
        {"extra": "code.pkl"},
    ],
)
def test_a_tampered_bundle_is_refused(model, tmp_path, attack):
    path = tmp_path / "model.leasc"
    model.save(path)
    rewrite(path, **attack)
    with pytest.raises(BundleError) as refusal:
        LeaSC.load(path)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("keep", [0, 1, 100, 0.5, 0.999])
def test_a_truncated_bundle_is_refused(model, tmp_path, keep):
    path = tmp_path / "model.leasc"
    model.save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(keep if keep >= 1 else keep * len(whole))])
    with pytest.raises(BundleError):
        LeaSC.load(path)


def test_a_missing_file_and_a_folder(tmp_path):
    with pytest.raises(BundleError, match="does not exist"):
        LeaSC.load(tmp_path / "none.leasc")
    with pytest.raises(BundleError):
        LeaSC.load(tmp_path)


def test_preprocessing_is_repeated_and_carried(points, tmp_path):
    from leasc_core.data.preprocessing import Preprocessor

    spoilt = 100 * points + 3
    spoilt[5, 2] = np.nan
    cleaning = Preprocessor("mean", standardise=True, n_components=8)
    model = LeaSC(4, preprocess=cleaning, hidden=(60,), epochs=0, random_state=0).fit(spoilt)
    by_hand = cleaning.fit_transform(spoilt)
    same = LeaSC(4, hidden=(60,), epochs=0, random_state=0).fit(by_hand)
    assert (model.labels_ == same.labels_).all() and (model.predict(spoilt) == model.labels_).all()
    model.save(tmp_path / "model.leasc")
    assert (LeaSC.load(tmp_path / "model.leasc").predict(spoilt) == model.labels_).all()


def test_preprocessing_that_drops_rows_is_refused(points):
    from leasc_core.data.preprocessing import Preprocessor
    from leasc_core.errors import ParameterError

    with pytest.raises(ParameterError, match="missing='drop'.*'mean'"):
        LeaSC(4, preprocess=Preprocessor("drop")).fit(points)
    with pytest.raises(ParameterError, match="preprocess='pca'"):
        LeaSC(4, preprocess="pca").fit(points)


def test_draws_with_other_numbers_of_neighbours_travel(tmp_path):
    """Few distinct points leave some draws fewer landmarks, and so fewer neighbours, than others."""
    rng, differing = np.random.default_rng(0), 0
    for seed in range(12):
        distinct = rng.standard_normal((6, 6))
        Y = distinct[rng.integers(0, len(distinct), 30)]
        model = LeaSC(2, hidden=(10,), n_draws=4, n_landmarks=6, n_representatives=12, random_state=seed).fit(Y)
        differing += len({graph.neighbours for graph in model.model_.graph.graphs}) > 1
        model.save(tmp_path / "draws.leasc")
        assert np.array_equal(LeaSC.load(tmp_path / "draws.leasc").predict(Y), model.predict(Y))
    assert differing, "none of these had draws that differ"


def test_a_bundle_of_before_has_one_number_of_neighbours(points, tmp_path):
    path = tmp_path / "model.leasc"
    model = LeaSC(3, hidden=(20,), n_landmarks=20, n_draws=2, random_state=0).fit(points)
    model.save(path)
    rewrite(path, manifest=setting(neighbours=model.n_neighbors))
    assert np.array_equal(LeaSC.load(path).predict(points), model.predict(points))
    for bad in ([3], 2.5, ["3", "3"], [3, 99]):
        rewrite(path, manifest=setting(neighbours=bad))
        with pytest.raises(BundleError, match="neighbours"):
            LeaSC.load(path)


def nan_at_first(A):
    A = A.astype(float)
    A[0] = np.nan
    return A


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("landmarks", np.ravel),
        ("labels", lambda A: A[:, None]),
        ("labels", lambda A: A + 100),
        ("labels", lambda A: A - 100),
        ("confidence", lambda A: A * 1e6),
        ("confidence", nan_at_first),
        ("confidence", lambda A: A[:-1]),
        ("confidence_agreement", lambda A: A - 5),
        ("centres", np.ravel),
    ],
)
def test_a_bundle_whose_arrays_make_no_sense_is_refused(sure, tmp_path, name, change):
    """Its checksum is right: whoever wrote it meant it."""
    settings, arrays = pack(sure)
    write_bundle(tmp_path / "model.leasc", "LeaSC", settings, {**arrays, name: change(arrays[name])})
    with pytest.raises(BundleError, match="save (it|the model) again"):
        LeaSC.load(tmp_path / "model.leasc")


@pytest.fixture(scope="module")
def sure(points):
    settings = {"preprocess": None, "affinity": "landmarks", "hidden": (20,), "epochs": 0, "random_state": 0}
    return LeaSC(4, n_representatives=40, confidence_draws=2, **settings).fit(points)


def test_saving_on_a_full_disk_is_a_sentence_and_leaves_the_old_file(sure, tmp_path, monkeypatch):
    (tmp_path / "model.leasc").write_text("old")

    def full(handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BundleError, match="cannot be saved .No space left on device.; free some space"):
        sure.save(tmp_path / "model.leasc")
    assert [path.name for path in tmp_path.iterdir()] == ["model.leasc"] and (tmp_path / "model.leasc").read_text() == "old"
