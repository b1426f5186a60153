"""Pixels seen with those around them: against SciPy's filter and a loop; a cube's model labels a new cube, and refuses rows."""

import numpy as np
import pytest
from scipy.ndimage import uniform_filter

from leasc_core import DataError, LeaSC, clustering_accuracy, load_data, open_source
from leasc_core.data.layout import Layout
from leasc_core.data.sources.source import ArraySource
from leasc_core.features.patches import PatchSource, pixels_inside, window_means


def scene(seed, sides=(24, 30), bands=12, noise=0.6, edge=False):
    """A cube of three fields side by side whose single pixels are noisier than the fields differ, and its truth."""
    rng = np.random.default_rng(seed)
    spectra = np.random.default_rng(7).uniform(0, 1, (3, bands)) + 2
    truth = np.repeat(np.arange(3), sides[1] // 3)[None].repeat(sides[0], axis=0)
    cube = spectra[truth] + noise * rng.standard_normal((*sides, bands))
    background = np.zeros(sides, bool)
    if edge:
        background[:4], cube[:4] = True, rng.uniform(0, 40, (4, sides[1], bands))
    return cube.astype(np.float32), truth, background


def source_of(cube, background=None):
    layout = Layout("cube", cube.shape, background=None if background is None else background.ravel())
    source = ArraySource(cube.reshape(-1, cube.shape[2]), "scene")
    source.layout = layout
    return source


def test_windows_are_scipys_away_from_the_border():
    cube = scene(0)[0]
    means = window_means(cube, np.ones(cube.shape[:2], bool), 2)
    expected = np.stack([uniform_filter(cube[..., band].astype(float), 5) for band in range(cube.shape[2])], axis=2)
    np.testing.assert_allclose(means[2:-2, 2:-2], expected[2:-2, 2:-2], rtol=1e-5)


def test_background_and_borders_are_left_out_of_windows():
    rng = np.random.default_rng(1)
    cube, inside = rng.standard_normal((6, 7, 2)), rng.random((6, 7)) < 0.6
    means = window_means(cube, inside, 1)
    for row, column in np.ndindex(6, 7):
        window = np.s_[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
        expected = cube[window][inside[window]].mean(axis=0) if inside[row, column] else cube[row, column]
        np.testing.assert_allclose(means[row, column], expected)


def test_blocks_and_single_pixels_are_the_same_pixels():
    cube, _, background = scene(2, edge=True)
    source = PatchSource(source_of(cube, background), source_of(cube, background).layout)
    whole = source.rows(0, len(source))
    for size in (1, 7, 30, 200):
        assert np.array_equal(np.vstack([source.rows(at, min(at + size, 720)) for at in range(0, 720, size)]), whole)
    some = np.random.default_rng(0).permutation(720)[:50]
    assert np.array_equal(source.take(some), whole[some])


def test_a_scene_is_clustered_with_patches_and_its_model_labels_another(tmp_path):
    cube, truth, _ = scene(3)
    model = LeaSC(3, random_state=0).fit(source_of(cube))
    assert model.choice_.kind.name == "scene"
    assert model.choice_.preparation == "patches", model.choice_.table()
    assert clustering_accuracy(truth.ravel(), model.labels_) > 0.9
    assert np.array_equal(model.predict(source_of(cube)), model.labels_)
    model.save(tmp_path / "scene.leasc")
    other, other_truth, _ = scene(4, (20, 45))
    found = LeaSC.load(tmp_path / "scene.leasc").predict(source_of(other))
    assert clustering_accuracy(other_truth.ravel(), found) > 0.9
    for blocks in (50, 333):
        streamed = LeaSC.load(tmp_path / "scene.leasc").set_params(block_rows=blocks)
        assert np.array_equal(streamed.predict(source_of(other)), found)
    with pytest.raises(DataError, match="give the cube itself"):
        model.predict(other.reshape(-1, other.shape[2]))


def test_background_is_labelled_and_teaches_nothing():
    cube, truth, background = scene(5, edge=True)
    one = LeaSC(3, preprocess="patches", random_state=0, confidence_draws=1).fit(source_of(cube, background))
    cube[background] *= -3
    other = LeaSC(3, preprocess="patches", random_state=0).fit(source_of(cube, background))
    inside = ~background.ravel()
    assert len(one.labels_) == len(one.confidence_) == background.size
    assert np.array_equal(one.labels_[inside], other.labels_[inside])
    assert inside[one.representative_indices_].all()
    assert clustering_accuracy(truth.ravel()[inside], one.labels_[inside]) > 0.9


def test_a_cube_on_disk_is_streamed_to_the_same_labels(tmp_path):
    cube = scene(6)[0]
    np.save(tmp_path / "cube.npy", cube)
    settings = {"preprocess": "patches", "random_state": 0}
    path = LeaSC(3, **settings).fit(open_source(tmp_path / "cube.npy", spectrum=2)).labels_
    loaded = LeaSC(3, **settings, block_rows=64).fit(load_data(tmp_path / "cube.npy", spectrum=2)).labels_
    assert np.array_equal(path, loaded)


def test_what_cannot_have_patches_is_refused():
    with pytest.raises(DataError, match="does not say where its pixels lie"):
        LeaSC(2, preprocess="patches").fit(np.random.default_rng(0).standard_normal((50, 9)))
    with pytest.raises(DataError, match="larger than"):
        LeaSC(2, preprocess="patches").fit(source_of(scene(0, (4, 30))[0]))


def test_pixels_inside():
    cube, _, background = scene(0, edge=True)
    assert pixels_inside(source_of(cube)) is None
    assert np.array_equal(pixels_inside(source_of(cube, background)), np.flatnonzero(~background.ravel()))
    assert pixels_inside(source_of(cube, np.ones_like(background))) is None, "a scene of nothing else is taken as it is"
