"""Arrays and labels to files that any reader opens: CSV safe for spreadsheets, .npy, .npz and Parquet."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

import numpy as np

from leasc_core.data.columns.notation import NUMBER
from leasc_core.errors import ParameterError
from leasc_core.storage.files import replacing

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
BLOCK_BYTES = 8 << 20


def save_data(
    path: str | PathLike,
    X: np.ndarray,
    y: np.ndarray | None = None,
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
    label_column: str = "label",
) -> None:
    """Write samples (and labels) to a .csv, .tsv, .npy, .npz or .parquet file, as the extension says.

    Parameters
    ----------
    X : (n_samples, n_features) array of numbers.
    y : (n_samples,) whole numbers or texts; in a column (or array) of their own. `.npy` cannot hold them.
    feature_names : one name for each column; x0, x1, … otherwise.
    label_names : texts that replace the labels 0, 1, … in tables.
    label_column : the name of the labels' column in tables, which comes last.
    """
    path, X = Path(path), np.asanyarray(X)
    if X.ndim != 2 or X.dtype.kind not in "biuf":
        raise ParameterError(f"X is a {X.ndim}-dimensional array of {X.dtype}: give a matrix of numbers.")
    writers = {
        ".csv": _write_text,
        ".tsv": _write_text,
        ".npy": _write_npy,
        ".npz": _write_npz,
        ".parquet": _write_parquet,
    }
    if path.suffix.lower() not in writers:
        raise ParameterError(f"{path.suffix!r} is not a format written here: use one of {', '.join(writers)}.")
    names = _checked_names(feature_names, X.shape[1])
    labels = None if y is None else _checked_labels(y, label_names, len(X))
    with replacing(path) as file:
        writers[path.suffix.lower()](file, path, X, labels, names, label_column)


def neutral(text):
    """A cell that no spreadsheet takes for a formula; numbers stay numbers."""
    text = str(text)
    return "'" + text if text.startswith(FORMULA_STARTS) and not NUMBER.fullmatch(text) else text


def _checked_names(names, count):
    names = [f"x{at}" for at in range(count)] if names is None else [str(name) for name in names]
    if len(names) != count or len(set(names)) != count:
        raise ParameterError(f"feature_names has {len(set(names))} different names for {count} columns: give one each.")
    return names


def _checked_labels(y, label_names, count):
    y = np.asarray(y)
    if y.shape != (count,):
        raise ParameterError(f"y has shape {y.shape} for {count} rows: give one label for each row.")
    if label_names is None:
        return y
    if y.size and (y.dtype.kind not in "iu" or y.min() < -1 or y.max() >= len(label_names)):
        raise ParameterError(f"y goes from {y.min()} to {y.max()} but there are {len(label_names)} label_names: give one each.")
    return np.array([*map(str, label_names), ""])[y]


def _write_npy(file, path, X, labels, names, column):
    if labels is not None:
        raise ParameterError("A .npy file holds one array: save labels in .npz, .csv or .parquet, or in a second file.")
    np.lib.format.write_array(file, X, allow_pickle=False)


def _write_npz(file, path, X, labels, names, column):
    parts = {"X": X} | ({} if labels is None else {"y": labels})
    np.savez_compressed(file, allow_pickle=False, **parts)


def _write_parquet(file, path, X, labels, names, column):
    import pyarrow.parquet as pq

    schema = _schema(X.dtype, labels, names, column)
    with pq.ParquetWriter(file, schema) as writer:
        for batch in _batches(X, labels, schema):
            writer.write_batch(batch)


def _write_text(file, path, X, labels, names, column):
    from pyarrow import csv

    # float32 written as the double it equals: reading then gives exactly the same value back.
    dtype = np.dtype(float) if X.dtype.kind == "f" else X.dtype
    texts = labels if labels is None or labels.dtype.kind in "biuf" else np.array([neutral(text) for text in labels])
    schema = _schema(dtype, texts, [neutral(name) for name in names], column)
    options = csv.WriteOptions(delimiter="\t" if path.suffix.lower() == ".tsv" else ",", quoting_style="needed")
    with csv.CSVWriter(file, schema, write_options=options) as writer:
        for batch in _batches(X, texts, schema):
            writer.write_batch(batch)


def _schema(dtype, labels, names, column):
    import pyarrow as pa

    numbers = pa.uint8() if dtype.kind == "b" else pa.from_numpy_dtype(dtype.newbyteorder("="))
    fields = [pa.field(name, numbers, nullable=dtype.kind == "f") for name in names]
    if labels is not None:
        kind = pa.int64() if labels.dtype.kind in "biu" else pa.string()
        fields.append(pa.field(_label_column(names, column), kind))
    return pa.schema(fields)


def _label_column(names, name):
    while name in names:
        name += "_"
    return name


def _batches(X, labels, schema):
    import pyarrow as pa

    rows = max(1, BLOCK_BYTES // max(1, X.shape[1] * X.dtype.itemsize))
    for start in range(0, len(X), rows):
        block = np.asarray(X[start : start + rows])
        columns = [pa.array(np.ascontiguousarray(column), field.type) for column, field in zip(block.T, schema, strict=False)]
        if labels is not None:
            part = labels[start : start + rows]
            columns.append(pa.array(part.tolist(), schema[-1].type))
        yield pa.record_batch(columns, schema=schema)
