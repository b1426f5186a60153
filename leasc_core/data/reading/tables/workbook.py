"""Excel and OpenDocument workbooks: a child process turns one sheet into text, which is read as any table."""

from leasc_core.data.guards import one_line
from leasc_core.data.reading.blobs import Blob
from leasc_core.data.reading.format import Format
from leasc_core.data.reading.isolated import read_isolated
from leasc_core.data.reading.tables import delimited

ZIP, COMPOUND = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
NAMES = (".xlsx", ".xlsm", ".xlsb", ".ods", ".xls")
WRITTEN = {"separator": ",", "decimal": ".", "encoding": "utf-8"}
SHEETS = (b"xl/", b"application/vnd.oasis.opendocument.spreadsheet")


def recognises(head, blob):
    """A zip archive or a compound file that is named like a workbook, or a zip archive that holds sheets."""
    named = blob.name.lower().endswith(NAMES)
    office = head.startswith(ZIP) and (b"[Content_Types].xml" in head[:64] or b"mimetype" in head[:64])
    return (named and head.startswith((ZIP, COMPOUND))) or (office and any(mark in head for mark in SHEETS))


def _as_text(blob, limits, sheet):
    """`(what is said of the workbook, one sheet as a text table)`."""
    about, files = read_isolated("workbook", blob, limits, sheet=sheet)
    return about, Blob(blob.name, data=files["X"].tobytes())


def columns(blob, limits, sheet=None):
    """The columns of one sheet."""
    return delimited.columns(_as_text(blob, limits, sheet)[1], limits, **WRITTEN)


def sheets(blob, limits):
    """The names of its sheets."""
    return read_isolated("workbook", blob, limits, list_only=True)[0]["sheets"]


def read(blob, limits, array=None, label=None, sheet=None, roles=None, like=()):
    """One sheet of the workbook as a table.

    Parameters
    ----------
    sheet : its name or position; else the first that holds a table.
    roles : of columns, by name; guessed for those that are not named.
    like : columns of the data of a model, to be matched by name.
    """
    about, text = _as_text(blob, limits, sheet)
    contents = delimited.read(text, limits, label=label, roles=roles, like=like, **WRITTEN)
    others = [one_line(other, 30) for other in about["sheets"] if other != about["sheet"]]
    if others:
        contents.notes.insert(0, f"sheet '{one_line(about['sheet'], 30)}' taken; sheet= takes another: {', '.join(others[:8])}")
    if about["left"]:
        contents.notes.append(f"{about['left']:,} line{'s' * (about['left'] > 1)} below the table left out")
    if about["errors"]:
        contents.notes.append(f"{about['errors']:,} cells hold an error such as #N/A and count as missing")
    if about["formulas"]:
        what = f"{about['formulas']:,} cells hold formulas that no program has calculated and count as missing"
        contents.notes.append(f"{what}: open the workbook in a spreadsheet program and save it")
    return contents


FORMAT = Format("Excel or OpenDocument", NAMES, recognises, read, columns=columns, sheets=sheets)
