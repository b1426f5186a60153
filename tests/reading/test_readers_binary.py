"""Arrays, containers and pictures, each written by the library that owns the format and read back by ours."""

import gzip
import io
import struct
import zipfile
from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import pytest
import scipy.io
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from leasc_core.data.reading import formats, list_arrays, load_data
from leasc_core.data.reading.blobs import Blob
from leasc_core.data.reading.roles import ArrayInfo, propose
from leasc_core.errors import DataError, ParameterError

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 4))
Y = RNG.integers(1, 4, 30)
PICTURES = RNG.integers(0, 256, (12, 10, 9), dtype=np.uint8)
COLOURED = RNG.integers(0, 256, (12, 10, 9, 3), dtype=np.uint8)
REAL = Path(__file__).parents[3] / "shared" / "data"
real = pytest.mark.skipif(not REAL.exists(), reason="the real files are not on this machine")


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def npz(**parts):
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **parts)
    return buffer.getvalue()


def mat(parts, **options):
    buffer = io.BytesIO()
    scipy.io.savemat(buffer, parts, **options)
    return buffer.getvalue()


def hdf5(parts, **options):
    buffer = io.BytesIO()
    with h5py.File(buffer, "w") as file:
        for name, values in parts.items():
            file.create_dataset(name, data=values, **(options if np.ndim(values) > 1 else {}))
    return buffer.getvalue()


def idx(array):
    codes = {"u1": 8, "i1": 9, "i2": 11, "i4": 12, "f4": 13, "f8": 14}
    head = struct.pack(">BBBB", 0, 0, codes[array.dtype.str[1:]], array.ndim) + struct.pack(f">{array.ndim}I", *array.shape)
    return head + array.astype(array.dtype.newbyteorder(">")).tobytes()


def png(picture, kind="PNG"):
    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, kind)
    return buffer.getvalue()


def picture_zip(pictures, names):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for picture, name in zip(pictures, names, strict=True):
            archive.writestr(name, png(picture, "JPEG" if name.endswith("jpg") else "PNG"))
    return buffer.getvalue()


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i8", "i4", "i2", "u1", "?", ">f8", ">i4"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_npy_of_every_type_and_order(dtype, order, tmp_path):
    values = np.asarray(RNG.integers(0, 2, (6, 3)).astype(dtype), order=order)
    np.save(tmp_path / "a.npy", values)
    data = load_data(tmp_path / "a.npy")
    np.testing.assert_array_equal(data.X, values)
    assert data.X.dtype == values.dtype.newbyteorder("=")
    np.testing.assert_array_equal(load_data(gzip.compress(npy(values)), name="a.npy.gz").X, values)


@pytest.mark.parametrize("name", ["a.npy", "a.npz", "a.npy.gz", "a.mat", "a.h5", "a.csv"])
def test_what_is_in_memory_may_be_changed_in_place(name):
    text = "\n".join(",".join(map(str, row)) for row in X).encode()
    bodies = {"a.npy": npy(X), "a.npz": npz(X=X), "a.npy.gz": gzip.compress(npy(X)), "a.mat": mat({"X": X})}
    data = load_data((bodies | {"a.h5": hdf5({"X": X}), "a.csv": text})[name], name=name)
    assert data.X.flags.writeable
    assert data.X.flags.c_contiguous


def test_large_npy_is_mapped_and_keeps_its_fingerprint(tmp_path):
    values = RNG.random((9_000, 1_000))
    np.save(tmp_path / "a.npy", values)
    data = load_data(tmp_path / "a.npy")
    assert isinstance(data.X, np.memmap)
    assert data.fingerprint == load_data(npy(values), name="b.npy").fingerprint


def test_pictures_in_three_and_four_dimensions():
    data = load_data(npy(PICTURES), name="a.npy")
    np.testing.assert_array_equal(data.X, PICTURES.reshape(12, -1))
    assert data.image_shape == (10, 9)
    assert load_data(npy(COLOURED), name="a.npy").image_shape == (10, 9, 3)
    planes_first = load_data(npy(np.moveaxis(COLOURED, -1, 1)), name="a.npy")
    np.testing.assert_array_equal(planes_first.X, COLOURED.reshape(12, -1))
    assert planes_first.image_shape == (10, 9, 3)


def test_square_grey_rows_are_seen_as_pictures_and_can_be_said():
    grey = RNG.integers(0, 256, (20, 64))
    assert load_data(npy(grey), name="a.npy").image_shape == (8, 8)
    assert load_data(npy(grey / 7), name="a.npy").image_shape is None
    assert load_data(npy(grey / 7), name="a.npy", image_shape=(4, 16)).image_shape == (4, 16)
    with pytest.raises(DataError, match="64 features"):
        load_data(npy(grey), name="a.npy", image_shape=(9, 9))


@pytest.mark.parametrize("names", [("X", "y"), ("fea", "gnd"), ("x_train", "y_train"), ("data", "labels"), ("Y", "gnd")])
def test_npz_arrays_are_proposed(names):
    body = npz(**{names[0]: X, names[1]: Y, "weights": np.ones(30), "extra": np.ones((2, 2))})
    data = load_data(body, name="a.npz")
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.y, Y)
    roles = {info.name: info.role for info in list_arrays(body, name="a.npz")}
    assert roles == {names[0]: "data", names[1]: "labels", "weights": "", "extra": ""}


def test_npz_arrays_can_be_chosen():
    body = npz(X=X, other=2 * X, y=Y, z=Y + 1)
    np.testing.assert_array_equal(load_data(body, name="a.npz", array="other", label="z").X, 2 * X)
    np.testing.assert_array_equal(load_data(body, name="a.npz", array="other", label="z").y, Y + 1)
    assert load_data(body, name="a.npz", label=False).y is None
    with pytest.raises(DataError, match="no array named 'W'.*X, other, y, z"):
        load_data(body, name="a.npz", array="W")
    with pytest.raises(ParameterError, match="position"):
        load_data(body, name="a.npz", label=2)


def test_npz_labels_may_be_texts():
    names = np.array(["cat", "dog", "ant"])[Y - 1]
    data = load_data(npz(X=X, labels=names), name="a.npz")
    assert data.label_names == ["ant", "cat", "dog"]
    np.testing.assert_array_equal(np.array(data.label_names)[data.y], names)


def test_labels_tell_that_columns_are_samples():
    data = load_data(npz(X=X.T, y=Y), name="a.npz")
    np.testing.assert_array_equal(data.X, X)
    assert "columns were samples: transposed" in data.notes
    np.testing.assert_array_equal(load_data(npz(X=X), name="a.npz", transpose=True).X, X.T)
    with pytest.raises(DataError, match="4 rows but 30 labels"):
        load_data(npz(X=X.T, y=Y), name="a.npz", transpose=False)


def test_a_named_array_that_is_not_whole_is_no_label():
    data = load_data(npz(X=X, y=Y + 0.5), name="a.npz")
    assert data.y is None
    assert any("no whole numbers" in note for note in data.notes)
    with pytest.raises(DataError, match="not whole numbers"):
        load_data(npz(X=X, y=Y + 0.5), name="a.npz", label="y")


@pytest.mark.parametrize("compressed", [True, False])
def test_matlab_5_beside_scipy(compressed):
    parts = {
        "fea": X,
        "gnd": Y[:, None].astype(float),
        "note": "text",
        "things": np.array([1, "a"], dtype=object),
    }
    body = mat(parts, do_compression=compressed)
    data = load_data(body, name="a.mat")
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.y, Y)
    listed = {info.name: info.shape for info in list_arrays(body, name="a.mat")}
    assert listed == {name: shape for name, shape, _ in scipy.io.whosmat(io.BytesIO(body))} | {"note": (1, 4)}
    assert {info.name: info.role for info in data.arrays} == {
        "fea": "data",
        "gnd": "labels",
        "note": "not numeric",
        "things": "not numeric",
    }


def test_matlab_5_columns_sparse_and_pictures():
    np.testing.assert_array_equal(load_data(mat({"X": X.T, "s": Y[None]}), name="a.mat").X, X)
    sparse = scipy.sparse.random(30, 8, 0.2, random_state=0, format="csc")
    np.testing.assert_array_equal(load_data(mat({"fea": sparse, "gnd": Y}), name="a.mat").X, sparse.toarray())
    stacked = load_data(mat({"X": np.moveaxis(COLOURED, 0, -1), "y": np.arange(12)}), name="a.mat")
    np.testing.assert_array_equal(stacked.X, COLOURED.reshape(12, -1))
    assert stacked.image_shape == (10, 9, 3)


def test_matlab_7_3_has_its_axes_reversed():
    # MATLAB puts 512 bytes of its own before the HDF5 part; h5py makes room for them.
    buffer = io.BytesIO()
    with h5py.File(buffer, "w", userblock_size=512) as file:
        file["X"], file["gndX"] = X, Y[:, None].astype(float)
        file["#refs#/a"] = np.ones((500, 500))
        file["X"].attrs["MATLAB_class"] = np.bytes_("double")
        sparse = file.create_group("W")
        sparse.attrs["MATLAB_sparse"] = 3
        sparse["data"], sparse["ir"], sparse["jc"] = [5.0, 6.0], [2, 0], [0, 1, 1, 2]
    body = b"MATLAB 7.3 MAT-file".ljust(512) + buffer.getvalue()[512:]
    data = load_data(body, name="a.mat")
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.y, Y)
    assert ArrayInfo("X", (4, 30), "float64", "data") in data.arrays
    dense = scipy.sparse.csc_array(([5.0, 6.0], [2, 0], [0, 1, 1, 2]), shape=(3, 3)).toarray()
    np.testing.assert_array_equal(load_data(body, name="a.mat", array="W", label=False).X, dense)


@pytest.mark.parametrize("options", [{}, {"chunks": (7, 2), "compression": "gzip"}, {"chunks": (30, 1), "shuffle": True}])
def test_hdf5_beside_h5py(options):
    body = hdf5({"group/deep/data": X, "group/deep/labels": Y, "names": [b"a", b"b"]}, **options)
    data = load_data(body, name="a.h5")
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.y, Y)
    listed = {info.name: info.role for info in list_arrays(body, name="a.h5")}
    assert listed == {"group/deep/data": "data", "group/deep/labels": "labels", "names": "not numeric"}


def test_hdf5_texts_records_and_big_endian():
    names = np.array(["cat", "dog", "ant"], dtype=object)[Y - 1]
    data = load_data(hdf5({"X": X.astype(">f4"), "labels": names}), name="a.h5")
    np.testing.assert_array_equal(data.X, X.astype("f4"))
    assert data.X.dtype == np.float32
    np.testing.assert_array_equal(np.array(data.label_names)[data.y], names)
    records = np.zeros(5, dtype=[("a", "f8"), ("b", "i4")])
    assert load_data(hdf5({"table": records, "X": X}), name="a.h5").X.shape == X.shape
    with pytest.raises(DataError, match="records"):
        load_data(hdf5({"table": records}), name="a.h5")


@pytest.mark.parametrize("writer", ["to_parquet", "to_feather"])
@pytest.mark.parametrize("dtype", ["f8", "f4", "u1", "i4"])
def test_parquet_and_feather_beside_pandas(writer, dtype, tmp_path):
    values = RNG.integers(0, 200, (50, 3)).astype(dtype)
    frame = pd.DataFrame(values, columns=["a", "b", "c.d"])
    frame["species"] = np.array(["x", "y", "z"])[RNG.integers(0, 3, 50)]
    getattr(frame, writer)(tmp_path / "a.bin")
    data = load_data(tmp_path / "a.bin")
    np.testing.assert_array_equal(data.X, values)
    assert data.feature_names == ["a", "b", "c.d"]
    np.testing.assert_array_equal(np.array(data.label_names)[data.y], frame["species"])
    np.testing.assert_array_equal(load_data((tmp_path / "a.bin").read_bytes(), name="a").X, values)


def test_parquet_kinds_of_columns(tmp_path):
    frame = pd.DataFrame(
        {
            "index": np.arange(6),
            "whole": pd.array([1, None, 3, 4, 5, 6], dtype="Int32"),
            "flag": [True, False, True, True, False, False],
            "half": np.arange(6, dtype=np.float32) / 2,
            "kind": pd.Categorical(list("abcabc")),
        }
    )
    frame.to_parquet(tmp_path / "a.parquet")
    data = load_data(tmp_path / "a.parquet")
    expected = frame[["whole", "flag", "half"]].astype(float).to_numpy(dtype=float, na_value=np.nan)
    with pytest.raises(DataError, match="'kind' holds text"):
        load_data(tmp_path / "a.parquet", roles={"kind": "feature"})
    assert load_data(tmp_path / "a.parquet", label=False).metadata.names == ("index", "kind")
    np.testing.assert_array_equal(data.X, expected)
    assert data.label_names == ["a", "b", "c"]
    frame["when"] = pd.Timestamp("2020-01-01")
    frame.to_parquet(tmp_path / "a.parquet")
    data = load_data(tmp_path / "a.parquet")
    np.testing.assert_array_equal(data.X, expected)
    assert data.metadata.column("when").tolist() == [pd.Timestamp("2020-01-01").to_datetime64().astype("M8[us]").item()] * 6


@pytest.mark.parametrize("dtype", ["u1", "i1", "i2", "i4", "f4", "f8"])
@pytest.mark.parametrize("packed", [True, False])
def test_idx_with_labels_beside_it(dtype, packed, tmp_path):
    pack, ending = (gzip.compress, ".gz") if packed else (bytes, "")
    values = RNG.integers(0, 100, (12, 5, 4)).astype(dtype)
    (tmp_path / f"some-images-idx3-ubyte{ending}").write_bytes(pack(idx(values)))
    (tmp_path / "some-labels-idx1-ubyte").write_bytes(idx(np.arange(12, dtype="u1")))
    data = load_data(tmp_path / f"some-images-idx3-ubyte{ending}")
    np.testing.assert_array_equal(data.X, values.reshape(12, 20))
    assert data.X.dtype == values.dtype
    assert data.image_shape == (5, 4)
    np.testing.assert_array_equal(data.y, np.arange(12))
    assert load_data(tmp_path / f"some-images-idx3-ubyte{ending}", label=False).y is None
    assert load_data(pack(idx(values)), name="images").y is None


def test_idx_labels_by_name_and_of_another_length(tmp_path):
    (tmp_path / "a-images-idx3-ubyte").write_bytes(idx(PICTURES))
    (tmp_path / "others").write_bytes(idx(np.arange(11, dtype="u1")))
    with pytest.raises(DataError, match="12 rows but 11 labels"):
        load_data(tmp_path / "a-images-idx3-ubyte", label="others")
    with pytest.raises(DataError, match="leaves"):
        load_data(tmp_path / "a-images-idx3-ubyte", label="../others")
    with pytest.raises(DataError, match="load the images file"):
        load_data(tmp_path / "others")


@pytest.mark.parametrize("pictures", [PICTURES, COLOURED, (PICTURES.astype(np.uint16) * 200)])
def test_a_zip_of_pictures(pictures, tmp_path):
    names = [f"{'left' if at % 2 else 'right'}/{at:02}.png" for at in range(12)]
    body = picture_zip(pictures, names)
    data = load_data(body, name="a.zip")
    order = np.argsort(names)
    np.testing.assert_array_equal(data.X, pictures[order].reshape(12, -1))
    assert data.image_shape == pictures.shape[1:]
    assert [data.label_names[label] for label in data.y] == [names[at].split("/")[0] for at in order]
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        archive.extractall(tmp_path / "folder")
    (tmp_path / "folder" / "left" / "notes.txt").write_text("not a picture")
    (tmp_path / "folder" / ".hidden.png").write_text("not a picture either")
    same = load_data(tmp_path / "folder")
    np.testing.assert_array_equal(same.X, data.X)
    np.testing.assert_array_equal(same.y, data.y)
    assert same.fingerprint == data.fingerprint


def test_jpeg_pictures_as_pillow_decodes_them():
    body = picture_zip(PICTURES, [f"{at:02}.jpg" for at in range(12)])
    data = load_data(body, name="a.zip")
    expected = [np.asarray(Image.open(io.BytesIO(png(picture, "JPEG")))).ravel() for picture in PICTURES]
    np.testing.assert_array_equal(data.X, expected)
    assert data.y is None


def test_the_first_bytes_decide_before_the_name():
    data = load_data(npy(X), name="a.csv")
    np.testing.assert_array_equal(data.X, X)
    assert any("in spite of its name" in note for note in data.notes)
    with pytest.raises(DataError, match="named like a NumPy array file"):
        load_data(b"a,b\n1,2\n", name="a.npy")


def test_every_format_says_what_it_is():
    nothing = b"\xde\xad\xbe\xef" * 32 + b"\0"
    for found in formats():
        assert found.name
        assert found.extensions
        assert not found.recognises(nothing, Blob("a", data=nothing))


def test_list_arrays_of_a_table_is_refused():
    with pytest.raises(DataError, match="one table"):
        list_arrays(b"a,b\n1,2\n", name="a.csv")


@pytest.mark.parametrize(
    ("names", "data", "labels"),
    [
        ({"X": (5, 2), "gndX": (5, 1), "D": (3, 2), "gndD": (3, 1)}, "X", "gndX"),
        ({"x_train": (9, 4), "y_train": (9,), "x_test": (5, 4), "y_test": (5,)}, "x_train", "y_train"),
        ({"trainData": (9, 4), "trainLabels": (9,), "big": (100, 100)}, "trainData", "trainLabels"),
        ({"A": (10, 3), "B": (40, 3)}, "B", None),
        ({"X": (3, 40), "y": (40,), "w": (3,)}, "X", "y"),
        ({"Xtrain": (8, 3), "ytrain": (8, 1), "Xtest": (80, 3)}, "Xtrain", "ytrain"),
    ],
)
def test_roles_by_names_and_shapes(names, data, labels):
    found = [ArrayInfo(name, shape, "float64") for name, shape in names.items()]
    _, chosen, chosen_labels = propose(found, "file")
    assert chosen.name == data
    assert (chosen_labels and chosen_labels.name) == labels


@settings(max_examples=40, deadline=None)
@given(
    arrays(
        np.float32,
        st.tuples(st.integers(1, 6), st.integers(2, 6)),
        elements=st.floats(-(2.0**100), 2.0**100, width=32),
    )
)
def test_any_finite_matrix_survives_npy_npz_and_gzip(values):
    for body, name in (
        (npy(values), "a.npy"),
        (npz(X=values), "a.npz"),
        (gzip.compress(npy(values)), "a.npy.gz"),
    ):
        data = load_data(body, name=name)
        np.testing.assert_array_equal(data.X, values)
        assert data.X.dtype == values.dtype


@real
def test_the_papers_example():
    data = load_data(REAL / "paper_example_800.mat")
    with h5py.File(REAL / "paper_example_800.mat") as file:
        np.testing.assert_array_equal(data.X, file["X"])
        np.testing.assert_array_equal(data.y, file["gndX"][:, 0])
    assert data.X.shape == (800, 2)


@real
def test_extended_yale_b():
    data = load_data(REAL / "extended_yale_b_32x32.mat")
    oracle = scipy.io.loadmat(REAL / "extended_yale_b_32x32.mat")
    np.testing.assert_array_equal(data.X, oracle["fea"])
    np.testing.assert_array_equal(data.y, oracle["gnd"].ravel())
    assert data.X.shape == (2414, 1024)
    assert len(np.unique(data.y)) == 38
    assert data.image_shape == (32, 32)


@real
@pytest.mark.parametrize(("part", "count"), [("train", 60_000), ("t10k", 10_000)])
def test_mnist(part, count):
    data = load_data(REAL / "mnist" / f"{part}-images-idx3-ubyte.gz")
    pixels = gzip.decompress((REAL / "mnist" / f"{part}-images-idx3-ubyte.gz").read_bytes())[16:]
    labels = gzip.decompress((REAL / "mnist" / f"{part}-labels-idx1-ubyte.gz").read_bytes())[8:]
    np.testing.assert_array_equal(data.X, np.frombuffer(pixels, np.uint8).reshape(count, 784))
    np.testing.assert_array_equal(data.y, np.frombuffer(labels, np.uint8))
    assert data.image_shape == (28, 28)
