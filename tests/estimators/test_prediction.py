"""``predict`` is a pure function of what was learned: same point, same label, wherever it comes from."""

import numpy as np
import pytest

from leasc_core import RPCM, LandmarkSpectralClustering, LeaSC, clustering_accuracy, make_union_of_subspaces


@pytest.fixture(scope="module")
def planes():
    return make_union_of_subspaces(4, 2, 20, 300, 0.02, 0)


@pytest.fixture(scope="module")
def fitted(planes):
    return LeaSC(4, n_representatives=200, hidden=(300,), random_state=0).fit(planes[0])


@pytest.mark.parametrize("affinity", ["landmarks", "codes"])
def test_predict_on_the_training_data_is_labels(planes, affinity):
    model = LeaSC(4, affinity=affinity, n_representatives=200, hidden=(300,), random_state=0).fit(planes[0])
    assert (model.predict(planes[0]) == model.labels_).all()
    assert (LeaSC(**model.get_params()).fit_predict(planes[0]) == model.labels_).all()


def test_new_points_of_the_same_subspaces_are_placed(planes, fitted):
    Y, y = planes
    rng = np.random.default_rng(3)
    pairs = [rng.choice(np.flatnonzero(y == c), (50, 2)) for c in range(4)]
    new = np.vstack([Y[p[:, 0]] + 0.7 * Y[p[:, 1]] for p in pairs])  # sums stay in the subspace
    truth = np.repeat(np.arange(4), 50)
    both = clustering_accuracy(np.r_[y, truth], np.r_[fitted.labels_, fitted.predict(new)])
    assert both >= 0.99


def test_codes_do_not_depend_on_the_batch(planes, fitted):
    whole = fitted.transform(planes[0])
    for size in (1, 7, 100):
        parts = np.vstack([fitted.transform(planes[0][i : i + size]) for i in range(0, 200, size)])[:200]
        np.testing.assert_allclose(parts, whole[:200], atol=1e-6)


@pytest.mark.parametrize("rows", [100, 777, 1200])
def test_labels_do_not_depend_on_the_block_size(planes, fitted, rows):
    model = LeaSC(**{**fitted.get_params(), "block_rows": rows}).fit(planes[0])
    assert (model.labels_ == fitted.labels_).all()


def test_what_simply_works(planes, fitted, tmp_path):
    import pandas as pd

    Y = planes[0]
    scaled = (40 * Y).round()
    np.save(tmp_path / "points.npy", Y)
    readonly = np.load(tmp_path / "points.npy", mmap_mode="r")
    assert (fitted.predict(np.asfortranarray(Y)) == fitted.labels_).all()
    assert (fitted.predict(readonly) == fitted.labels_).all()
    assert (fitted.predict(tmp_path / "points.npy") == fitted.labels_).all()
    assert (fitted.predict(pd.DataFrame(Y)) == fitted.labels_).all()
    assert np.mean(fitted.predict(Y.astype(np.float16)) == fitted.labels_) > 0.99
    assert np.mean(fitted.predict(scaled.astype(np.int16)) == fitted.labels_) > 0.9
    assert LeaSC(2, hidden=(20,), epochs=0, random_state=0).fit(Y > 0).labels_.shape == (1200,)


def test_fitting_a_file_equals_fitting_the_array(planes, fitted, tmp_path):
    np.save(tmp_path / "points.npy", planes[0])
    for thing in (tmp_path / "points.npy", np.load(tmp_path / "points.npy", mmap_mode="r")):
        assert (LeaSC(**fitted.get_params()).fit(thing).labels_ == fitted.labels_).all()


def test_codes_express_the_points(planes):
    X = planes[0][::8]
    model = RPCM(variant="l1", beta=20.0, tol=1e-4, hidden=(50,), epochs=0).fit(X)
    np.testing.assert_allclose(model.codes_ @ X + model.errors_, X, atol=1e-10)
    assert np.diag(model.codes_).max() == 0.0
    assert model.gap_ <= 1e-4


def test_joint_training_runs_inside_algorithm_two(planes):
    X = planes[0][::12]
    model = RPCM(variant="f2", solver="paper", train="joint", hidden=(200,), epochs=1, max_iter=60, random_state=0)
    with pytest.warns(Warning, match="before its tolerance") if not _converges(model, X) else _nothing():
        model.fit(X)
    relative = np.linalg.norm(model.codes_ @ X - X) / np.linalg.norm(X)
    assert relative < 0.5


def _converges(model, X):
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X).converged_


def _nothing():
    from contextlib import nullcontext

    return nullcontext()


def test_landmark_clustering_of_plain_features():
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((3, 10))
    y = np.repeat(np.arange(3), 100)
    X = centres[y] + 0.05 * rng.standard_normal((300, 10))
    model = LandmarkSpectralClustering(3, random_state=0).fit(X)
    assert clustering_accuracy(y, model.labels_) == 1.0
    assert (model.predict(X) == model.labels_).all()
    assert LandmarkSpectralClustering(random_state=0).fit(X).n_clusters_ == 3
