"""ARFF, as Weka writes it: a list of attributes and rows of commas, read as a text table with those names."""

import csv
import io
import re

from leasc_core.data.guards import check_columns, check_header, one_line, refuse
from leasc_core.data.reading.blobs import Blob
from leasc_core.data.reading.format import Format
from leasc_core.data.reading.tables import delimited

ATTRIBUTE = re.compile(r"""@attribute\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\S+)\s+(.+)""", re.IGNORECASE)
WRITTEN = {"separator": ",", "header": True, "decimal": ".", "encoding": "utf-8"}


def recognises(head, blob):
    """A file named .arff that begins with a remark or a field."""
    return blob.name.lower().endswith(".arff") and head.lstrip()[:1] in (b"@", b"%") and b"\0" not in head


def read(blob, limits, array=None, label=None, roles=None, like=()):
    """A row for each instance; a nominal attribute at the end, or the only one, holds the labels."""
    text, nominal = _as_text(blob, limits)
    if label is None and not any(role == "label" for role in (roles or {}).values()) and nominal:
        label = nominal
    return delimited.read(text, limits, label=label, roles=roles, like=like, **WRITTEN)


def columns(blob, limits):
    """The attributes."""
    return delimited.columns(_as_text(blob, limits)[0], limits, **WRITTEN)


def _as_text(blob, limits):
    """`(the instances as a text table, the nominal attribute that holds the labels or None)`."""
    names, kinds, out = [], [], io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    inside = False
    with blob.open() as file:
        while stored := file.readline(limits.header + 1):
            check_header(blob.name, len(stored), "line", limits)
            line = stored.decode("utf-8", "replace").strip()
            if not line or line.startswith("%"):
                continue
            if inside:
                writer.writerow(_cells(line, len(names), blob.name))
            elif match := ATTRIBUTE.fullmatch(line):
                names.append(match[1].strip("'\""))
                kinds.append(match[2].strip().lower())
                check_columns(blob.name, len(names), limits)
            elif line.lower().startswith("@data"):
                inside = True
                _check(names, kinds, blob.name)
                writer.writerow(names)
    if not inside:
        raise refuse(blob.name, "has no line @data", "choose an ARFF file that holds instances")
    nominal = [name for name, kind in zip(names, kinds, strict=True) if kind.startswith("{")]
    label = nominal[0] if len(nominal) == 1 else names[-1] if names[-1] in nominal else None
    return Blob(blob.name, data=out.getvalue().encode()), label


def _check(names, kinds, name):
    if not names:
        raise refuse(name, "names no attribute before its line @data", "choose a whole ARFF file")
    if any(kind.startswith("relational") for kind in kinds):
        raise refuse(name, "holds relational attributes (series inside cells)", "take the .ts file of the same set")


def _cells(line, width, name):
    if line.startswith("{"):
        raise refuse(name, "is a sparse ARFF file", "save it as plain ARFF, or as libsvm")
    quote = "'" if "'" in line else '"'
    cells = next(csv.reader([line], quotechar=quote, skipinitialspace=True, escapechar="\\"))
    if len(cells) != width:
        what = f"has an instance of {len(cells)} values where {width} attributes are named ({one_line(line, 30)})"
        raise refuse(name, what, "correct that line")
    return [cell.strip() for cell in cells]


FORMAT = Format("ARFF", (".arff",), recognises, read, columns=columns, in_gzip=True)
