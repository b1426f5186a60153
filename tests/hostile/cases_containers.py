"""Bad MATLAB and HDF5 files."""

import io
import struct
import zlib

import h5py
import numpy as np
import scipy.io
import scipy.sparse

from tests.hostile.bad import GOOD, OUTSIDE_FILE, Cases, deflated_zeros, flipped, pickled, rewritten

HEADER = b"MATLAB 5.0 MAT-file, made by a test".ljust(124) + b"\x00\x01IM"


def mat(parts, **options):
    buffer = io.BytesIO()
    scipy.io.savemat(buffer, parts, **options)
    return buffer.getvalue()


def element(kind, data):
    return struct.pack("<II", kind, len(data)) + data + b"\0" * (-len(data) % 8)


def matrix(data=None, shape=(8, 3), name=b"X", kind=6, flags=0, size=None):
    """One variable, header by header, free to lie."""
    body = element(6, struct.pack("<II", kind | flags << 8, 0)) + element(5, struct.pack(f"<{len(shape)}i", *shape))
    body += element(1, name) + element(9, GOOD.T.tobytes() if data is None else data)
    return struct.pack("<II", 14, len(body) if size is None else size) + body


def packed(body):
    data = zlib.compress(body)
    return struct.pack("<II", 15, len(data)) + data


def packed_bomb(megabytes):
    """A compressed variable whose numbers are zeros, honest about its size."""
    cells = megabytes << 17
    start = element(6, struct.pack("<II", 6, 0)) + element(5, struct.pack("<ii", cells // 4, 4)) + element(1, b"X")
    start += struct.pack("<II", 9, cells * 8)
    start = struct.pack("<II", 14, len(start) + cells * 8) + start
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = b"\x78\x9c" + packer.compress(start) + packer.flush(zlib.Z_FULL_FLUSH) + deflated_zeros(megabytes)
    return struct.pack("<II", 15, len(data)) + data


def matlab_cases():
    cases = Cases("matlab")
    good, plain = mat({"X": GOOD, "y": np.arange(8)}, do_compression=True), mat({"X": GOOD})
    cases.add_cuts("a.mat", good, [0.1, 0.3, 0.5, 0.62, 0.8, 0.95])
    cases.add_cuts("a.mat", plain, [0.37, 0.5, 0.9], "plain file")
    sparse = scipy.sparse.csc_matrix(([1.0, 2.0], ([0, 1], [0, 1])), shape=(2_000_000, 60_000))
    deep = GOOD
    for _ in range(12):
        deep = {"in": deep}
    bad_rows = mat({"X": scipy.sparse.csc_matrix(GOOD)})
    for what, body in {
        "text instead": b"1,2\n3,4\n",
        "pickle instead": pickled(),
        "version 4": struct.pack("<iiiii", 0, 8, 3, 0, 2) + b"X\0" + GOOD.T.tobytes(),
        "wrong version": HEADER[:124] + b"\x00\x07IM" + matrix(),
        "wrong order mark": HEADER[:126] + b"XX" + matrix(),
        "header only": HEADER,
        "noise after the header": HEADER + np.random.default_rng(0).bytes(400),
        "zeros after the header": HEADER + bytes(400),
        "unknown element": HEADER + element(77, bytes(64)),
        "element longer than the file": HEADER + matrix(size=2**31),
        "element shorter than its parts": HEADER + matrix(size=40),
        "dimensions too large": HEADER + matrix(shape=(8_000, 3)),
        "dimensions beyond all memory": HEADER + matrix(shape=(2**31 - 1, 2**31 - 1, 2**31 - 1)),
        "dimensions negative": HEADER + matrix(shape=(-8, 3)),
        "twenty dimensions": HEADER + matrix(shape=(1,) * 18 + (8, 3)),
        "a hundred dimensions": HEADER + matrix(shape=(1,) * 100),
        "five dimensions": mat({"X": np.ones((2, 2, 2, 2, 2))}),
        "too few numbers": HEADER + matrix(data=GOOD.tobytes()[:64]),
        "data of a strange type": rewritten(HEADER + matrix(), struct.pack("<II", 9, 192), struct.pack("<II", 99, 192)),
        "data longer than its variable": rewritten(HEADER + matrix(), struct.pack("<II", 9, 192), struct.pack("<II", 9, 2**30)),
        "object": HEADER + matrix(kind=3),
        "object beside numbers": HEADER + matrix() + matrix(kind=3, name=b"Z"),
        "function": HEADER + matrix(kind=16),
        "opaque": HEADER + matrix(kind=17),
        "unknown class": HEADER + matrix(kind=60),
        "cells only": mat({"X": np.array([[1, "a"]], dtype=object)}),
        "struct of words": mat({"X": {"a": "hello", "b": {"c": "world"}}}),
        "list of structs": mat({"X": np.zeros(3, [("a", float), ("b", float)])}),
        "structs twelve deep": mat({"X": deep}),
        "struct of an infinite table": mat({"X": {"a": np.full((4, 3), np.inf)}}),
        "text only": mat({"X": "hello"}),
        "complex only": mat({"X": GOOD * 1j}),
        "compressed noise": HEADER + struct.pack("<II", 15, 64) + np.random.default_rng(0).bytes(64),
        "compressed nothing": HEADER + struct.pack("<II", 15, 0),
        "compressed twice": HEADER + packed(packed(matrix())),
        "damaged compression": flipped(good, 190, 250),
        "bomb": HEADER + packed_bomb(1024),
        "small bomb": HEADER + packed_bomb(100),
        "sparse and huge": mat({"X": sparse}),
        "sparse with wrong rows": rewritten(bad_rows, struct.pack("<ii", 1, 2), struct.pack("<ii", 1, 2**30)),
        "empty": mat({"X": np.empty((0, 0))}),
        "0 rows": mat({"X": np.empty((0, 3))}),
        "1 column": mat({"X": GOOD[:, :1]}),
        "only NaN": mat({"X": np.full((4, 3), np.nan)}),
        "Inf": mat({"X": np.where(GOOD == 5, np.inf, GOOD)}),
        "huge integers": mat({"X": np.full((4, 3), 2**62)}),
    }.items():
        cases.add(what, "a.mat", body)
    cases.add("variable that is not there", "a.mat", good, array="Z")
    cases.add("text asked for", "a.mat", mat({"X": GOOD, "t": "hello"}), array="t")
    return cases


def hdf5(build, **options):
    buffer = io.BytesIO()
    with h5py.File(buffer, "w", **options) as file:
        build(file)
    return buffer.getvalue()


def matlab73(build):
    return b"MATLAB 7.3 MAT-file".ljust(512) + hdf5(build, userblock_size=512)[512:]


def dataset(values, **options):
    return hdf5(lambda file: file.create_dataset("X", data=values, **options))


def external_storage(file):
    file.create_dataset("X", (8, 3), "f8", external=[(str(OUTSIDE_FILE), 0, 192)])


def virtual(file):
    layout = h5py.VirtualLayout((8, 3), "f8")
    layout[:] = h5py.VirtualSource(OUTSIDE_FILE, "X", (8, 3))
    file.create_virtual_dataset("X", layout)


def linked(link):
    def build(file):
        file["good"] = GOOD
        file["X"] = link

    return build


def circle(file):
    group = file.create_group("a/b/c")
    group["back"] = file["a"]


def sparse(rows, ir, jc):
    def build(file):
        group = file.create_group("X")
        group.attrs["MATLAB_sparse"] = rows
        group["data"], group["ir"], group["jc"] = np.ones(len(ir)), np.array(ir), np.array(jc)

    return build


def unknown_filter():
    body = dataset(GOOD, chunks=(4, 3), compression="lzf")
    start, end = body.index(b"lzf") - 8, body.index(b"lzf")
    return body[:start] + rewritten(body[start:end], struct.pack("<H", 32000), struct.pack("<H", 31999)) + body[end:]


def hdf5_cases():
    cases = Cases("hdf5")
    good, chunked = (
        dataset(GOOD),
        dataset(np.random.default_rng(0).random((500, 4)), chunks=(50, 4), compression="gzip"),
    )
    cases.add_cuts("a.h5", good, [0.01, 0.05, 0.3, 0.6, 0.95])
    cases.add_cuts("a.h5", chunked, [0.2, 0.5, 0.9], "file of chunks")
    texts = np.array(["one", "two"], dtype=object)
    for what, body in {
        "text instead": b"1,2\n3,4\n",
        "pickle instead": pickled(),
        "signature only": b"\x89HDF\r\n\x1a\n",
        "signature and noise": b"\x89HDF\r\n\x1a\n" + np.random.default_rng(0).bytes(3_000),
        "superblock damaged": flipped(good, 8, 90, 3),
        "object headers damaged": flipped(good, 96, 900, 11),
        "chunks damaged": flipped(chunked, len(chunked) // 2, len(chunked), 5),
        "no dataset": hdf5(lambda file: file.create_group("a")),
        "groups in a circle": hdf5(circle),
        "external link": hdf5(linked(h5py.ExternalLink(OUTSIDE_FILE, "/X"))),
        "external link beside numbers": hdf5(linked(h5py.ExternalLink("other.h5", "/X"))),
        "soft link to nowhere": hdf5(lambda file: file.update({"X": h5py.SoftLink("/nowhere")})),
        "soft link to itself": hdf5(lambda file: file.update({"X": h5py.SoftLink("/X")})),
        "external storage": hdf5(external_storage),
        "virtual": hdf5(virtual),
        "texts only": dataset(texts),
        "records only": dataset(np.zeros(5, dtype=[("a", "f8"), ("b", "i4")])),
        "complex only": dataset(GOOD * 1j),
        "references only": hdf5(lambda file: file.create_dataset("X", (4, 3), h5py.ref_dtype)),
        "one number": dataset(3.0),
        "no numbers": hdf5(lambda file: file.create_dataset("X", data=h5py.Empty("f8"))),
        "larger than all memory": hdf5(lambda file: file.create_dataset("X", (10**9, 10**6), "f8", chunks=(100, 100))),
        "4 GB never written": hdf5(lambda file: file.create_dataset("X", (10**8, 5), "f8", chunks=(1000, 5))),
        "bomb": dataset(np.zeros((3_000, 4_000)), chunks=(3_000, 4_000), compression="gzip", compression_opts=9),
        "one enormous chunk": hdf5(
            lambda file: file.create_dataset("X", (6_000, 8_000), "f8", chunks=(6_000, 8_000), compression="gzip")
        ),
        "unknown filter": unknown_filter(),
        "five dimensions": dataset(np.ones((2, 2, 2, 2, 2))),
        "one dimension": dataset(GOOD.ravel()),
        "0 rows": dataset(np.empty((0, 3))),
        "1 column": dataset(GOOD[:, :1]),
        "only NaN": dataset(np.full((4, 3), np.nan)),
        "Inf": dataset(np.where(GOOD == 5, np.inf, GOOD)),
        "huge integers": dataset(np.full((4, 3), 2**62)),
    }.items():
        cases.add(what, "a.h5", body)
    cases.add("array that is not there", "a.h5", good, array="Z")
    for what, body in {
        "header without HDF5": b"MATLAB 7.3 MAT-file".ljust(600),
        "HDF5 part cut": matlab73(lambda file: file.update({"X": GOOD}))[:700],
        "sparse rows outside": matlab73(sparse(3, [7], [0, 1])),
        "sparse rows negative": matlab73(sparse(3, [-5], [0, 1, 1])),
        "sparse columns wrong": matlab73(sparse(3, [0, 1], [0, 9, 2])),
        "sparse and huge": matlab73(sparse(10**9, [0, 1], [0, 1, 2])),
        "sparse negative size": matlab73(sparse(-5, [0, 1], [0, 1, 2])),
        "references only": matlab73(lambda file: file.create_dataset("X", (4, 3), h5py.ref_dtype)),
        "external link": matlab73(linked(h5py.ExternalLink(OUTSIDE_FILE, "/X"))),
    }.items():
        cases.add("v7.3 " + what, "a.mat", body)
    return cases
