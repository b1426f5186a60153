"""Rows of tables stored by columns: decoded group by group, never more than a few megabytes at a time."""

import numpy as np

from leasc_core.data.columns.encode import as_texts, encoded
from leasc_core.data.columns.info import ENCODINGS
from leasc_core.data.guards import LARGEST_EXACT_INTEGER, one_line, parsing, refuse
from leasc_core.data.sources.source import DataSource

BATCH_BYTES = 4 << 20


class ColumnarSource(DataSource):
    """Rows of a Parquet or Feather file.

    Parameters
    ----------
    table : has `group_rows` (rows of each group) and `batches(groups, columns, rows)`.
    features : ColumnInfo of the feature columns; a list or a category gives several features.
    """

    def __init__(self, table, features, dtype, name, about=None):
        self.table, self.features = table, features
        self.starts = np.concatenate([[0], np.cumsum(table.group_rows)]).astype(np.int64)
        self.names = [column.name for column in features]
        names = [name for column in features for name in column.feature_names]
        super().__init__((int(self.starts[-1]), len(names)), dtype, name, about)
        self.feature_names = names

    def decoded(self, groups=None):
        """`(first row, block)` for every batch of the groups (all of them if not given)."""
        groups = range(len(self.table.group_rows)) if groups is None else groups
        rows = max(1, BATCH_BYTES // (self.shape[1] * self.dtype.itemsize))
        for run in _runs(groups):
            start = int(self.starts[run[0]])
            with parsing(self.name, "Parquet or Feather"):
                for batch in self.table.batches(run, self.names, rows):
                    yield start, self._values(batch)
                    start += batch.num_rows
            if start != self.starts[run[-1] + 1]:
                raise refuse(self.name, "holds fewer rows than it promises", "save or download it again")

    def _values(self, batch):
        import pyarrow as pa

        block, start = np.empty((batch.num_rows, self.shape[1]), self.dtype), 0
        for at, column in enumerate(batch.columns):
            width = len(self.features[at].feature_names)
            if self.features[at].kind in ("list", *ENCODINGS):
                block[:, start : start + width] = self._wide(column, at)
                start += width
                continue
            whole = pa.types.is_integer(column.type)
            if not pa.types.is_floating(column.type) and (not whole or column.null_count):
                column = column.cast(pa.float64(), safe=False)
            values = column.to_numpy(zero_copy_only=False)
            if whole and values.dtype.itemsize == 8:
                self._refuse_long_integers(values, at)
            with np.errstate(invalid="ignore"):
                block[:, start] = values
            start += 1
        return block

    def _wide(self, column, at):
        """The features of a list or of a category."""
        import pyarrow as pa

        if self.features[at].kind in ENCODINGS:
            return encoded(as_texts(column), self.features[at], self.name)
        width = len(self.features[at].levels)
        if not pa.types.is_fixed_size_list(column.type):
            self._refuse_uneven(column, at, width)
        values = np.full((len(column), width), np.nan) if column.null_count else np.empty((len(column), width), self.dtype)
        filled = column.is_valid().to_numpy(zero_copy_only=False) if column.null_count else slice(None)
        values[filled] = column.drop_null().flatten().to_numpy(zero_copy_only=False).reshape(-1, width)
        return values

    def _refuse_uneven(self, column, at, width):
        import pyarrow.compute as pc

        odd = pc.drop_null(pc.unique(pc.list_value_length(column))).to_pylist()
        if odd not in ([], [width]):
            other = next(length for length in odd if length != width)
            what = f"has lists of {width:,} and of {other:,} numbers in column '{one_line(self.names[at], 40)}'"
            raise refuse(self.name, what, "give lists of one length, or give the column the role 'left out'")

    def _refuse_long_integers(self, values, at):
        if np.any((values > LARGEST_EXACT_INTEGER) | (values < -LARGEST_EXACT_INTEGER)):
            what = f"holds whole numbers of more than 15 digits in column '{one_line(self.names[at], 40)}'"
            raise refuse(self.name, what, "drop the column if it is an identifier, or rescale it")

    def rows(self, start, stop):
        if start >= stop:
            return np.empty((0, self.shape[1]), self.dtype)
        groups = range(self._group_of(start), self._group_of(stop - 1) + 1)
        parts = []
        for at, block in self.decoded(groups):
            parts.append(block[max(0, start - at) : max(0, stop - at)])
            if at + len(block) >= stop:
                break
        return np.concatenate(parts)

    def _spans(self, starts, count):
        # One pass over the file: asked for one by one, stretches would decode their groups again and again.
        return (rows for _, rows in self._picked((starts[:, None] + np.arange(count)).ravel()))

    def raw_blocks(self, rows, start=0):
        held = np.empty((0, self.shape[1]), self.dtype)
        groups = range(self._group_of(start), len(self.table.group_rows)) if start < len(self) else ()
        for first, block in self.decoded(groups):
            block = block[max(0, start - first) :] if not len(held) else block
            held = np.concatenate([held, block]) if len(held) else block
            cut = len(held) // rows * rows
            for at in range(0, cut, rows):
                yield start + at, held[at : at + rows]
            start, held = start + cut, held[cut:]
        if len(held):
            yield start, held

    def _take_sorted(self, wanted):
        picked = np.empty((len(wanted), self.shape[1]), self.dtype)
        for place, rows in self._picked(wanted):
            picked[place] = rows
        return picked

    def _picked(self, wanted):
        """`(slice of wanted, those rows)` in one pass over the groups that hold them."""
        groups = np.unique(np.searchsorted(self.starts, wanted, side="right") - 1).tolist()
        for start, block in self.decoded(groups):
            low, high = np.searchsorted(wanted, [start, start + len(block)])
            yield slice(low, high), block[wanted[low:high] - start]

    def _group_of(self, row):
        return int(np.searchsorted(self.starts, row, side="right")) - 1


def _runs(groups):
    """Neighbouring groups together, so that each run is decoded in one stream."""
    runs = []
    for group in groups:
        if runs and runs[-1][-1] == group - 1:
            runs[-1].append(group)
        else:
            runs.append([group])
    return runs
