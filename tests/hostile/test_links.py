"""HDF5 and MATLAB v7.3 files that point elsewhere: nothing outside the named file is read, and nothing waits for a pipe."""

import os
import subprocess
import sys
import time

import h5py
import numpy as np
import pytest

from leasc_core.data.reading import load_data
from leasc_core.errors import DataError
from tests.hostile.cases_containers import GOOD, hdf5, matlab73

CANARY = 271828.0
QUICK = 15.0


@pytest.fixture
def outside(tmp_path):
    """A file that must not be read, and a pipe that nobody writes to."""
    with h5py.File(tmp_path / "outside.h5", "w") as file:
        file["X"] = np.full((8, 3), CANARY)
        file["data"] = np.full(24, CANARY)
        file.create_dataset("grows", data=np.full((8, 3), CANARY), maxshape=(None, 3))
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


def sparse_with(link):
    def build(file):
        group = file.create_group("X")
        group.attrs["MATLAB_sparse"] = 8
        group["ir"], group["jc"] = np.tile(np.arange(8), 3), np.array([0, 8, 16, 24])
        group["data"] = link
        if isinstance(link, h5py.SoftLink):
            file["far"] = h5py.ExternalLink("outside.h5", "/")

    return build


def virtual(target, dataset="X"):
    def build(file):
        unlimited = dataset == "grows"
        layout = h5py.VirtualLayout((8, 3), "f8", maxshape=(None, 3) if unlimited else None)
        source = h5py.VirtualSource(target, dataset, (8, 3), maxshape=(None, 3) if unlimited else None)
        layout[: h5py.h5s.UNLIMITED if unlimited else 8] = source[: h5py.h5s.UNLIMITED if unlimited else 8]
        file.create_virtual_dataset("X", layout)
        file["other"] = GOOD

    return build


def stored_in(target):
    return lambda file: file.create_dataset("X", (8, 3), "f8", external=[(target, 0, 192)])


def linked(link):
    def build(file):
        file["far"] = h5py.ExternalLink("outside.h5", "/")
        file["X"] = link

    return build


BUILDERS = {
    f"{what} to {target}": make(target)
    for target in ("outside.h5", "pipe")
    for what, make in {
        "external link in a sparse matrix": lambda target: sparse_with(h5py.ExternalLink(target, "/data")),
        "virtual": virtual,
        "virtual of any length": lambda target: virtual(target, "grows"),
        "external storage": stored_in,
        "external link": lambda target: linked(h5py.ExternalLink(target, "/X")),
    }.items()
} | {
    "soft link in a sparse matrix, on to a file": sparse_with(h5py.SoftLink("/far/data")),
    "soft link, on to a file": linked(h5py.SoftLink("/far/X")),
}


@pytest.mark.parametrize("form", [hdf5, matlab73], ids=["hdf5", "v7.3"])
@pytest.mark.parametrize("what", BUILDERS)
def test_no_link_leaves_the_file(outside, what, form, monkeypatch):
    monkeypatch.chdir(outside)
    file = outside / ("a.mat" if form is matlab73 else "a.h5")
    file.write_bytes(form(BUILDERS[what]))
    begun = time.monotonic()
    with pytest.raises(DataError, match="in other files|to another file|not plain lists") as refusal:
        load_data(file)
    assert time.monotonic() - begun < QUICK
    assert str(CANARY) not in str(refusal.value)


def test_a_confined_process_opens_nothing_more(tmp_path):
    """The wall behind the checks: whatever HDF5 tries, the operating system does not let it."""
    program = (
        "from leasc_core.data.reading.isolated.confine import *; confine(64 << 20, 128 << 20, 1 << 20); forbid_more_files(); "
    )
    checks = "allow_memory(90 << 20); bytearray(80 << 20); open('/dev/null')"
    ended = subprocess.run([sys.executable, "-c", program + checks], capture_output=True, text=True, check=False)
    assert "Too many open files" in ended.stderr
