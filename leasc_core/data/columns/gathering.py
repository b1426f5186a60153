"""Columns that go along with the rows, collected while a table is read: in memory, or in an Arrow file."""

from leasc_core.data.columns.metadata import KeptMetadata, open_metadata


class MetadataSink:
    """Takes one `pyarrow.Table` for each block of rows.

    Parameters
    ----------
    names : of the columns, all of them texts.
    numeric : those that hold numbers, as far as was seen.
    """

    def __init__(self, names, numeric=()):
        self.names, self.numeric = list(names), frozenset(numeric)
        self.tables, self.path, self.writer = [], None, None

    def to_file(self, path):
        """From now on write to the file `path`."""
        self.path = path

    def restart(self):
        """Forget what was taken: the table is read from its beginning."""
        import pyarrow as pa

        self.tables = []
        self.close()
        if self.path is not None and self.names:
            self.writer = pa.ipc.new_stream(str(self.path), self.schema())

    def schema(self):
        """Every column is text, as the file has it."""
        import pyarrow as pa

        return pa.schema([(name, pa.large_string()) for name in self.names])

    def add(self, table):
        """The next rows."""
        if self.writer is not None:
            self.writer.write_table(table)
        else:
            self.tables.append(table)

    def close(self):
        """End the file."""
        if self.writer is not None:
            self.writer.close()
            self.writer = None

    def finish(self) -> KeptMetadata | None:
        """What was collected; None without columns."""
        import pyarrow as pa

        self.close()
        if not self.names:
            return None
        if self.path is not None:
            return open_metadata(self.path, self.numeric)
        return KeptMetadata(pa.concat_tables(self.tables) if self.tables else self.schema().empty_table(), self.numeric)
