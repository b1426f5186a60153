"""New data are matched to a model by the names of their features; columns beside the features go all the way."""

import h5py
import numpy as np
import pandas as pd
import pytest
from PIL import Image

from leasc_core import LeaSC, load_data, open_source
from leasc_core.cli.main import main
from leasc_core.data.columns.metadata import PickedMetadata, metadata_of, open_metadata, write_metadata
from leasc_core.data.joined import save_joined
from leasc_core.errors import DataError
from leasc_core.estimators.points import known_columns

rng = np.random.default_rng(3)
N = 90
TRUTH = np.arange(N) % 3
BASES = [np.linalg.qr(rng.normal(size=(6, 2)))[0] for _ in range(3)]
POINTS = np.array([BASES[k] @ rng.normal(size=2) for k in TRUTH]) * [1, 2, 3, 4, 5, 6]
NAMES = ["length", "width", "height", "mass", "heat", "hue"]


def table():
    frame = pd.DataFrame(POINTS, columns=NAMES)
    frame.insert(0, "id", range(100, 100 + N))
    frame["note"] = [f"line {at}, of many" for at in range(N)]
    frame["grade"] = np.array(["low", "mid", "high"])[TRUTH]
    return frame


def stored(folder, frame, ending="csv"):
    path = folder / f"table.{ending}"
    frame.to_csv(path, index=False) if ending == "csv" else frame.to_parquet(path, row_group_size=40)
    return path


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    model = LeaSC(3, hidden=(20,), epochs=2, random_state=0, preprocess=None, affinity="landmarks").fit(stored(folder, table()))
    model.save(folder / "m.leasc")
    return model, LeaSC.load(folder / "m.leasc"), folder / "m.leasc"


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_columns_in_any_order_give_the_same_labels(fitted, tmp_path, ending):
    model, again, _ = fitted
    assert list(model.feature_names_in_) == NAMES == list(again.feature_names_in_)
    turned = table()[["hue", "note", *NAMES[4::-1], "id"]]
    path = stored(tmp_path, turned, ending)
    for each in (model, again):
        assert np.array_equal(each.predict(path), model.labels_)
        assert np.array_equal(each.predict(open_source(path)), model.labels_)
        assert np.array_equal(each.predict(turned), model.labels_)
        assert np.array_equal(each.predict(POINTS), model.labels_)


def test_a_missing_or_foreign_column_is_refused_by_name(fitted, tmp_path):
    model, _, _ = fitted
    frame = table()
    for bad in (stored(tmp_path, frame.drop(columns="heat")), frame.drop(columns="heat")):
        with pytest.raises(DataError, match="'heat'"):
            model.predict(bad)
    frame["speed"] = rng.normal(size=N)
    for bad in (stored(tmp_path, frame), frame):
        with pytest.raises(DataError, match="'speed'.*does not know"):
            model.predict(bad)
    assert np.array_equal(model.predict(open_source(stored(tmp_path, frame), roles={"speed": "left out"})), model.labels_)


def test_a_model_keeps_roles_but_no_values_of_its_data(fitted):
    _, again, path = fitted
    assert {column.name: column.role for column in known_columns(again)} == {
        "id": "id",
        **dict.fromkeys(NAMES, "feature"),
        "note": "text",
        "grade": "label",
    }
    assert b"of many" not in path.read_bytes() and all(not column.sample for column in known_columns(again))


def test_categories_that_are_features_are_coded_as_in_the_model(tmp_path):
    frame = table()
    roles = {"grade": "one-hot", "note": "left out"}
    source = open_source(stored(tmp_path, frame), roles=roles)
    assert source.feature_names[-3:] == ["grade=high", "grade=low", "grade=mid"]
    model = LeaSC(3, hidden=(20,), epochs=2, random_state=0, preprocess=None, affinity="landmarks").fit(source)
    few = tmp_path / "few.csv"
    frame[frame["grade"] != "mid"].to_csv(few, index=False)
    assert np.array_equal(model.predict(few), model.labels_[TRUTH != 1])
    frame["grade"] = "none"
    frame.to_csv(few, index=False)
    with pytest.raises(DataError, match="'none' in column 'grade', a value that the model does not know"):
        model.predict(few)
    ordinal = open_source(stored(tmp_path, table()), roles={"grade": "ordinal"})
    assert ordinal.rows(0, 3)[:, -1].tolist() == [1, 2, 0]


def test_the_command_matches_by_name_and_joins(fitted, tmp_path):
    model, _, bundle = fitted
    turned = table()[["hue", "note", *NAMES[4::-1], "id"]]
    out = tmp_path / "out.csv"
    assert main(["predict", str(bundle), str(stored(tmp_path, turned)), "-o", str(out), "--join", "--quiet"]) == 0
    back = pd.read_csv(out)
    assert list(back.columns[: turned.shape[1]]) == list(turned.columns)
    assert back["cluster"].tolist() == model.labels_.tolist() and back["note"].tolist() == turned["note"].tolist()
    np.testing.assert_array_equal(back[NAMES].to_numpy(), table()[NAMES].to_numpy())


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_columns_beside_the_features_are_aligned_and_lazy(tmp_path, ending):
    path = stored(tmp_path, table(), ending)
    for data in (load_data(path), open_source(path)):
        beside = data.metadata
        assert len(beside) == N and set(beside.names) == {"id", "note", "grade"}
        assert beside.column("id").tolist() == list(range(100, 100 + N))
        picked = beside.take([71, 3, 71])
        assert picked["note"].tolist() == ["line 71, of many", "line 3, of many", "line 71, of many"]
        assert picked["id"].tolist() == [171, 103, 171]
        assert PickedMetadata(beside, [5, 2]).column("id").tolist() == [105, 102]
        assert beside.table(38, 43, ["note"]).column(0).to_pylist() == [f"line {at}, of many" for at in range(38, 43)]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_columns_beside_the_features_are_kept_in_parts_of_their_own(tmp_path, ending):
    """Each part of the file brings texts that no other has."""
    beside = load_data(stored(tmp_path, table(), ending)).metadata
    write_metadata(beside, tmp_path / "kept.arrow", rows=40)
    kept = open_metadata(tmp_path / "kept.arrow", beside.numeric if ending == "csv" else ())
    assert kept.names == beside.names and len(kept) == N
    for name in beside.names:
        assert kept.column(name).tolist() == beside.column(name).tolist() == table()[name].tolist()


def test_metadata_of_arrays():
    beside = metadata_of({"name": np.array(["a", None, "c"], object), "size": np.array([1.0, np.nan, 3.0])})
    assert beside.column("name").tolist() == ["a", "", "c"] and np.isnan(beside.take([1])["size"][0])


def test_a_frame_has_roles_too():
    source = open_source(table(), roles={"mass": "left out"})
    assert source.feature_names == [name for name in NAMES if name != "mass"]
    assert source.label_names == ["high", "low", "mid"] and source.metadata.column("mass").tolist() == POINTS[:, 3].tolist()


def written(source, path):
    save_joined(path, source, {"cluster": np.arange(len(source))})
    return pd.read_csv(path)


def test_pixels_are_written_with_their_row_and_column(tmp_path):
    cube = (1000 * np.outer(np.linspace(1, 2, 120), np.linspace(1, 3, 12))).astype(int).reshape(12, 10, 12)
    np.save(tmp_path / "a.npy", cube)
    back = written(open_source(tmp_path / "a.npy"), tmp_path / "out.csv")
    assert np.array_equal(back.to_numpy()[:, :12], cube.reshape(120, 12)) and back["cluster"].tolist() == list(range(120))
    assert all(cube[back["row"][at], back["column"][at], 3] == back["x3"][at] for at in range(120))


def test_pictures_are_written_by_the_names_of_their_files(tmp_path):
    for at in range(6):
        (tmp_path / "in" / "ab"[at % 2]).mkdir(parents=True, exist_ok=True)
        Image.new("L", (8, 8), at).save(tmp_path / "in" / "ab"[at % 2] / f"{at}.png")
    back = written(open_source(tmp_path / "in"), tmp_path / "out.csv")
    assert list(back.columns) == ["file", "cluster"] and back["file"][3] == "b/1.png"


def test_a_model_of_cells_takes_a_table_with_its_genes_in_any_order(tmp_path):
    with h5py.File(tmp_path / "cells.h5ad", "w") as file:
        file["X"] = POINTS
        for name, index in (("obs", [f"cell {at}" for at in range(N)]), ("var", NAMES)):
            group = file.create_group(name)
            group.attrs.update({"_index": "_index", "encoding-type": "dataframe", "column-order": []})
            group["_index"] = np.array(index, dtype=object)
    model = LeaSC(n_clusters=3, random_state=0).fit(str(tmp_path / "cells.h5ad"))
    table()[NAMES[::-1]].to_csv(tmp_path / "new.csv", index=False)
    assert np.array_equal(model.predict(str(tmp_path / "new.csv")), model.labels_)
    table()[NAMES[1:]].to_csv(tmp_path / "new.csv", index=False)
    with pytest.raises(DataError, match="has no column 'length'"):
        model.predict(str(tmp_path / "new.csv"))


@pytest.mark.parametrize(("name", "said"), [("zarr.json", "Zarr store"), ("matrix.mtx", "open matrix.mtx in it")])
def test_folders_of_other_programs_are_refused_with_a_way_out(tmp_path, name, said):
    (tmp_path / name).write_text("{}")
    with pytest.raises(DataError, match=said):
        load_data(tmp_path)
