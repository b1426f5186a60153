"""What a file offers to choose from before it is read: its arrays, its columns, its sheets. No Streamlit."""

import os
from dataclasses import dataclass

from leasc_core.data.reading.blobs import open_blob
from leasc_ui.work.uploads import limits_of

MOST_COLUMNS_LISTED = 500


@dataclass(frozen=True)
class FileFacts:
    """``arrays`` of a container (name, shape, dtype, role), ``columns`` (ColumnInfo) of a table, ``sheets`` of a workbook.

    ``options`` are those of its format; ``shape`` is that of an array that stands alone.
    """

    format: str
    size: int
    arrays: tuple = ()
    columns: tuple = ()
    sheets: tuple = ()
    options: frozenset = frozenset()
    shape: tuple = ()

    def shape_of(self, array):
        """The shape of the array that is taken: the one asked for, or the one proposed."""
        return next((info.shape for info in self.arrays if (info.name == array if array else info.role == "data")), self.shape)


def facts_of(path, **written) -> FileFacts:
    """Look at the head of a file, read as ``written`` says; DataError where it is none that can be read."""
    from leasc_core.data.reading import list_arrays, recognise
    from leasc_core.data.reading.contents import options_of

    limits = limits_of(path)
    blob = open_blob(path, None, limits)
    found = recognise(blob)
    size, options = os.path.getsize(path) if os.path.isfile(path) else blob.size, options_of(found)
    arrays = tuple(list_arrays(path, limits=limits)) if found.arrays else ()
    sheets = tuple(found.sheets(blob, limits)) if found.sheets else ()
    written = {name: value for name, value in written.items() if name in options and value is not None}
    columns = found.columns(blob, limits, **written)[:MOST_COLUMNS_LISTED] if found.columns else ()
    shape = found.shape(blob, limits) if found.shape else ()
    return FileFacts(found.name, size, arrays, columns, sheets, options, shape)


def main_file(paths):
    """Of several files uploaded together, the one that holds the samples: labels lie beside it under their own name."""
    return max(paths, key=lambda path: ("label" not in path.name.lower(), path.stat().st_size))
