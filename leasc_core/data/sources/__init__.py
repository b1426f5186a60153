"""Sources of rows, and `open_source`, which makes one of whatever holds rows."""

import os
from collections.abc import Callable
from typing import Any

from leasc_core.data.guards import STREAMED, Limits
from leasc_core.data.sources.source import HASHED_WHOLE, ArraySource, DataSource, FileSource, PlanesSource, source_of_array
from leasc_core.errors import ParameterError

__all__ = ["HASHED_WHOLE", "ArraySource", "DataSource", "FileSource", "PlanesSource", "open_source", "source_of_array"]


def open_source(
    thing: Any, *, name: str | None = None, progress: Callable | None = None, limits: Limits = STREAMED, **options: Any
) -> DataSource:
    """The `DataSource` of an array, memory map, DataFrame, `Dataset`, path or another source.

    Paths stay on disk: `.npy` is read in place, Parquet and Feather by row groups, everything else is
    converted once to a `.npy` file in the cache folder (`LEASC_CACHE`, or the user's cache folder).

    Parameters
    ----------
    progress : called as `progress(rows_done, rows_expected_or_None)` during a conversion; True stops it.
    options : what `load_data` takes: `array`, `label`, `transpose`, for tables `roles`, and the format's own options. `like`
        are the columns of the data of a model (`ColumnInfo`), to which a table is matched by name.
    """
    if isinstance(thing, DataSource):
        return thing
    if isinstance(thing, (str, os.PathLike, bytes)) or hasattr(thing, "read"):
        from leasc_core.data.sources.cache import source_of_file

        return source_of_file(thing, name, progress, limits, options)
    if hasattr(thing, "to_numpy") and hasattr(thing, "columns"):
        from leasc_core.data.sources.frames import source_of_frame

        return source_of_frame(thing, name or "table", **options)
    options.pop("like", None)
    if options:
        raise ParameterError(f"{', '.join(options)} only apply to files, not to a {type(thing).__name__}.")
    if hasattr(thing, "X") and hasattr(thing, "label_names"):
        return source_of_array(thing.X, name or thing.name, thing)
    return source_of_array(thing, name or "array")
