"""How a text table is written: separator, decimal mark, lines before it, header, kinds of columns; judged from its head."""

import csv
import re
from collections import Counter
from dataclasses import dataclass, field

from leasc_core.data.columns.guess import Column
from leasc_core.data.columns.notation import DRESSED, IN_LIST, LIST, MISSING, WHOLE, is_number, kind_of
from leasc_core.data.guards import check_columns, check_header, one_line, refuse
from leasc_core.data.reading.tables.header import find_header, named_by_remark
from leasc_core.errors import ParameterError

SEPARATORS = (",", ";", "\t", "|", " ")
LINES_LOOKED_AT = 100
ROWS_SCORED, QUOTED_SHARE = 40, 0.9
LISTED, NUMBERS = re.compile(LIST), re.compile(IN_LIST)
CELLS_LOOKED_AT = 200_000
MOST_ROWS = 1000
SPAN_BYTES = 1 << 15
QUOTED = re.compile(r'"[^"]*"|\S+')
# The first line that spreadsheets write to say the separator.
SAID = re.compile(r'"?sep=([^"])"?', re.IGNORECASE)
# Of a column of numbers, the share that may be something else and is then a mistake to be told, not a column of text.
ODD = 0.1


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
    notes: list = field(default_factory=list)


def read_head(blob, limits, wanted=1 << 16):
    """The first complete lines as text; more is read when a line is long, up to the header limit."""
    while True:
        head = blob.head(wanted)
        whole = len(head) < wanted
        if whole or head.count(b"\n") > 1:
            break
        check_header(blob.name, wanted, "line", limits)
        wanted *= 8
    if not whole:
        head = head[: head.rfind(b"\n") + 1]
    try:
        return head.decode("utf-8")
    except UnicodeDecodeError as error:
        what = f"is not written in UTF-8 (byte 0x{head[error.start]:02X} at position {error.start})"
        raise refuse(blob.name, what, "say its encoding (encoding=), or save it as UTF-8") from None


def later_lines(blob):
    """Some whole lines from the middle and the end of a file that can be read anywhere; [] where lines cannot be told."""
    if blob.packed or type(blob).__name__ == "DecodedBlob" or blob.size < 8 * SPAN_BYTES:
        return []
    lines = []
    with blob.open() as file:
        for share in (0.35, 0.65, 0.97):
            file.seek(int(share * blob.size))
            part = file.read(SPAN_BYTES)
            if b'"' in part:
                return []
            lines += part.decode("utf-8", errors="replace").splitlines()[1:-1]
    return lines


def checked_mark(value, what, allowed=None):
    """A separator or decimal mark that is one character, or None."""
    if value is None:
        return None
    sound = isinstance(value, str) and len(value) == 1 and value not in '"\r\n\0' and value.isascii()
    if not sound or (allowed and value not in allowed):
        how = f"one of {' '.join(allowed)}" if allowed else "one character, such as , or ;"
        raise ParameterError(f"{what}={value!r} cannot be read: give {how}.")
    return value


def detect(text, name, limits, separator=None, header=None, decimal=None, later=()):
    """The `Dialect` of a table that begins with `text`; what the caller already knows is not guessed."""
    separator, decimal = checked_mark(separator, "separator"), checked_mark(decimal, "decimal", ".,")
    if separator is not None and separator == decimal:
        raise ParameterError(f"'{separator}' cannot be both separator and decimal mark: give another for one of them.")
    if foreign := re.match(r"\s*(?:(\{|\[\s*[\[{])|(<[!?\w]))", text):
        what = "is JSON" if foreign[1] else "is a page or XML"
        raise refuse(name, f"{what}, not a table of cells", "save its table as CSV")
    lines = re.split(r"\r\n|\n|\r", text)
    starts = [at for at, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")]
    if not starts:
        raise refuse(name, "has 0 rows", "choose a file that holds data")
    if len(starts) > 1 and (said := SAID.fullmatch(lines[starts[0]].strip("\ufeff "))):
        starts, separator = starts[1:], separator or said[1]
    sample = [lines[at] for at in starts[:LINES_LOOKED_AT]]
    separator, decimal = _marks(sample, name, limits, separator, decimal)
    rows, ends = split([lines[at] for at in starts[:MOST_ROWS]], separator, name, limits)
    width = Counter(len(row) for row in rows[:LINES_LOOKED_AT]).most_common(1)[0][0]
    check_columns(name, width, limits)
    if width < 2:
        raise refuse(name, "has 1 column where at least 2 are needed", "check the separator, or add features")
    found = find_header(rows, width, decimal, header, name, separator)
    if not found.named and header is None and starts[0]:
        found = named_by_remark(found, split([lines[starts[0] - 1].lstrip("# \t")], separator, name, limits)[0], width, decimal)
    if found.rows == len(rows):
        raise refuse(name, "has 0 rows", "choose a file that holds data")
    skip = starts[ends[found.rows - 1] - 1] + 1 if found.rows else starts[0]
    body = [row for row in rows[found.rows :] if len(row) == width][: max(LINES_LOOKED_AT, CELLS_LOOKED_AT // width)]
    more = [row for row in split(later, separator, name, limits)[0] if len(row) == width] if later else []
    columns = [_column(found.names[at], [row[at] for row in body], [row[at] for row in more], decimal) for at in range(width)]
    line_end = b"\n" if "\n" in text else b"\r"
    longest = max(map(len, sample))
    return Dialect(separator, decimal, skip, columns, found.named, longest, line_end, found.notes)


def _marks(sample, name, limits, separator, decimal):
    """Separator and decimal mark, as given or as they suit the lines best."""
    given = [separator] if separator else _beside_quotes(sample) or SEPARATORS
    choices = [(s, d) for s in given for d in ([decimal] if decimal else ".,") if s != d]
    if not choices:
        raise ParameterError(f"'{decimal}' cannot be both separator and decimal mark: give another for one of them.")
    tables = {s: split(sample, s, name, limits)[0] for s, _ in choices}
    return max(choices, key=lambda choice: _score(tables[choice[0]], choice))


def _beside_quotes(sample):
    """The separators that stand beside a quotation mark in nearly every line."""
    beside = {s: sum(f'"{s}' in line or f'{s}"' in line for line in sample) for s in SEPARATORS}
    return [s for s, count in beside.items() if count >= QUOTED_SHARE * len(sample)]


def split(lines, separator, name, limits):
    """`(cells of every record, number of lines up to its end)`; a run of blanks counts as one separator."""
    if separator == " ":
        return [_words(line) for line in lines], list(range(1, len(lines) + 1))
    for line in lines:
        check_columns(name, line.count(separator), limits)
    try:
        reader = csv.reader((line + "\n" for line in lines), delimiter=separator)
        pairs = [(row, reader.line_num) for row in reader]
    except csv.Error as error:
        raise refuse(name, f"is not a readable table ({one_line(error)})", "check its quotation marks") from None
    return [row for row, _ in pairs], [end for _, end in pairs]


def _words(line):
    """What stands between blanks; blanks inside quotation marks part nothing."""
    return [word.strip('"') for word in QUOTED.findall(line)] if '"' in line else line.split()


def _score(rows, choice):
    """Several columns first, then even rows and numbers in the cells, then the point as decimal mark."""
    widths = Counter(len(row) for row in rows)
    width, even = widths.most_common(1)[0]
    body = [row for row in rows[1:] if len(row) == width][:ROWS_SCORED] or rows
    cells = [cell.strip() for row in body for cell in row[:200]]
    numeric = sum(is_number(cell, choice[1]) or cell in MISSING for cell in cells) / max(1, len(cells))
    dressed = sum(DRESSED.fullmatch(cell) is not None for cell in cells) / max(1, len(cells))
    order = SEPARATORS.index(choice[0]) if choice[0] in SEPARATORS else 0
    # What splits every line but the first one is more likely a decimal mark than a separator.
    shape = round(even / len(rows), 2) + 0.3 * (len(rows[0]) == width)
    return width > 1, shape + round(max(numeric, 0.9 * dressed), 2), round(numeric, 2), choice[1] == ".", -order


def _column(name, head, later, decimal):
    """What the cells of a column are; a few that are no numbers among many that are do not make it text."""
    cells = [cell.strip() for cell in head]
    present = [cell for cell in cells if cell not in MISSING]
    more = [cell for cell in map(str.strip, later) if cell not in MISSING]
    if present and all(cell[0] in "[(" and LISTED.match(cell) for cell in present):
        return Column(name, "list", tuple(cell[:60] for cell in present), width=len(NUMBERS.findall(present[0])))
    kind, notation = kind_of([*present, *more], decimal)
    if kind in ("mixed", "text") and len(present) >= 5:
        odd = [cell for cell in [*present, *more] if not DRESSED.fullmatch(cell)]
        rest = [cell for cell in [*present, *more] if DRESSED.fullmatch(cell)]
        if rest and len(odd) <= max(kind == "mixed", ODD * len(rest)) and (kind == "mixed" or len(set(rest)) > 5):
            again, how = kind_of(rest, decimal)
            if again in ("number", "whole"):
                kind, notation = again, how
    if kind == "whole":
        present, more = _whole(present), _whole(more)
    return Column(name, kind, tuple(present), notation, later=tuple(more))


def _whole(cells):
    return [int(cell) for cell in cells if WHOLE.fullmatch(cell) and len(cell) < 20]
