"""Sources: blocks are the whole, rows are found by index, files stay on disk, the cache is made once."""

import io
import json
import os
import subprocess
import sys

import h5py
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leasc_core.data.reading import load_data
from leasc_core.data.sources import ArraySource, FileSource, PlanesSource, cache, open_source
from leasc_core.errors import DataError, ParameterError

RNG = np.random.default_rng(0)
X = RNG.normal(size=(103, 5))
Y = np.array(["u", "v", "w"])[RNG.integers(0, 3, 103)]


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("LEASC_CACHE", str(tmp_path / "cache"))


def frame(labels=True):
    table = pd.DataFrame(X, columns=list("abcde"))
    return table.assign(label=Y) if labels else table


def write(path, kind):
    """X (and labels where the format has them) written by the library that owns the format."""
    writers = {
        "npy": lambda: np.save(path.open("wb"), X),
        "fortran npy": lambda: np.save(path.open("wb"), np.asfortranarray(X)),
        "npz": lambda: np.savez(path.open("wb"), X=X, labels=Y),
        "csv": lambda: frame().to_csv(path, index=False),
        "parquet": lambda: frame().to_parquet(path, row_group_size=17),
        "feather": lambda: frame().to_feather(path, chunksize=17),
        "hdf5": lambda: h5py.File(path, "w").create_dataset("X", data=X, chunks=(10, 2)).file.close(),
    }
    writers[kind]()
    return path


KINDS = ["npy", "fortran npy", "npz", "csv", "parquet", "feather", "hdf5"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [1, 16, 17, 40, 1000, None])
def test_blocks_are_the_whole(kind, rows, tmp_path):
    source = open_source(write(tmp_path / "file", kind))
    assert source.shape == X.shape
    assert source.dtype == X.dtype
    blocks = list(source.blocks(rows))
    assert [start for start, _ in blocks] == list(range(0, 103, rows or 103))
    np.testing.assert_array_equal(np.concatenate([block for _, block in blocks]), X)
    assert all(block.dtype == X.dtype for _, block in blocks)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_by_index_and_the_same_fingerprint_everywhere(kind, tmp_path):
    source = open_source(write(tmp_path / "file", kind))
    indices = np.array([102, 0, 16, 17, 17, 55])
    np.testing.assert_array_equal(source.take(indices), X[indices])
    assert source.take([]).shape == (0, 5)
    assert source.fingerprint == open_source(X).fingerprint
    for bad in ([103], [-1], [0.5], [[1]]):
        with pytest.raises(ParameterError):
            source.take(bad)


@pytest.mark.parametrize("kind", ["npz", "csv", "parquet", "feather"])
def test_labels_come_along(kind, tmp_path):
    source = open_source(write(tmp_path / "file", kind))
    np.testing.assert_array_equal(np.array(source.label_names)[source.labels], Y)
    assert load_data(tmp_path / "file").fingerprint == source.fingerprint


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 40), st.integers(1, 6), st.integers(1, 50), st.sampled_from(["f8", "f4", "u1", ">i4"]))
def test_any_array_in_any_blocks(rows, columns, size, dtype):
    values = np.random.default_rng(rows).integers(0, 99, (rows, columns)).astype(dtype)
    source = open_source(values)
    np.testing.assert_array_equal(np.concatenate([block for _, block in source.blocks(size)]), values)
    assert source.dtype.isnative
    assert source.fingerprint == open_source(np.asfortranarray(values)).fingerprint


def test_fingerprints_see_values_shape_and_type():
    prints = {open_source(a).fingerprint for a in (X, X + 1, X[:-1], X.astype("f4"), X.reshape(-1, 1)[:, [0, 0]], X[::-1])}
    assert len(prints) == 6


def test_large_fingerprints_are_sampled_the_same_in_memory_and_on_disk(tmp_path, monkeypatch):
    monkeypatch.setattr("leasc_core.data.sources.source.HASHED_WHOLE", 1 << 12)
    values = RNG.normal(size=(5000, 3))
    np.save(tmp_path / "a.npy", values)
    pd.DataFrame(values, columns=list("abc")).to_parquet(tmp_path / "a.parquet", row_group_size=700)
    expected = open_source(values).fingerprint
    assert open_source(tmp_path / "a.npy").fingerprint == expected
    assert open_source(tmp_path / "a.parquet").fingerprint == expected
    changed = values.copy()
    changed[-1, -1] += 1
    assert open_source(changed).fingerprint != expected


def test_memory_maps_are_read_from_their_file(tmp_path):
    np.save(tmp_path / "a.npy", X)
    mapped = np.load(tmp_path / "a.npy", mmap_mode="r")
    whole = open_source(mapped)
    assert isinstance(whole, FileSource)
    views = {FileSource: (mapped[10:20], X[10:20]), PlanesSource: (mapped.T, X.T), ArraySource: (mapped[::2], X[::2])}
    for kind, (view, values) in views.items():
        part = open_source(view)
        assert type(part) is kind
        np.testing.assert_array_equal(part.rows(0, len(values)), values)
        np.testing.assert_array_equal(part.take([3, 0, 1]), values[[3, 0, 1]])


def test_other_things_are_sources_too():
    source = open_source(X)
    assert open_source(source) is source
    data = load_data(frame().to_csv(index=False).encode(), name="a.csv")
    assert open_source(data).fingerprint == data.fingerprint
    np.testing.assert_array_equal(open_source(data).labels, data.y)
    np.testing.assert_array_equal(open_source(frame(labels=False)).rows(0, 103), X)
    np.testing.assert_array_equal(open_source(X.tolist()).rows(0, 103), X)
    np.testing.assert_array_equal(open_source(frame().to_csv(index=False).encode(), name="a.csv").rows(0, 103), X)
    mixed = pd.DataFrame({"a": pd.array([1, None], dtype="Int64"), "b": np.float32([1.5, 2])})
    np.testing.assert_array_equal(open_source(mixed).rows(0, 2), [[1, 1.5], [np.nan, 2]])
    whole = pd.DataFrame({"a": [1, 2], "b": [3, 4]})
    assert open_source(whole).dtype == np.int64


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        (np.zeros(5), "1 dimension"),
        (np.zeros((2, 2), dtype=complex), "complex128"),
        (np.array([["a", "b"]]), "type <U1"),
        (np.array([[{}, 1]], dtype=object), "Python objects"),
        ([[1, 2], [3]], "different lengths"),
        (frame().astype(str), "no column of numbers"),
    ],
)
def test_what_is_no_table_is_refused(thing, message):
    with pytest.raises(DataError, match=message):
        open_source(thing)


def test_infinite_values_are_refused_where_they_stand():
    values = X.copy()
    values[57, 3] = np.inf
    with pytest.raises(DataError, match="row 57, column 3"):
        list(open_source(values).blocks(10))
    values[57, 3] = np.nan
    assert len(list(open_source(values).blocks(10))) == 11


def test_a_conversion_happens_once_and_reports(tmp_path):
    path = write(tmp_path / "a.csv", "csv")
    calls = []
    open_source(path, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1][0] == 103
    assert calls[-1][1] >= 103
    seen = len(calls)
    open_source(path, progress=lambda done, total: calls.append((done, total)))
    assert len(calls) == seen
    open_source(path, header=True, progress=lambda done, total: calls.append((done, total)))
    assert len(calls) > seen


def test_what_was_converted_is_nobody_elses(tmp_path):
    before = os.umask(0)
    try:
        open_source(write(tmp_path / "a.csv", "csv"))
    finally:
        os.umask(before)
    (entry,) = (tmp_path / "cache").iterdir()
    assert entry.stat().st_mode & 0o077 == 0


def test_a_changed_file_is_converted_again(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    first = open_source(path)
    path.write_text("a,b\n1,2\n3,5\n")
    os.utime(path, ns=(1, 1))
    second = open_source(path)
    np.testing.assert_array_equal(second.rows(0, 2), [[1, 2], [3, 5]])
    assert first.fingerprint != second.fingerprint


def test_a_stopped_or_failed_conversion_leaves_nothing(tmp_path):
    path = write(tmp_path / "a.csv", "csv")
    with pytest.raises(DataError, match="stopped after"):
        open_source(path, progress=lambda done, total: True)
    (tmp_path / "b.csv").write_text("a,b\n1,2\n3,oops\n4\n")
    with pytest.raises(DataError):
        open_source(tmp_path / "b.csv")
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_damaged_entry_is_made_again(tmp_path):
    path = write(tmp_path / "a.csv", "csv")
    open_source(path)
    (entry,) = (tmp_path / "cache").iterdir()
    stored = (entry / "X.npy").read_bytes()
    (entry / "X.npy").write_bytes(stored[:200])
    np.testing.assert_array_equal(open_source(path).rows(0, 103), X)
    assert (entry / "X.npy").read_bytes() == stored


def test_the_cache_is_kept_within_its_size(tmp_path, monkeypatch):
    for at in range(5):
        path = tmp_path / f"{at}.csv"
        frame(labels=False).to_csv(path, index=False)
        open_source(path)
        entry = next((tmp_path / "cache").glob("*/about.json")).parent
        monkeypatch.setattr(cache, "LARGEST_CACHE", int(3.5 * sum(file.stat().st_size for file in entry.iterdir())))
    kept = [json.loads(p.read_text())["name"] for p in (tmp_path / "cache").glob("*/about.json")]
    assert "4.csv" in kept
    assert len(kept) == 3


def test_an_unusable_cache_folder_is_named(tmp_path, monkeypatch):
    (tmp_path / "plain").write_text("a file")
    monkeypatch.setenv("LEASC_CACHE", str(tmp_path / "plain" / "cache"))
    with pytest.raises(DataError, match="LEASC_CACHE"):
        open_source(write(tmp_path / "a.csv", "csv"))


def test_tables_can_be_turned_on_disk(tmp_path):
    path = tmp_path / "a.csv"
    pd.DataFrame(X).to_csv(path, index=False, header=False)
    np.testing.assert_array_equal(open_source(path, transpose=True).rows(0, 5), X.T)
    np.save(tmp_path / "a.npy", X)
    np.testing.assert_array_equal(open_source(tmp_path / "a.npy", transpose=True).rows(1, 3), X.T[1:3])


def test_options_belong_to_files():
    with pytest.raises(ParameterError, match="label"):
        open_source(X, label="a")
    with pytest.raises(ParameterError, match="rows=0"):
        list(open_source(X).blocks(0))


PEAK = """
import sys
import numpy, pyarrow.csv, pyarrow.parquet
from leasc_core.data.sources import open_source

def peak():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) // 1024

before = peak()
source = open_source(sys.argv[1])
total = sum(len(block) for _, block in source.blocks())
source.take(list(range(0, len(source), 50_000)))
print(total, peak() - before, source.fingerprint)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read from /proc")
def test_memory_does_not_grow_with_the_file(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow import csv

    values = RNG.integers(0, 1_000_000, (1_600_000, 8)) / 64
    for kind in ("csv", "npy", "parquet"):
        peaks = []
        for rows in (400_000, 1_600_000):
            path, part = tmp_path / f"{rows}.{kind}", values[:rows]
            table = pa.table({f"x{at}": part[:, at] for at in range(8)})
            writers = {
                "npy": lambda path=path, part=part: np.save(path, part),
                "csv": lambda path=path, table=table: csv.write_csv(table, path),
                "parquet": lambda path=path, table=table: pq.write_table(table, path, row_group_size=1_600_000),
            }
            writers[kind]()
            command = [sys.executable, "-c", PEAK, str(path)]
            done, megabytes, fingerprint = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
            assert int(done) == rows
            assert fingerprint == open_source(part).fingerprint
            peaks.append(int(megabytes))
        assert peaks[1] - peaks[0] < 40, f"{kind}: 77 MB more numbers took {peaks[1] - peaks[0]} MB more memory"


def test_an_open_file_and_bytes_need_no_cache(tmp_path):
    buffer = io.BytesIO()
    np.save(buffer, X)
    buffer.name = "a.npy"
    np.testing.assert_array_equal(open_source(buffer).rows(0, 103), X)
    assert not (tmp_path / "cache").exists()


def test_two_processes_convert_the_same_file_at_once(tmp_path):
    path = write(tmp_path / "a.csv", "csv")
    program = "import sys; from leasc_core.data.sources import open_source; print(open_source(sys.argv[1]).fingerprint)"
    command = [sys.executable, "-c", program, str(path)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    prints = {process.communicate()[0].strip() for process in running}
    assert prints == {open_source(X).fingerprint}
    assert len(list((tmp_path / "cache").iterdir())) == 1


def test_what_a_crash_left_behind_is_swept_away(tmp_path):
    left = tmp_path / "cache" / "making-old"
    left.mkdir(parents=True)
    os.utime(left, (1, 1))
    open_source(write(tmp_path / "a.csv", "csv"))
    assert not left.exists()


def test_empty_tables_are_refused_on_disk_too(tmp_path):
    (tmp_path / "a.csv").write_text("a,b,c\n")
    with pytest.raises(DataError, match="0 rows"):
        open_source(tmp_path / "a.csv")


@pytest.mark.parametrize("kind", ["hdf5", "npz"])
def test_large_arrays_from_a_child_process_or_an_archive(kind, tmp_path, monkeypatch):
    from leasc_core.data.reading.arrays import npy

    monkeypatch.setattr(npy, "MAPPED_ABOVE", 1000)
    path = write(tmp_path / "file", kind)
    data = load_data(path)
    np.testing.assert_array_equal(data.X, X)
    assert data.fingerprint == open_source(X).fingerprint == open_source(path).fingerprint
    assert [info.role for info in data.arrays if info.name == "X"] == ["data"]


def test_row_groups_without_rows(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pandas(frame(labels=False))
    with pq.ParquetWriter(tmp_path / "a.parquet", table.schema) as writer:
        for part in (table[:0], table[:60], table[:0], table[60:], table[:0]):
            writer.write_table(part)
    source = open_source(tmp_path / "a.parquet")
    np.testing.assert_array_equal(source.rows(0, 103), X)
    np.testing.assert_array_equal(source.rows(59, 61), X[59:61])
    assert source.rows(103, 103).shape == (0, 5)
    np.testing.assert_array_equal(source.take([60, 59, 102]), X[[60, 59, 102]])
