"""Arrays of three axes: scenes become pixels with their map, tracks become points, stacks of pictures stay what they were."""

import numpy as np
import pytest
import scipy.io
from PIL import Image

from leasc_core import load_data, open_source
from leasc_core.errors import DataError, ParameterError

RNG = np.random.default_rng(0)
BANDS = np.linspace(0, 1, 30)


def scene(rows=12, columns=10):
    """A smooth scene (rows, columns, bands) of three materials, and its truth with a background of 0."""
    truth = np.repeat(np.arange(4), rows // 4)[:, None] * np.ones(columns, int)
    spectra = np.array([np.full(30, 0.1), np.sin(3 * BANDS), BANDS**2, np.exp(-BANDS)])
    light = 1 + 0.2 * np.sin(np.linspace(0, 3, columns))
    return (spectra[truth] * light[:, None] * 1000).astype(np.int16), truth


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("LEASC_CACHE", str(tmp_path_factory.mktemp("cache")))


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_cube_opens_as_its_pixels_whichever_axis_is_the_spectrum(tmp_path, axis):
    cube, truth = scene()
    path = tmp_path / "scene.npy"
    np.save(path, np.moveaxis(cube, -1, axis))
    np.save(tmp_path / "scene_gt.npy", truth)
    for data in (load_data(path), open_source(path)):
        X = data.X if hasattr(data, "X") else data.rows(0, len(data))
        labels = data.y if hasattr(data, "y") else data.labels
        assert np.array_equal(X, cube.reshape(-1, 30))
        assert np.array_equal(labels, np.where(truth == 0, -1, truth).ravel())
        assert data.layout.kind == "cube" and data.layout.shape == (12, 10, 30)
        assert np.array_equal(data.layout.background.reshape(12, 10), truth == 0)


def test_the_spectrum_is_guessed_without_a_truth_and_can_be_said(tmp_path):
    cube, _ = scene(40, 36)
    cube = cube + RNG.normal(0, 5, cube.shape)
    np.save(tmp_path / "a.npy", cube)
    assert load_data(tmp_path / "a.npy").layout.shape == (40, 36, 30)
    assert load_data(tmp_path / "a.npy", spectrum=0).layout.shape == (36, 30, 40)
    assert load_data(tmp_path / "a.npy", spectrum=False).image_shape == (36, 30)
    with pytest.raises(ParameterError, match="spectrum=7"):
        load_data(tmp_path / "a.npy", spectrum=7)


def test_a_stack_of_unrelated_pictures_is_no_cube(tmp_path):
    np.save(tmp_path / "a.npy", RNG.normal(size=(40, 20, 20)).cumsum(axis=1).cumsum(axis=2))
    assert load_data(tmp_path / "a.npy").image_shape == (20, 20)


def test_a_stack_of_pictures_that_turn_slowly_is_known_by_its_name_alone(tmp_path):
    """Neighbours are alike along all three axes, as in a scene."""
    across = np.arange(24) - 12.0
    turns = np.linspace(0, 6, 60)[:, None, None]
    stack = np.exp(-((across - 6 * np.cos(turns)) ** 2 + (across[:, None] - 6 * np.sin(turns)) ** 2) / 30)
    for name, kind in (("turning.npy", "cube"), ("faces.npy", None), ("coil_images.npy", None)):
        np.save(tmp_path / name, stack)
        layout = load_data(tmp_path / name).layout
        assert (None if layout is None else layout.kind) == kind
    scipy.io.savemat(tmp_path / "a.mat", {"imgs": np.moveaxis(stack, 0, -1)})
    data = load_data(tmp_path / "a.mat")
    assert data.image_shape == (24, 24) and np.array_equal(data.X, stack.reshape(60, -1))


def test_truth_in_the_same_file_in_another_and_of_other_sides(tmp_path):
    cube, truth = scene()
    scipy.io.savemat(tmp_path / "both.mat", {"scene": cube, "scene_gt": truth})
    assert load_data(tmp_path / "both.mat").y.tolist() == np.where(truth == 0, -1, truth).ravel().tolist()
    scipy.io.savemat(tmp_path / "cube.mat", {"scene": cube})
    scipy.io.savemat(tmp_path / "classes.mat", {"map": truth})
    for label in ("classes.mat", tmp_path / "classes.mat", truth):
        assert set(load_data(tmp_path / "cube.mat", label=label).y.tolist()) == {-1, 1, 2, 3}
    assert set(open_source(tmp_path / "cube.mat", label="classes.mat").labels.tolist()) == {-1, 1, 2, 3}
    scipy.io.savemat(tmp_path / "classes.mat", {"map": truth[:, :-1]})
    with pytest.raises(DataError, match="12 × 10 × 30 and its truth map has the sides 12 × 9"):
        load_data(tmp_path / "cube.mat", label="classes.mat")


def test_a_name_with_folders_is_no_truth_beside_the_file(tmp_path):
    """Only files of the same folder are found by name; a path is for callers of the library."""
    cube, truth = scene()
    np.save(tmp_path / "truth.npy", truth)
    (tmp_path / "in").mkdir()
    np.savez(tmp_path / "in" / "a.npz", cube=cube)
    with pytest.raises(DataError, match="no label array named"):
        load_data(tmp_path / "in" / "a.npz", label="../truth.npy")
    (tmp_path / "in" / "a_gt.npy").symlink_to(tmp_path / "truth.npy")
    assert load_data(tmp_path / "in" / "a.npz").y is None


def test_empty_pixels_are_background_when_their_value_is_said(tmp_path):
    cube, _ = scene()
    cube[:2] = -99
    np.save(tmp_path / "a.npy", cube)
    background = load_data(tmp_path / "a.npy", spectrum=2, background=-99).layout.background
    assert background.sum() == 20 and background[:20].all()


def tracks(points=9, frames=7):
    x = np.ones((3, points, frames))
    x[:2] = RNG.normal(size=(2, points, 1)) + 0.1 * RNG.normal(size=(2, points, frames)).cumsum(axis=2)
    return x, RNG.integers(1, 3, (points, 1))


def test_tracks_open_as_points_with_labels_and_their_frame(tmp_path):
    x, s = tracks()
    scipy.io.savemat(tmp_path / "car_g12_truth.mat", {"x": x, "s": s, "y": 300 + x})
    Image.new("RGB", (64, 48)).save(tmp_path / "car.jpg")
    data = load_data(tmp_path / "car_g12_truth.mat")
    assert np.allclose(data.X[:, 0::2], x[0]) and np.allclose(data.X[:, 1::2], x[1])
    assert np.array_equal(data.y, s.ravel()) and data.layout.shape == (9, 7, 2) and data.layout.picture.shape == (48, 64, 3)
    kept = open_source(tmp_path / "car_g12_truth.mat").layout
    assert np.array_equal(kept.picture, data.layout.picture) and kept.to_pixels == data.layout.to_pixels


def test_tracks_with_gaps_are_refused_and_say_where(tmp_path):
    x, s = tracks()
    x[:2, 4, 2:5] = np.nan
    scipy.io.savemat(tmp_path / "a.mat", {"x": x, "s": s})
    with pytest.raises(DataError, match="track 4 has no position in frame 2, as 1 of 9 tracks; fill the gaps"):
        load_data(tmp_path / "a.mat")


def test_the_real_scene_and_the_real_sequences(shared_data):
    data = load_data(shared_data / "league/salinas_a.mat")
    assert data.X.shape == (7138, 204) and data.layout.sides == (83, 86)
    assert np.unique(data.y).tolist() == [-1, 1, 10, 11, 12, 13, 14] and data.layout.background.sum() == 1790
    assert load_data(shared_data / "league/salinas_a.mat", label=False).layout.shape == (83, 86, 204)
    for path in sorted((shared_data / "league/hopkins").glob("*_truth.mat"))[:6]:
        raw, data = scipy.io.loadmat(path), load_data(path)
        assert data.X.shape == (raw["x"].shape[1], 2 * raw["x"].shape[2]) and np.array_equal(data.y, raw["s"].ravel())
        if data.layout.picture is not None:  # the file gives the same points in pixels too
            across, down, left, top = data.layout.to_pixels
            assert np.allclose(data.X[:, 0::2] * across + left, raw["y"][0], atol=1)
            assert np.allclose(data.X[:, 1::2] * down + top, raw["y"][1], atol=1)
