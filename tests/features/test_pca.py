"""Streaming PCA agrees with scikit-learn's whatever the blocks, the type and the shape."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.decomposition import PCA
from threadpoolctl import threadpool_limits

from leasc_core.errors import DataError, ParameterError
from leasc_core.features.pca import StreamingPCA


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """Small matrices: threads on a busy machine wait for one another longer than they work."""
    with threadpool_limits(1):
        yield


def sample(n_rows, n_features, seed=0):
    """Rows with a decaying spectrum and a mean away from 0."""
    rng = np.random.default_rng(seed)
    mixing = rng.standard_normal((n_features, n_features)) * np.geomspace(5, 0.05, n_features)
    return rng.standard_normal((n_rows, n_features)) @ mixing.T + rng.uniform(-3, 3, n_features)


def agrees(ours, theirs, tolerance=1e-8):
    assert np.allclose(ours.mean_, theirs.mean_, atol=tolerance)
    assert np.allclose(ours.explained_variance_, theirs.explained_variance_, rtol=tolerance)
    assert np.allclose(ours.explained_variance_ratio_, theirs.explained_variance_ratio_, rtol=tolerance)
    cosines = np.abs(np.sum(ours.components_ * theirs.components_, axis=1))
    assert np.allclose(cosines, 1, atol=tolerance)


@pytest.mark.parametrize(("n_rows", "n_features"), [(500, 12), (13, 12), (12, 12), (12, 40), (2, 5)])
@pytest.mark.parametrize("n_components", [1, 2, None])
def test_same_as_scikit_learn(n_rows, n_features, n_components):
    X = sample(n_rows, n_features)
    theirs = PCA(n_components, svd_solver="full").fit(X)
    usable = theirs.explained_variance_ > 1e-10 * theirs.explained_variance_[0]
    ours = StreamingPCA(n_components).fit(X)
    assert ours.components_.shape == theirs.components_.shape
    for fitted in (ours, theirs):
        for name in ("components_", "explained_variance_", "explained_variance_ratio_"):
            setattr(fitted, name, getattr(fitted, name)[usable])
    agrees(ours, theirs)
    X_new = sample(7, n_features, seed=1)
    assert np.allclose(np.abs(ours.transform(X_new)), np.abs(theirs.transform(X_new)), atol=1e-7)


@pytest.mark.parametrize("variance", [0.3, 0.9, 0.99, 0.9999])
@pytest.mark.parametrize("n_rows", [300, 15])
def test_variance_kept(variance, n_rows):
    X = sample(n_rows, 20)
    theirs = PCA(variance, svd_solver="full").fit(X)
    ours = StreamingPCA(variance=variance).fit(X)
    agrees(ours, theirs)
    assert ours.explained_variance_ratio_.sum() >= variance
    assert ours.explained_variance_ratio_[:-1].sum() < variance


def test_full_variance_keeps_the_rank_and_loses_nothing():
    X = sample(400, 5) @ np.random.default_rng(1).standard_normal((5, 30))
    fitted = StreamingPCA(variance=1.0).fit(X)
    assert fitted.components_.shape == (5, 30)
    assert np.allclose(fitted.inverse_transform(fitted.transform(X)), X)


@settings(max_examples=20, deadline=None)
@given(cuts=st.lists(st.integers(1, 59), max_size=12), wide=st.booleans())
def test_blocks_do_not_matter(cuts, wide):
    X = sample(60, 80 if wide else 10)
    whole = StreamingPCA(3).fit(X)
    for blocks in (np.split(X, sorted(set(cuts))), iter(np.split(X, sorted(set(cuts))))):
        streamed = StreamingPCA(3).fit(blocks)
        assert np.allclose(streamed.components_, whole.components_, atol=1e-9)
        assert np.allclose(streamed.explained_variance_, whole.explained_variance_, rtol=1e-10)


def test_a_far_away_mean_costs_no_accuracy():
    X = sample(2000, 8) + 1e6
    theirs = PCA(8, svd_solver="full").fit(X)
    ours = StreamingPCA(8).fit(np.array_split(X, 7))
    assert np.allclose(ours.explained_variance_, theirs.explained_variance_, rtol=1e-7)


def test_float32_stays_float32_and_close():
    X = sample(5000, 30)
    single = StreamingPCA(5).fit(X.astype(np.float32))
    double = StreamingPCA(5).fit(X)
    assert np.allclose(single.components_, double.components_, atol=1e-5)
    assert np.allclose(single.explained_variance_, double.explained_variance_, rtol=1e-5)
    assert single.transform(X.astype(np.float32)).dtype == np.float32
    assert single.components_.dtype == np.float64


def test_signs_are_fixed():
    X = sample(200, 9)
    for data in (X, X[:6]):
        ours, mirrored = StreamingPCA(3).fit(data), StreamingPCA(3).fit(-data)
        assert np.allclose(ours.components_, mirrored.components_, atol=1e-9)
        peaks = np.abs(ours.components_).argmax(axis=1)
        assert (ours.components_[np.arange(3), peaks] > 0).all()


def test_files_and_integers(tmp_path):
    X = np.random.default_rng(0).integers(0, 255, (300, 6), dtype=np.uint8)
    np.save(tmp_path / "x.npy", X)
    agrees(StreamingPCA(2).fit(tmp_path / "x.npy"), PCA(2, svd_solver="full").fit(X.astype(float)))


def test_constant_data_have_no_variance():
    fitted = StreamingPCA(2).fit(np.ones((10, 3)))
    assert np.allclose(fitted.explained_variance_, 0)
    assert np.allclose(fitted.explained_variance_ratio_, 0)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"n_components": 0}, "n_components=0"),
        ({"n_components": 2.5}, "n_components=2.5"),
        ({"n_components": 11}, "n_components=11 exceeds 10"),
        ({"variance": 0}, "variance=0"),
        ({"variance": 1.1}, "variance=1.1"),
        ({"n_components": 2, "variance": 0.5}, "both"),
    ],
)
def test_wrong_parameters(parameters, words):
    with pytest.raises(ParameterError, match=words):
        StreamingPCA(**parameters).fit(sample(50, 10))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (np.ones((1, 4)), "at least 2 rows"),
        (iter([]), "no rows"),
        (iter([np.ones(4)]), "1 dimension"),
        (iter([np.array([["a"]])]), "not numbers"),
        (iter([np.ones((3, 2)), np.array([[1.0, np.nan]])]), "row 3, column 1"),
        (iter([np.array([[np.inf, 1.0]])]), "infinite"),
    ],
)
def test_wrong_data(data, words):
    with pytest.raises(DataError, match=words):
        StreamingPCA(1).fit(data)


def test_too_many_columns_are_refused_before_memory_is_taken(monkeypatch):
    from leasc_core.data.preprocessing import principal

    monkeypatch.setattr(principal, "MAX_SCATTER_FEATURES", 20)
    StreamingPCA(2).fit(sample(20, 30))
    with pytest.raises(DataError, match="limit of 20"):
        StreamingPCA(2).fit(sample(40, 30))
