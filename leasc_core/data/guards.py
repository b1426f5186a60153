"""What a file may ask of us: limits, checks made before anything is unpacked, the wording of refusals."""

import math
import re
from contextlib import contextmanager
from dataclasses import dataclass

from leasc_core.errors import DataError, LeascError

MEGABYTE = 1 << 20
GIGABYTE = 1 << 30

# Whole numbers beyond this are not exact in double precision.
LARGEST_EXACT_INTEGER = 2**53
# Above this a square overflows, and every distance with it.
LARGEST_VALUE = 1e150


# NumPy knows no more axes, and no longer ones, even of arrays that hold nothing.
MOST_AXES, LONGEST = 32, 1 << 48


@dataclass(frozen=True)
class Limits:
    """How much one file may ask for; every reader checks these before it unpacks anything.

    Parameters
    ----------
    bytes : size of a file as stored.
    cells : numbers in an array held in memory.
    columns : columns of a table; each costs a parser about 9 kB.
    members : files in an archive or folder, arrays in a container.
    ratio, free : unpacked bytes per stored byte, asked only of what unpacks to more than `free` bytes.
    header : bytes of a header, footer, archive directory or line of text.
    seconds : wall-clock time of the child process that reads MATLAB and HDF5 files.
    memory : address space that child may add to what it needs to start.
    """

    bytes: int = 4 * GIGABYTE
    cells: int = 1 << 29
    columns: int = 20_000
    members: int = 200_000
    ratio: int = 200
    free: int = 64 * MEGABYTE
    header: int = 16 * MEGABYTE
    seconds: float = 600.0
    memory: int = 4 * GIGABYTE


# For sources that stay on disk: what is streamed need not fit in memory.
STREAMED = Limits(bytes=16 << 40, cells=1 << 42, ratio=1000, seconds=24 * 3600.0)


def one_line(text, length=120):
    """Printable characters of `text` on one line, cut to `length`: what a message may repeat of a file."""
    line = re.sub(r"\s+", " ", "".join(c if c.isprintable() else " " for c in str(text))).strip()
    return line if len(line) <= length else line[: length - 1] + "…"


def refuse(name, what, remedy):
    """The one-sentence `DataError` about the file `name`: what is wrong and what to do."""
    return DataError(f"{one_line(name, 80)}: {what}; {remedy}.")


@contextmanager
def parsing(name, what):
    """Turn whatever a parser raises on a damaged file into one `DataError`; parsers raise anything."""
    try:
        yield
    except LeascError:
        raise
    except Exception as error:
        detail = one_line(re.sub(r"<[^<>]* at 0x\w+>", "…", str(error))) or type(error).__name__
        raise refuse(name, f"is not a readable {what} file ({detail})", "save or download it again") from None


def size_text(count):
    """`count` bytes in words a person reads: 3.2 GB."""
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= scale:
            return f"{count / scale:,.1f} {unit}"
    return f"{count} bytes"


def check_bytes(name, size, limits):
    """Refuse an empty file, and one larger than the limit."""
    if size == 0:
        raise refuse(name, "is empty", "choose a file that holds data")
    if size > limits.bytes:
        what = f"is {size_text(size)} and the limit is {size_text(limits.bytes)}"
        raise refuse(name, what, "open it as a source on disk, or split it")


def check_header(name, size, what, limits):
    """Refuse a header (or footer, directory, line) longer than the limit."""
    if size > limits.header:
        text = f"has a {what} of {size_text(size)} and the limit is {size_text(limits.header)}"
        raise refuse(name, text, "save it again in a simpler form")


def check_members(name, count, limits):
    """Refuse an archive or container with too many members."""
    if count > limits.members:
        raise refuse(name, f"holds {count:,} members and the limit is {limits.members:,}", "split it")


def check_columns(name, count, limits):
    """Refuse a table too wide to be parsed column by column."""
    if count > limits.columns:
        what = f"has {count:,} columns and the limit for tables is {limits.columns:,}"
        raise refuse(name, what, "save the numbers as .npy")


def check_expansion(name, stored, unpacked, limits):
    """Refuse what would grow too much when unpacked (a zip bomb), before unpacking it."""
    if unpacked > limits.free and unpacked > limits.ratio * max(stored, 1):
        what = f"would grow from {size_text(stored)} to {size_text(unpacked)}, over {limits.ratio} times"
        raise refuse(name, what, "unpack it yourself and load the result if you trust it")


def check_cells(name, shape, limits):
    """Refuse impossible and oversized shapes; return the number of cells."""
    cells = math.prod(int(length) for length in shape)
    odd = any(isinstance(length, bool) or length < 0 or (not cells and length > LONGEST) for length in shape)
    if odd or len(shape) > MOST_AXES:
        raise refuse(name, f"declares the impossible shape {one_line(tuple(shape), 60)}", "save or download it again")
    if cells > limits.cells:
        what = f"has {cells:,} numbers and the limit is {limits.cells:,}"
        raise refuse(name, what, "open it as a source on disk, or keep fewer rows or columns")
    return cells


def check_dtype(name, dtype):
    """Refuse everything but plain real numbers (pickled objects and records first of all)."""
    if dtype.hasobject:
        what = "holds Python objects (a pickle), which could run code when opened"
        raise refuse(name, what, "save the numbers alone as a plain array")
    if dtype.names is not None or dtype.subdtype is not None:
        raise refuse(name, "holds records with named fields", "save the numeric columns as one plain array")
    if dtype.kind not in "biuf" or dtype.itemsize > 8:
        raise refuse(name, f"holds values of type {dtype}", "save real numbers of at most 64 bits")


def check_member_name(archive, member):
    """Refuse archive names that are empty or point outside the archive's own folder."""
    outside = (
        not member
        or member.startswith(("/", "\\"))
        or re.match(r"[A-Za-z]:", member)
        or ".." in re.split(r"[/\\]", member)
        or "\0" in member
    )
    if outside:
        what = f"has a member named '{one_line(member, 60)}', which leaves the archive's folder"
        raise refuse(archive, what, "make the archive again with relative names")
