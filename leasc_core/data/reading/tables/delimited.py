"""CSV, TSV and other text tables: pyarrow parses a few pieces at a time, memory stays at those."""

import codecs
import os
import re
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np

from leasc_core.data.columns.encode import codes_of, encoded
from leasc_core.data.columns.gathering import MetadataSink
from leasc_core.data.columns.notation import MISSING
from leasc_core.data.columns.numbers import to_lists, to_numbers
from leasc_core.data.columns.plan import columns_of, plan_columns
from leasc_core.data.dataset import Contents
from leasc_core.data.guards import LARGEST_EXACT_INTEGER, one_line, refuse
from leasc_core.data.labels import Labels
from leasc_core.data.reading.format import Format
from leasc_core.data.reading.tables.dialect import detect, later_lines, read_head
from leasc_core.data.reading.tables.encoding import as_utf8
from leasc_core.data.reading.tables.pieces import PIECE_BYTES, pieces

WORKERS = min(4, os.cpu_count() or 1)


def recognises(head, blob):
    """Whatever has no zero bytes may be a table, and text of two bytes a sign; this is the last format to be asked."""
    wide = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE))
    return b"\0" not in head or wide or blob.name.lower().endswith(FORMAT.extensions)


def read(
    blob,
    limits,
    array=None,
    label=None,
    separator=None,
    header=None,
    decimal=None,
    encoding=None,
    roles=None,
    like=(),
):
    """Features as float64 blocks, labels from the column found or asked for, all other columns beside them as texts.

    Parameters
    ----------
    separator : one character; " " stands for any run of blanks and tabs. Found if not given.
    header : whether the first line names the columns. Found if not given.
    decimal : "." or ",". Found if not given.
    encoding : such as "cp1252". Found if not given.
    roles : of columns, by name; guessed for those that are not named.
    like : columns of the data of a model, to be matched by name.
    """
    blob, table = open_table(blob, limits, label, separator, header, decimal, encoding, roles, like)
    plan, dialect = table.plan, table.dialect
    for at in plan.encoded:
        if not plan.columns[at].levels:
            plan = plan.with_levels(at, _levels(blob, dialect, plan, at, limits), blob.name)
    labels = None
    if plan.label is not None:
        certain = label is not None or plan.columns[plan.label].why.startswith("as ")
        labels = Labels(blob.name, f"column '{one_line(plan.columns[plan.label].name, 40)}'", certain)
    beside = [plan.columns[at] for at in plan.beside]
    sink = MetadataSink([c.name for c in beside], [c.name for c in beside if c.kind in ("number", "whole")])
    notes = [*table.notes, *plan.notes]
    return Contents(
        blocks=lambda: _blocks(blob, dialect, plan, labels, sink, limits, notes),
        n_columns=len(plan.feature_names),
        dtype=np.dtype(float),
        labels=labels,
        notes=notes,
        about_rows=_about_rows(blob, table.head),
        feature_names=plan.feature_names if dialect.named or plan.encoded else None,
        columns=plan.columns,
        metadata=sink,
    )


class Opened:
    """The head of a table: how it is written and what its columns are for."""

    def __init__(self, head, dialect, plan, notes):
        self.head, self.dialect, self.plan, self.notes = head, dialect, plan, notes


def open_table(blob, limits, label=None, separator=None, header=None, decimal=None, encoding=None, roles=None, like=()):
    """`(the file as UTF-8, Opened)`, from its first lines and some later ones."""
    blob, head, dialect, encoding = detected(blob, limits, separator, header, decimal, encoding)
    notes = [] if encoding in ("utf-8", "utf-8-sig") else [f"read as {encoding}"]
    plan = plan_columns(dialect.columns, blob.name, label, dialect.named, roles, like)
    return blob, Opened(head, dialect, plan, notes + dialect.notes)


def detected(blob, limits, separator=None, header=None, decimal=None, encoding=None):
    """`(the file as UTF-8, its head, its Dialect, its encoding)`."""
    blob, encoding = as_utf8(blob, encoding)
    head = read_head(blob, limits)
    return blob, head, detect(head, blob.name, limits, separator, header, decimal, later_lines(blob)), encoding


def columns(blob, limits, separator=None, header=None, decimal=None, encoding=None):
    """The columns, from the first lines and some later ones."""
    _, _, dialect, _ = detected(blob, limits, separator, header, decimal, encoding)
    return columns_of(dialect.columns, dialect.named)


def _about_rows(blob, head):
    """Lines in the file if they are all about as long as the first ones; None inside a .gz."""
    return None if blob.packed else max(1, round(blob.size * head.count("\n") / max(1, len(head.encode()))))


def _blocks(blob, dialect, plan, labels, sink, limits, notes):
    """Pieces of the file are parsed side by side and given back in order; what is left out on the way is noted."""

    def left_out(count):
        told = f"{count:,} line{'s' * (count > 1)} below the table left out"
        if told not in notes:
            notes.append(told)

    if labels is not None:
        labels.clear()
    sink.restart()
    parse = _parser(blob, dialect, plan, sink.names)
    with blob.open() as stream, ThreadPoolExecutor(WORKERS) as pool:
        for block, beside, classes in in_order(pool, parse, pieces(stream, blob.name, dialect, limits, left_out)):
            if not len(block):
                continue
            if labels is not None:
                labels.add_names(*classes)
            if sink.names:
                sink.add(beside)
            yield block
    sink.close()


def _levels(blob, dialect, plan, at, limits):
    """The different values of one column, in a pass of its own."""
    found, split = set(), _splitter(dialect, {str(at): "text"})
    with blob.open() as stream:
        for position, text in pieces(stream, blob.name, dialect, limits):
            with _explaining(blob, dialect, position):
                table = split(text)
            found |= {value.strip() for value in table.column(0).unique().to_pylist()} if table.num_rows else set()
    return found - set(MISSING)


def in_order(pool, work, items):
    """Results of `work(item)` in the order of the items, a few of them under way at a time."""
    waiting = deque()
    for item in items:
        waiting.append(pool.submit(work, item))
        if len(waiting) > 2 * WORKERS:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _splitter(dialect, wanted):
    """A function from bytes to a table of the wanted columns (position as text → "number" or "text")."""
    import pyarrow as pa
    from pyarrow import csv

    types = {at: pa.float64() if kind == "number" else pa.large_string() for at, kind in wanted.items()}
    columns = [str(at) for at in range(len(dialect.columns))]
    how_to_split = csv.ParseOptions(delimiter=dialect.separator, newlines_in_values=True)
    how_to_convert = csv.ConvertOptions(
        column_types=types,
        include_columns=list(types),
        null_values=list(MISSING),
        strings_can_be_null=False,
        decimal_point=dialect.decimal,
    )
    empty = pa.schema(list(types.items())).empty_table()

    def split(text):
        if dialect.separator == " ":
            text = _one_blank(text)
        if not text or text.isspace():
            return empty
        how_to_read = csv.ReadOptions(use_threads=False, block_size=len(text) + 1, column_names=columns)
        return csv.read_csv(pa.BufferReader(text), how_to_read, how_to_split, how_to_convert)

    return split


def _parser(blob, dialect, plan, names):
    """A function from one piece to `(block, table of the columns beside, (label texts, position of each row's text))`."""
    plain = {at for at in plan.features if _is_plain(dialect, plan, at)}
    wanted = {str(at): "number" if at in plain else "text" for at in range(len(plan.columns))}
    split, width = _splitter(dialect, wanted), len(plan.feature_names)

    def parse(piece):
        position, text = piece
        with _explaining(blob, dialect, position):
            table = split(text)
        block, start = np.empty((table.num_rows, width)), 0
        for at in plan.features:
            count = len(plan.columns[at].feature_names)
            column = table.column(at)
            if at in plain:
                block[:, start] = column.to_numpy()
            else:
                block[:, start : start + count] = _special(column, dialect, plan, at, blob, position)
            if dialect.columns[at].kind == "whole" and count == 1:
                _refuse_long_integers(block[:, start], blob.name, plan.columns[at].name)
            start += count
        beside = table.select(plan.beside).rename_columns(names) if plan.beside else None
        return block, beside, None if plan.label is None else codes_of(table.column(plan.label))

    return parse


def _is_plain(dialect, plan, at):
    notation = dialect.columns[at].notation
    special = at in plan.encoded or dialect.columns[at].kind == "list"
    return not special and (notation is None or notation.plain and notation.decimal == dialect.decimal)


def _special(column, dialect, plan, at, blob, position):
    """Values of a column that is no plain numbers: dressed numbers, or a category as numbers."""
    info = plan.columns[at]
    if at in plan.encoded:
        return encoded(column, info, blob.name)
    if dialect.columns[at].kind == "list":
        return _lists(column, info, dialect, blob, position)
    try:
        return to_numbers(column.combine_chunks(), dialect.columns[at].notation)[:, None]
    except ValueError as error:
        row, text = error.args
        before = _lines_before(blob, position, dialect.line_end)
        raise _refused_cell(blob.name, f"line {before + row + 1}", info.name, text) from None


def _lists(column, info, dialect, blob, position):
    """The features of lists of numbers."""
    width = len(info.levels)
    try:
        return to_lists(column.combine_chunks(), width)
    except ValueError as error:
        line = _lines_before(blob, position, dialect.line_end) + error.args[0] + 1
        shown = f"'{one_line(error.args[1], 30)}' in column '{one_line(info.name, 40)}'"
        what = f"has {shown} near line {line}, where lists of {width:,} numbers are expected"
        raise refuse(blob.name, what, "give lists of one length, or give the column the role 'left out'") from None


def _lines_before(blob, position, line_end):
    """How many lines end before a position: counted only when an error has to be placed."""
    count = 0
    with blob.open() as stream:
        while position > 0 and (data := stream.read(min(position, PIECE_BYTES))):
            count, position = count + data.count(line_end), position - len(data)
    return count


def _one_blank(text):
    """One blank for every run of blanks and tabs, and none at the ends of lines."""
    text = re.sub(rb"[ \t]+", b" ", text)
    return re.sub(rb" ?(\r?\n|\r) ?", rb"\1", text).strip(b" ")


@contextmanager
def _explaining(blob, dialect, position):
    """Turn pyarrow's complaints about the piece at `position` into ours."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        before = _lines_before(blob, position, dialect.line_end)
        raise _explained(str(error), blob.name, dialect, before) from None


def _explained(message, name, dialect, lines_before):
    row = re.search(r"Row #(\d+)", message)
    where = f"line {lines_before + int(row[1])}" if row else "one line"
    if ragged := re.search(r"Expected (\d+) columns, got (\d+)", message):
        return refuse(name, f"{where} has {ragged[2]} cells where {ragged[1]} are expected", "correct that line")
    if bad := re.search(r"column #(\d+).*invalid value '(.*)'", message, re.DOTALL):
        return _refused_cell(name, where, dialect.columns[int(bad[1])].name, bad[2])
    if "UTF8" in message:
        return refuse(name, f"{where} is not written in UTF-8", "say its encoding (encoding=), or save it as UTF-8")
    return refuse(name, f"is not a readable text table ({one_line(message)})", "check its lines")


def _refused_cell(name, where, column, text):
    what = f"{where} has '{one_line(text, 30)}' in column '{one_line(column, 40)}' where a number is expected"
    return refuse(name, what, "correct it, leave the cell empty, or give the column another role")


def _refuse_long_integers(values, name, column):
    """Whole numbers that doubles cannot hold are identifiers, not measurements."""
    size = np.abs(values)
    if np.any((size > LARGEST_EXACT_INTEGER) & (size < np.inf)):
        what = f"holds a whole number of more than 15 digits in column '{one_line(column, 40)}'"
        raise refuse(name, what, "give the column the role id, or rescale it")


FORMAT = Format(
    "text table", (".csv", ".tsv", ".tab", ".txt", ".dat", ".data"), recognises, read, columns=columns, in_gzip=True, rank=3
)
