"""What a file offers to choose from before it is read: its arrays, its columns, how its text is written. No Streamlit."""

import os
from dataclasses import dataclass

from leasc_core.data.guards import parsing
from leasc_core.data.reading.blobs import open_blob
from leasc_ui.work.uploads import limits_of

MOST_COLUMNS_LISTED = 500


@dataclass(frozen=True)
class FileFacts:
    """``arrays`` of a container (name, shape, dtype, role), ``columns`` (ColumnInfo) of a table, else (); ``text`` for text."""

    format: str
    size: int
    arrays: tuple = ()
    columns: tuple = ()
    text: bool = False


def facts_of(path, separator=None, header=None, decimal=None, encoding=None) -> FileFacts:
    """Look at the head of a file; DataError where it is none that can be read."""
    from leasc_core.data.reading import list_arrays, recognise

    limits = limits_of(path)
    blob = open_blob(path, None, limits)
    found = recognise(blob)
    size = os.path.getsize(path) if os.path.isfile(path) else blob.size
    if found.arrays is not None:
        return FileFacts(found.name, size, arrays=tuple(list_arrays(path, limits=limits)))
    if found.name == "text table":
        columns = _text_columns(blob, limits, separator, header, decimal, encoding)
        return FileFacts(found.name, size, columns=columns[:MOST_COLUMNS_LISTED], text=True)
    if found.source is not None:
        return FileFacts(found.name, size, columns=_stored_columns(blob, limits)[:MOST_COLUMNS_LISTED])
    return FileFacts(found.name, size)


def main_file(paths):
    """Of several files uploaded together, the one that holds the samples: labels lie beside it under their own name."""
    return max(paths, key=lambda path: ("label" not in path.name.lower(), path.stat().st_size))


def _text_columns(blob, limits, separator, header, decimal, encoding):
    from leasc_core.data.columns.plan import columns_of
    from leasc_core.data.reading.tables.delimited import detected

    _, _, dialect, _ = detected(blob, limits, separator, header, decimal, encoding)
    return columns_of(dialect.columns, dialect.named)


def _stored_columns(blob, limits):
    from leasc_core.data.columns.plan import columns_of
    from leasc_core.data.reading.tables.columnar import stored_table

    with parsing(blob.name, "Parquet or Feather"):
        return columns_of(stored_table(blob, limits)[1])
