"""How a text table is written: separator, decimal mark, header, kinds of columns; judged from its head."""

import codecs
import csv
import re
from collections import Counter
from dataclasses import dataclass

from leasc_core.data.guards import check_columns, check_header, refuse
from leasc_core.data.tables import Column

SEPARATORS = (",", ";", "\t", "|", " ")
MISSING = ("", "NA", "N/A", "NaN", "nan", "NAN", "null", "NULL", "None", "?", "#N/A", "n/a", "<NA>")
NUMBER = re.compile(r"[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|inf|Inf|INF|infinity|Infinity)", re.ASCII)
WHOLE = re.compile(r"[-+]?\d+", re.ASCII)
WIDE_ENCODINGS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
LINES_LOOKED_AT = 100


@dataclass(frozen=True)
class Dialect:
    """What the parser needs: `skip` lines stand before the data, `longest` is the longest line seen."""

    separator: str
    decimal: str
    skip: int
    columns: list
    named: bool
    longest: int
    line_end: bytes


def read_head(blob, limits, wanted=1 << 16):
    """The first complete lines as text; more is read when a line is long, up to the header limit."""
    while True:
        head = blob.head(wanted)
        whole = len(head) < wanted
        if whole or head.count(b"\n") > 1:
            break
        check_header(blob.name, wanted, "line", limits)
        wanted *= 8
    if head.startswith(WIDE_ENCODINGS):
        raise refuse(blob.name, "is written in UTF-16 or UTF-32", "save it as UTF-8")
    if b"\0" in head:
        raise refuse(blob.name, "is not text (it contains zero bytes)", "check the format, or save it as CSV in UTF-8")
    head = head.removeprefix(codecs.BOM_UTF8)
    if not whole:
        head = head[: head.rfind(b"\n") + 1]
    try:
        return head.decode("utf-8")
    except UnicodeDecodeError as error:
        what = f"is not written in UTF-8 (byte 0x{head[error.start]:02X} at position {error.start})"
        raise refuse(blob.name, what, "save it as UTF-8") from None


def detect(text, name, limits, separator=None, header=None, decimal=None):
    """The `Dialect` of a table that begins with `text`; what the caller already knows is not guessed."""
    lines = re.split(r"\r\n|\n|\r", text)
    starts = [at for at, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")]
    if not starts:
        raise refuse(name, "has 0 rows", "choose a file that holds data")
    sample = [lines[at] for at in starts[:LINES_LOOKED_AT]]
    choices = [(s, d) for s in ([separator] if separator else SEPARATORS) for d in ([decimal] if decimal else ".,") if s != d]
    tables = {choice: _split(sample, choice[0], name, limits) for choice in choices}
    separator, decimal = max(choices, key=lambda choice: _score(tables[choice], choice))
    rows = tables[separator, decimal]
    width = Counter(len(row) for row in rows).most_common(1)[0][0]
    check_columns(name, width, limits)
    if width < 2:
        raise refuse(name, "has 1 column where at least 2 are needed", "check the separator, or add features")
    named = _has_header(rows, decimal) if header is None else bool(header)
    names = [cell.strip() for cell in rows[0]] if named else [f"column {at}" for at in range(width)]
    if len(names) != width:
        raise refuse(name, f"names {len(names)} columns but has {width}", "give every column one name")
    body = [row for row in rows[named:] if len(row) == width]
    columns = [_column(names[at], [row[at].strip() for row in body], decimal) for at in range(width)]
    skip = starts[0] + 1 if named else starts[0]
    line_end = b"\n" if "\n" in text else b"\r"
    return Dialect(separator, decimal, skip, columns, named, max(map(len, sample)), line_end)


def _split(lines, separator, name, limits):
    """Cells of every line; a run of blanks counts as one separator."""
    if separator == " ":
        return [line.split() for line in lines]
    for line in lines:
        check_columns(name, line.count(separator), limits)
    try:
        return list(csv.reader(lines, delimiter=separator))
    except csv.Error as error:
        raise refuse(name, f"is not a readable table ({error})", "check its quotation marks") from None


def _score(rows, choice):
    """Several columns first, then even rows and numbers in the cells, then the point as decimal mark."""
    widths = Counter(len(row) for row in rows)
    width, even = widths.most_common(1)[0]
    body = rows[1:] or rows
    cells = [cell.strip() for row in body for cell in row[:200]]
    numeric = sum(_is_number(cell, choice[1]) or cell in MISSING for cell in cells) / max(1, len(cells))
    order = SEPARATORS.index(choice[0]) if choice[0] in SEPARATORS else 0
    return width > 1, round(even / len(rows), 2) + round(numeric, 2), choice[1] == ".", -order


def _is_number(cell, decimal):
    return bool(NUMBER.fullmatch(cell.replace(decimal, ".") if decimal != "." else cell))


def _has_header(rows, decimal):
    first, body = rows[0], rows[1:]
    counted = [str(at) for at in range(len(first))]
    if len(first) > 2 and first in (counted, ["", *counted[:-1]]):
        return True
    texts = [at for at, cell in enumerate(first) if cell.strip() not in MISSING and not _is_number(cell.strip(), decimal)]
    if not texts:
        return False
    if len(texts) == len([cell for cell in first if cell.strip()]):
        return True
    below = {at: [row[at].strip() for row in body if at < len(row)] for at in texts}
    return any(cells and all(_is_number(c, decimal) or c in MISSING for c in cells) for cells in below.values())


def _column(name, cells, decimal):
    present = [cell for cell in cells if cell not in MISSING]
    numbers = [cell for cell in present if _is_number(cell, decimal)]
    if not present:
        return Column(name, "empty")
    if not numbers:
        return Column(name, "text", tuple(present))
    if len(numbers) < len(present):
        texts = [cell for cell in present if not _is_number(cell, decimal)]
        return Column(name, "mixed", tuple(texts))
    if all(WHOLE.fullmatch(cell) for cell in numbers):
        return Column(name, "whole", tuple(int(cell) for cell in numbers if len(cell) < 20))
    return Column(name, "number", tuple(numbers[:1]))
