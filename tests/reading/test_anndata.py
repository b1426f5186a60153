"""AnnData in both layouts: files written by h5py after the format's description, by anndata itself where it is installed."""

import h5py
import numpy as np
import pytest
import scipy.sparse

from leasc_core import list_arrays, load_data, open_source
from leasc_core.errors import DataError

RNG = np.random.default_rng(0)
COUNTS = RNG.poisson(0.5, (12, 7)).astype(np.float32)
TYPES = np.array(["B", "T", "NK"])[RNG.integers(0, 3, 12)]
CELLS = [f"cell{at}" for at in range(12)]
GENES = [f"gene{at}" for at in range(7)]


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("LEASC_CACHE", str(tmp_path_factory.mktemp("cache")))


def put_matrix(parent, key, matrix):
    if not scipy.sparse.issparse(matrix):
        parent[key] = matrix
        return
    group = parent.create_group(key)
    group.attrs.update({"encoding-type": f"{matrix.format}_matrix", "encoding-version": "0.1.0", "shape": matrix.shape})
    for part in ("data", "indices", "indptr"):
        group[part] = getattr(matrix, part)


def put_table(file, key, index, columns):
    group = file.create_group(key)
    group.attrs.update({"_index": "_index", "column-order": list(columns), "encoding-type": "dataframe"})
    group["_index"] = np.array(index, dtype=h5py.string_dtype())
    for name, values in columns.items():
        if values.dtype.kind == "U":
            levels, codes = np.unique(values, return_inverse=True)
            group.create_group(name).attrs["encoding-type"] = "categorical"
            group[name]["categories"], group[name]["codes"] = np.array(levels, dtype=h5py.string_dtype()), codes.astype(np.int8)
        else:
            group[name] = values


def put(path, X=COUNTS, obs=None, **more):
    with h5py.File(path, "w") as file:
        put_matrix(file, "X", X)
        put_table(file, "obs", CELLS[: X.shape[0]], obs if obs is not None else {"cell_type": TYPES, "depth": np.arange(12.0)})
        put_table(file, "var", GENES, {})
        for place, matrix in more.items():
            put_matrix(file, place.replace("__", "/"), matrix)
    return path


@pytest.mark.parametrize("stored", [np.asarray, scipy.sparse.csr_matrix, scipy.sparse.csc_matrix])
def test_cells_genes_types_and_every_way_to_store_the_matrix(tmp_path, stored):
    path = put(tmp_path / "a.h5ad", stored(COUNTS), obsm__X_pca=RNG.normal(size=(12, 3)), layers__raw=stored(2 * COUNTS))
    data = load_data(path)
    assert np.array_equal(data.X, COUNTS) and data.feature_names == GENES
    assert [data.label_names[code] for code in data.y] == TYPES.tolist()
    assert data.metadata.column("cell").tolist() == CELLS and data.metadata.column("depth").tolist() == list(range(12))
    assert data.layout.kind == "counts" and "layers/raw, obsm/X_pca" in data.notes[0]
    assert {info.name for info in list_arrays(path)} == {"X", "obsm/X_pca", "layers/raw"}
    assert np.array_equal(load_data(path, array="layers/raw").X, 2 * COUNTS)
    assert load_data(path, array="obsm/X_pca", label=False).layout.kind == "embeddings"
    source = open_source(path)
    assert np.array_equal(source.rows(0, 12), COUNTS) and source.labels.tolist() == data.y.tolist()


def test_the_newest_layout_keeps_texts_with_a_mask(tmp_path):
    """`nullable-string-array`: what pandas 3 makes of names, texts and the levels of a category."""

    def nullable(parent, key, texts, missing=()):
        group = parent.create_group(key)
        group.attrs["encoding-type"] = "nullable-string-array"
        group["values"] = np.array(texts, dtype=h5py.string_dtype())
        group["mask"] = np.isin(np.arange(len(texts)), missing)

    with h5py.File(tmp_path / "a.h5ad", "w") as file:
        put_matrix(file, "X", scipy.sparse.csr_matrix(COUNTS))
        for key, names in (("obs", CELLS), ("var", GENES)):
            table = file.create_group(key)
            table.attrs.update({"_index": "index", "column-order": ["cell_type", "donor"] if key == "obs" else []})
            nullable(table, "index", names)
        levels, codes = np.unique(TYPES, return_inverse=True)
        nullable(file["obs"].create_group("cell_type"), "categories", levels.tolist())
        file["obs/cell_type/codes"] = codes.astype(np.int8)
        nullable(file["obs"], "donor", ["a", "b", "", "a"] * 3, missing=(2, 6, 10))
    data = load_data(tmp_path / "a.h5ad")
    assert np.array_equal(data.X, COUNTS) and data.feature_names == GENES
    assert [data.label_names[code] for code in data.y] == TYPES.tolist()
    assert data.metadata.column("cell").tolist() == CELLS and data.metadata.column("donor").tolist() == ["a", "b", "", "a"] * 3


def test_the_old_layout_of_records(tmp_path):
    types, codes = np.unique(TYPES, return_inverse=True)
    with h5py.File(tmp_path / "old.h5ad", "w") as file:
        file["X"] = COUNTS
        obs = np.zeros(12, [("index", "S8"), ("bulk_labels", "i1"), ("depth", "f4")])
        obs["index"], obs["bulk_labels"], obs["depth"] = CELLS, codes, np.arange(12)
        file["obs"], file["uns/bulk_labels_categories"] = obs, types.astype("S")
        file["var"] = np.array([(gene, 1.0) for gene in GENES], [("index", "S8"), ("means", "f4")])
        raw = file.create_group("raw.X")
        raw.attrs.update({"h5sparse_format": "csr", "h5sparse_shape": np.array(COUNTS.shape)})
        sparse = scipy.sparse.csr_matrix(3 * COUNTS)
        raw["data"], raw["indices"], raw["indptr"] = sparse.data, sparse.indices, sparse.indptr
        file["raw.var"] = file["var"][()]
        file["obsm"] = np.zeros(12, [("X_pca", "f4", (4,))])
    data = load_data(tmp_path / "old.h5ad")
    assert np.array_equal(data.X, COUNTS) and data.feature_names == GENES
    assert [data.label_names[code] for code in data.y] == TYPES.tolist()
    assert np.array_equal(load_data(tmp_path / "old.h5ad", array="raw/X").X, 3 * COUNTS)
    assert load_data(tmp_path / "old.h5ad", array="obsm/X_pca").X.shape == (12, 4)


@pytest.mark.parametrize("version", [2, 3])
def test_cells_as_10x_writes_them(tmp_path, version):
    """A row for each gene in CSC, names that repeat."""
    stored = scipy.sparse.csr_matrix(COUNTS)
    with h5py.File(tmp_path / "filtered_feature_bc_matrix.h5", "w") as file:
        group = file.create_group("matrix" if version == 3 else "GRCh38")
        for part in ("data", "indices", "indptr"):
            group[part] = getattr(stored, part).astype(np.int64)
        group["shape"], group["barcodes"] = np.array([7, 12], np.int32), np.array(CELLS, "S")
        names = np.array(["MT", "MT", *GENES[2:]], "S")
        group["features/name" if version == 3 else "gene_names"] = names
        group["features/id" if version == 3 else "genes"] = names
    data = load_data(tmp_path / "filtered_feature_bc_matrix.h5")
    assert np.array_equal(data.X, COUNTS) and data.layout.kind == "counts"
    assert data.feature_names == ["MT", "MT-1", *GENES[2:]] and data.metadata.column("cell").tolist() == CELLS
    assert np.array_equal(open_source(tmp_path / "filtered_feature_bc_matrix.h5").rows(0, 12), COUNTS)


def test_cells_of_a_loom_file_are_its_columns(tmp_path):
    with h5py.File(tmp_path / "a.loom", "w") as file:
        file["matrix"], file["row_attrs/Gene"] = COUNTS.T, np.array(GENES, dtype=h5py.string_dtype())
        file["col_attrs/CellID"] = np.array(CELLS, dtype=h5py.string_dtype())
        file["col_attrs/Class"] = np.array(TYPES, dtype=h5py.string_dtype())
    data = load_data(tmp_path / "a.loom")
    assert np.array_equal(data.X, COUNTS) and [data.label_names[code] for code in data.y] == TYPES.tolist()


@pytest.mark.parametrize(
    ("columns", "taken"),
    {
        ("batch", "celltype"): "celltype",
        ("cell_type1", "louvain"): "cell_type1",
        ("batch", "louvain"): "louvain",
        ("paul15_clusters",): "paul15_clusters",
        ("cell_type_original", "cell_type"): "cell_type",
        ("batch", "donor"): None,
    }.items(),
)
def test_the_column_of_cell_types_whatever_it_is_called(tmp_path, columns, taken):
    data = load_data(put(tmp_path / "a.h5ad", obs=dict.fromkeys(columns, TYPES) | {"leiden": np.array(list("012") * 4)}))
    assert next((column.name for column in data.columns if column.role == "label"), None) == taken


def test_what_is_refused_and_said(tmp_path):
    path = put(tmp_path / "a.h5ad")
    with pytest.raises(DataError, match="no matrix 'layers/x'; choose one of: X"):
        load_data(path, array="layers/x")
    with pytest.raises(DataError, match="no column 'kind' in obs; choose one of: cell_type, depth"):
        load_data(path, label="kind")
    assert load_data(path, label="cell_type").y is not None
    with pytest.raises(DataError, match="holds 0 cells"):
        load_data(put(tmp_path / "empty.h5ad", COUNTS[:0], {}))


def test_a_sparse_matrix_that_lies_is_refused(tmp_path):
    for part, value in (("indptr", np.r_[np.zeros(12), 10**6]), ("indices", np.full(3, 99)), ("indptr", np.arange(13)[::-1])):
        matrix = scipy.sparse.csr_matrix((np.ones(3, np.float32), np.arange(3), np.r_[0, 3 * np.ones(12)].astype(int)), (12, 7))
        path = put(tmp_path / "a.h5ad", matrix)
        with h5py.File(path, "a") as file:
            del file[f"X/{part}"]
            file[f"X/{part}"] = value
        with pytest.raises(DataError, match="sparse matrix"):
            load_data(path)


@pytest.mark.parametrize("stored", [scipy.sparse.csr_matrix, scipy.sparse.csc_matrix])
def test_a_large_sparse_matrix_is_mapped_and_its_pages_given_back(tmp_path, monkeypatch, stored):
    monkeypatch.setattr("leasc_core.data.reading.arrays.npy.MAPPED_ABOVE", 10)
    monkeypatch.setattr("leasc_core.data.reading.sparse.BLOCK_BYTES", 40)
    path = put(tmp_path / "a.h5ad", stored(COUNTS))
    assert np.array_equal(load_data(path).X, COUNTS)
    assert np.array_equal(open_source(path).rows(0, 12), COUNTS)


def test_a_matrix_in_another_file_is_refused(tmp_path):
    put(tmp_path / "other.h5ad")
    path = put(tmp_path / "a.h5ad")
    with h5py.File(path, "a") as file:
        del file["X"]
        file["X"] = h5py.ExternalLink("other.h5ad", "X")
    with pytest.raises(DataError, match="external link"):
        load_data(path)


def test_files_written_by_anndata_itself(tmp_path):
    anndata, pandas = pytest.importorskip("anndata"), pytest.importorskip("pandas")
    obs = pandas.DataFrame(
        {"cell_type": pandas.Categorical(TYPES), "batch": ["a"] * 12, "ok": pandas.array([True, None] * 6)}, CELLS
    )
    whole = anndata.AnnData(
        scipy.sparse.csr_matrix(COUNTS), obs, pandas.DataFrame(index=GENES), obsm={"X_pca": RNG.normal(size=(12, 2))}
    )
    whole.layers["double"], whole.raw = 2 * COUNTS, whole.copy()
    anndata.settings.allow_write_nullable_strings = True  # what pandas 3 makes of texts
    whole.write_h5ad(tmp_path / "a.h5ad")
    data = load_data(tmp_path / "a.h5ad")
    assert np.array_equal(data.X, COUNTS) and data.feature_names == GENES
    assert [data.label_names[code] for code in data.y] == TYPES.tolist()
    assert data.metadata.names == ("cell", "cell_type", "batch", "ok")
    assert np.array_equal(load_data(tmp_path / "a.h5ad", array="layers/double").X, 2 * COUNTS)
    assert np.array_equal(load_data(tmp_path / "a.h5ad", array="raw/X").X, COUNTS)


def test_the_real_cells_of_the_old_layout(shared_data):
    path = shared_data / "league/pbmc68k_old_layout.h5ad"
    data = load_data(path)
    assert data.X.shape == (700, 765) and data.feature_names[:2] == ["HES4", "TNFRSF4"]
    assert len(data.label_names) == 10 and "Dendritic" in data.label_names
    with h5py.File(path) as file:
        assert np.array_equal(data.X, file["X"][()])
