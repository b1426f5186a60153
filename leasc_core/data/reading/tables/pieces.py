"""A text table cut into pieces of whole records: a line end inside quotation marks ends none."""

import re

from leasc_core.data.guards import check_header

PIECE_BYTES = 1 << 20


def pieces(stream, name, dialect, limits):
    """`(position in the file, whole records)`, about a megabyte at a time, without the lines before the data."""
    size, skip, held, position = max(PIECE_BYTES, 32 * dialect.longest), dialect.skip, b"", 0
    while data := stream.read(size):
        text = held + data
        while skip and dialect.line_end in text:
            line, _, text = text.partition(dialect.line_end)
            position, skip = position + len(line) + 1, skip - 1
        cut = 0 if skip else whole_records(text, dialect)
        check_header(name, len(text) - cut, "line", limits)
        text, held = text[:cut], text[cut:]
        if text:
            yield position, text
        position += len(text)
    if not skip:
        yield position, held


def whole_records(text, dialect):
    """How many bytes of `text`, which begins with a record, are whole records."""
    cut = text.rfind(dialect.line_end) + 1
    if b'"' not in text or dialect.separator == " ":
        return cut
    separator = re.escape(dialect.separator.encode())
    stray = re.search(rb'(?<![\r\n"' + separator + rb'])"(?![\r\n"' + separator + rb"])", text[:cut])
    if not stray and text.count(b'"', 0, cut) % 2 == 0:
        return cut
    # Either the cut is inside a quoted cell, or a mark stands inside a cell without any and means nothing.
    start = _open_cell(text[:cut], dialect)
    return cut if start is None else text.rfind(dialect.line_end, 0, start) + 1


def _open_cell(text, dialect):
    """Where a quoted cell begins that does not end in `text`; None where there is none."""
    separator, start = re.escape(dialect.separator.encode()), 0
    cell = re.compile(rb"(?:^|(?<=[\r\n])|(?<=" + separator + rb'))"')
    end = re.compile(rb'(?:[^"]|"")*"(?!")')
    while found := cell.search(text, start):
        closed = end.match(text, found.end())
        if closed is None:
            return found.start()
        start = closed.end()
    return None
