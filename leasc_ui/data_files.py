"""What a file offers to choose from before it is read: its arrays, its columns, how its text is written. No Streamlit."""

import os
from dataclasses import dataclass

from leasc_core.data.blobs import open_blob
from leasc_core.data.guards import parsing
from leasc_ui.uploads import limits_of

MOST_COLUMNS_LISTED = 500


@dataclass(frozen=True)
class FileFacts:
    """``arrays`` of a container (name, shape, dtype, role), ``columns`` of a table, else empty; ``text`` for a text table."""

    format: str
    size: int
    arrays: tuple = ()
    columns: tuple = ()
    text: bool = False


def facts_of(path, separator=None, header=None, decimal=None) -> FileFacts:
    """Look at the head of a file; DataError where it is none that can be read."""
    from leasc_core.data.readers import list_arrays, recognise

    limits = limits_of(path)
    blob = open_blob(path, None, limits)
    found = recognise(blob)
    size = os.path.getsize(path) if os.path.isfile(path) else blob.size
    if found.arrays is not None:
        return FileFacts(found.name, size, arrays=tuple(list_arrays(path, limits=limits)))
    if found.name == "text table":
        columns = _text_columns(blob, limits, separator, header, decimal)
        return FileFacts(found.name, size, columns=columns[:MOST_COLUMNS_LISTED], text=True)
    if found.source is not None:
        return FileFacts(found.name, size, columns=_stored_columns(blob)[:MOST_COLUMNS_LISTED])
    return FileFacts(found.name, size)


def main_file(paths):
    """Of several files uploaded together, the one that holds the samples: labels lie beside it under their own name."""
    return max(paths, key=lambda path: ("label" not in path.name.lower(), path.stat().st_size))


def _text_columns(blob, limits, separator, header, decimal):
    from leasc_core.data.dialect import detect, read_head

    dialect = detect(read_head(blob, limits), blob.name, limits, separator, header, decimal)
    return tuple(column.name for column in dialect.columns) if dialect.named else ()


def _stored_columns(blob):
    import pyarrow as pa
    from pyarrow import parquet

    with parsing(blob.name, "Parquet or Feather"):
        if blob.head(4) == b"PAR1":
            return tuple(parquet.read_schema(str(blob.path)).names)
        with pa.memory_map(str(blob.path)) as stored:
            return tuple(pa.ipc.open_file(stored).schema.names)
