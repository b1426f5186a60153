"""Bad Parquet, Feather and picture files."""

import io
import os
import struct
import zipfile
import zlib

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
from PIL import Image

from tests.hostile.bad import OUTSIDE, OUTSIDE_FILE, Cases, archive, flipped, pickled, zip_bomb
from tests.hostile.cases_arrays import linked

NUMBERS = {"a": np.arange(8.0), "b": np.arange(8.0) ** 2, "c": np.ones(8)}


def parquet(columns, **options):
    buffer = io.BytesIO()
    pa.parquet.write_table(columns if isinstance(columns, pa.Table) else pa.table(columns), buffer, **options)
    return buffer.getvalue()


def feather(columns, **options):
    buffer = io.BytesIO()
    table = columns if isinstance(columns, pa.Table) else pa.table(columns)
    pa.feather.write_feather(table, buffer, **options)
    return buffer.getvalue()


def lying_page(body):
    """The first page's header promises 2 GB; the footer still points at it."""
    sizes = body.index(b"\x15\x00\x15") + 3
    while body[sizes] & 0x80:
        sizes += 1
    packed = sizes + 2
    end = packed
    while body[end] & 0x80:
        end += 1
    return body[:packed] + b"\xa6\xff\xff\xff\x0f" + body[end + 1 :]


BAD_COLUMNS = {
    "0 rows": {"a": np.empty(0), "b": np.empty(0)},
    "0 columns": {},
    "1 column": {"a": np.arange(8.0)},
    "1 column and labels": {"a": np.arange(8.0), "label": list("xyxyxyxy")},
    "texts": {"a": ["x"] * 8, "b": ["y"] * 8},
    "uneven lists": {"a": np.arange(8.0), "b": [[1.0, 2.0]] * 7 + [[1.0]]},
    "lists of texts alone": {"a": [["x", "y"]] * 8, "b": [["z"]] * 8},
    "structs": {"a": np.arange(8.0), "b": [{"x": 1}] * 8},
    "bytes": {"a": np.arange(8.0), "b": [b"x"] * 8},
    "only empty cells": {"a": pa.array([None] * 8, pa.float64()), "b": pa.array([None] * 8, pa.float64())},
    "only NaN": {"a": np.full(8, np.nan), "b": np.full(8, np.nan)},
    "Inf": {"a": np.arange(8.0), "b": np.where(np.arange(8) == 3, np.inf, 1)},
    "huge integers": {"a": np.full(8, 2**62), "b": np.arange(8)},
}


def long_lists(length):
    return pa.FixedSizeListArray.from_arrays(pa.array(np.zeros(2 * length, np.float32)), length)


def one_label(rows):
    return {"a": np.zeros(rows), "b": np.zeros(rows), "label": pa.array(["x" * 100_000] * rows, pa.large_string())}


def many_labels():
    return {"a": np.zeros(3_000), "b": np.arange(3_000.0), "label": [str(at) * 20_000 for at in range(3_000)]}


def columnar_cases():
    cases = Cases("parquet")
    good = parquet(NUMBERS)
    cases.add_cuts("a.parquet", good, [0.01, 0.1, 0.5, 0.9, 0.99])
    for what, columns in BAD_COLUMNS.items():
        cases.add(what, "a.parquet", parquet(columns))
    twice = pa.Table.from_arrays([pa.array([1.0]), pa.array([2.0]), pa.array([3.0])], ["a", "b", "a"])
    bomb = pa.table({"a": pa.array(np.zeros(30_000_000, np.int8)), "b": pa.array(np.zeros(30_000_000, np.int8))})
    for what, body in {
        "text instead": b"1,2\n3,4\n",
        "pickle instead": pickled(),
        "magic only": b"PAR1PAR1",
        "footer longer than the file": good[:-8] + (2**20).to_bytes(4, "little") + b"PAR1",
        "footer of 2 GB": good[:-8] + (2**31).to_bytes(4, "little") + b"PAR1",
        "footer of nothing": good[:-8] + bytes(4) + b"PAR1",
        "footer damaged": flipped(good, len(good) - 300, len(good) - 8, 13),
        "encrypted": good[:-4] + b"PARE",
        "page of 2 GB": lying_page(parquet(NUMBERS, use_dictionary=False, compression="none")),
        "two equal names": parquet(twice),
        "bomb of 60 million zeros": parquet(bomb, compression="zstd"),
        "bomb of one list of 30 million zeros": parquet({"a": long_lists(30_000_000)}, compression="zstd"),
        "bomb of different labels of 20 kB each": parquet(many_labels(), compression="zstd"),
        "bomb of one label of 100 kB in every row": parquet(one_label(20_000), compression="zstd", use_dictionary=False),
    }.items():
        cases.add(what, "a.parquet", body)
    cases.add("label that is not there", "a.parquet", good, label="z")
    return cases


def feather_cases():
    cases = Cases("feather")
    good = feather(NUMBERS)
    cases.add_cuts("a.feather", good, [0.01, 0.1, 0.5, 0.9, 0.99])
    for what, columns in BAD_COLUMNS.items():
        cases.add(what, "a.feather", feather(columns))
    bomb = pa.table({"a": pa.array(np.zeros(20_000_000)), "b": pa.array(np.zeros(20_000_000))})
    for what, body in {
        "text instead": b"1,2\n3,4\n",
        "magic only": b"ARROW1\0\0ARROW1",
        "version 1": b"FEA1" + bytes(200) + b"FEA1",
        "footer damaged": flipped(good, len(good) - 200, len(good) - 10, 9),
        "bomb": feather(bomb, compression="zstd"),
        "bomb of one label of 100 kB in every row": feather(one_label(4_000), compression="zstd"),
        "bomb of one list of 30 million zeros": feather({"a": long_lists(30_000_000)}, compression="zstd"),
    }.items():
        cases.add(what, "a.feather", body)
    return cases


def picture(shape=(6, 5), kind="PNG", value=7):
    buffer = io.BytesIO()
    Image.fromarray(np.full(shape, value, np.uint8)).save(buffer, kind)
    return buffer.getvalue()


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def raw_png(width, height, data):
    """A PNG that may declare any size."""
    start = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return start + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")


def without_name(body):
    """The archive with its member's four-letter name turned into an empty name and a blank extra field."""
    at = body.index(b"PK\x01\x02")
    lengths = struct.pack("<HH", 0, 4)
    return body[: at + 28] + lengths + body[at + 32 : at + 46] + b"\x99\x99\0\0" + body[at + 50 :]


def folder_with(**entries):
    def make(folder):
        (folder / "pictures").mkdir()
        for name, build in entries.items():
            build(folder / "pictures" / f"{name}.png")
        return folder / "pictures"

    return make


def write(data):
    return lambda path: path.write_bytes(data)


def picture_cases():
    cases = Cases("pictures")
    png, jpeg = picture(), picture((40, 40), "JPEG")
    good = archive([("a/1.png", png), ("b/2.png", png)])
    cases.add_cuts("a.zip", good, [0.1, 0.5, 0.9, 0.99])
    text_chunk = chunk(b"zTXt", b"k\0\0" + zlib.compress(b"\0" * 80_000_000))
    encrypted = bytearray(good)
    for mark in (b"PK\x03\x04", b"PK\x01\x02"):
        encrypted[encrypted.find(mark) + (6 if mark[2] == 3 else 8)] |= 1
    for what, body in {
        "no member": archive([]),
        "no picture": archive([("a.txt", b"hello")]),
        "text as picture": archive([("a.png", b"hello")]),
        "nothing as picture": archive([("a.png", b"")]),
        "pickle as picture": archive([("a.png", pickled())]),
        "GIF as PNG": archive([("a.png", picture(kind="GIF"))]),
        "picture cut": archive([("a.png", png[:50])]),
        "JPEG cut": archive([("a.jpg", jpeg[: len(jpeg) // 2])]),
        "picture damaged": archive([("a.png", flipped(png, 30, 60))]),
        "second picture damaged": archive([("a.png", png), ("b.png", flipped(png, 30, 60))]),
        "one name twice": archive([("a.png", png), ("a.png", picture(value=9)), ("b.png", png)]),
        "two sizes": archive([("a.png", png), ("b.png", picture((5, 6)))]),
        "grey and colour": archive([("a.png", png), ("b.png", picture((6, 5, 3)))]),
        "60,000 x 60,000 pixels": archive([("a.png", raw_png(60_000, 60_000, bytes(100)))]),
        "0 x 0 pixels": archive([("a.png", raw_png(0, 0, b""))]),
        "2^31 pixels wide": archive([("a.png", raw_png(2**31 - 1, 1, bytes(100)))]),
        "fewer pixels than declared": archive([("a.png", raw_png(50, 50, bytes(100)))]),
        "80 MB of text in a chunk": archive([("a.png", png[:33] + text_chunk + png[33:])]),
        "one pixel": archive([("a.png", picture((1, 1))), ("b.png", picture((1, 1)))]),
        "name with ..": archive([("../a.png", png)]),
        "absolute name": archive([(f"{OUTSIDE}/a.png", png)]),
        "empty name": without_name(archive([("abcd", png)])),
        "name with a drive": archive([("C:\\a.png", png)]),
        "name with ..\\": archive([("..\\a.png", png)]),
        "symbolic link": archive([linked("a.png"), ("b.png", png)]),
        "link to a folder": archive([linked("a", str(OUTSIDE)), ("a/b.png", png)]),
        "encrypted": bytes(encrypted),
        "packed with LZMA": archive([("a.png", png)], zipfile.ZIP_LZMA),
        "bomb": zip_bomb("a.png", 1024),
        "bomb beside a picture": zip_bomb("readme.txt", 1024),
        "wrong checksum": flipped(good, 45, 80),
    }.items():
        cases.add(what, "a.zip", body)
    cases.add("folder without files", "pictures", folder_with())
    cases.add("folder with a text", "pictures", folder_with(a=write(b"hello")))
    cases.add(
        "folder with a link",
        "pictures",
        folder_with(a=write(png), b=lambda path: path.symlink_to(OUTSIDE_FILE)),
    )
    cases.add(
        "folder with a link to a folder",
        "pictures",
        folder_with(a=write(png), b=lambda path: path.symlink_to(OUTSIDE)),
    )
    cases.add("folder with a pipe", "pictures", folder_with(a=write(png), b=os.mkfifo))
    cases.add("folder with an empty picture", "pictures", folder_with(a=write(png), b=write(b"")))
    return cases
