"""Bad .npy, .npz and IDX files."""

import gzip
import stat
import struct
import zipfile

import numpy as np

from tests.hostile.bad import (
    GOOD,
    OUTSIDE_FILE,
    Cases,
    archive,
    flipped,
    gzip_bomb,
    npy,
    object_array,
    pickled,
    raw_npy,
    rewritten,
    zip_bomb,
)

GOOD_NPY = npy(GOOD)


def header(descr="'<f8'", shape="(8, 3)", order="False"):
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n".encode()


def npy_cases():
    cases = Cases("npy")
    cases.add_cuts("a.npy", GOOD_NPY, [0.01, 0.02, 0.04, 0.2, 0.45, 0.6, 0.99])
    data = GOOD.tobytes()
    for what, body in {
        "wrong magic": b"\x93NUMPX" + GOOD_NPY[6:],
        "text instead": b"1,2\n3,4\n",
        "zeros instead": b"\0" * 500,
        "pickle instead": pickled(),
        "bytes after the data": GOOD_NPY + b"\0" * 8,
        "unknown version": raw_npy(header(), data, (9, 0)),
        "version 3 with records": raw_npy("[('é', '<f8')]".encode(), data, (3, 0)),
        "header longer than the file": raw_npy(header(), data, length=60_000),
        "header of 4 GB": raw_npy(header(), data, (2, 0), length=2**32 - 1),
        "header of 10 MB of blanks": raw_npy(b" " * 10_000_000 + header(), data, (2, 0)),
        "header no dictionary": raw_npy(b"[1, 2, 3]\n", data),
        "header empty": raw_npy(b"", data),
        "header without shape": raw_npy(b"{'descr': '<f8', 'fortran_order': False}\n", data),
        "header with more keys": raw_npy(header()[:-2] + b"'a': 1}\n", data),
        "header that calls": raw_npy(b"__import__('os').system('touch canary-has-run')\n", data),
        "header with a call inside": raw_npy(header(shape="(len('12345678'), 3)"), data),
        "header in depth": raw_npy(b"(" * 5_000 + b")" * 5_000 + b"\n", data),
        "header not ASCII": raw_npy(b"\xff\xfe" * 40 + b"\n", data),
        "order no boolean": raw_npy(header(order="3"), data),
        "type unknown": raw_npy(header("'<q9'"), data),
        "type a number": raw_npy(header("8"), data),
        "shape too large": raw_npy(header(shape="(9, 3)"), data),
        "shape too small": raw_npy(header(shape="(7, 3)"), data),
        "shape of a million rows": raw_npy(header(shape="(1000000, 3)"), data),
        "shape beyond all memory": raw_npy(header(shape=f"({2**40}, {2**40})"), data),
        "shape beyond 64 bits": raw_npy(header(shape=f"({10**30}, 3)"), data),
        "shape negative": raw_npy(header(shape="(-8, -3)"), data),
        "shape of truth values": raw_npy(header(shape="(True, 3)"), data[:24]),
        "shape of nothing, longer than numbers go": raw_npy(header(shape=f"(0, {10**20})")),
        "a hundred axes": raw_npy(header(shape=f"({'1, ' * 98}8, 3)"), data),
        "shape of fractions": raw_npy(header(shape="(8.0, 3.0)"), data),
        "shape of texts": raw_npy(header(shape="('8', '3')"), data),
        "shape with infinite zero": raw_npy(header(shape=f"({10**18}, 0)")),
        "records": npy(np.zeros(5, dtype=[("a", "f8"), ("b", "i4")])),
        "rows of fixed arrays": raw_npy(header("('<f8', (3,))", "(8,)"), data),
        "objects": npy(object_array(), allow_pickle=True),
        "one object": npy(np.array(object_array()[0, 0], dtype=object), allow_pickle=True),
        "objects in a field": raw_npy(header("[('a', '|O')]", "(2,)"), pickled()),
        "complex numbers": npy(GOOD * 1j),
        "dates": npy(GOOD.astype("M8[s]")),
        "texts": npy(GOOD.astype("U8")),
        "bytes": npy(GOOD.astype("S8")),
        "void": npy(np.zeros((4, 3), dtype="V8")),
        "128-bit numbers": npy(GOOD.astype(np.longdouble)),
        "no dimension": npy(np.float64(3)),
        "one dimension": npy(GOOD.ravel()),
        "five dimensions": npy(np.zeros((2, 2, 2, 2, 2))),
        "0 rows": npy(np.empty((0, 5))),
        "0 columns": npy(np.empty((5, 0))),
        "1 column": npy(GOOD[:, :1]),
        "only NaN": npy(np.full((8, 3), np.nan)),
        "Inf": npy(np.where(GOOD == 5, np.inf, GOOD)),
        "minus Inf in half precision": npy(np.where(GOOD == 5, -np.inf, GOOD).astype("f2")),
        "huge integers": npy(np.full((4, 3), 2**62)),
        "huge unsigned integers": npy(np.full((4, 3), 2**64 - 1, dtype="u8")),
        "huge floats": npy(np.full((4, 3), 1e300)),
    }.items():
        cases.add(what, "a.npy", body)
    cases.add("bomb in gzip", "a.npy.gz", gzip_bomb(1024, raw_npy(header(shape="(40000000, 3)"))))
    cases.add(
        "bomb in gzip that lies",
        "a.npy.gz",
        gzip_bomb(1024, raw_npy(header(shape="(40000000, 3)")), honest=False),
    )
    cases.add("cut gzip", "a.npy.gz", gzip.compress(GOOD_NPY)[:-20])
    return cases


def linked(name, target=str(OUTSIDE_FILE)):
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info, target


def npz_cases():
    cases = Cases("npz")
    good = archive([("X.npy", GOOD_NPY), ("y.npy", npy(np.arange(8)))])
    cases.add_cuts("a.npz", good, [0.05, 0.5, 0.9, 0.99])
    big = raw_npy(header(shape="(40000000, 3)"))
    encrypted = bytearray(archive([("X.npy", GOOD_NPY)]))
    encrypted[6] |= 1
    encrypted[encrypted.rfind(b"PK\x01\x02") + 8] |= 1
    for what, body in {
        "text instead": b"1,2\n3,4\n",
        "only the magic": b"PK\x03\x04",
        "pickle instead": pickled(),
        "no member": archive([]),
        "one name twice": archive([("X.npy", GOOD_NPY), ("X.npy", npy(GOOD + 1))]),
        "no array": archive([("readme.txt", b"hello")]),
        "pickle as member": archive([("X.npy", pickled())]),
        "objects": archive([("X.npy", npy(object_array(), allow_pickle=True))]),
        "objects beside numbers": archive([("X.npy", GOOD_NPY), ("m.npy", npy(object_array(), allow_pickle=True))]),
        "records": archive([("X.npy", npy(np.zeros(5, dtype=[("a", "f8")])))]),
        "only texts": archive([("X.npy", npy(GOOD.astype("U4")))]),
        "name with ..": archive([("../X.npy", GOOD_NPY)]),
        "name with .. inside": archive([("a/../../X.npy", GOOD_NPY)]),
        "absolute name": archive([("/tmp/X.npy", GOOD_NPY)]),
        "name with a drive": archive([("C:X.npy", GOOD_NPY)]),
        "name with ..\\": archive([("a\\..\\..\\X.npy", GOOD_NPY)]),
        "symbolic link": archive([linked("X.npy")]),
        "encrypted": bytes(encrypted),
        "packed with LZMA": archive([("X.npy", GOOD_NPY)], zipfile.ZIP_LZMA),
        "packed with bzip2": archive([("X.npy", GOOD_NPY)], zipfile.ZIP_BZIP2),
        "bomb": zip_bomb("X.npy", 1024, big),
        "small bomb": zip_bomb("X.npy", 100, big),
        "directory of 2 GB": rewritten(good, good[-10:-6], (2**31).to_bytes(4, "little")),
        "directory elsewhere": rewritten(good, good[-6:-2], (2**31).to_bytes(4, "little")),
        "names differ": rewritten(good, b"X.npy", b"W.npy", 1),
        "damaged member": flipped(good, 60, 120),
        "member header lies": archive([("X.npy", raw_npy(header(shape="(9, 3)"), GOOD.tobytes()))]),
        "member cut": archive([("X.npy", GOOD_NPY[:150])]),
        "member empty": archive([("X.npy", b"")]),
        "0 rows": archive([("X.npy", npy(np.empty((0, 3))))]),
        "1 column": archive([("X.npy", npy(GOOD[:, :1]))]),
        "only NaN": archive([("X.npy", npy(np.full((3, 3), np.nan)))]),
        "Inf": archive([("X.npy", npy(np.full((3, 3), np.inf)))]),
    }.items():
        cases.add(what, "a.npz", body)
    cases.add("array that is not there", "a.npz", good, array="Z")
    cases.add("label that is not there", "a.npz", good, label="Z")
    cases.add("objects asked for", "a.npz", archive([("X.npy", npy(object_array(), allow_pickle=True))]), array="X")
    cases.add("labels of another length", "a.npz", good, label=[1, 2])
    return cases


def idx(shape, data=b"", kind=8, start=b"\0\0"):
    return start + bytes([kind, len(shape)]) + struct.pack(f">{len(shape)}I", *shape) + data


def idx_beside(images, labels, **options):
    def make(folder):
        (folder / "t-images-idx3-ubyte").write_bytes(images)
        (folder / "t-labels-idx1-ubyte").write_bytes(labels)
        return folder / "t-images-idx3-ubyte"

    return make


def idx_cases():
    cases = Cases("idx")
    pixels = bytes(range(40))
    good, name = idx((2, 5, 4), pixels), "t-images-idx3-ubyte"
    cases.add_cuts(name, good, [0.1, 0.2, 0.3, 0.9, 0.99])
    infinite = np.array([[1, 2], [np.inf, 4]], ">f4").tobytes()
    for what, body in {
        "wrong magic": idx((2, 5, 4), pixels, start=b"\1\0"),
        "unknown type": idx((2, 5, 4), pixels, kind=7),
        "no dimension": b"\0\0\x08\0" + pixels,
        "five dimensions": idx((2, 5, 2, 1, 2), pixels),
        "more rows than bytes": idx((3, 5, 4), pixels),
        "fewer rows than bytes": idx((1, 5, 4), pixels),
        "four thousand million rows": idx((2**32 - 1, 28, 28), pixels),
        "larger than all memory": idx((2**32 - 1, 2**32 - 1, 2**32 - 1), pixels),
        "0 rows": idx((0, 28, 28)),
        "0 columns": idx((5, 0, 4)),
        "1 column": idx((40, 1), pixels),
        "labels only": idx((40,), pixels),
        "only NaN": idx((2, 2), np.full(4, np.nan, ">f8").tobytes(), kind=14),
        "Inf": idx((2, 2), infinite, kind=13),
    }.items():
        cases.add(what, name, body)
    packed = gzip.compress(good)
    cases.add_cuts(name + ".gz", packed, [0.1, 0.5, 0.95], "gzip")
    cases.add("bomb in gzip", name + ".gz", gzip_bomb(1024, idx((1_300_000, 28, 28))))
    cases.add("bomb in gzip that lies", name + ".gz", gzip_bomb(1024, idx((1_300_000, 28, 28)), honest=False))
    cases.add("damaged gzip", name + ".gz", flipped(packed, 12, 40))
    cases.add("gzip of nothing", name + ".gz", gzip.compress(b""))
    cases.add("gzip in gzip", name + ".gz.gz", gzip.compress(packed))
    cases.add("labels of another length", name, idx_beside(good, idx((3,), b"\1\2\3")))
    cases.add("labels cut", name, idx_beside(good, idx((2,), b"\1")))
    cases.add("labels of two dimensions", name, idx_beside(good, good))
    cases.add("labels in another folder", name, idx_beside(good, idx((2,), b"\1\2")), label="a/b")
    cases.add("labels empty", name, idx_beside(good, b""))
    return cases
