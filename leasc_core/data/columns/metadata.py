"""Columns that are no features, one value for each row: kept in memory, mapped from a file, or read when asked for."""

from collections.abc import Mapping

import numpy as np

from leasc_core.data.columns.numbers import as_numbers
from leasc_core.errors import ParameterError


class Metadata:
    """Row-aligned columns beside the features.

    Numbers come as they are (NaN where missing), times as datetime64, all else as texts ("" where missing).
    """

    names: tuple = ()

    def __len__(self):
        raise NotImplementedError

    def __repr__(self):
        return f"{type(self).__name__}({len(self):,} rows: {', '.join(self.names[:8])})"

    def __contains__(self, name):
        return name in self.names

    def table(self, start=0, stop=None, names=None):
        """Rows `start` to `stop` of some columns (all if not named) as a `pyarrow.Table`."""
        raise NotImplementedError

    def column(self, name) -> np.ndarray:
        """All values of a column."""
        return self._values(name, self.table(0, len(self), [self.checked(name)]).column(0))

    def _values(self, name, column):
        return as_array(column)

    def take(self, rows, names=None) -> dict:
        """Values at `rows`, in that order: name to array."""
        rows = np.asarray(rows, dtype=np.int64)
        if rows.size and (rows.min() < 0 or rows.max() >= len(self)):
            raise ParameterError(f"There are rows 0 to {len(self) - 1}: choose among those.")
        wanted, back = np.unique(rows, return_inverse=True)
        picked = self._picked(wanted, [self.checked(name) for name in names or self.names])
        return {name: self._values(name, picked.column(name))[back] for name in picked.column_names}

    def _picked(self, wanted, names):
        import pyarrow as pa

        return self.table(names=names).take(pa.array(wanted))

    def checked(self, name):
        """`name`, if there is such a column."""
        if name not in self.names:
            some = ", ".join(self.names[:8]) or "none"
            raise ParameterError(f"There is no column {name!r} beside the features: there are {some}.")
        return name


class KeptMetadata(Metadata):
    """Columns of a `pyarrow.Table`, in memory or mapped from an Arrow file.

    Parameters
    ----------
    numeric : names of columns of texts that are numbers, as a text table has them.
    """

    def __init__(self, table, numeric=()):
        self.kept, self.names, self.numeric = table, tuple(table.column_names), frozenset(numeric)

    def __len__(self):
        return self.kept.num_rows

    def table(self, start=0, stop=None, names=None):
        stop = len(self) if stop is None else min(stop, len(self))
        part = self.kept if names is None else self.kept.select(list(names))
        return part.slice(start, max(0, stop - start))

    def _values(self, name, column):
        numbers = as_numbers(column) if name in self.numeric and "string" in str(column.type) else None
        if numbers is None:
            return as_array(column)
        whole = len(numbers) and np.abs(numbers).max() < 2**53 and (numbers == np.floor(numbers)).all()
        return numbers.astype(np.int64) if whole else numbers


class PickedMetadata(Metadata):
    """Some rows of other metadata, in an order of their own."""

    def __init__(self, base, rows):
        self.base, self.picked, self.names = base, np.asarray(rows, dtype=np.int64), base.names
        self._values = base._values

    def __len__(self):
        return len(self.picked)

    def table(self, start=0, stop=None, names=None):
        import pyarrow as pa

        wanted, back = np.unique(self.picked[start:stop], return_inverse=True)
        return self.base._picked(wanted, list(names or self.names)).take(pa.array(back))


class PixelMetadata(Metadata):
    """Row and column of every pixel of a scene of these sides, counted from 0; computed when asked for."""

    names = ("row", "column")

    def __init__(self, sides):
        self.sides = sides

    def __len__(self):
        return self.sides[0] * self.sides[1]

    def table(self, start=0, stop=None, names=None):
        return self._of(np.arange(start, len(self) if stop is None else min(stop, len(self))), names or self.names)

    def _picked(self, wanted, names):
        return self._of(wanted, names)

    def _of(self, rows, names):
        import pyarrow as pa

        places = dict(zip(self.names, np.divmod(rows, self.sides[1]), strict=True))
        return pa.table({name: places[name] for name in names})


def metadata_of(columns: Mapping) -> KeptMetadata | None:
    """Metadata of arrays of one length (numbers, times or texts) by name; None where there are none."""
    import pyarrow as pa

    if not columns:
        return None
    return KeptMetadata(pa.table({str(name): _as_arrow(values) for name, values in columns.items()}))


def open_metadata(path, numeric=()) -> KeptMetadata:
    """The metadata in a file of Arrow's stream format, mapped: only what is asked for is read."""
    import pyarrow as pa

    with pa.memory_map(str(path)) as stored:
        return KeptMetadata(pa.ipc.open_stream(stored).read_all(), numeric)


def write_metadata(metadata, path, rows=100_000):
    """Metadata to a file, some rows at a time: as a stream, since each part may bring other categories."""
    import pyarrow as pa

    with pa.ipc.new_stream(str(path), metadata.table(0, rows).schema) as writer:
        for start in range(0, len(metadata), rows):
            writer.write_table(metadata.table(start, start + rows))


def _as_arrow(values):
    import pyarrow as pa

    values = np.asarray(values)
    if values.dtype.kind == "O":
        return pa.array(["" if value is None or value != value else str(value) for value in values.tolist()], pa.large_string())
    return pa.array(values.tolist(), pa.large_string()) if values.dtype.kind in "US" else pa.array(values)


def as_array(column) -> np.ndarray:
    """A column of Arrow as an array: numbers, times or texts."""
    import pyarrow as pa

    kind = column.type
    if pa.types.is_dictionary(kind):
        chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
        return np.concatenate([_of_dictionary(chunk) for chunk in chunks]) if chunks else np.empty(0, object)
    if pa.types.is_boolean(kind) or pa.types.is_decimal(kind):
        column = column.cast(pa.float64() if column.null_count or pa.types.is_decimal(kind) else pa.int8())
    if pa.types.is_date(kind):
        column = column.cast(pa.timestamp("s"))
    if pa.types.is_timestamp(kind) and kind.tz:
        column = column.cast(pa.timestamp(kind.unit))
    if pa.types.is_integer(kind) and column.null_count:
        column = column.cast(pa.float64(), safe=False)
    numeric = pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
    if numeric or pa.types.is_timestamp(column.type):
        return column.to_numpy() if isinstance(column, pa.ChunkedArray) else column.to_numpy(zero_copy_only=False)
    return np.array([_text(value) for value in column.to_pylist()], dtype=object)


def _of_dictionary(column):
    """Each text is held once, however often it is repeated."""
    texts = np.array([*map(_text, column.dictionary.to_pylist()), ""], dtype=object)
    return texts[column.indices.fill_null(-1).to_numpy(zero_copy_only=False)]


def _text(value):
    return "" if value is None else value if isinstance(value, str) else str(value)
