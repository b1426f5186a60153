"""What a format has to say for itself to be readable: one `Format` a module."""

from collections.abc import Callable
from dataclasses import dataclass

HDF5 = b"\x89HDF\r\n\x1a\n"


@dataclass(frozen=True)
class Format:
    """One file format.

    Parameters
    ----------
    name : in words, for messages.
    extensions : lower case, with the dot.
    recognises : `(head, blob) -> bool`, from the first bytes; tried before any extension.
    read : `(blob, limits, array, label, **options) -> Contents`; the options are the format's own.
    arrays : `(blob, limits) -> list of ArrayInfo` for containers.
    columns : `(blob, limits, **options) -> tuple of ColumnInfo` for tables: roles as they are guessed, nothing refused.
    shape : `(blob, limits) -> tuple`, of the one array of a file.
    sheets : `(blob, limits) -> list of str` for workbooks.
    source : `(blob, limits, label) -> DataSource` for formats that stream in place.
    in_place : whether what `read` returns is the file itself, mapped, so that nothing need be converted.
    companions : `path -> list of paths` that a result also depends on.
    in_gzip : whether it can be read forward only, from inside a .gz.
    rank : formats of lower rank are asked first.
    """

    name: str
    extensions: tuple
    recognises: Callable
    read: Callable
    arrays: Callable | None = None
    columns: Callable | None = None
    shape: Callable | None = None
    sheets: Callable | None = None
    source: Callable | None = None
    in_place: bool = False
    companions: Callable | None = None
    in_gzip: bool = False
    rank: int = 0


def is_hdf5(head, blob=None) -> bool:
    """The signature stands at 0 or, behind a user block, at 512, 1024, 2048, …"""
    return any(head[offset : offset + 8] == HDF5 for offset in (0, 512, 1024, 2048, 4096, 8192))
