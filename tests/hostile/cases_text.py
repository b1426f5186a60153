"""Bad text tables, bad libsvm files, and things that are no data at all."""

import gzip
import os

import numpy as np

from tests.hostile.bad import CANARY, Cases, gzip_bomb, pickled

GOOD = "a,b,c\n" + "1,2.5,3\n" * 6


def csv_cases():
    cases = Cases("csv")
    many = "a,b,c\n" + "1,2,3\n" * 40_000
    for what, text in {
        "blank lines": "\n\n  \n\n",
        "comments only": "# one\n# two\n",
        "header only": "a,b,c\n",
        "commas only": ",,,\n,,,\n,,,\n",
        "1 column": "a\n1\n2\n3\n",
        "1 column of text": "name\nann\nbob\n",
        "1 column and labels": "a,label\n1,x\n2,y\n3,x\n",
        "short line": GOOD + "1,2\n",
        "long line": GOOD + "1,2,3,4\n",
        "short line far below": many + "1,2\n",
        "longer header": "a,b,c,d\n" + "1,2,3\n" * 6,
        "shorter header": "a,b\n" + "1,2,3\n" * 6,
        "text among numbers": GOOD + "1,apple,3\n",
        "text among numbers far below": many + "1,apple,3\n",
        "huge integers": "a,b\n1,2\n123456789012345678901,4\n",
        "huge integers far below": many + "1,123456789012345678901,4\n",
        "integer of 400 digits": "a,b\n1,2\n" + "9" * 400 + ",4\n",
        "identifiers": "id,b\n9007199254740995,2\n9007199254740997,4\n",
        "huge floats": "a,b\n1.5,2\n1e300,4\n",
        "inf": "a,b\n1,2\ninf,4\n",
        "-Infinity": "a,b\n1,2\n3,-Infinity\n",
        "overflowing float": "a,b\n1,2\n1e400,4\n",
        "a list that never ends": "a,v\n" + f'1,"[{"1" * 40_000}x"\n' * 4 + f'1,"[{"1 " * 20_000}x"\n' * 4,
        "lists of one length and one of another": 'a,v\n1,"[1, 2]"\n' * 1 + '1,"[1, 2]"\n' * 9 + '1,"[1, 2, 3]"\n',
        "only nan": "a,b\nnan,nan\nnan,nan\n",
        "only empty cells": "a,b,c\n,,\n,,\n",
        "open quotation mark": 'a,b\n1,2\n"3,4\n5,6\n',
        "quotation over lines": 'a,b\n1,2\n"3\n4",5\n6,7\n',
        "digits of another script": "a,b\n١,٢\n٣,٤\n",
        "numbers with percent": "a,b\n1%,2\n3%,4\n4%,4\n5%,7%\n",
        "several units": "a,b\n1cm,2\n3km,4\n",
        "comma as separator and decimal": "a,b\n1,5,2,5\n3,5,4,5\n",
        "hexadecimal": "a,b\n0xff,1\n0x10,2\n",
        "web page": "<html><body>\n<table><tr><td>1</td></tr></table>\n</body></html>\n",
        "JSON": '{"a": [1, 2], "b": [3, 4]}\n',
        "program": "import os\nos.system('true')\nprint(1, 2)\n",
        "XML": "<?xml version='1.0'?>\n<a><b>1</b></a>\n",
        "prose": "To be, or not to be, that is the question:\nWhether 'tis nobler, in the mind\n",
        "formulas": "a,b\n=1+1,2\n=2+2,3\n",
        "control characters": "a,b\n1,\x01\x02\n3,\x03\n",
        "25,000 columns": ",".join(["1"] * 25_000) + "\n" + ",".join(["2"] * 25_000) + "\n",
        "a cell of 300 kB": "a,b\n1," + "7" * 300_000 + "\n",
        "a cell of 300 kB of text": "a,b\n1,2\n3," + "x" * 300_000 + "\n",
    }.items():
        cases.add(what, "a.csv", text.encode())
    for what, body in {
        "nothing": b"",
        "an encoding that nobody knows": b"a,b\n\x81\x8d\x8f\x90\x9d,1\n\x81\x81\xfe\xff\xff,2\n",
        "Latin-1 far below": many.encode() + b"1,\xe9\xe8,3\n",
        "zero bytes": b"a,b\n1,2\n3,\0\n",
        "zero bytes far below": many.encode() + b"1,\0\0,3\n",
        "zeros": b"\0" * 10_000,
        "noise": np.random.default_rng(0).bytes(20_000),
        "noise without zeros": np.random.default_rng(1).bytes(20_000).replace(b"\0", b"\1"),
        "program file": b"\x7fELF\x02\x01\x01" + bytes(100),
        "20 MB without a line end": b"1" * 20_000_000,
        "20 MB of commas": b"," * 20_000_000,
    }.items():
        cases.add(what, "a.csv", body)
    cases.add("label column that is not there", "a.csv", GOOD.encode(), label="species")
    cases.add("label position that is not there", "a.csv", GOOD.encode(), label=9)
    cases.add("wrong separator asked for", "a.csv", GOOD.encode(), separator=";")
    cases.add("labels with fractions", "a.csv", GOOD.encode(), label=[0.5] * 6)
    packed = gzip.compress(GOOD.encode() * 50)
    cases.add_cuts("a.csv.gz", packed, [0.3, 0.7, 0.95], "gzip")
    cases.add("bomb in gzip", "a.csv.gz", gzip_bomb(1024, GOOD.encode()))
    cases.add("bomb in gzip that lies", "a.csv.gz", gzip_bomb(1024, GOOD.encode(), honest=False))
    cases.add("wrong checksum in gzip", "a.csv.gz", packed[:-8] + b"\0" * 8)
    return cases


def libsvm_cases():
    cases = Cases("libsvm")
    good = b"1 1:0.5 2:1\n0 1:1 3:2\n"
    for what, body in {
        "pair without value": good + b"1 2:\n",
        "pair without index": good + b"1 :2\n",
        "no pairs": b"1\n0\n1\n",
        "no pairs after a good line": good + b"1 2 3\n",
        "text as value": good + b"1 2:apple\n",
        "text as label": good + b"apple 2:1\n",
        "two labels": good + b"1,2 2:1\n",
        "query ids": good + b"1 qid:3 2:1\n",
        "negative index": good + b"1 -2:1\n",
        "index with a fraction": good + b"1 1.5:1\n",
        "index of two thousand million": good + b"1 2000000000:1\n",
        "index of a million": b"".join(b"1 1000000:%d\n" % at for at in range(2_000)),
        "index beyond 64 bits": good + b"1 99999999999999999999:1\n",
        "Inf": good + b"1 2:inf\n",
        "only nan": b"1 1:nan 2:nan\n0 1:nan 2:nan\n",
        "huge floats": good + b"1 2:1e300\n",
        "1 column": b"1 1:2\n0 1:3\n",
        "blank": b"\n\n\n",
        "comments": b"# nothing\n",
        "zero bytes": good + b"1 2:\0\0\n",
        "number of 100,000 digits": good + b"1 2:" + b"1" * 100_000 + b"\n",
        "20 MB without a line end": b"1 " + b"1:1 " * 5_000_000,
    }.items():
        cases.add(what, "a.libsvm", body)
    cases.add("n_features too small", "a.libsvm", good, n_features=2)
    cases.add("cut gzip", "a.libsvm.gz", gzip.compress(good * 100)[:-10])
    return cases


def pipe(folder):
    os.mkfifo(folder / "pipe.csv")
    return folder / "pipe.csv"


def stranger_cases():
    cases = Cases("stranger")
    for what, name, body in (
        ("pickle", "a.pkl", pickled()),
        ("old pickle", "a.pickle", b"cos\nsystem\n(S'touch " + CANARY.encode() + b"'\ntR."),
        ("pickle named csv", "a.csv", pickled()),
        ("pickle without a name", None, pickled()),
        ("PDF", "a.pdf", b"%PDF-1.7\n" + bytes(range(256))),
        ("workbook", "a.xlsx", b"PK\x03\x04" + bytes(26) + b"[Content_Types].xml" + bytes(100)),
        ("old workbook", "a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)),
        ("SQLite", "a.db", b"SQLite format 3\0" + bytes(600)),
        ("7z", "a.7z", b"7z\xbc\xaf\x27\x1c" + bytes(100)),
        ("bzip2", "a.csv.bz2", b"BZh91AY&SY" + bytes(100)),
        ("xz", "a.csv.xz", b"\xfd7zXZ\0" + bytes(100)),
        ("single picture", "a.png", b"\x89PNG\r\n\x1a\n" + bytes(100)),
        ("tar", "a.tar", b"file.csv".ljust(257, b"\0") + b"ustar\0" + bytes(500)),
        ("nothing at all", "a", b""),
        ("one byte", "a", b"\0"),
    ):
        cases.add(what, name, body)
    cases.add("file that is not there", "a.csv", lambda folder: folder / "missing.csv")
    cases.add("path with a zero byte", "a.csv", lambda folder: str(folder / "a\0.csv"))
    cases.add("path too long", "a.csv", lambda folder: str(folder / ("a" * 5_000)))
    cases.add("device without end", "zero", lambda folder: "/dev/zero")
    cases.add("pipe", "pipe.csv", pipe)
    cases.add("text in place of a path", "a.csv", lambda folder: "a,b\n1,2\n3,4\n")
    cases.add("number in place of a file", "a.csv", lambda folder: 42)
    return cases
