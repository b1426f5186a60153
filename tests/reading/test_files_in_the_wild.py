"""Files as the field passes them on: other names and axes, labels in every shape; each opens as its samples, of its kind."""

import h5py
import numpy as np
import pytest
import scipy.io
import scipy.sparse
from scipy.ndimage import gaussian_filter

from leasc_core import list_arrays, load_data, open_source
from leasc_core.errors import DataError
from leasc_core.prepare import recognise

rng = np.random.default_rng(3)


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("LEASC_CACHE", str(tmp_path_factory.mktemp("cache")))


N, CLASSES, BANDS = 60, 5, 30
y = np.arange(N) % CLASSES


def pictures(height, width):
    """A blurred shape for each class, in a light of its own."""
    shapes = gaussian_filter(rng.normal(size=(CLASSES, height, width)), (0, 2, 2))
    noise = gaussian_filter(rng.normal(size=(N, height, width)), (0, 1.5, 1.5))
    light = rng.uniform(0.6, 1, (N, 1, 1))
    stack = 110 + 60 * light * shapes[y] / shapes.std() + 12 * noise / noise.std()
    return stack.clip(0, 255).round().astype(np.uint8)


def scene(rows=24, columns=20):
    """Four materials in stripes under a changing light, and their map."""
    bands, truth = np.linspace(0, 1, BANDS), np.repeat(np.arange(4), rows // 4)[:, None] * np.ones(columns, int)
    spectra = np.array([np.full(BANDS, 0.1), 1 + np.sin(3 * bands), 0.5 + bands**2, np.exp(-bands)])
    light = gaussian_filter(rng.normal(size=(rows, columns)), 2)
    cube = spectra[truth] * (1 + 0.2 * light / light.std())[:, :, None] * 1000 + 5 * rng.normal(size=(rows, columns, BANDS))
    return cube.round().clip(1).astype(np.int16), truth


def moving(points=40, frames=24):
    """Points of two bodies, (points, frames, 2)."""
    start, drift = 200 + rng.normal(0, 80, (points, 1, 2)), 3 * rng.normal(size=(2, frames, 2)).cumsum(axis=1)
    return start + drift[np.arange(points) % 2] + rng.normal(0, 0.2, (points, frames, 2))


SQUARE, OBLONG = pictures(16, 16), pictures(20, 14)
FLAT, DOWN = SQUARE.reshape(N, -1), SQUARE.transpose(0, 2, 1).reshape(N, -1)  # pixels row by row, and as MATLAB counts them
OBLONG_FLAT, OBLONG_DOWN = OBLONG.reshape(N, -1), OBLONG.transpose(0, 2, 1).reshape(N, -1)
COLOUR = np.stack([SQUARE, SQUARE // 2, 255 - SQUARE], -1)
ONE_HOT, ORDER = np.eye(CLASSES)[y], np.argsort(y, kind="stable")
CUBE, TRUTH = scene()
PIXELS, MAP = CUBE.reshape(-1, BANDS), np.where(TRUTH == 0, -1, TRUTH).ravel()
MOVING = moving()
TRACKS, BODY = MOVING.reshape(len(MOVING), -1), 1 + np.arange(len(MOVING)) % 2
XY = np.moveaxis(MOVING, -1, 0)
HOMOGENEOUS = np.concatenate([XY / 200, np.ones((1, *XY.shape[1:]))])
TEXTS = np.array(["ant", "bee", "cat", "doe", "eel"])[y]


def grouped(stack):
    """Samples side by side within their class: (…, samples, classes)."""
    return np.stack([np.moveaxis(stack[y == k], 0, -1) for k in range(CLASSES)], -1)


def cells(values, shape=None):
    """A cell array."""
    array = np.empty(len(values), object)
    array[:] = values
    return array.reshape(shape or (1, -1))


# What a MATLAB file holds, the rows it must give, their labels.
OF_PICTURES = {
    "X and Y": ({"X": DOWN, "Y": y[:, None] + 1.0}, DOWN, y),
    "X and Y, samples in columns": ({"X": DOWN.T.astype(float), "Y": y[None]}, DOWN, y),
    "labels down, samples in columns": ({"X": DOWN.T, "Y": y[:, None]}, DOWN, y),
    "DATA and label": ({"DATA": DOWN.T.astype(float), "label": y[None]}, DOWN, y),
    "fea and gnd from 1 in bytes": ({"fea": DOWN, "gnd": (y + 1).astype(np.uint8)[None]}, DOWN, y),
    "a split beside": ({"fea": DOWN, "gnd": y[:, None], "trainIdx": np.arange(40)[:, None], "testIdx": [[1], [2]]}, DOWN, y),
    "stack along the last axis": ({"images": np.moveaxis(SQUARE, 0, -1), "labels": y[:, None]}, FLAT, y),
    "the same without labels": ({"images": np.moveaxis(SQUARE, 0, -1)}, FLAT, None),
    "stack along the first axis": ({"data": OBLONG, "label": y[None] + 1}, OBLONG_FLAT, y),
    "labels of a name nobody knows": ({"ims": np.moveaxis(OBLONG, 0, -1), "person": y[:, None] + 1}, OBLONG_FLAT, y),
    "oblong and flat": ({"fea": OBLONG_DOWN, "gnd": y[:, None]}, OBLONG_DOWN, y),
    "in columns without labels": ({"faces": DOWN.T.astype(float)}, DOWN, None),
    "in columns beside their mean": ({"faces": DOWN.T.astype(float), "m": DOWN.mean(axis=0)[:, None]}, DOWN, None),
    "a 1 for the class": ({"X": DOWN, "targets": ONE_HOT}, DOWN, y),
    "a 1 for the class, in columns": ({"X": DOWN.T, "Y": 2 * ONE_HOT.T - 1}, DOWN, y),
    "colours": ({"X": np.moveaxis(COLOUR, 0, -1), "y": y[:, None] + 1}, COLOUR.reshape(N, -1), y),
    "texts": ({"X": DOWN, "labels": TEXTS}, DOWN, y),
    "cells of texts": ({"X": DOWN, "labels": np.array([f"{t}{t}"[: 3 + (t == "bee")] for t in TEXTS], object)}, DOWN, y),
    "names run together": ({"data": DOWN, "groundtruth": y[None] + 1}, DOWN, y),
    "training and test": ({"trainX": DOWN, "trainY": y[:, None], "testX": DOWN[:9], "testY": y[:9, None]}, DOWN, y),
    "structs": (
        {
            "dataset": {
                "train": {"images": DOWN, "labels": y[:, None].astype(float)},
                "test": {"images": DOWN[:9], "labels": y[:9, None].astype(float)},
                "mapping": np.ones((5, 2)),
            }
        },
        DOWN,
        y,
    ),
    "a table for each class": (
        {f"train{k}": DOWN[y == k] for k in range(CLASSES)} | {f"test{k}": DOWN[y == k][:3] for k in range(CLASSES)},
        DOWN[ORDER],
        y[ORDER],
    ),
    "a cell of a stack for each class": (
        {"facedat": cells([np.moveaxis(OBLONG[y == k][: 12 - k], 0, -1) for k in range(CLASSES)]), "dirnames": cells(["a", "b"])},
        np.concatenate([OBLONG_FLAT[y == k][: 12 - k] for k in range(CLASSES)]),
        np.repeat(np.arange(CLASSES), 12 - np.arange(CLASSES)),
    ),
    "a cell for each picture": ({"dat": cells([OBLONG[at] for at in ORDER], (CLASSES, 12))}, OBLONG_FLAT[ORDER], y[ORDER]),
    "a cell of rows for each class": ({"faces": cells([DOWN[y == k] for k in range(CLASSES)])}, DOWN[ORDER], y[ORDER]),
    "an axis for the classes": ({"data": grouped(DOWN)}, DOWN[ORDER], y[ORDER]),
    "pictures with an axis for the classes": ({"I": grouped(OBLONG), "Ind": np.ones((5, 12))}, OBLONG_FLAT[ORDER], y[ORDER]),
    "sparse": ({"fea": scipy.sparse.csc_matrix(DOWN.astype(float)), "gnd": y[:, None]}, DOWN, y),
}
OF_SCENES = {
    "another key": ({"data": CUBE.astype(np.uint16), "map": TRUTH.astype(np.uint8)}, MAP),
    "keys run together": ({"ori_data": CUBE, "groundtruth": TRUTH}, MAP),
    "no truth": ({"HSI": CUBE.astype(float)}, None),
    "a flat truth": ({"X": CUBE, "gt": TRUTH.ravel()[None]}, MAP),
    "bands first": ({"cube": np.moveaxis(CUBE, -1, 0), "gt": TRUTH}, MAP),
    "flat, its sides beside it": ({"Y": CUBE.transpose(1, 0, 2).reshape(-1, BANDS).T, "nRow": 24, "nCol": 20, "nBand": 30}, None),
}
OF_TRACKS = {
    "as Hopkins155": {"x": HOMOGENEOUS, "y": HOMOGENEOUS, "s": BODY[:, None], "K": np.eye(3), "points": 40, "width": 640},
    "two coordinates": {"x": XY, "s": BODY[None]},
    "a matrix of two rows a frame": {"W": MOVING.transpose(1, 2, 0).reshape(48, -1), "s": BODY[:, None]},
    "coordinates last": {"tracks": MOVING, "labels": BODY[:, None]},
    "frames first": {"tracks": MOVING.transpose(1, 0, 2), "labels": BODY[:, None]},
}


def save_matlab73(path, **variables):
    """As MATLAB does with -v7.3: HDF5 with the axes turned round."""
    with h5py.File(path, "w", userblock_size=512) as file:
        for name, values in variables.items():
            stored = file.create_dataset(name, data=np.atleast_2d(values).T)
            stored.attrs["MATLAB_class"] = np.bytes_({"f": "double", "u": "uint8", "i": "int16"}[stored.dtype.kind])
    with open(path, "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\x00\x02IM")


def check(data, rows, labels, kind):
    assert np.array_equal(data.X, rows)
    if labels is None:
        assert data.y is None
    else:
        assert np.array_equal(np.unique(data.y, return_inverse=True)[1], np.unique(labels, return_inverse=True)[1])
    found = recognise(np.asarray(data.X, float), data.image_shape, data.layout)
    assert found.name == kind, found.why
    return found


@pytest.mark.parametrize("name", OF_PICTURES)
def test_pictures_of_matlab(tmp_path, name):
    variables, rows, labels = OF_PICTURES[name]
    scipy.io.savemat(tmp_path / "a.mat", variables)
    found = check(load_data(tmp_path / "a.mat"), rows, labels, "pictures")
    assert sorted(found.shape[:2]) in ([16, 16], [14, 20])


@pytest.mark.parametrize("name", ["X and Y", "DATA and label", "stack along the last axis", "in columns without labels"])
def test_the_same_in_matlab_7_3(tmp_path, name):
    variables, rows, labels = OF_PICTURES[name]
    save_matlab73(tmp_path / "a.mat", **variables)
    check(load_data(tmp_path / "a.mat"), rows, labels, "pictures")


@pytest.mark.parametrize(
    "arrays",
    [
        {"x_train": SQUARE, "y_train": y, "x_test": SQUARE[:9], "y_test": y[:9]},
        {"x_train": SQUARE, "y_train": ONE_HOT},
        {"arr_0": SQUARE, "arr_1": y},
        {"train_images": SQUARE, "train_labels": y[:, None], "val_images": SQUARE[:9], "val_labels": y[:9, None]},
        {"images": SQUARE, "labels": TEXTS},
        {"X": FLAT, "y": y},
        {"X": FLAT.T, "y": y},
    ],
    ids=lambda arrays: " ".join(arrays)[:20],
)
def test_pictures_of_numpy(tmp_path, arrays):
    np.savez(tmp_path / "a.npz", **arrays)
    check(load_data(tmp_path / "a.npz"), FLAT, y, "pictures")


def test_pictures_in_columns_without_labels(tmp_path):
    np.savez(tmp_path / "a.npz", faces=FLAT.T.astype(float))
    np.save(tmp_path / "a.npy", FLAT.T.astype(float))
    for path in (tmp_path / "a.npz", tmp_path / "a.npy"):
        check(load_data(path), FLAT, None, "pictures")
        assert np.array_equal(open_source(path).rows(0, N), FLAT)


@pytest.mark.parametrize(("samples", "labels"), [("X_train", "y_train"), ("digits-images", "digits-labels"), ("Fea", "gnd")])
def test_labels_of_numpy_in_a_file_of_their_own(tmp_path, samples, labels):
    np.save(tmp_path / f"{samples}.npy", SQUARE)
    np.save(tmp_path / f"{labels}.npy", y[:, None])
    np.save(tmp_path / "y_test.npy", y[:9])
    check(load_data(tmp_path / f"{samples}.npy"), FLAT, y, "pictures")
    assert np.array_equal(open_source(tmp_path / f"{samples}.npy").labels, y)
    assert load_data(tmp_path / f"{samples}.npy", label=False).y is None
    np.save(tmp_path / f"{labels}.npy", np.array([None, "a"], object), allow_pickle=True)
    data = load_data(tmp_path / f"{samples}.npy")
    assert data.y is None and "is not used as labels" in data.notes[0]
    np.save(tmp_path / f"{labels}.npy", y[:9])
    assert load_data(tmp_path / f"{samples}.npy").y is None


def test_pictures_of_hdf5(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        for part, rows in (("train", slice(None)), ("test", slice(9))):
            file[f"{part}/images"], file[f"{part}/labels"] = SQUARE[rows], y[rows]
    check(load_data(tmp_path / "a.h5"), FLAT, y, "pictures")


@pytest.mark.parametrize("name", OF_SCENES)
def test_scenes(tmp_path, name):
    variables, labels = OF_SCENES[name]
    scipy.io.savemat(tmp_path / "a.mat", variables)
    data = load_data(tmp_path / "a.mat")
    check(data, PIXELS, labels, "scene")
    assert data.layout.sides == TRUTH.shape


@pytest.mark.parametrize(
    ("cube", "key", "truth"),
    [
        ("Indian_pines_corrected.mat", "indian_pines_corrected", "Indian_pines_gt.mat"),
        ("salinas_corrected.mat", "salinas_corrected", "Salinas_gt.mat"),
        ("PaviaU.mat", "paviaU", "PaviaU_gt.mat"),
        ("a.mat", "x", "a_GT.mat"),
    ],
)
def test_a_scene_and_its_truth_in_another_file(tmp_path, cube, key, truth):
    scipy.io.savemat(tmp_path / cube, {key: CUBE})
    scipy.io.savemat(tmp_path / truth, {truth[:-4].lower(): TRUTH.astype(np.uint8)})
    check(load_data(tmp_path / cube), PIXELS, MAP, "scene")


@pytest.mark.parametrize("name", OF_TRACKS)
def test_tracks(tmp_path, name):
    scipy.io.savemat(tmp_path / "a.mat", OF_TRACKS[name])
    data = load_data(tmp_path / "a.mat")
    check(data, TRACKS / 200 if name == "as Hopkins155" else TRACKS, BODY, "tracks")
    assert data.layout is None or data.layout.shape == MOVING.shape


def test_scenes_and_tracks_of_matlab_7_3(tmp_path):
    save_matlab73(tmp_path / "a.mat", ori_data=CUBE, map=TRUTH.astype(np.uint8))
    check(load_data(tmp_path / "a.mat"), PIXELS, MAP, "scene")
    save_matlab73(tmp_path / "b.mat", x=HOMOGENEOUS, s=BODY[:, None].astype(float))
    check(load_data(tmp_path / "b.mat"), TRACKS / 200, BODY, "tracks")


def test_tables_of_pixels_and_of_strokes(tmp_path):
    """Labels at an end of rows that are all whole numbers, with and without names."""
    names = ",".join(["label", *(f"pixel{at}" for at in range(256))])
    np.savetxt(tmp_path / "fashion.csv", np.c_[y, FLAT], fmt="%d", delimiter=",", header=names, comments="")
    check(load_data(tmp_path / "fashion.csv"), FLAT, y, "pictures")
    letters, many = np.arange(400) % 26, np.tile(FLAT, (7, 1))[:400]
    np.savetxt(tmp_path / "letters.csv", np.c_[letters + 1, many], fmt="%d", delimiter=",")
    check(load_data(tmp_path / "letters.csv"), many, letters, "pictures")
    digits = np.arange(300) % 10
    strokes = (rng.integers(0, 34, (300, 16)) + 7 * digits[:, None]).clip(0, 100)
    np.savetxt(tmp_path / "pendigits.tra", np.c_[strokes, digits], fmt="%3d", delimiter=",")
    check(load_data(tmp_path / "pendigits.tra"), strokes, digits, "plain")


def test_the_truth_of_a_scene_may_be_named_by_its_path(tmp_path, monkeypatch):
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
        scipy.io.savemat(tmp_path / folder / "classes.mat", {"m": TRUTH})
    scipy.io.savemat(tmp_path / "here" / "a.mat", {"a": CUBE})
    monkeypatch.chdir(tmp_path)
    for label in ("classes.mat", "here/classes.mat", "there/classes.mat", str(tmp_path / "there" / "classes.mat")):
        for path in ("here/a.mat", tmp_path / "here" / "a.mat"):
            assert np.array_equal(load_data(path, label=label).y, MAP)


def test_tables_that_are_no_pictures_stay_as_they_are(tmp_path):
    """Spectra, equally correlated columns and a square number of rows."""
    bands = gaussian_filter(rng.normal(size=(N, 196)), (0, 9)) + 5
    alike = 3 + rng.random((100, 1)) + 0.3 * rng.random((100, 144))
    waves = 2 + np.sin(np.arange(144) / 12 * 2 * np.pi + rng.uniform(0, 6, (N, 1))) - 2 * rng.random((N, 1))
    for at, table in enumerate((bands, alike, waves)):
        np.save(tmp_path / f"{at}.npy", table)
        check(load_data(tmp_path / f"{at}.npy"), table, None, "plain")


def test_numbers_that_are_no_classes_are_no_labels(tmp_path):
    scipy.io.savemat(tmp_path / "a.mat", {"X": FLAT, "order": rng.permutation(N), "Y": rng.normal(size=(N, 3))})
    data = load_data(tmp_path / "a.mat")
    assert data.y is None and data.X.shape == FLAT.shape


def test_what_a_struct_and_a_cell_hold_is_listed_or_refused(tmp_path):
    scipy.io.savemat(tmp_path / "a.mat", {"s": {"fea": DOWN, "gnd": y, "note": "made here"}})
    roles = {info.name: info.role for info in list_arrays(tmp_path / "a.mat")}
    assert roles == {"s/fea": "data", "s/gnd": "labels", "s/note": "not numeric"}
    assert np.array_equal(load_data(tmp_path / "a.mat", array="s/fea", label=False).X, DOWN)
    scipy.io.savemat(tmp_path / "b.mat", {"views": cells([DOWN, FLAT[:, :99]]), "truth": y})
    assert np.array_equal(load_data(tmp_path / "b.mat").X, DOWN) and np.array_equal(load_data(tmp_path / "b.mat").y, y)
    assert load_data(tmp_path / "b.mat", array="views{2}").X.shape == (N, 99)
    for three in ({"X": cells([DOWN, FLAT, DOWN])}, {"view1": DOWN, "view2": FLAT, "view3": DOWN}):
        scipy.io.savemat(tmp_path / "b.mat", three | {"gt": y})
        assert np.array_equal(load_data(tmp_path / "b.mat").X, DOWN) and np.array_equal(load_data(tmp_path / "b.mat").y, y)
    scipy.io.savemat(tmp_path / "b.mat", OF_PICTURES["a table for each class"][0])
    assert load_data(tmp_path / "b.mat", label=False).X.shape == (N, 256) and load_data(tmp_path / "b.mat", label=False).y is None
    scipy.io.savemat(tmp_path / "b.mat", {"words": cells(["ant", "bee"])})
    with pytest.raises(DataError, match=r"holds no numeric array, only words \(cell\)"):
        load_data(tmp_path / "b.mat")
    scipy.io.savemat(tmp_path / "c.mat", {"X": DOWN, "Y": np.array([DOWN[:2]] * N + [0], object)[:N]})
    assert load_data(tmp_path / "c.mat").y is None
