"""Valid files damaged at random: each still loads to a sane table or is refused, nothing else.

`python -m tests.hostile.fuzz --seconds 300` runs all formats; a file that does neither is kept and named.
"""

import argparse
import gzip
import io
import json
import random
import sys
import tempfile
import time
import traceback
import zipfile
from pathlib import Path

import numpy as np
import scipy.io
import scipy.sparse
import tifffile

from leasc_core.data.reading import list_arrays, load_data
from leasc_core.data.reading.isolated.nursery import Child
from leasc_core.errors import DataError
from tests.hostile.bad import archive, npy
from tests.hostile.cases_arrays import idx
from tests.hostile.cases_containers import hdf5, mat, matlab73
from tests.hostile.cases_fields import workbook
from tests.hostile.cases_tables import feather, parquet, picture
from tests.hostile.measure import peak_megabytes, reset_peak, resident_megabytes

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 4))
Y = RNG.integers(0, 3, 40)
COLUMNS = {"a": X[:, 0], "b": X[:, 1].astype("f4"), "c": Y, "label": np.array(["u", "v", "w"])[Y]}
TABLE = "a,b,c,label\n" + "".join(f"{a:.3f},{b:.3f},{c},{y}\n" for a, b, c, y in zip(*X.T[:3], Y, strict=True))
LIBSVM = "".join(f"{y} 1:{a:.3f} 3:{b:.3f}\n" for a, b, y in zip(*X.T[:2], Y, strict=True)).encode()
SPARSE = scipy.sparse.csr_matrix(np.where(np.abs(X) > 0.8, X, 0.0))
LINES = "".join(json.dumps({"x": row.tolist(), "label": "uvw"[y]}) + "\n" for row, y in zip(X, Y, strict=True)).encode()
SERIES = b"@problemName a\n@univariate true\n@classLabel true 0 1 2\n@data\n" + b"".join(
    f"{','.join(f'{value:.3f}' for value in row)}:{y}\n".encode() for row, y in zip(X, Y, strict=True)
)
# Seconds of this process, and of anybody's clock; megabytes of this process, and of the child that parses.
SLOWEST, LONGEST = 5.0, 20.0
MEGABYTES, CHILD_MEGABYTES = 256, 512


def chunked(file):
    file.create_dataset("X", data=X, chunks=(7, 2), compression="gzip", shuffle=True)
    file.create_dataset("y", data=Y)
    file.create_dataset("names", data=np.array(["a", "b"], dtype=object))


def scene(**options):
    out = io.BytesIO()
    pixels = RNG.integers(0, 999, (6, 7, 5)).astype(np.uint16)
    tifffile.imwrite(out, pixels, photometric="minisblack", planarconfig="contig", **options)
    return out.getvalue()


def stored_sparse():
    out = io.BytesIO()
    scipy.sparse.save_npz(out, SPARSE)
    return out.getvalue()


def matrix_market():
    out = io.BytesIO()
    scipy.io.mmwrite(out, SPARSE)
    return out.getvalue()


def cells(file):
    group, obs = file.create_group("X"), file.create_group("obs")
    group.attrs.update({"encoding-type": "csr_matrix", "shape": SPARSE.shape})
    group["data"], group["indices"], group["indptr"] = SPARSE.data, SPARSE.indices, SPARSE.indptr
    obs.attrs.update({"_index": "_index", "column-order": ["kind"]})
    obs["_index"], kind = [f"cell {at}" for at in range(40)], obs.create_group("kind")
    kind["categories"], kind["codes"] = ["u", "v", "w"], Y.astype("i1")


def cells_of_10x(file):
    group = file.create_group("matrix")
    group["data"], group["indices"], group["indptr"] = SPARSE.data, SPARSE.indices, SPARSE.indptr
    group["shape"], group["barcodes"] = SPARSE.shape[::-1], np.array([f"cell {at}" for at in range(40)], "S")
    group["features/name"] = np.array(["a", "b", "b", "c"], "S")


def seeds():
    """Valid files of every format: name of the format -> list of (file name, bytes)."""
    pictures = [(f"{'ab'[at % 2]}/{at}.png", picture(value=at)) for at in range(4)]
    jpegs = [(f"{at}.jpg", picture((16, 16), "JPEG", at)) for at in range(3)]
    pixels = idx((10, 3, 4), bytes(range(120)))
    text = TABLE.encode()
    return {
        "npy": [
            ("a.npy", npy(X)),
            ("a.npy", npy(np.asfortranarray(X.astype("f4")))),
            ("a.npy.gz", gzip.compress(npy(X))),
        ],
        "npz": [
            ("a.npz", archive([("X.npy", npy(X)), ("y.npy", npy(Y))])),
            ("a.npz", archive([("X.npy", npy(X))], zipfile.ZIP_STORED)),
        ],
        "idx": [("a-images-idx3-ubyte", pixels), ("a-images-idx3-ubyte.gz", gzip.compress(pixels))],
        "text": [
            ("a.csv", text),
            ("a.tsv", text.replace(b",", b"\t")),
            ("a.txt", text.replace(b",", b"   ")),
            ("a.csv.gz", gzip.compress(text)),
        ],
        "libsvm": [("a.libsvm", LIBSVM)],
        "parquet": [
            ("a.parquet", parquet(COLUMNS, row_group_size=15)),
            ("a.parquet", parquet(COLUMNS, compression="none")),
        ],
        "feather": [
            ("a.feather", feather(COLUMNS, chunksize=15)),
            ("a.feather", feather(COLUMNS, compression="uncompressed")),
        ],
        "pictures": [("a.zip", archive(pictures)), ("a.zip", archive(jpegs, zipfile.ZIP_STORED))],
        "matlab": [
            ("a.mat", mat({"fea": X, "gnd": Y}, do_compression=True)),
            ("a.mat", mat({"fea": X, "gnd": Y})),
            ("a.mat", mat({"set": {"train": {"fea": X, "gnd": Y}, "note": "made here"}})),
            ("a.mat", mat({"fea": X, "labels": np.array(["ant", "bee", "wasp"], object)[Y]})),
        ],
        "hdf5": [
            ("a.h5", hdf5(chunked)),
            ("a.mat", matlab73(lambda file: file.update({"X": X, "y": Y}))),
        ],
        "workbook": [("a.xlsx", workbook())],
        "tiff": [("a.tif", scene()), ("a.tif", scene(compression="zlib"))],
        "sparse": [("a.npz", stored_sparse()), ("a.mtx", matrix_market())],
        "cells": [("a.h5ad", hdf5(cells)), ("a.h5", hdf5(cells_of_10x))],
        "lines": [("a.jsonl", LINES), ("a.ts", SERIES)],
    }


def damaged(body, chance):
    """A copy with bytes flipped, overwritten, cut, repeated or moved."""
    data = bytearray(body)
    for _ in range(chance.choice([1, 1, 2, 4, 16])):
        at = chance.randrange(len(data)) if chance.random() < 0.6 else chance.choice([0, len(data)]) - chance.randrange(1, 60)
        at %= len(data)
        action = chance.randrange(8)
        if action < 3:
            data[at] ^= 1 << chance.randrange(8)
        elif action < 5:
            data[at] = chance.choice([0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)])
        elif action == 5:
            data[at : at + 4] = chance.choice([b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f", b"\0\0\0\x80"])
        elif action == 6:
            data[at:at] = data[at : at + chance.randrange(1, 30)]
        elif len(data) > 20:
            del data[at : at + chance.choice([1, 2, 8, len(data) // 2])]
        if not data:
            return b"\0"
    return bytes(data)


def complaint(name, body):
    """None if the file loads to a sane table or is refused properly, else what happened."""
    reset_peak()
    before, start, begun, Child.peak = resident_megabytes(), time.process_time(), time.monotonic(), 0
    try:
        data = load_data(body, name=name)
        sane = data.X.ndim == 2 and data.X.dtype.kind in "biuf" and data.X.shape[0] >= 1 and data.X.shape[1] >= 2
        if not sane or np.isinf(data.X).any() or (data.y is not None and data.y.shape != (len(data.X),)):
            return f"loaded as {data.X.dtype} {data.X.shape}"
    except DataError as error:
        if len(str(error).splitlines()) != 1 or len(str(error)) > 400 or "Traceback" in str(error):
            return f"refused in so many words: {error}"
    except BaseException:
        return traceback.format_exc()
    try:
        if name.endswith(("npz", "mat", "h5")) and len(body) % 8 == 0:
            list_arrays(body, name=name)
    except DataError:
        pass
    except BaseException:
        return traceback.format_exc()
    seconds, waited, megabytes = time.process_time() - start, time.monotonic() - begun, peak_megabytes() - before
    if megabytes > MEGABYTES or Child.peak > CHILD_MEGABYTES << 20:
        return f"took {megabytes:.0f} MB, its child {Child.peak >> 20} MB"
    return f"took {seconds:.1f} s of work, {waited:.1f} s in all" if seconds > SLOWEST or waited > LONGEST else None


def run(files, chance, wanted):
    """Damage files while `wanted(count)`; returns the count and the first complaint with its file."""
    count = 0
    while wanted(count):
        name, body = chance.choice(files)
        body = damaged(body, chance)
        found = complaint(name, body)
        count += 1
        if found:
            return count, (name, body, found)
    return count, None


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args(argv)
    seed = options.seed if options.seed is not None else time.time_ns() % 2**32
    every, failed = seeds(), 0
    for kind, files in every.items():
        end = time.monotonic() + options.seconds / len(every)
        count, bad = run(files, random.Random(f"{seed} {kind}"), lambda _, end=end: time.monotonic() < end)
        print(f"{kind}: {count} files, seed {seed}{', FAILED' if bad else ''}", flush=True)
        if bad:
            failed += 1
            kept = Path(tempfile.mkdtemp(prefix="fuzz-")) / Path(bad[0]).name
            kept.write_bytes(bad[1])
            print(f"{kept}: {bad[2]}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
