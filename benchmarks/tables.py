"""Reading tables and arrays: rows a second beside pandas and pyarrow, and the memory that a file larger than it takes.

`python -m benchmarks.tables` prints ratios; `--gigabytes 5` sets the size of the large files.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

COLUMNS = 20
# Of a sheet, which is slow in every reader; share of values that are stored in a sparse matrix of cells.
SHEET_SHARE, STORED = 0.02, 0.05
ROUNDS = 5


def write_tables(folder, rows):
    """The same random numbers as CSV and Parquet, the first of them as a workbook; returns their paths."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow import csv

    values = np.random.default_rng(0).normal(size=(rows, COLUMNS))
    table = pa.table({f"x{at}": values[:, at] for at in range(COLUMNS)})
    csv.write_csv(table, folder / "table.csv")
    pq.write_table(table, folder / "table.parquet", row_group_size=100_000)
    sheet = table.slice(0, max(1000, int(rows * SHEET_SHARE))).to_pandas()
    sheet.to_excel(folder / "table.xlsx", index=False)
    return folder / "table.csv", folder / "table.parquet", folder / "table.xlsx"


def readers(path):
    """Ways to get the file into one array of rows: ours first."""
    import pandas as pd
    import pyarrow.parquet as pq
    from pyarrow import csv

    from leasc_core.data.reading import load_data

    if path.suffix == ".csv":
        peers = {
            "pandas": lambda: pd.read_csv(path),
            "pandas (pyarrow engine)": lambda: pd.read_csv(path, engine="pyarrow"),
            "pyarrow": lambda: csv.read_csv(path).to_pandas(),
        }
    elif path.suffix == ".xlsx":
        peers = {"pandas (calamine)": lambda: pd.read_excel(path, engine="calamine")}
    else:
        peers = {"pandas": lambda: pd.read_parquet(path), "pyarrow": lambda: pq.read_table(path).to_pandas()}
    in_rows = {name: lambda read=read: np.ascontiguousarray(read().to_numpy()) for name, read in peers.items()}
    return {"leasc load_data": lambda: load_data(path).X} | in_rows


def best_seconds(path):
    """The quickest of a few rounds for every reader; they take turns, so that all see the same machine."""
    times = {}
    for _ in range(ROUNDS):
        for name, read in readers(path).items():
            start = time.perf_counter()
            read()
            times[name] = min(times.get(name, np.inf), time.perf_counter() - start)
    return times


def compare_speed(folder, rows):
    """Print rows a second of every reader, and ours over theirs."""
    for path in write_tables(folder, rows):
        seconds, count = best_seconds(path), rows if path.suffix != ".xlsx" else max(1000, int(rows * SHEET_SHARE))
        print(f"\n{path.suffix[1:]}: {count:,} rows x {COLUMNS} columns, {path.stat().st_size / 1e6:.0f} MB")
        for name, took in seconds.items():
            ours = took / seconds["leasc load_data"]
            print(f"  {name:<26}{count / took:>12,.0f} rows/s   ours is {ours:.2f} x as fast")


LARGE = """
import json, sys, time
import numpy as np
from leasc_core.data.sources import open_source

def peak():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1024

start = time.perf_counter()
source = open_source(sys.argv[1])
opened = time.perf_counter() - start
start, total = time.perf_counter(), 0.0
for _, block in source.blocks():
    total += float(np.add.reduce(block, axis=None))
read = time.perf_counter() - start
picked = source.take(np.linspace(0, len(source) - 1, 1000).astype(int))
told = {"rows": len(source), "columns": source.shape[1], "opened": opened, "read": read, "peak": peak()}
print(json.dumps(told))
"""


def write_large(folder, kind, gigabytes):
    """A file of at least that size, written in blocks."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow import csv

    path, rng = folder / f"large.{kind}", np.random.default_rng(0)
    names = [f"x{at}" for at in range(COLUMNS)]
    schema = pa.schema([(name, pa.float64()) for name in names])
    numbers = rng.normal(size=(100_000, COLUMNS))
    batch = pa.record_batch([numbers[:, at] for at in range(COLUMNS)], names)
    if kind == "h5ad":
        return write_cells(folder / "large.h5ad", gigabytes)
    if kind == "img":
        return write_scene(folder / "large.img", gigabytes)
    if kind == "npy":
        from leasc_core.data.gather import write_npy

        count = int(gigabytes * 1e9 / numbers.nbytes) + 1
        write_npy(path, (numbers for _ in range(count)), COLUMNS, numbers.dtype)
        return path
    make = (lambda: csv.CSVWriter(path, schema)) if kind == "csv" else (lambda: pq.ParquetWriter(path, schema))
    with make() as writer:
        while path.stat().st_size < gigabytes * 1e9:
            writer.write_batch(batch)
    return path


def write_cells(path, gigabytes):
    """Counts of 2,000 genes as AnnData stores them, sparse by rows."""
    import h5py

    genes, rows = 2000, 50_000
    each = int(genes * STORED)
    rng = np.random.default_rng(0)
    columns = np.sort(rng.integers(0, genes // each, (rows, each)) + np.arange(each) * (genes // each), axis=1).astype(np.int32)
    counts = rng.poisson(3, (rows, each)).astype(np.float32)
    times = max(1, int(gigabytes * 1e9 / (8 * rows * each)) + 1)
    with h5py.File(path, "w") as file:
        matrix = file.create_group("X")
        matrix.attrs.update({"encoding-type": "csr_matrix", "encoding-version": "0.1.0", "shape": (rows * times, genes)})
        for name, block in (("data", counts), ("indices", columns)):
            stored = matrix.create_dataset(name, (times * block.size,), block.dtype, chunks=(1 << 18,))
            for at in range(times):
                stored[at * block.size : (at + 1) * block.size] = block.ravel()
        matrix["indptr"] = np.arange(rows * times + 1, dtype=np.int64) * each
    return path


def write_scene(path, gigabytes):
    """An ENVI scene of 200 bands, band by band within a line."""
    bands, samples = 200, 1000
    line = np.random.default_rng(0).integers(0, 4000, (100, bands, samples)).astype("<u2")
    times = max(1, int(gigabytes * 1e9 / line.nbytes) + 1)
    with open(path, "wb") as file:
        for _ in range(times):
            file.write(line.data)
    fields = {"samples": samples, "lines": 100 * times, "bands": bands, "data type": 12, "interleave": "bil", "byte order": 0}
    path.with_suffix(".hdr").write_text("ENVI\n" + "".join(f"{name} = {value}\n" for name, value in fields.items()))
    return path


def large_files(folder, gigabytes):
    """Print the peak memory of reading each large file from beginning to end in a fresh process."""
    environment = os.environ | {"LEASC_CACHE": str(folder / "cache")}
    print(f"\nfiles of {gigabytes:g} GB, opened as a source and read from beginning to end")
    for kind in ("csv", "parquet", "npy", "h5ad", "img"):
        path = write_large(folder, kind, gigabytes)
        output = subprocess.run(
            [sys.executable, "-c", LARGE, str(path)],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        told = json.loads(output)
        size, whole = path.stat().st_size / 1e6, told["rows"] * told["columns"] * 8 / 1e6
        print(
            f"  {kind:<8}{size:>8,.0f} MB, {told['rows']:,} rows ({whole:,.0f} MB as numbers): peak memory "
            f"{told['peak']:,.0f} MB = 1/{size / told['peak']:.0f} of the file; "
            f"open {told['opened']:.1f} s, read {told['read']:.1f} s "
            f"({told['rows'] / (told['opened'] + told['read']):,.0f} rows/s)"
        )
        path.unlink()


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--gigabytes", type=float, default=5.0)
    parser.add_argument("--quick", action="store_true", help="100,000 rows and files of 0.2 GB")
    options = parser.parse_args(argv)
    rows, gigabytes = (100_000, 0.2) if options.quick else (options.rows, options.gigabytes)
    with tempfile.TemporaryDirectory(prefix="leasc-benchmark-") as name:
        compare_speed(Path(name), rows)
        large_files(Path(name), gigabytes)


if __name__ == "__main__":
    main()
