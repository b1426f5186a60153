"""Tables stored by columns, as a child process reads them: no byte of such a file is unpacked in this one."""

import base64

from leasc_core.data.guards import refuse
from leasc_core.data.reading.isolated import read_isolated, stream_isolated

HEAD_ROWS = 1000
PARQUET, FEATHER, OLD_FEATHER = b"PAR1", b"ARROW1", b"FEA1"


class StoredTable:
    """A Parquet or Feather file: its columns, the rows of its groups, and batches of some columns."""

    def __init__(self, blob, limits):
        import pyarrow as pa

        if blob.head(4) == OLD_FEATHER:
            raise refuse(blob.name, "is a Feather file of version 1", "save it again as Feather version 2 or Parquet")
        about, _ = read_isolated("columnar", blob, limits, rows=HEAD_ROWS)
        self.blob, self.limits, self._without_nulls = blob, limits, about["without_nulls"]
        self._head = base64.b64decode(about["head"])
        self.schema = pa.ipc.read_schema(pa.py_buffer(base64.b64decode(about["schema"])))
        self.group_rows = about["group_rows"]

    def batches(self, groups, columns, rows):
        """Batches of at most so many rows, in order; each pass is a child process of its own."""
        wanted = {"groups": list(groups), "columns": list(columns), "rows": rows}
        with stream_isolated("columnar", self.blob, self.limits, **wanted) as stream:
            if stream.peek(1):
                yield from _batches(stream)

    def head(self, rows):
        """The first batch of all columns, of at most so many rows (and 1,000); None where there is none."""
        import pyarrow as pa

        return next(_batches(pa.py_buffer(self._head))).slice(0, rows) if self._head else None

    def without_nulls(self, at):
        """Does the file say that column `at` has no empty cell?"""
        return self._without_nulls[at]


def _batches(stream):
    """The batches of a stream, checked."""
    import pyarrow as pa

    for batch in pa.ipc.open_stream(stream):
        batch.validate(full=True)
        yield batch
