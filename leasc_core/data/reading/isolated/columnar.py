"""Child side of Parquet and Feather: says what a table holds, or streams some of its columns, plain, to the standard output.

Texts go out as codes and a dictionary, so that a long one that is repeated is held once, here and by whoever reads on.
"""

import base64
import io
import itertools
import sys

import pyarrow.parquet as pq

from leasc_core.data.guards import Limits, check_columns, check_expansion, check_header, check_members, refuse
from leasc_core.data.reading.isolated.arrow import pa
from leasc_core.data.reading.isolated.arrow_sizes import unpacked_bytes
from leasc_core.data.reading.isolated.confine import allow_work, confine, forbid_more_files

WHAT = "Parquet or Feather"
MAGIC = b"PAR1"
MEMORY = 512 << 20
LARGEST_GROUP = 32 << 20
# What each column of each group takes to be looked at, beside its bytes, in bytes that could be read meanwhile.
BYTES_PER_COLUMN = 1 << 14
# Lists may be long: so many rows of them are shown at first.
FEW_LISTS = 20


def extract(request):
    """What the table holds, and its first rows; with `columns` their batches go to the standard output."""
    limits, name, path = Limits(**request["limits"]), request["name"], request["path"]
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    _load_everything()
    confine(MEMORY, min(MEMORY, limits.memory), 1 << 24)
    with pa.OSFile(path) as file:
        forbid_more_files()
        table = (_Parquet if file.read_at(4, 0) == MAGIC else _Feather)(file, name, limits)
        if "columns" in request:
            _send(table.batches(request["groups"], request["columns"], request["rows"]), sys.stdout.buffer)
            return {}
        return {
            "schema": base64.b64encode(table.schema.serialize()).decode(),
            "group_rows": table.group_rows,
            "without_nulls": [table.without_nulls(at) for at in range(len(table.schema))],
            "head": _head(table, request["rows"]),
        }


def _head(table, rows):
    """The first rows of all columns."""
    out, names = io.BytesIO(), table.schema.names
    rows = min(rows, FEW_LISTS) if any(map(pa.types.is_nested, table.schema.types)) else rows
    if table.group_rows and 0 < len(set(names)) == len(names):
        _send(itertools.islice(table.batches([0], names, rows), 1), out)
    return base64.b64encode(out.getvalue()).decode()


def _send(batches, out):
    """Batches of one schema as a stream of Arrow; nothing where there are none."""
    stream = None
    for batch in batches:
        batch = pa.RecordBatch.from_arrays([_coded(column) for column in batch.columns], names=batch.schema.names)
        stream = stream or pa.ipc.new_stream(out, batch.schema)
        stream.write_batch(batch)
    if stream is not None:
        stream.close()


def _coded(column):
    """Texts as codes."""
    kind = column.type
    text = pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    return (column.cast(pa.large_string()) if pa.types.is_string_view(kind) else column).dictionary_encode() if text else column


def _load_everything():
    """pyarrow imports parts of itself when they are first needed; afterwards nothing more can be opened."""
    tiny, out = pa.table({"a": [1.0], "b": ["x"]}), io.BytesIO()
    pq.write_table(tiny, out)
    stored = pq.ParquetFile(pa.BufferReader(out.getvalue()))
    next(stored.iter_batches(1)).column(1).dictionary_encode().validate(full=True)


class _Parquet:
    """Row groups of a Parquet file."""

    def __init__(self, file, name, limits):
        size = file.size()
        if size < 8 or file.read_at(4, size - 4) != MAGIC:
            raise refuse(name, "is a Parquet file without its end", "save or download it again")
        check_header(name, int.from_bytes(file.read_at(4, size - 8), "little"), "footer", limits)
        metadata = pq.read_metadata(file)
        check_members(name, metadata.num_row_groups, limits)
        check_columns(name, metadata.num_columns, limits)
        groups = [metadata.row_group(at) for at in range(metadata.num_row_groups)]
        unpacked = sum(max(0, group.total_byte_size) for group in groups)
        check_expansion(name, size, unpacked, limits)
        allow_work(size + unpacked + BYTES_PER_COLUMN * metadata.num_columns * max(1, len(groups)))
        # Page by page: a large group is not held whole, but a page that lies about its size is believed.
        paged = size > LARGEST_GROUP < max(map(_stored_bytes, groups), default=0)
        texts = [column.path for column in map(metadata.schema.column, range(metadata.num_columns)) if _is_text(column)]
        more = {"buffer_size": 1 << 16} if paged else {}
        self.file = pq.ParquetFile(file, pre_buffer=False, metadata=metadata, read_dictionary=texts, **more)
        self.schema, self.group_rows = self.file.schema_arrow, [group.num_rows for group in groups]

    def batches(self, groups, columns, rows):
        return self.file.iter_batches(rows, row_groups=groups, columns=columns, use_threads=False)

    def without_nulls(self, at):
        """Does the footer say that column `at` has no empty cell?"""
        if not self.schema.field(at).nullable:
            return True
        metadata = self.file.metadata
        if metadata.num_columns != len(self.schema):
            return False
        statistics = [metadata.row_group(group).column(at).statistics for group in range(metadata.num_row_groups)]
        return all(s is not None and s.has_null_count and s.null_count == 0 for s in statistics)


def _is_text(column):
    return column.physical_type == "BYTE_ARRAY"


def _stored_bytes(group):
    return sum(group.column(at).total_compressed_size for at in range(group.num_columns))


class _Feather:
    """Record batches of a Feather (Arrow IPC) file."""

    def __init__(self, file, name, limits):
        self.stored, size = file, file.size()
        unpacked = unpacked_bytes(file, size)
        check_expansion(name, size, unpacked, limits)
        file.seek(0)
        reader = pa.ipc.open_file(file)
        self.schema = reader.schema
        check_members(name, reader.num_record_batches, limits)
        check_columns(name, len(self.schema), limits)
        allow_work(size + unpacked + BYTES_PER_COLUMN * len(self.schema) * max(1, reader.num_record_batches))
        narrow = self._reader([0]) if len(self.schema) else reader
        self.group_rows = [narrow.get_batch(at).num_rows for at in range(reader.num_record_batches)]

    def _reader(self, fields):
        options = pa.ipc.IpcReadOptions(included_fields=sorted(fields), use_threads=False)
        return pa.ipc.open_file(self.stored, options=options)

    def batches(self, groups, columns, rows):
        reader = self._reader([self.schema.get_field_index(name) for name in columns])
        for group in groups:
            batch = reader.get_batch(group)
            batch.validate(full=True)
            for start in range(0, batch.num_rows, rows):
                yield batch.slice(start, rows).select(columns)

    def without_nulls(self, at):
        return not self.schema.field(at).nullable
