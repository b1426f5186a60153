"""Loads bad files in a process of its own and says what each did, in what time and memory.

`python -m tests.hostile.measure FOLDER < ids` prints one JSON line for each case.
"""

import json
import os
import resource
import shutil
import sys
import time
import traceback
from pathlib import Path

import h5py
import numpy as np

from leasc_core.data.reading import load_data
from leasc_core.data.reading.isolated.nursery import Child
from leasc_core.errors import DataError
from tests.hostile.bad import CANARY, OUTSIDE, OUTSIDE_FILE
from tests.hostile.cases_arrays import idx_cases, npy_cases, npz_cases
from tests.hostile.cases_containers import hdf5_cases, matlab_cases
from tests.hostile.cases_fields import cells_cases, line_cases, scene_cases, sparse_cases, workbook_cases
from tests.hostile.cases_tables import columnar_cases, feather_cases, picture_cases
from tests.hostile.cases_text import csv_cases, libsvm_cases, stranger_cases

SECONDS = 2.0
PROC = Path("/proc/self/clear_refs")
FAMILIES = {
    "npy": npy_cases,
    "npz": npz_cases,
    "idx": idx_cases,
    "csv": csv_cases,
    "libsvm": libsvm_cases,
    "stranger": stranger_cases,
    "matlab": matlab_cases,
    "hdf5": hdf5_cases,
    "parquet": columnar_cases,
    "feather": feather_cases,
    "pictures": picture_cases,
    "workbook": workbook_cases,
    "scene": scene_cases,
    "sparse": sparse_cases,
    "cells": cells_cases,
    "lines": line_cases,
}


class Outside:
    """A folder with a file that nothing may read, change or add to; the file system notes when something does."""

    def __enter__(self):
        OUTSIDE.mkdir()
        with h5py.File(OUTSIDE_FILE, "w") as file:
            file["X"] = np.full((8, 3), 271828.0)
        self.body = OUTSIDE_FILE.read_bytes()
        self._watch()
        self.notes_reads = OUTSIDE_FILE.read_bytes() == self.body and OUTSIDE_FILE.stat().st_atime > 0
        self._watch()
        return self

    def __exit__(self, *problem):
        shutil.rmtree(OUTSIDE)

    def _watch(self):
        os.utime(OUTSIDE_FILE, (0, OUTSIDE_FILE.stat().st_mtime))

    def was_touched(self):
        """Whether it was read (where the file system tells), written to, or given company."""
        read = self.notes_reads and OUTSIDE_FILE.stat().st_atime > 0
        touched = read or os.listdir(OUTSIDE) != [OUTSIDE_FILE.name] or OUTSIDE_FILE.read_bytes() != self.body
        self._watch()
        return touched


def peak_megabytes():
    """The highest memory of this process since the last reset; 0 where the system does not tell."""
    if not PROC.exists():
        return 0.0
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1024


def resident_megabytes():
    if not PROC.exists():
        return 0.0
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / (1 << 20)


def reset_peak():
    """Linux forgets the high-water mark when 5 is written here."""
    if PROC.exists():
        Path("/proc/self/clear_refs").write_text("5")


def outcome(thing, name, options):
    """What loading did: the refusal, or what went wrong instead."""
    try:
        data = load_data(thing, name=name, **options)
    except DataError as error:
        return "DataError", str(error)
    except BaseException as error:
        return type(error).__name__, "".join(traceback.format_exception(error))
    return "loaded", f"{data.X.shape} {data.notes}"


def measure(case, folder, outside):
    """One case as a dictionary."""
    folder.mkdir()
    thing = case.make(folder)
    reset_peak()
    before, seconds, Child.peak = resident_megabytes(), [], 0
    # The quickest of three: a busy machine is not the file's fault.
    while not seconds or (min(seconds) > SECONDS and len(seconds) < 3):
        start = time.perf_counter()
        kind, message = outcome(thing, case.name if isinstance(thing, bytes) else None, case.options)
        seconds.append(time.perf_counter() - start)
    return {
        "id": case.id,
        "kind": kind,
        "message": message,
        "seconds": min(seconds),
        "megabytes": peak_megabytes() - before,
        "children": Child.peak / (1 << 20),
        "canary": Path(CANARY).exists(),
        "outside": outside.was_touched(),
    }


def main():
    folder = Path(sys.argv[1])
    os.chdir(folder)
    families, wanted = json.load(sys.stdin)
    load_data(b"a,b\n1,2\n3,4\n", name="warm.csv")
    with Outside() as outside:
        for family in families:
            for at, case in enumerate(FAMILIES[family]()):
                if case.id in wanted:
                    print(json.dumps(measure(case, folder / f"{family}-{at}", outside)), flush=True)


if __name__ == "__main__":
    main()
