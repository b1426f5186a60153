"""A data frame as a source: its columns have roles as those of a file have."""

from leasc_core.data.sources.columnar import ColumnarSource


class _Held:
    """An Arrow table in memory, as a stored table is read."""

    def __init__(self, table):
        self.table, self.schema, self.group_rows = table, table.schema, [table.num_rows]

    def batches(self, groups, columns, rows):
        return self.table.select(columns).to_batches(rows)

    def head(self, rows):
        return next(iter(self.table.slice(0, rows).to_batches()), None)

    def without_nulls(self, at):
        return not self.table.column(at).null_count


def source_of_frame(frame, name, label=None, roles=None, like=()) -> ColumnarSource:
    """The source of a pandas (or other) data frame; it is copied once, column by column."""
    import pyarrow as pa

    from leasc_core.data.guards import STREAMED, parsing
    from leasc_core.data.reading.tables.columnar import source_of_table

    with parsing(name, "data frame"):
        if not hasattr(frame, "iloc"):
            frame = frame.to_pandas()
        frame = frame.set_axis([str(column) for column in frame.columns], axis=1)
        table = pa.Table.from_pandas(frame, preserve_index=False)
    return source_of_table(_Held(table), name, STREAMED, label, roles, like)
