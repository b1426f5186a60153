"""Child side of Excel and OpenDocument workbooks: one sheet as comma-separated text."""

import io
import re
import zipfile
from datetime import datetime
from itertools import zip_longest

import numpy as np
import python_calamine
from pyarrow import csv

from leasc_core.data.columns.notation import DRESSED
from leasc_core.data.guards import Limits, check_cells, check_columns, check_expansion, check_members, one_line, refuse
from leasc_core.data.reading.isolated.arrow import pa
from leasc_core.data.reading.isolated.confine import allow_memory, allow_work, confine

WHAT = "Excel or OpenDocument"
SPARE_MEMORY = 192 << 20
# A cell of a sheet takes so many bytes as Python values and as text beside them.
BYTES_PER_CELL = 200
ERRORS = frozenset(("#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!", "#GETTING_DATA", "#SPILL!", "#CALC!"))
MOST_HEADER_ROWS = 8
COMPOUND, ENCRYPTED = b"\xd0\xcf\x11\xe0", "EncryptedPackage".encode("utf-16-le")
LOCKED = ("is protected by a password", "open it, save it without the password and load that")
# A formula whose cell has no value, as programs write it that do not calculate.
UNCALCULATED = re.compile(rb"<f(?: [^>]*)?>[^<]*</f>(?:<v ?/>|<v></v>)?</c>")


def extract(request):
    """Write the chosen sheet as UTF-8 text into X.npy; the answer names the sheets."""
    limits, name = Limits(**request["limits"]), request["name"]
    confine(SPARE_MEMORY, limits.memory, limits.cells * 8 + (1 << 20))
    with open(request["path"], "rb") as file:
        stored = file.read()
    unpacked = _check_archive(stored, name, limits)
    allow_memory(SPARE_MEMORY + 20 * unpacked + 4 * len(stored))
    allow_work(20 * unpacked)
    if stored.startswith(COMPOUND) and ENCRYPTED in stored:
        raise refuse(name, *LOCKED)
    try:
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(stored))
    except python_calamine.PasswordError:
        raise refuse(name, *LOCKED) from None
    sheets = book.sheet_names
    if request.get("list_only"):
        return {"sheets": sheets}
    chosen, rows = _sheet(book, sheets, request.get("sheet"), name, stored)
    width = max(map(len, rows))
    check_columns(name, width, limits)
    check_cells(name, (len(rows), width), limits)
    allow_memory(SPARE_MEMORY + BYTES_PER_CELL * len(rows) * width)
    left = _drop_remarks(rows)
    text, errors = _as_text(rows)
    np.save("X.npy", np.frombuffer(text, np.uint8), allow_pickle=False)
    hollow = any(all(len(row) <= at or row[at] == "" for row in rows[1:]) for at in range(width))
    formulas = _uncalculated(stored) if hollow else 0
    return {"sheets": sheets, "sheet": chosen, "errors": errors, "left": left, "formulas": formulas}


def _check_archive(stored, name, limits):
    """Bytes that the workbook unpacks to, refused where they are too many."""
    if not stored.startswith(b"PK"):
        return len(stored)
    with zipfile.ZipFile(io.BytesIO(stored)) as archive:
        members = archive.infolist()
        check_members(name, len(members), limits)
        unpacked = sum(member.file_size for member in members)
        if any(member.flag_bits & 1 for member in members):
            raise refuse(name, *LOCKED)
    check_expansion(name, len(stored), unpacked, limits)
    return unpacked


def _uncalculated(stored):
    """How many cells of an .xlsx hold a formula and no value."""
    if not stored.startswith(b"PK"):
        return 0
    with zipfile.ZipFile(io.BytesIO(stored)) as archive:
        sheets = [name for name in archive.namelist() if name.startswith("xl/worksheets/") and name.endswith(".xml")]
        return sum(len(UNCALCULATED.findall(archive.read(name))) for name in sheets)


def _sheet(book, sheets, asked, name, stored):
    """`(sheet name, rows)`: the one asked for, else the first that holds a table."""
    known = ", ".join(one_line(sheet, 30) for sheet in sheets[:8]) or "none"
    if asked is not None:
        if isinstance(asked, int) and not isinstance(asked, bool) and 0 <= asked < len(sheets):
            asked = sheets[asked]
        if asked not in sheets:
            raise refuse(name, f"has no sheet {asked!r}", f"choose one of: {known}")
        rows = _rows(book, asked)
        if not _is_table(rows):
            raise refuse(name, f"has no table on its sheet '{one_line(asked, 40)}'", f"choose another with sheet=: {known}")
        return asked, rows
    for sheet in sheets:
        rows = _rows(book, sheet)
        if _is_table(rows):
            return sheet, rows
    if _uncalculated(stored):
        raise refuse(name, "holds formulas that no program has calculated", "open it in a spreadsheet program and save it")
    raise refuse(name, f"has no table on any sheet ({known})", "put names in one row and numbers below them")


def _rows(book, sheet):
    stored = book.get_sheet_by_name(sheet)
    rows = stored.to_python(skip_empty_area=True)
    _fill_merged(stored, rows)
    return [row for row in rows if any(value != "" for value in row)]


def _is_table(rows):
    numbers = sum(_is_number(value) for row in rows[:200] for value in row)
    return len(rows) >= 2 and numbers >= 2


def _is_number(value):
    """A number, also one that is stored as text."""
    if isinstance(value, str):
        return DRESSED.fullmatch(value.strip()) is not None
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _fill_merged(sheet, rows):
    """A name that stands over several columns stands over each of them."""
    first_row, first_column = sheet.start or (0, 0)
    for (top, left), (_, right) in getattr(sheet, "merged_cell_ranges", None) or ():
        row = top - first_row
        if right > left and 0 <= row < min(MOST_HEADER_ROWS, len(rows)):
            value = rows[row][left - first_column] if left - first_column < len(rows[row]) else ""
            for column in range(left - first_column, min(right - first_column + 1, len(rows[row]))):
                rows[row][column] = value


def _drop_remarks(rows):
    """Take remarks away that stand below the table, one text in the first cell of a row; returns how many there were."""
    count = len(rows)
    while len(rows) > 2 and len(rows[-1]) > 2 and isinstance(rows[-1][0], str) and not any(cell != "" for cell in rows[-1][1:]):
        rows.pop()
    return count - len(rows)


def _as_text(rows):
    """The rows as comma-separated text in UTF-8, and how many cells hold an error."""
    out, errors, columns = io.BytesIO(), 0, []
    for at, (name, *cells) in enumerate(zip_longest(*rows, fillvalue="")):
        if set(map(type, cells)) == {float} and not any(map(float.is_integer, cells)):
            column = pa.array(cells)
        else:
            errors += sum(value in ERRORS for value in cells if type(value) is str and value.startswith("#"))
            column = pa.array(list(map(_cell, cells)), pa.large_string())
        columns.append((f"{at}", _cell(name), column))
    places, names, columns = zip(*columns, strict=True)
    how = csv.WriteOptions(include_header=False, quoting_style="needed")
    csv.write_csv(pa.table([pa.array([name]) for name in names], places), out, how)
    csv.write_csv(pa.table(columns, places), out, how)
    return out.getvalue(), errors


def _cell(value):
    """The text of a cell."""
    kind = type(value)
    if kind is float:
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if kind is str:
        return "" if value in ERRORS else " ".join(value.split())
    if kind is datetime:
        return value.date().isoformat() if not (value.hour or value.minute or value.second) else value.isoformat(sep=" ")
    return str(value)
