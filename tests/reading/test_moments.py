"""Tables of one moment a row: tracks and windows come out as numpy reshapes them, and what is uneven is refused."""

import io

import numpy as np
import pandas as pd
import pytest
from scipy.io import arff

from leasc_core import load_data, open_source
from leasc_core.errors import DataError, ParameterError

RNG = np.random.default_rng(0)


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("LEASC_CACHE", str(tmp_path_factory.mktemp("cache")))


def tracks(points=9, frames=7):
    places = RNG.normal(size=(points, frames, 2)).round(4)
    at, when = np.divmod(np.arange(points * frames), frames)
    frame = pd.DataFrame({"track_id": at + 100, "frame": when, "x": places[at, when, 0], "y": places[at, when, 1]})
    return places, frame.assign(colour=np.array(["red", "blue"])[at % 2])


@pytest.mark.parametrize("order", ["by track", "by frame", "shuffled"])
def test_a_long_table_of_tracks_has_a_row_for_each(tmp_path, order):
    places, frame = tracks()
    frame = frame.sort_values(["frame", "track_id"]) if order == "by frame" else frame
    frame = frame.sample(frac=1, random_state=1) if order == "shuffled" else frame
    frame.to_csv(tmp_path / "a.csv", index=False)
    for data in (load_data(tmp_path / "a.csv"), open_source(tmp_path / "a.csv")):
        ids = data.metadata.column("track_id") - 100
        X = data.X if hasattr(data, "X") else data.rows(0, len(data))
        assert sorted(ids) == list(range(9)) and np.array_equal(X, places[ids].reshape(9, 14))
        assert data.layout.kind == "tracks" and data.layout.shape == (9, 7, 2)
        assert data.metadata.column("colour").tolist() == [["red", "blue"][at % 2] for at in ids]
    assert load_data(tmp_path / "a.csv", tracks=False).X.shape == (63, 2)


def test_tracks_with_gaps_or_two_places_at_once_are_refused(tmp_path):
    _, frame = tracks()
    frame.drop(index=10).to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(DataError, match="track '101' has no position in frame 3, as 1 of 9 tracks; fill the gaps"):
        load_data(tmp_path / "a.csv")
    pd.concat([frame, frame[3:4]]).to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(DataError, match="two positions of track '100' in frame 3; keep one"):
        load_data(tmp_path / "a.csv")
    (tmp_path / "b.csv").write_text("a,b\n1,2\n3,5\n")
    with pytest.raises(DataError, match="name them id, frame, x and y"):
        load_data(tmp_path / "b.csv", tracks=True)


def readings(series=2, rows=23):
    values = RNG.normal(size=(series * rows, 3)).round(5)
    frame = pd.DataFrame(values, columns=["speed", "heat", "noise"])
    frame.insert(0, "time", pd.date_range("2024-01-01", periods=len(frame), freq="s"))
    frame["session"] = np.repeat([f"s{at}" for at in range(series)], rows)
    return values.reshape(series, rows, 3), frame.assign(state=np.where(np.arange(len(frame)) % rows < 10, "on", "off"))


def test_a_table_in_time_is_cut_into_windows_that_cross_no_series(tmp_path):
    values, frame = readings()
    frame.to_csv(tmp_path / "a.csv", index=False)
    for data in (load_data(tmp_path / "a.csv", window=5), open_source(tmp_path / "a.csv", window=5)):
        X = data.X if hasattr(data, "X") else data.rows(0, len(data))
        assert np.array_equal(X, values[:, :20].reshape(8, 15))
        assert data.feature_names[:4] == ["speed t0", "heat t0", "noise t0", "speed t1"]
        assert data.layout.shape == (8, 5, 3) and data.layout.starts.tolist() == [0, 5, 10, 15] * 2
        assert data.layout.series.tolist() == [0] * 4 + [1] * 4
        assert data.metadata.column("time")[5] == str(frame["time"][28])
        assert "6 rows at ends of series left out" in " ".join(data.notes)


def test_the_label_of_a_window_is_the_commonest_one(tmp_path):
    _, frame = readings()
    frame.to_csv(tmp_path / "a.csv", index=False)
    data = load_data(tmp_path / "a.csv", window=4, label="state")
    assert [data.label_names[code] for code in data.y[:5]] == ["on", "on", "off", "off", "off"]  # the third is a tie
    np.save(tmp_path / "a.npy", np.arange(24.0).reshape(12, 2))
    assert np.array_equal(load_data(tmp_path / "a.npy", window=3).X, np.arange(24.0).reshape(4, 6))


def test_windows_that_cannot_be_are_refused(tmp_path):
    _, frame = readings()
    frame.to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(DataError, match="no series of 24 rows, the longest has 23; choose a shorter window"):
        load_data(tmp_path / "a.csv", window=24)
    with pytest.raises(ParameterError, match="window=1 is no length"):
        load_data(tmp_path / "a.csv", window=1)


WEKA = """% Fisher, 1936
@RELATION iris
@ATTRIBUTE 'sepal length' REAL
@attribute width numeric
@ATTRIBUTE class {setosa,other}
@DATA
5.1,3.5,setosa
4.9,3,other
4.7,3.2,setosa
4.6,3.1,other
"""


def test_arff_gives_what_scipy_reads():
    data, (told, _) = load_data(WEKA.encode(), name="a.arff"), arff.loadarff(io.StringIO(WEKA))
    assert np.array_equal(data.X, np.column_stack([told["sepal length"], told["width"]]))
    assert data.feature_names == ["sepal length", "width"]
    assert [data.label_names[at].encode() for at in data.y] == told["class"].tolist()


def test_arff_quotes_and_missing_values():
    body = WEKA.replace("other", "'other, one'").replace("4.7,", "?,")
    data = load_data(body.encode(), name="a.arff")
    assert data.label_names == ["other, one", "setosa"] and np.isnan(data.X[2, 0])


@pytest.mark.parametrize(
    ("body", "said"),
    {
        "@relation a\n@attribute x numeric\n": "has no line @data",
        "@relation a\n@attribute x relational\n@attribute y numeric\n@data\n1,2\n": "take the .ts file of the same set",
        "@relation a\n@attribute x numeric\n@attribute y numeric\n@data\n{0 1, 1 2}\n": "sparse ARFF file; save it as plain",
        "@relation a\n@attribute x numeric\n@attribute y numeric\n@data\n1,2\n1,2,3\n": "3 values where 2 attributes are named",
    }.items(),
)
def test_arff_that_is_refused(body, said):
    with pytest.raises(DataError, match=said) as refusal:
        load_data(body.encode(), name="a.arff")
    assert "\n" not in str(refusal.value)
