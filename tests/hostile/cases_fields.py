"""Bad files of the formats that fields bring: workbooks, scenes, sparse matrices, AnnData, series, JSON."""

import io
import zipfile

import h5py
import numpy as np
import openpyxl
import tifffile

from tests.hostile.bad import OUTSIDE_FILE, Cases, zip_bomb


def workbook():
    whole = openpyxl.Workbook()
    for row in [["x", "y"], *([float(at), float(at * at)] for at in range(8))]:
        whole.active.append(row)
    out = io.BytesIO()
    whole.save(out)
    return out.getvalue()


def workbook_cases():
    cases = Cases("workbook")
    good = workbook()
    cases.add_cuts("a.xlsx", good, [0.01, 0.1, 0.5, 0.9, 0.99])
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(good)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.infolist():
            sheet = member.filename.endswith("sheet1.xml")
            new.writestr(member.filename, old.read(member) + (b" " * (120 << 20) if sheet else b""))
    cases.add("a sheet of 120 MB of blanks", "a.xlsx", out.getvalue())
    cases.add("zip bomb", "a.xlsx", zip_bomb("xl/workbook.xml", 600))
    cases.add("compound file of nothing", "a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    cases.add("no such sheet", "a.xlsx", good, sheet="Else")
    return cases


def scene_cases():
    cases = Cases("scene")
    stored = io.BytesIO()
    tifffile.imwrite(stored, np.arange(240, dtype=np.uint16).reshape(5, 6, 8), photometric="minisblack", planarconfig="contig")
    cases.add_cuts("a.tif", stored.getvalue(), [0.02, 0.1, 0.4, 0.9])
    cases.add("TIFF of garbage", "a.tif", b"II*\0\x08\0\0\0" + b"\xff" * 300)
    cases.add("ENVI header alone", "a.hdr", b"ENVI\nlines = 2\nsamples = 2\nbands = 2\ndata type = 1\n")

    def lying(**fields):
        def make(folder):
            said = {"lines": 3, "samples": 4, "bands": 5, "data type": 1, "interleave": "bsq"} | fields
            text = "ENVI\n" + "".join(f"{name.replace('_', ' ')} = {value}\n" for name, value in said.items())
            (folder / "a.hdr").write_text(text)
            (folder / "a.img").write_bytes(bytes(60))
            return folder / "a.hdr"

        return make

    for what, fields in {
        "more bands than data": {"bands": 6},
        "a thousand billion pixels": {"lines": 10**12},
        "lines of minus one": {"lines": -1},
        "type complex": {"data_type": 6},
        "interleave of nothing": {"interleave": "none"},
        "offset beyond": {"header_offset": 61},
    }.items():
        cases.add(f"ENVI with {what}", "a.hdr", lying(**fields))
    return cases


def sparse_cases():
    cases = Cases("sparse")
    parts = {"format": b"csr", "shape": (3, 4), "data": np.ones(3), "indices": np.arange(3), "indptr": np.arange(4)}
    for what, bad in {
        "columns beyond": {"indices": np.array([0, 1, 99])},
        "columns below 0": {"indices": np.array([0, 1, -1])},
        "starts that fall": {"indptr": np.array([0, 2, 1, 3])},
        "a shape beyond memory": {"shape": (2**40, 2**40)},
        "starts beyond the values": {"indptr": np.array([0, 1, 2, 10**9])},
        "an unknown kind": {"format": b"zip"},
    }.items():
        out = io.BytesIO()
        np.savez(out, **(parts | bad))
        cases.add(what, "a.npz", out.getvalue())
    head = b"%%MatrixMarket matrix coordinate real general\n"
    for what, body in {
        "promises of a billion rows": b"1000000000 1000000000 1\n1 1 1\n",
        "more values than bytes": b"5 5 99999999\n1 1 1\n",
        "an index beyond": b"5 5 1\n9 9 1\n",
        "no size": b"",
        "text for numbers": b"5 5 1\na b c\n",
        "fewer values than promised": b"5 5 3\n1 1 1\n",
    }.items():
        cases.add(f"Matrix Market with {what}", "a.mtx", head + body)
    return cases


def cells_cases():
    cases = Cases("cells")

    def stored(change):
        def make(folder):
            with h5py.File(folder / "a.h5ad", "w") as file:
                file["X"] = np.ones((4, 3), np.float32)
                change(file)
            return folder / "a.h5ad"

        return make

    def outside(file):
        del file["X"]
        file["X"] = h5py.ExternalLink(OUTSIDE_FILE, "X")

    def of_10x(shape, indices):
        def make(folder):
            with h5py.File(folder / "a.h5", "w") as file:
                group = file.create_group("matrix")
                group["data"], group["indices"], group["indptr"] = np.ones(2), np.array(indices), np.array([0, 1, 2])
                group["shape"], group["barcodes"] = np.array(shape), np.array(["a", "b"], "S")
            return folder / "a.h5"

        return make

    cases.add("10x with genes that are not there", "a.h5", of_10x((3, 2), (0, 99)))
    cases.add("10x of a thousand billion genes", "a.h5", of_10x((10**12, 2), (0, 1)))
    cases.add("10x of minus three genes", "a.h5", of_10x((-3, 2), (0, 1)))
    cases.add("10x with a shape of words", "a.h5", of_10x(np.array(["x", "y"], "S"), (0, 1)))

    def sparse(file):
        del file["X"]
        group = file.create_group("X")
        group.attrs.update({"encoding-type": "csr_matrix", "shape": (4, 3)})
        group["data"], group["indices"], group["indptr"] = np.ones(2), np.array([0, 9]), np.array([0, 2, 2, 2, 2])

    def none(file):
        del file["X"]

    def longer(file):
        group = file.create_group("obs")
        group.attrs.update({"_index": "_index", "column-order": ["a"]})
        group["_index"], group["a"] = np.arange(4), np.arange(9)

    def unnamed(file):
        group = file.create_group("obs")
        group.attrs.update({"_index": "_index", "column-order": ["kind"]})
        group["_index"], kind = np.arange(4), group.create_group("kind")
        kind["categories"], kind["codes"] = ["u", "v"], np.array([0, 1, 7, 0], "i1")

    for what, change in {
        "a category without a name": unnamed,
        "a link outside": outside,
        "columns beyond": sparse,
        "no matrix": none,
        "a column too long": longer,
    }.items():
        cases.add(what, "a.h5ad", stored(change))
    return cases


def line_cases():
    cases = Cases("lines")
    cases.add("JSON in depth", "a.json", b"[" * 200_000)
    cases.add("JSON broken", "a.jsonl", b'{"x": 1}\n{"x": ')
    cases.add("JSON of numbers", "a.json", b"[1, 2]")
    cases.add("ARFF without data", "a.arff", b"@relation a\n@attribute x numeric\n")
    cases.add("ARFF of a 20 MB line", "a.arff", b"@relation a\n@attribute x numeric\n@data\n" + b"1," * (10 << 20))
    cases.add(
        "ARFF of a million attributes", "a.arff", b"".join(b"@attribute a%d real\n" % at for at in range(10**6)) + b"@data\n"
    )
    huge = b"id,frame,x,y\n" + b"".join(b"%d,%d,1.5,2.5\n" % (at, at * 7919) for at in [*range(40_000), *range(9)])
    cases.add("tracks that would fill a table of 1.6 billion places", "a.csv", huge)
    cases.add("a window of a billion rows", "a.csv", b"time,x,y\n1,2,3\n2,3,4\n", window=10**9)
    cases.add("ragged series", "a.ts", b"@classLabel false\n@data\n1,2,3\n1,2\n")
    cases.add("series of a 20 MB line without end", "a.ts", b"@data\n" + b"1," * (10 << 20))
    return cases
