"""Each limit is a wall: what stays under it loads, what goes over it is refused; the child process is fenced in."""

import io
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pytest

from leasc_core.data.guards import Limits
from leasc_core.data.reading import formats, load_data
from leasc_core.data.reading.blobs import Blob
from leasc_core.data.reading.isolated.nursery import NURSERY, environment
from leasc_core.data.reading.tables.stored import StoredTable
from leasc_core.errors import DataError
from tests.hostile.bad import archive, npy
from tests.hostile.cases_containers import dataset, mat
from tests.hostile.cases_tables import parquet, picture

X = np.random.default_rng(0).random((60, 5))
CSV = "\n".join(",".join(map(str, row)) for row in X).encode()
ROOT = Path(__file__).parents[2]
BODIES = {
    "a.npy": npy(X),
    "a.npz": archive([("X.npy", npy(X)), ("y.npy", npy(np.arange(60)))]),
    "a.csv": CSV,
    "a.parquet": parquet({f"x{at}": X[:, at] for at in range(5)}),
    "a.zip": archive([(f"{at}.png", picture(value=at)) for at in range(10)]),
    "a.mat": mat({"X": X}),
    "a.h5": dataset(X),
}


@pytest.mark.parametrize("name", BODIES)
def test_bytes_and_cells(name):
    body = BODIES[name]
    assert load_data(body, name=name, limits=Limits(bytes=len(body), cells=300)).X.size == 300
    with pytest.raises(DataError, match="the limit is"):
        load_data(body, name=name, limits=Limits(bytes=len(body) - 1))
    with pytest.raises(DataError, match="numbers and the limit is 299"):
        load_data(body, name=name, limits=Limits(cells=299))


@pytest.mark.parametrize(
    ("name", "limit", "message"),
    [
        ("a.npz", {"members": 1}, "2 members"),
        ("a.zip", {"members": 9}, "10 members"),
        ("a.csv", {"columns": 4}, "columns"),
        ("a.parquet", {"columns": 4}, "5 columns"),
        ("a.npy", {"header": 10}, "header of 118 bytes"),
        ("a.npz", {"header": 50}, "directory of"),
        ("a.parquet", {"header": 50}, "footer of"),
        ("a.h5", {"seconds": 0.001}, "to read"),
        ("a.mat", {"seconds": 0.001}, "to read"),
    ],
)
def test_members_columns_headers_and_seconds(name, limit, message):
    with pytest.raises(DataError, match=message):
        load_data(BODIES[name], name=name, limits=Limits(**limit))


def test_expansion():
    zeros = archive([("X.npy", npy(np.zeros((1000, 50))))])
    limits = Limits(free=1000, ratio=5)
    with pytest.raises(DataError, match="over 5 times"):
        load_data(zeros, name="a.npz", limits=limits)
    assert load_data(zeros, name="a.npz", limits=replace(limits, ratio=10**6)).X.shape == (1000, 50)


def test_a_file_that_does_not_fit_in_memory_is_refused(monkeypatch):
    import psutil

    monkeypatch.setattr(psutil, "virtual_memory", lambda: type("Memory", (), {"available": 1000})())
    for name in ("a.csv", "a.parquet", "a.npz"):
        with pytest.raises(DataError, match=r"needs .* of memory and 1.0 kB are free"):
            load_data(BODIES[name], name=name)


def fenced(program):
    """The result of a program that fences itself in first: 64 MB, one second."""
    start = "from leasc_core.data.reading.isolated.confine import *; confine(64 << 20, 128 << 20, 1 << 20); "
    command = [sys.executable, "-c", start + program]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=30)


@pytest.mark.skipif(sys.platform != "linux", reason="the fence is made of Linux limits")
class TestFence:
    def test_memory(self):
        assert "MemoryError" in fenced("bytearray(200 << 20)").stderr
        assert fenced("bytearray(32 << 20)").returncode == 0

    def test_memory_can_be_raised_to_the_ceiling_only(self):
        assert fenced("allow_memory(100 << 20); bytearray(80 << 20)").returncode == 0
        assert "MemoryError" in fenced("allow_memory(1 << 30); bytearray(500 << 20)").stderr

    def test_processor_time(self):
        assert fenced("\nwhile True: pass").returncode == -signal.SIGPROF

    def test_files(self, tmp_path):
        written = fenced(f"open({str(tmp_path / 'a')!r}, 'wb').write(bytes(10 << 20))")
        assert written.returncode != 0
        assert (tmp_path / "a").stat().st_size <= 1 << 20


def test_a_parser_that_crashes_takes_only_the_child_with_it(monkeypatch, tmp_path):
    begin, endless = NURSERY.begin, tmp_path / "endless"
    os.mkfifo(endless)  # nobody writes to it: the child waits

    def begin_and_crash(folder, request):
        child = begin(folder, {**request, "path": str(endless)})
        os.kill(child._number, signal.SIGSEGV)
        return child

    monkeypatch.setattr(NURSERY, "begin", begin_and_crash)
    for name in ("a.h5", "a.parquet"):
        with pytest.raises(DataError, match="made its parser stop"):
            load_data(BODIES[name], name=name)
    monkeypatch.undo()
    assert load_data(BODIES["a.h5"], name="a.h5").X.shape == (60, 5)


def test_a_nursery_that_was_killed_is_begun_again():
    load_data(BODIES["a.h5"], name="a.h5")
    NURSERY._process.kill()
    NURSERY._process.wait()
    assert load_data(BODIES["a.h5"], name="a.h5").X.shape == (60, 5)


def test_no_child_outlives_a_stream_that_nobody_reads_on():
    table = StoredTable(Blob("a.parquet", data=parquet({f"x{at}": np.zeros(10**6) for at in range(5)})), Limits())
    batches = table.batches([0], ["x0", "x1"], 1000)
    next(batches)
    batches.close()
    until = time.monotonic() + 10
    while [each for each in psutil.Process(NURSERY._process.pid).children(recursive=True) if each.status() != "zombie"]:
        assert time.monotonic() < until
        time.sleep(0.05)


def test_the_child_sees_no_secrets(monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "hush")
    assert "SECRET_TOKEN" not in environment()


def test_a_new_format_is_one_module():
    """Every module of the package is a format, and every format is found without being listed anywhere."""
    folder = ROOT / "leasc_core" / "data" / "reading"
    modules = [path for path in folder.rglob("*.py") if "\nFORMAT = " in path.read_text()]
    assert len(formats()) == len(modules)


def test_an_upload_longer_than_the_limit_is_not_read_to_its_end():
    class Endless(io.RawIOBase):
        taken = 0

        def readable(self):
            return True

        def read(self, count=-1):
            assert count >= 0
            self.taken += count
            return b"1" * count

    stream = Endless()
    with pytest.raises(DataError, match="the limit is"):
        load_data(stream, name="a.csv", limits=Limits(bytes=1000))
    assert stream.taken <= 1001
