"""Parquet and Feather (Arrow) tables, streamed by row groups: a source of any length opens in place."""

import numpy as np

from leasc_core.data.columns.guess import Column
from leasc_core.data.columns.plan import columns_of, plan_columns, without_label
from leasc_core.data.dataset import Contents, Dataset
from leasc_core.data.guards import check_cells, check_columns, check_expansion, one_line, parsing, refuse
from leasc_core.data.labels import Labels
from leasc_core.data.reading.format import Format
from leasc_core.data.reading.tables.stored import FEATHER, HEAD_ROWS, OLD_FEATHER, PARQUET, StoredTable
from leasc_core.data.sources.beside import ColumnarMetadata
from leasc_core.data.sources.columnar import ColumnarSource
from leasc_core.data.values import check_shape

SAMPLE_CELLS = 200_000


def recognises(head, blob):
    return head.startswith((PARQUET, FEATHER, OLD_FEATHER))


def stored_table(blob, limits):
    """`(the stored table, its columns)`, its claims checked."""
    with parsing(blob.name, "Parquet or Feather"):
        table = StoredTable(blob, limits)
        rows = sum(table.group_rows)
        if rows < 0 or min(table.group_rows, default=0) < 0:
            raise refuse(blob.name, "declares a negative number of rows", "save or download it again")
        columns = columns_of_table(table, blob.name, limits)
        check_expansion(blob.name, blob.size, 8 * rows * sum(max(1, column.width) for column in columns), limits)
        return table, columns


def columns_of_table(table, name, limits):
    """What is known of each column of a stored table: its type, and some values."""
    names = table.schema.names
    check_columns(name, len(names), limits)
    check_cells(name, (sum(table.group_rows), len(names)), limits)
    _refuse_duplicates(names, name)
    rows = max(20, min(HEAD_ROWS, SAMPLE_CELLS // max(1, len(names))))
    batch = table.head(rows)
    return [_column(table.schema.field(at), None if batch is None else batch.column(at)) for at in range(len(names))]


class _Opened:
    """A stored table whose columns have their roles: the source, the labels (or None), what goes along."""

    def __init__(self, table, columns, name, limits, label, roles, like):
        with parsing(name, "Parquet or Feather"):
            plan = plan_columns(columns, name, label, roles=roles, like=like)
            for at in plan.encoded:
                if not plan.columns[at].levels:
                    plan = plan.with_levels(at, _levels(table, plan.columns[at].name), name)
        shape = (sum(table.group_rows), len(plan.feature_names))
        check_cells(name, shape, limits)
        check_shape(name, shape)
        self.plan, self.labels = plan, None
        if plan.label is not None:
            info = plan.columns[plan.label]
            certain = label is not None or info.why.startswith("as ")
            self.labels = Labels(name, f"column '{one_line(info.name, 40)}'", certain)
            with parsing(name, "Parquet or Feather"):
                _read_labels(table, info.name, self.labels)
        beside = [plan.columns[at].name for at in plan.beside]
        self.metadata = ColumnarMetadata(table, beside, name) if beside else None
        self.features, self.dtype = [plan.columns[at] for at in plan.features], _common_type(table, plan)
        self.source = ColumnarSource(table, self.features, self.dtype, name)

    def finished(self):
        """The source with its labels and what goes along."""
        y, label_names, told = self.labels.finish(len(self.source)) if self.labels else (None, None, [])
        about = Dataset(
            None,
            y,
            label_names,
            self.plan.feature_names,
            notes=[*self.plan.notes, *told],
            columns=without_label(self.plan.columns) if self.labels and y is None else self.plan.columns,
            metadata=self.metadata,
        )
        return ColumnarSource(self.source.table, self.features, self.dtype, self.source.name, about)


def source_of_table(table, name, limits, label=None, roles=None, like=()):
    """The source of a stored table (`schema`, `group_rows`, `batches`, `without_nulls`)."""
    return _Opened(table, columns_of_table(table, name, limits), name, limits, label, roles, like).finished()


def _refuse_duplicates(names, file_name):
    seen = set()
    for name in names:
        if name in seen:
            raise refuse(file_name, f"has two columns named '{one_line(name, 60)}'", "give every column its own name")
        seen.add(name)


def _column(field, values):
    import pyarrow as pa

    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return _list_column(field.name, kind, values)
    sample = () if values is None else tuple(_seen(values, kind))
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return Column(field.name, "number", sample)
    if pa.types.is_integer(kind):
        return Column(field.name, "whole", sample)
    if pa.types.is_boolean(kind):
        return Column(field.name, "yes or no", tuple(map(int, sample)))
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return Column(field.name, "text" if sample or values is None else "empty", sample)
    if pa.types.is_temporal(kind):
        return Column(field.name, "date", sample)
    return Column(field.name, "empty" if pa.types.is_null(kind) else str(kind)[:40])


def _seen(values, kind):
    """The values of a sample that are there; long texts cut."""
    import pyarrow as pa

    if pa.types.is_dictionary(values.type):
        names, codes = values.dictionary.to_pylist(), values.indices.drop_null().to_pylist()
        return [_cut(names[code]) for code in codes]
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_null(kind):
        return []
    return [_cut(value) for value in values.drop_null().to_pylist() if value == value]


def _cut(value):
    return value[:200] if isinstance(value, str) else value


def _list_column(name, kind, values):
    import pyarrow as pa
    import pyarrow.compute as pc

    inner = kind.value_type
    if not (pa.types.is_floating(inner) or pa.types.is_integer(inner)):
        return Column(name, f"list of {inner}"[:40])
    if pa.types.is_fixed_size_list(kind):
        width = kind.list_size
    else:
        lengths = pc.list_value_length(values).drop_null() if values is not None else ()
        width = lengths[0].as_py() if len(lengths) else 0
    return Column(name, "list" if width else f"list of {inner}"[:40], width=width)


def _common_type(table, plan):
    """The columns' own type if they share one that can hold every cell, else float32 or float64."""
    import pyarrow as pa

    types = {_number_type(table.schema.field(at).type) for at in plan.features}
    plain = all(pa.types.is_floating(t) or pa.types.is_integer(t) for t in types) and not plan.encoded
    if not plain:
        return np.dtype(float)
    common = np.result_type(*[t.to_pandas_dtype() for t in types])
    if common.kind == "f" or all(table.without_nulls(at) for at in plan.features):
        return common
    return np.dtype(np.float32 if common.itemsize <= 2 else np.float64)


def _number_type(kind):
    import pyarrow as pa

    listed = pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    return kind.value_type if listed else kind


def _levels(table, name):
    """The different values of a column, as texts."""
    import pyarrow as pa

    found = set()
    for batch in table.batches(range(len(table.group_rows)), [name], 1 << 20):
        column = batch.column(0)
        column = column.dictionary if pa.types.is_dictionary(column.type) else column.unique()
        found |= {str(value).strip() for value in column.to_pylist() if value is not None}
    return found - {""}


def _read_labels(table, name, labels):
    import pyarrow as pa

    for batch in table.batches(range(len(table.group_rows)), [name], 1 << 20):
        column = batch.column(0)
        if pa.types.is_integer(column.type) and not column.null_count:
            labels.add_numbers(column.to_numpy())
        elif pa.types.is_integer(column.type) or pa.types.is_floating(column.type) or pa.types.is_boolean(column.type):
            labels.add_numbers(column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False))
        else:
            texts = column if pa.types.is_dictionary(column.type) else column.cast(pa.large_string()).dictionary_encode()
            positions = texts.indices.fill_null(-1).to_numpy(zero_copy_only=False)
            labels.add_names([str(name) for name in texts.dictionary.to_pylist()], positions)


def _opened(blob, limits, label, roles, like):
    table, columns = stored_table(blob, limits)
    opened = _Opened(table, columns, blob.name, limits, label, roles, like)
    check_expansion(blob.name, blob.size, 8 * len(opened.source) * opened.source.shape[1], limits)
    return opened


def read(blob, limits, array=None, label=None, roles=None, like=()):
    """Blocks of the feature columns."""
    opened = _opened(blob, limits, label, roles, like)
    return Contents(
        blocks=lambda: (block for _, block in opened.source.decoded()),
        n_rows=opened.source.shape[0],
        n_columns=opened.source.shape[1],
        dtype=opened.dtype,
        labels=opened.labels,
        feature_names=opened.plan.feature_names,
        notes=list(opened.plan.notes),
        columns=opened.plan.columns,
        metadata=opened.metadata,
    )


def source(blob, limits, label=None, roles=None, like=()):
    """The file as a source, read in place."""
    return _opened(blob, limits, label, roles, like).finished()


def columns(blob, limits):
    """The columns, from the first rows."""
    with parsing(blob.name, "Parquet or Feather"):
        return columns_of(stored_table(blob, limits)[1])


ENDINGS = (".parquet", ".pq", ".feather", ".arrow")
FORMAT = Format("Parquet or Feather", ENDINGS, recognises, read, columns=columns, source=source)
