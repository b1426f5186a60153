"""Raw rows in, labels out, through a saved file too: for every graph, streamed and whole."""

import numpy as np
import pytest

from leasc_core.errors import BundleError, DataError, ParameterError
from leasc_core.estimators.leasc import LeaSC
from leasc_core.estimators.rpcm import RPCM
from leasc_core.metrics import clustering_accuracy
from leasc_core.prepare import recognise
from leasc_core.spectral.kept import KEPT_GRAPHS
from leasc_core.storage.checkpoint import FolderStore


def pictures(n=60, seed=0):
    """Stripes at three angles under two lights, 16×16, 0 to 255."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(3), n)
    down, across = np.mgrid[:16, :16]
    angle, phase = y * np.pi / 3, rng.uniform(0, 2 * np.pi, len(y))
    wave = np.cos(0.7 * (np.cos(angle)[:, None, None] * down + np.sin(angle)[:, None, None] * across) + phase[:, None, None])
    X = 120 + 60 * wave + rng.normal(0, 8, (len(y), 16, 16))
    return np.clip(X, 0, 255).astype(np.uint8).reshape(len(y), -1), y


def test_pictures_are_scattered_and_new_raw_ones_are_labelled_by_the_saved_model(tmp_path):
    X, y = pictures()
    model = LeaSC(3, preprocess="scattering2", image_shape=(16, 16), random_state=0).fit(X)
    assert clustering_accuracy(y, model.labels_) == 1.0
    model.save(tmp_path / "stripes.leasc")
    again = LeaSC.load(tmp_path / "stripes.leasc")
    new, truth = pictures(n=20, seed=9)
    np.testing.assert_array_equal(again.predict(new), model.predict(new))
    np.testing.assert_array_equal(again.predict(X), model.labels_)
    both = np.concatenate([y, truth]), np.concatenate([model.labels_, model.predict(new)])
    assert clustering_accuracy(*both) == 1.0


@pytest.mark.parametrize("graph", ["landmarks", *KEPT_GRAPHS])
def test_streamed_is_whole_and_saved_is_fitted_for_every_graph(graph, tmp_path):
    X, _ = pictures(30)
    np.save(tmp_path / "rows.npy", X)
    model = LeaSC(3, preprocess="centred", affinity=graph, random_state=0).fit(X)
    model.save(tmp_path / "model.leasc")
    for block in (7, 4096):
        again = LeaSC.load(tmp_path / "model.leasc")
        again.block_rows = block
        np.testing.assert_array_equal(again.predict(tmp_path / "rows.npy"), model.labels_)
        np.testing.assert_array_equal(again.predict(np.load(tmp_path / "rows.npy", mmap_mode="r")), model.labels_)


def test_a_path_gives_the_labels_of_its_array(tmp_path):
    X, _ = pictures(30)
    np.save(tmp_path / "rows.npy", X)
    settings = {"preprocess": "centred", "affinity": "exact", "random_state": 0}
    labels = [LeaSC(3, **settings).fit(Y).labels_ for Y in (X, tmp_path / "rows.npy")]
    np.testing.assert_array_equal(*labels)


def test_tracks_take_the_affine_column_and_shapes():
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(2), 50)
    start, turn = rng.normal(0, 100, (100, 2)), np.where(y == 0, 0.01, -0.015)
    angles = turn[:, None] * np.arange(20)
    x = start[:, :1] * np.cos(angles) - start[:, 1:] * np.sin(angles) + np.where(y == 0, 1.0, -2.0)[:, None] * np.arange(20)
    v = start[:, :1] * np.sin(angles) + start[:, 1:] * np.cos(angles)
    X = np.stack([x, v], axis=2).reshape(100, -1)
    assert recognise(X).name == "tracks"
    model = LeaSC(2, random_state=0).fit(X)
    assert (model.choice_.preparation, model.affinity_) == ("tracks", "shape")
    assert clustering_accuracy(y, model.labels_) == 1.0


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"preprocess": "polish"}, ParameterError, "choose one of"),
        ({"affinity": "glue"}, ParameterError, "choose one of"),
        ({"preprocess": "scattering2"}, ParameterError, "needs the shape of a picture"),
        ({"preprocess": "counts"}, DataError, "needs values from 0 on"),
        ({"n_clusters": 500}, ParameterError, "ask for fewer clusters"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(settings, error, words):
    X = np.random.default_rng(0).normal(size=(60, 12))
    with pytest.raises(error, match=words):
        LeaSC(**{"n_clusters": 3, "affinity": "exact", **settings}).fit(X)


def test_the_bundle_of_one_model_is_not_read_as_another(tmp_path):
    X, _ = pictures(20)
    LeaSC(3, preprocess="centred", affinity="exact").fit(X).save(tmp_path / "m.leasc")
    with pytest.raises(BundleError, match="load it with that class"):
        RPCM.load(tmp_path / "m.leasc")


def test_a_resumed_fit_finds_its_choice_and_its_preparation(tmp_path):
    X, _ = pictures(30)
    begun = []

    def stop(event):
        begun.append(getattr(event, "stage", None))
        return begun[-1] == "representatives"

    settings = {"preprocess": "auto", "affinity": "auto", "hidden": (30,), "epochs": 0, "random_state": 0}
    first = LeaSC(3, on_event=stop, **settings).fit_run(X, FolderStore(tmp_path, {"data": "x"}))
    assert first.stopped_ and "choice" in begun
    begun.clear()
    again = LeaSC(3, on_event=lambda event: begun.append(getattr(event, "stage", None)), **settings)
    again.fit_run(X, FolderStore(tmp_path, {"data": "x"}))
    assert "choice" not in begun and again.choice_ == first.choice_
    np.testing.assert_array_equal(again.labels_, LeaSC(3, **settings).fit(X).labels_)


@pytest.mark.parametrize("graph", ["exact", "neighbours"])
def test_kept_graphs_say_how_sure_they_are_and_give_codes(graph):
    X, _ = pictures(30)
    model = LeaSC(3, preprocess="centred", affinity=graph, confidence_draws=2, hidden=(30,), random_state=0).fit(X)
    labels, sure = model.predict_with_confidence(X)
    np.testing.assert_array_equal(labels, model.labels_)
    np.testing.assert_allclose(sure, model.confidence_, atol=1e-6)
    assert 0 <= sure.min() <= sure.max() <= 1 and model.transform(X).shape == (len(X), len(model.representatives_))
    assert len(model.eigenvalues_) == 7 and model.passes_ > 0 and model.rpcm_.gap_ is not None


def test_a_dask_array_gives_the_labels_of_its_rows():
    da = pytest.importorskip("dask.array")
    X, _ = pictures(30)
    settings = {"preprocess": "centred", "affinity": "exact", "hidden": (30,), "random_state": 0}
    whole, lazy = (LeaSC(3, **settings).fit(Y).labels_ for Y in (X, da.from_array(X, chunks=(40, -1))))
    np.testing.assert_array_equal(whole, np.asarray(lazy))
