"""Columns beside the features of a table stored by columns: read from the file when asked for."""

import numpy as np

from leasc_core.data.columns.metadata import Metadata
from leasc_core.data.guards import parsing

BATCH_ROWS = 1 << 16


class ColumnarMetadata(Metadata):
    """Columns of a Parquet or Feather file.

    Parameters
    ----------
    table : has `group_rows` and `batches(groups, columns, rows)`.
    """

    def __init__(self, table, names, file_name):
        self.stored, self.names, self.file_name = table, tuple(names), file_name
        self.starts = np.concatenate([[0], np.cumsum(table.group_rows)]).astype(np.int64)

    def __len__(self):
        return int(self.starts[-1])

    def table(self, start=0, stop=None, names=None):
        stop = len(self) if stop is None else min(stop, len(self))
        names = list(self.names if names is None else names)
        groups = [at for at in range(len(self.starts) - 1) if self.starts[at] < stop and self.starts[at + 1] > start]
        parts = []
        for first, batch in self._batches(groups, names):
            low, high = max(0, start - first), min(batch.num_rows, stop - first)
            if low < high:
                parts.append(batch.slice(low, high - low))
        return self._joined(parts, names)

    def _picked(self, wanted, names):
        import pyarrow as pa

        groups, parts = np.unique(np.searchsorted(self.starts, wanted, side="right") - 1).tolist(), []
        for first, batch in self._batches(groups, names):
            low, high = np.searchsorted(wanted, [first, first + batch.num_rows])
            if low < high:
                parts.append(batch.take(pa.array(wanted[low:high] - first)))
        return self._joined(parts, names)

    def _batches(self, groups, names):
        """`(first row, batch)` of some groups."""
        for group in groups:
            start = int(self.starts[group])
            with parsing(self.file_name, "Parquet or Feather"):
                for batch in self.stored.batches([group], names, BATCH_ROWS):
                    yield start, batch
                    start += batch.num_rows

    def _joined(self, parts, names):
        import pyarrow as pa

        schema = parts[0].schema if parts else pa.schema([self.stored.schema.field(name) for name in names])
        return pa.Table.from_batches(parts, schema)
