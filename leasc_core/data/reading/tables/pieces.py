"""A text table cut into pieces of whole records: a line end inside quotation marks ends none."""

import re

from leasc_core.data.guards import check_header

PIECE_BYTES = 1 << 20
# Words with a blank between them, or a rule, a star or a sign in front.
REMARK = re.compile(rb"[*_=\xc2-]|[^\d\s.,+-]\S*[ \t]+\S")


def pieces(stream, name, dialect, limits, on_remarks=lambda count: None):
    """`(position in the file, whole records)`, about a megabyte at a time, without the lines before the data.

    Remarks below the table are left out, and `on_remarks` is told how many lines they are.
    """
    last = None
    for position, text in _pieces(stream, name, dialect, limits):
        if last is None or not text:
            last = last or ((position, text) if text else None)
        elif len(text) < PIECE_BYTES // 16:
            last = (last[0], last[1] + text)
        else:
            yield last
            last = (position, text)
    if last is not None:
        position, text = last
        kept = without_remarks(text, dialect)
        if len(kept) < len(text):
            on_remarks(sum(bool(line.strip()) for line in text[len(kept) :].split(dialect.line_end)))
        yield position, kept


def without_remarks(text, dialect):
    """The records without sources, copyrights and comments below them: lines of words without a separator, and empty ones."""
    end, separator = len(text), dialect.separator.encode()
    while end:
        start = text.rfind(dialect.line_end, 0, end - 1) + 1
        line = text[start:end].strip()
        words = line.strip(b'"') if line.count(b'"') == 2 and line.startswith(b'"') and line.endswith(b'"') else line
        is_remark = line.startswith(b"#") or (
            REMARK.match(words) is not None and b'"' not in words and (words is not line or separator not in line)
        )
        if line and not is_remark:
            break
        end = start
    return text[:end]


def _pieces(stream, name, dialect, limits):
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
