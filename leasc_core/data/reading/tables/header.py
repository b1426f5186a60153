"""Where a text table begins: lines before it, one or more lines of names, units under them."""

import re
from dataclasses import dataclass, field, replace

from leasc_core.data.columns.notation import DATE, DRESSED, MISSING, is_number
from leasc_core.data.guards import one_line, refuse

MOST_BEFORE = 50
MOST_NAMED, MOST_BELOW, LEAST_COUNTED = 3, 100, 5
RULE = re.compile(r":?-{2,}:?")
UNIT = re.compile(r"[\[(]?\s*[^\s\d\[\]()]{1,12}(?:\s?[/·^*]\s?\S{1,8})?\s*[\])]?")


@dataclass(frozen=True)
class Header:
    """`rows` records stand before the data, the names among them."""

    rows: int
    names: list
    named: bool
    notes: list = field(default_factory=list)


def find_header(rows, width, decimal, asked, name, separator) -> Header:
    """The names of a table that has `width` columns nearly everywhere; `asked` says whether there are any, None to judge."""
    before = _lines_before(rows, width)
    notes = [f"{before} line{'s' * (before > 1)} before the table left out"] if before else []
    body = rows[before:]
    if len(body[0]) == width - 1 and _all_texts(body[0], decimal) and _different(body[1:]) and asked is not False:
        # R leaves the names of rows without a name.
        body = [["", *body[0]], *body[1:]]
    if asked is None and len(body[0]) == width + 1 and not body[0][-1].strip():
        body = [body[0][:-1], *body[1:]]
    named = has_header(body, decimal) if asked is None else bool(asked)
    if not named:
        return Header(before, [f"column {at}" for at in range(width)], False, notes)
    if len(body[0]) != width:
        if separator == "," and width == 2 * len(body[0]):
            what = f"names {len(body[0])} columns but has {width}: the comma separates columns and decimals"
            raise refuse(name, what, "save it with semicolons, or with a decimal point")
        raise refuse(name, f"names {len(body[0])} columns but has {width}", "give every column one name")
    count = _lines_of_names(body, width, decimal) if asked is None else 1
    names = _joined([[_plain(cell) for cell in row] for row in body[:count]], width)
    if count > 1:
        notes.append(f"names are made of {count} lines, such as '{one_line(next(n for n in names if n), 40)}'")
    return Header(before + count, names, True, notes)


def _plain(cell):
    """A name on one line; the rule below the names of a Markdown table is none."""
    return "" if RULE.fullmatch(cell.strip()) else " ".join(cell.split())


def named_by_remark(found, remark, width, decimal) -> Header:
    """The header where a remark right above the data (# time speed …) has a name for each column."""
    cells = [cell.strip() for cell in remark[0]] if remark else []
    if found.rows or len(cells) != width or not _all_texts(cells, decimal):
        return found
    return replace(found, names=cells, named=True, notes=[*found.notes, "names are made of the remark above the table"])


def _different(rows):
    """Is the first cell another in every record?"""
    first = [row[0] for row in rows if row]
    return len(first) > 1 and len(set(first)) == len(first)


def _lines_before(rows, width):
    """Titles and remarks: records of fewer cells, or with one cell filled, before the first full one."""
    for at, row in enumerate(rows[:MOST_BEFORE]):
        filled = sum(bool(cell.strip()) for cell in row)
        rest = [len(later) for later in rows[at : at + 3]]
        short = len(row) not in (width, width - 1, width + 1) or (len(row) == width - 1 and rest[1:2] != [width])
        if not short and (filled > 1 or width < 3 or len(row) != width):
            # A header of fewer names than columns is no title, it is a mistake to be told.
            return at
        if short and at == 0 and filled > 1 and all(length == width for length in rest[1:]) and len(rest) > 1:
            return at if filled > max(1, width // 2 - 1) else _next_full(rows, width, at)
    return 0


def _next_full(rows, width, start):
    return next((at for at in range(start, min(len(rows), MOST_BEFORE)) if len(rows[at]) == width), 0)


def _is_text(cell, decimal):
    cell = cell.strip()
    return cell not in MISSING and not is_number(cell, decimal) and not DRESSED.fullmatch(cell) and not DATE.fullmatch(cell)


def _all_texts(row, decimal):
    return all(_is_text(cell, decimal) for cell in row)


def has_header(rows, decimal):
    """Does the first record name the columns?"""
    first, body = rows[0], rows[1:]
    counted = [str(at) for at in range(len(first))]
    if len(first) > 2 and first in (counted, ["", *counted[:-1]]):
        return True
    texts = [at for at, cell in enumerate(first) if _is_text(cell, decimal)]
    if not texts:
        return _counts_evenly(first) and not any(_counts_evenly(row) for row in body[:MOST_BELOW])
    if texts[-1] < len(texts) and _years([cell.strip() for cell in first[len(texts) :]]):
        return True
    if len(texts) == len([cell for cell in first if cell.strip()]):
        return True
    below = {at: [row[at].strip() for row in body if at < len(row)] for at in texts}
    return any(cells and all(is_number(c, decimal) or c in MISSING for c in cells) for cells in below.values())


def _counts_evenly(cells):
    """Whole numbers that rise by the same step, as bands of a spectrum do."""
    cells = [cell.strip() for cell in cells]
    if len(cells) < LEAST_COUNTED or not all(cell.isascii() and cell.isdigit() for cell in cells):
        return False
    steps = {int(b) - int(a) for a, b in zip(cells, cells[1:], strict=False)}
    return len(steps) == 1 and steps.pop() > 0


def _years(cells):
    """Years that count up, as names of columns."""
    if len(cells) < 2 or not all(cell.isascii() and cell.isdigit() and len(cell) == 4 for cell in cells):
        return False
    return len({int(b) - int(a) for a, b in zip(cells, cells[1:], strict=False)}) == 1


def _lines_of_names(rows, width, decimal):
    """How many records are names: a further one has texts where numbers stand below it, and no number anywhere.

    Below names that stand over several columns (empty or repeated cells) some names may be numbers: wavelengths, years.
    """
    count, spread = 1, len(set(filter(None, rows[0]))) < len(rows[0])
    while count < min(MOST_NAMED, len(rows) - 2):
        row, below = rows[count], [later for later in rows[count + 1 : count + 1 + MOST_BELOW] if len(later) == width]
        if len(row) != width or len(below) < 2:
            break
        texts = [at for at in range(width) if _is_text(row[at], decimal)]
        numeric = [at for at in texts if _numbers(below, at, decimal)]
        filled = [at for at in range(width) if row[at].strip()]
        of_numbers = sum(_numbers(below, at, decimal) for at in filled)
        all_texts = len(texts) == len(filled) and len(numeric) >= of_numbers
        if not numeric or not (all_texts or (spread and len(numeric) >= max(2, of_numbers / 2))):
            break
        count += 1
    return count


def _numbers(rows, at, decimal):
    cells = [row[at].strip() for row in rows]
    present = [cell for cell in cells if cell not in MISSING]
    return bool(present) and all(is_number(cell, decimal) or DRESSED.fullmatch(cell) for cell in present)


def _joined(lines, width):
    """One name a column: a name above several columns belongs to each, a unit comes in brackets."""
    if len(lines) == 1:
        return lines[0]
    above = []
    for line in lines[:-1]:
        spread, last = [], ""
        for at, cell in enumerate(line):
            last = cell or (last if lines[-1][at] else "")
            spread.append(last)
        filled = list(filter(None, line))
        # Where a name stands over several columns by being repeated, an empty cell is over none.
        above.append(spread if len(filled) < len(line) and len(set(filled)) == len(filled) else line)
    names, under = [], lines[-1]
    single = all(all(line) and len(set(line)) == width for line in lines[:-1])
    units = single and all(not cell or UNIT.fullmatch(cell) for cell in under)
    for at in range(width):
        parts = list(dict.fromkeys(filter(None, (line[at] for line in above))))
        last = under[at]
        if units and last:
            last = f"[{last.strip('[]() ')}]"
        names.append(" ".join([*parts, *([last] if last and last not in parts else [])]))
    return names
