"""Labels joined with the columns that the rows came with, written block by block: CSV, TSV or Parquet of any length."""

from pathlib import Path

import numpy as np

from leasc_core.data.columns.info import ENCODINGS
from leasc_core.data.columns.notation import MISSING, NUMBER
from leasc_core.errors import ParameterError
from leasc_core.storage.files import replacing

FORMULA = r"^[=+\-@\t\r]"
BLOCK_ROWS = 1 << 14
SUFFIXES = (".csv", ".tsv", ".parquet")


def save_joined(path, source, results) -> None:
    """Write every original column of a source, in the file's order, and the results beside them.

    Parameters
    ----------
    path : ends in .csv, .tsv or .parquet.
    source : DataSource; what it knows of its columns and metadata is written too.
    results : name to array, one value for each row: "cluster", "confidence", ...
    """
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise ParameterError(f"{path.suffix!r} holds no table: join columns in one of {', '.join(SUFFIXES)}.")
    for name, values in results.items():
        if len(values) != len(source):
            raise ParameterError(f"{name} has {len(values):,} values for {len(source):,} rows: give one for each.")
    with replacing(path) as file:
        writer = None
        for table in joined_tables(source, results, spreadsheet=path.suffix.lower() != ".parquet"):
            if writer is None:
                writer = _writer(file, path, table.schema)
            writer.write_table(table)
        writer.close()


def joined_tables(source, results, spreadsheet=True, start=0, stop=None):
    """`pyarrow.Table`s of some rows each, in order; for a spreadsheet no text is left that it would take for a formula."""
    stop = len(source) if stop is None else min(stop, len(source))
    order = _order(source)
    names = _result_names([name for name, _ in order], results)
    at = start
    while at < stop or at == start:
        end = min(at + BLOCK_ROWS, stop)
        yield _joined(source, order, names, results, at, end, spreadsheet)
        at = end
        if at >= stop:
            return


def _order(source):
    """`(name, how to get it)` of each original column: positions of features, or its name beside them."""
    beside = () if source.metadata is None else source.metadata.names
    if source.image_shape is not None and beside and not any(column.role == "feature" for column in source.columns):
        # Files of pictures: their names, not their pixels.
        return [(name, name) for name in beside]
    features = list(source.feature_names or (f"x{at}" for at in range(source.shape[1])))
    places = {name: at for at, name in enumerate(features)}
    order, used = [], set()
    for column in source.columns:
        own = [places[name] for name in column.feature_names if name in places]
        if column.kind in ENCODINGS and own:
            order.append((column.name, (column, own)))
        elif own:
            order += [(features[at], at) for at in own]
        elif column.name in beside:
            order.append((column.name, column.name))
        used |= set(own)
    # A file whose columns have no names has its features first.
    rest = [(features[at], at) for at in range(len(features)) if at not in used]
    named = {name for name, _ in order}
    known = [*order, *rest] if used else [*rest, *order]
    return known + [(name, name) for name in beside if name not in named and name not in places]


def _result_names(taken, results):
    names = {}
    for name in results:
        wanted = name
        while wanted in taken:
            wanted += "_"
        names[name] = wanted
    return names


def _joined(source, order, names, results, start, stop, spreadsheet):
    import pyarrow as pa

    block = source.rows(start, stop) if source.shape[1] else np.empty((stop - start, 0))
    wanted = [how for _, how in order if isinstance(how, str)]
    beside = source.metadata.table(start, stop, wanted) if wanted else None
    columns = {}
    for name, how in order:
        if isinstance(how, str):
            columns[name] = _texts(beside.column(how), spreadsheet)
        elif isinstance(how, tuple):
            columns[name] = _texts(_levels(block, *how), spreadsheet)
        else:
            columns[name] = _numbers(block[:, how])
    for name, values in results.items():
        part = np.asarray(values[start:stop])
        column = pa.array(part.tolist(), pa.large_string()) if part.dtype.kind in "OUS" else pa.array(part)
        columns[names[name]] = _texts(column, spreadsheet)
    table = pa.table(columns)
    if spreadsheet:
        table = table.rename_columns([_neutral(name) for name in table.column_names])
    return table


def _numbers(values):
    """A column of the block; NaN is an empty cell, float32 the double it equals."""
    import pyarrow as pa

    values = np.ascontiguousarray(values, dtype=np.float64 if values.dtype.kind == "f" else values.dtype)
    return pa.array(values, from_pandas=True)


def _levels(block, column, places):
    """The texts of a category that was made features."""
    import pyarrow as pa

    values = block[:, places]
    missing = np.isnan(values).any(axis=1)
    codes = values[:, 0] if column.kind == "ordinal" else values.argmax(axis=1)
    texts = np.array([*column.levels, ""], dtype=object)[np.where(missing, len(column.levels), codes).astype(int)]
    return pa.array(texts.tolist(), pa.large_string())


def _texts(column, spreadsheet):
    """Texts without formulas; numbers and times as they are."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        column = column.cast(pa.large_string())
    if pa.types.is_nested(column.type) or pa.types.is_binary(column.type):
        return pa.array([str(value) for value in column.to_pylist()], pa.large_string())
    if not spreadsheet or not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return column
    risky = pc.and_(
        pc.match_substring_regex(column, FORMULA), pc.invert(pc.match_substring_regex(column, rf"^(?:{NUMBER.pattern})$"))
    )
    risky = pc.fill_null(pc.and_not(risky, pc.is_in(column, pa.array(MISSING, column.type))), False)
    return pc.if_else(risky, pc.binary_join_element_wise(pa.scalar("'", column.type), column, pa.scalar("", column.type)), column)


def _neutral(name):
    from leasc_core.data.writers import neutral

    return neutral(name)


def _writer(file, path, schema):
    from pyarrow import csv, parquet

    if path.suffix.lower() == ".parquet":
        return parquet.ParquetWriter(file, schema)
    separator = "\t" if path.suffix.lower() == ".tsv" else ","
    return csv.CSVWriter(file, schema, write_options=csv.WriteOptions(delimiter=separator, quoting_style="needed"))
