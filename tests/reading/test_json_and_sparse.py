"""JSON Lines by pandas, sparse matrices by scipy: read back as the frames and matrices they were written from."""

import gzip
import io
import json

import numpy as np
import pandas as pd
import pytest
import scipy.io
import scipy.sparse

from leasc_core import LeaSC, load_data, open_source
from leasc_core.errors import DataError

RNG = np.random.default_rng(0)
COUNTS = RNG.poisson(0.2, (40, 25)).astype(np.float32)


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("LEASC_CACHE", str(tmp_path_factory.mktemp("cache")))


def lines(*values):
    return "\n".join(json.dumps(value) for value in values).encode()


def test_json_lines_and_a_list_of_objects():
    frame = pd.DataFrame({"x": RNG.normal(size=20), "y": RNG.normal(size=20), "kind": ["a", "b"] * 10})
    for text, name in ((frame.to_json(orient="records", lines=True), "a.jsonl"), (frame.to_json(orient="records"), "a.json")):
        for stored in (text.encode(), gzip.compress(text.encode())):
            data = load_data(stored, name=name)
            assert (
                np.allclose(data.X, frame[["x", "y"]]) and [data.label_names[code] for code in data.y] == frame["kind"].tolist()
            )


def test_embeddings_with_their_texts():
    rows = [
        {"text": f"sentence number {at} of many", "embedding": RNG.normal(size=5).tolist(), "of": {"a": 1}} for at in range(30)
    ]
    data = load_data(lines(*rows), name="a.jsonl")
    assert data.X.shape == (30, 5) and np.allclose(data.X[3], rows[3]["embedding"])
    assert data.metadata.column("text")[3] == "sentence number 3 of many"
    assert any("objects inside objects left out: 'of'" in note for note in data.notes)


@pytest.mark.parametrize(
    "stored, why",
    [
        (b'{"x": 1, "y": 2}\n{"x": oops}', "not JSON"),
        (b'{"x": 1, "y": 2}\n{"x": "a", "y": 3}', "not JSON"),
        (b"[1, 2, 3]", "no list of objects"),
        (b"[]", "0 rows"),
        (b"[" * 100_000, "nests|not JSON"),
        (lines(*({"e": [1.0] * (3 + at % 2)} for at in range(9))), "."),
    ],
)
def test_what_is_no_table_of_json(stored, why):
    with pytest.raises(DataError, match=why):
        load_data(stored, name="a.json")


@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
def test_sparse_npz(tmp_path, kind):
    scipy.sparse.save_npz(tmp_path / "a.npz", scipy.sparse.csr_matrix(COUNTS).asformat(kind))
    data = load_data(tmp_path / "a.npz")
    assert np.array_equal(data.X, COUNTS) and data.layout.kind == "counts"
    assert np.array_equal(open_source(tmp_path / "a.npz").rows(5, 9), COUNTS[5:9])


def test_sparse_npz_that_is_damaged_or_of_another_kind(tmp_path):
    scipy.sparse.save_npz(tmp_path / "a.npz", scipy.sparse.dia_matrix(np.eye(5)))
    with pytest.raises(DataError, match="kind 'dia'; save it as CSR"):
        load_data(tmp_path / "a.npz")
    good = scipy.sparse.csr_matrix(COUNTS)
    parts = {"data": good.data, "indices": good.indices, "indptr": good.indptr, "format": b"csr", "shape": good.shape}
    for bad in (
        {"indices": good.indices + 1000},
        {"indptr": good.indptr[::-1]},
        {"data": good.data[:-1]},
        {"shape": (10**9, 10**9)},
    ):
        np.savez(tmp_path / "a.npz", **(parts | bad))
        with pytest.raises(DataError):
            load_data(tmp_path / "a.npz")


def test_matrix_market_with_and_without_barcodes_and_genes(tmp_path):
    folder = tmp_path / "10x"
    folder.mkdir()
    for name, matrix in (("plain.mtx", COUNTS), ("10x/matrix.mtx", COUNTS.T)):
        scipy.io.mmwrite(tmp_path / name, scipy.sparse.coo_matrix(matrix))
    assert np.array_equal(load_data(tmp_path / "plain.mtx").X, COUNTS)
    (folder / "barcodes.tsv").write_text("".join(f"cell{at}-1\n" for at in range(40)))
    with gzip.open(folder / "features.tsv.gz", "wt") as file:
        file.writelines(f"ENSG{at}\tgene{at}\tGene Expression\n" for at in range(25))
    stored = gzip.compress((folder / "matrix.mtx").read_bytes())
    (folder / "matrix.mtx").unlink()
    (folder / "matrix.mtx.gz").write_bytes(stored)
    data = load_data(folder / "matrix.mtx.gz")
    assert np.array_equal(data.X, COUNTS) and data.feature_names[3] == "gene3" and data.layout.kind == "counts"
    assert data.metadata.column("barcode")[7] == "cell7-1"
    (folder / "barcodes.tsv").write_text("one\n")
    with pytest.raises(DataError, match="25 x 40 and beside it are 25 genes and 1 barcodes"):
        load_data(folder / "matrix.mtx.gz")


@pytest.mark.parametrize(
    "text",
    [
        "%%MatrixMarket matrix coordinate real general\n1000000000 1000000000 1\n1 1 1\n",
        "%%MatrixMarket matrix coordinate real general\n5 5 99999999\n1 1 1\n",
        "%%MatrixMarket matrix coordinate real general\n5 5 1\n9 9 1\n",
        "%%MatrixMarket matrix coordinate complex general\n5 5 1\n1 1 1 1\n",
        "%%MatrixMarket matrix coordinate real general\n",
    ],
)
def test_matrix_market_that_lies(text):
    with pytest.raises(DataError):
        load_data(text.encode(), name="a.mtx")


def test_a_sparse_array_given_to_the_model_is_refused_in_one_sentence():
    with pytest.raises(TypeError, match="toarray"):
        LeaSC(n_clusters=2).fit(scipy.sparse.csr_matrix(COUNTS))
    out = io.BytesIO()
    scipy.sparse.save_npz(out, scipy.sparse.csr_matrix(COUNTS))
    assert load_data(out.getvalue(), name="a.npz").X.shape == COUNTS.shape
