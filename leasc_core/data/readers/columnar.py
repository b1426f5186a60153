"""Parquet and Feather (Arrow) tables, streamed by row groups: a source of any length opens in place."""

import numpy as np

from leasc_core.data.columnar_source import ColumnarSource
from leasc_core.data.dataset import Contents, Dataset
from leasc_core.data.formats import Format
from leasc_core.data.guards import (
    check_cells,
    check_columns,
    check_expansion,
    check_header,
    check_members,
    one_line,
    parsing,
    refuse,
)
from leasc_core.data.labels import Labels
from leasc_core.data.tables import INDEX_COLUMNS, Column, plan_columns
from leasc_core.data.values import check_shape

PARQUET, FEATHER, OLD_FEATHER = b"PAR1", b"ARROW1", b"FEA1"
SAMPLE_ROWS = 100
LARGEST_GROUP = 32 << 20


def recognises(head, blob):
    return head.startswith((PARQUET, FEATHER, OLD_FEATHER))


class _Parquet:
    """Row groups of a Parquet file."""

    def __init__(self, blob, limits):
        import pyarrow as pa
        import pyarrow.parquet as pq

        tail = blob.tail(8)
        if tail[4:] != PARQUET:
            raise refuse(blob.name, "is a Parquet file without its end", "save or download it again")
        check_header(blob.name, int.from_bytes(tail[:4], "little"), "footer", limits)
        stored = pa.BufferReader(blob.data) if blob.path is None else str(blob.path)
        self.file = pq.ParquetFile(stored, pre_buffer=False)
        metadata = self.file.metadata
        check_members(blob.name, metadata.num_row_groups, limits)
        groups = [metadata.row_group(at) for at in range(metadata.num_row_groups)]
        self.schema, self.group_rows = self.file.schema_arrow, [group.num_rows for group in groups]
        if blob.path is not None and blob.size > LARGEST_GROUP < max(map(_stored_bytes, groups), default=0):
            # Page by page: a group is not held whole, but a page that lies about its size is believed.
            self.file = pq.ParquetFile(stored, buffer_size=1 << 16, pre_buffer=False)

    def batches(self, groups, columns, rows):
        return self.file.iter_batches(rows, row_groups=list(groups), columns=columns)

    def without_nulls(self, at):
        """Does the footer say that column `at` has no empty cell?"""
        if not self.schema.field(at).nullable:
            return True
        metadata = self.file.metadata
        statistics = [metadata.row_group(group).column(at).statistics for group in range(metadata.num_row_groups)]
        return all(s is not None and s.has_null_count and s.null_count == 0 for s in statistics)


def _stored_bytes(group):
    return sum(group.column(at).total_compressed_size for at in range(group.num_columns))


class _Feather:
    """Record batches of a Feather (Arrow IPC) file."""

    def __init__(self, blob, limits):
        import pyarrow as pa

        self.ipc = pa.ipc
        self.stored = pa.BufferReader(blob.data) if blob.path is None else pa.memory_map(str(blob.path))
        reader = self.ipc.open_file(self.stored)
        self.schema = reader.schema
        check_members(blob.name, reader.num_record_batches, limits)
        check_columns(blob.name, len(self.schema), limits)
        narrow = self._reader([0]) if len(self.schema) else reader
        self.group_rows = [narrow.get_batch(at).num_rows for at in range(reader.num_record_batches)]

    def _reader(self, fields):
        return self.ipc.open_file(self.stored, options=self.ipc.IpcReadOptions(included_fields=sorted(fields)))

    def batches(self, groups, columns, rows):
        reader = self._reader([self.schema.get_field_index(name) for name in columns])
        for group in groups:
            batch = reader.get_batch(group)
            batch.validate(full=True)
            for start in range(0, batch.num_rows, rows):
                yield batch.slice(start, rows).select(columns)

    def without_nulls(self, at):
        return not self.schema.field(at).nullable


def _open(blob, limits, label, leave_out=()):
    """The table, its source and the labels' column (or None)."""
    if blob.head(4) == OLD_FEATHER:
        raise refuse(blob.name, "is a Feather file of version 1", "save it again as Feather version 2 or Parquet")
    with parsing(blob.name, "Parquet or Feather"):
        table = (_Parquet if blob.head(4) == PARQUET else _Feather)(blob, limits)
        check_columns(blob.name, len(table.schema), limits)
        rows = sum(table.group_rows)
        if rows < 0 or min(table.group_rows, default=0) < 0:
            raise refuse(blob.name, "declares a negative number of rows", "save or download it again")
        check_cells(blob.name, (rows, len(table.schema)), limits)
        check_expansion(blob.name, blob.size, 8 * rows * len(table.schema), limits)
        columns = [_column(table, at) for at in range(len(table.schema))]
        plan = plan_columns(columns, blob.name, label, leave_out=leave_out)
    check_shape(blob.name, (rows, len(plan.features)))
    names = [columns[at].name for at in plan.features]
    dtype = _common_type(table, plan.features)
    labels = None
    if plan.label is not None:
        labels = Labels(blob.name, f"column '{one_line(columns[plan.label].name, 40)}'")
        with parsing(blob.name, "Parquet or Feather"):
            _read_labels(table, columns[plan.label].name, labels)
    return ColumnarSource(table, names, dtype, blob.name), labels, plan.notes


def _column(table, at):
    import pyarrow as pa

    field = table.schema.field(at)
    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return Column(field.name, "number")
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        sample = ()
        if field.name.lower() in INDEX_COLUMNS and at == 0:
            batch = next(iter(table.batches([0], [field.name], SAMPLE_ROWS)))
            sample = tuple(batch.column(0).to_pylist())
        return Column(field.name, "whole", sample)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return Column(field.name, "text")
    return Column(field.name, "empty" if pa.types.is_null(kind) else str(kind)[:40])


def _common_type(table, features):
    """The columns' own type if they share one that can hold every cell, else float32 or float64."""
    import pyarrow as pa

    types = {table.schema.field(at).type for at in features}
    plain = all(pa.types.is_floating(t) or pa.types.is_integer(t) for t in types)
    if not plain:
        return np.dtype(float)
    common = np.result_type(*[t.to_pandas_dtype() for t in types])
    if common.kind == "f" or all(table.without_nulls(at) for at in features):
        return common
    return np.dtype(np.float32 if common.itemsize <= 2 else np.float64)


def _read_labels(table, name, labels):
    import pyarrow as pa

    for batch in table.batches(range(len(table.group_rows)), [name], 1 << 20):
        column = batch.column(0)
        if pa.types.is_integer(column.type) and not column.null_count:
            labels.add_numbers(column.to_numpy())
        elif pa.types.is_integer(column.type) or pa.types.is_floating(column.type) or pa.types.is_boolean(column.type):
            labels.add_numbers(column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False))
        else:
            texts = column.cast(pa.string()).dictionary_encode()
            positions = texts.indices.fill_null(-1).to_numpy(zero_copy_only=False)
            labels.add_names(texts.dictionary.to_pylist(), positions)


def read(blob, limits, array=None, label=None, leave_out=()):
    """Blocks of the feature columns."""
    opened, labels, notes = _open(blob, limits, label, leave_out)
    return Contents(
        blocks=lambda: (block for _, block in opened.decoded()),
        n_rows=opened.shape[0],
        n_columns=opened.shape[1],
        dtype=opened.dtype,
        labels=labels,
        feature_names=opened.columns,
        notes=list(notes),
    )


def source(blob, limits, label=None, leave_out=()):
    """The file as a source, read in place."""
    opened, labels, notes = _open(blob, limits, label, leave_out)
    y, label_names, _ = labels.finish(opened.shape[0]) if labels else (None, None, None)
    about = Dataset(None, y, label_names, opened.columns, notes=list(notes))
    return ColumnarSource(opened.table, opened.columns, opened.dtype, blob.name, about)


FORMAT = Format("Parquet or Feather", (".parquet", ".pq", ".feather", ".arrow"), recognises, read, source=source)
