"""Tables stored by columns as two libraries' files have them, their claims checked before anything is unpacked."""

from leasc_core.data.guards import check_columns, check_expansion, check_header, check_members, refuse
from leasc_core.data.reading.tables.arrow_sizes import unpacked_bytes

PARQUET, FEATHER, OLD_FEATHER = b"PAR1", b"ARROW1", b"FEA1"
LARGEST_GROUP = 32 << 20


class StoredParquet:
    """Row groups of a Parquet file. Texts come as codes and a dictionary: a long text that is repeated is held once."""

    def __init__(self, blob, limits):
        import pyarrow as pa
        import pyarrow.parquet as pq

        tail = blob.tail(8)
        if tail[4:] != PARQUET:
            raise refuse(blob.name, "is a Parquet file without its end", "save or download it again")
        check_header(blob.name, int.from_bytes(tail[:4], "little"), "footer", limits)
        stored = pa.BufferReader(blob.data) if blob.path is None else str(blob.path)
        metadata = pq.read_metadata(stored)
        check_members(blob.name, metadata.num_row_groups, limits)
        check_columns(blob.name, metadata.num_columns, limits)
        groups = [metadata.row_group(at) for at in range(metadata.num_row_groups)]
        check_expansion(blob.name, blob.size, sum(max(0, group.total_byte_size) for group in groups), limits)
        # Page by page: a large group is not held whole, but a page that lies about its size is believed.
        paged = blob.path is not None and blob.size > LARGEST_GROUP < max(map(_stored_bytes, groups), default=0)
        texts = [name for name, kind in zip(metadata.schema.names, _types(metadata), strict=False) if kind == "BYTE_ARRAY"]
        options = {"pre_buffer": False, "metadata": metadata, "read_dictionary": texts}
        self.file = pq.ParquetFile(stored, buffer_size=1 << 16, **options) if paged else pq.ParquetFile(stored, **options)
        self.schema, self.group_rows = self.file.schema_arrow, [group.num_rows for group in groups]

    def batches(self, groups, columns, rows):
        return self.file.iter_batches(rows, row_groups=list(groups), columns=columns)

    def without_nulls(self, at):
        """Does the footer say that column `at` has no empty cell?"""
        if not self.schema.field(at).nullable:
            return True
        metadata = self.file.metadata
        if metadata.num_columns != len(self.schema):
            return False
        statistics = [metadata.row_group(group).column(at).statistics for group in range(metadata.num_row_groups)]
        return all(s is not None and s.has_null_count and s.null_count == 0 for s in statistics)


def _types(metadata):
    return [metadata.schema.column(at).physical_type for at in range(metadata.num_columns)]


def _stored_bytes(group):
    return sum(group.column(at).total_compressed_size for at in range(group.num_columns))


class StoredFeather:
    """Record batches of a Feather (Arrow IPC) file."""

    def __init__(self, blob, limits):
        import pyarrow as pa

        self.ipc = pa.ipc
        self.stored = pa.BufferReader(blob.data) if blob.path is None else pa.memory_map(str(blob.path))
        check_expansion(blob.name, blob.size, unpacked_bytes(self.stored, blob.size), limits)
        self.stored.seek(0)
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
