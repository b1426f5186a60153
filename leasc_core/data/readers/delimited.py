"""CSV, TSV and other text tables: pyarrow parses a few pieces at a time, memory stays at those."""

import codecs
import os
import re
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np

from leasc_core.data.dataset import Contents
from leasc_core.data.dialect import MISSING, detect, read_head
from leasc_core.data.formats import Format
from leasc_core.data.guards import LARGEST_EXACT_INTEGER, check_header, one_line, refuse
from leasc_core.data.labels import Labels
from leasc_core.data.tables import plan_columns

PIECE_BYTES = 1 << 20
WORKERS = min(4, os.cpu_count() or 1)


def recognises(head, blob):
    """Whatever has no zero bytes may be a table; this is the last format to be asked."""
    return b"\0" not in head or head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


def read(blob, limits, array=None, label=None, separator=None, header=None, decimal=None, drop_text=False, leave_out=()):
    """Features as float64 blocks, labels from the column found or asked for.

    Parameters
    ----------
    separator : one character; " " stands for any run of blanks and tabs. Found if not given.
    header : whether the first line names the columns. Found if not given.
    decimal : "." or ",". Found if not given.
    drop_text : leave out columns that are not numbers.
    leave_out : names of columns to leave out.
    """
    head = read_head(blob, limits)
    dialect = detect(head, blob.name, limits, separator, header, decimal)
    plan = plan_columns(dialect.columns, blob.name, label, dialect.named, drop_text, leave_out)
    names = [column.name for column in dialect.columns]
    labels = None
    if plan.label is not None:
        labels = Labels(blob.name, f"column '{one_line(names[plan.label], 40)}'")
    return Contents(
        blocks=lambda: _blocks(blob, dialect, plan, labels, limits),
        n_columns=len(plan.features),
        dtype=np.dtype(float),
        labels=labels,
        notes=list(plan.notes),
        about_rows=_about_rows(blob, head),
        feature_names=[names[at] for at in plan.features] if dialect.named else None,
    )


def _about_rows(blob, head):
    """Lines in the file if they are all about as long as the first ones; None inside a .gz."""
    return None if blob.packed else max(1, round(blob.size * head.count("\n") / max(1, len(head))))


def _blocks(blob, dialect, plan, labels, limits):
    """Pieces of the file are parsed side by side and given back in order."""
    if labels is not None:
        labels.chunks.clear()
    parse = _parser(blob, dialect, plan)
    with blob.open() as stream, ThreadPoolExecutor(WORKERS) as pool:
        for block, names, positions in in_order(pool, parse, _pieces(stream, blob.name, dialect, limits)):
            if labels is not None:
                labels.add_names(names, positions)
            yield block


def in_order(pool, work, items):
    """Results of `work(item)` in the order of the items, a few of them under way at a time."""
    waiting = deque()
    for item in items:
        waiting.append(pool.submit(work, item))
        if len(waiting) > 2 * WORKERS:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _pieces(stream, name, dialect, limits):
    """`(position in the file, whole lines)`, about a megabyte at a time, without the header."""
    size, skip, held, position = max(PIECE_BYTES, 32 * dialect.longest), dialect.skip, b"", 0
    while data := stream.read(size):
        text = held + data
        cut = text.rfind(dialect.line_end) + 1
        check_header(name, len(text) - cut, "line", limits)
        text, held = text[:cut], text[cut:]
        while skip and text:
            line, _, text = text.partition(dialect.line_end)
            position, skip = position + len(line) + 1, skip - 1
        yield position, text
        position += len(text)
    if not skip:
        yield position, held


def _lines_before(blob, position, line_end):
    """How many lines end before a position: counted only when an error has to be placed."""
    count = 0
    with blob.open() as stream:
        while position > 0 and (data := stream.read(min(position, PIECE_BYTES))):
            count, position = count + data.count(line_end), position - len(data)
    return count


def _parser(blob, dialect, plan):
    """A function from one piece to `(block, label texts, position of each row's text)`."""
    import pyarrow as pa
    from pyarrow import csv

    types = {str(at): pa.float64() for at in plan.features}
    if plan.label is not None:
        types[str(plan.label)] = pa.dictionary(pa.int32(), pa.string())
    columns = [str(at) for at in range(len(dialect.columns))]
    how_to_split = csv.ParseOptions(delimiter=dialect.separator)
    how_to_convert = csv.ConvertOptions(
        column_types=types,
        include_columns=list(types),
        null_values=list(MISSING),
        strings_can_be_null=True,
        decimal_point=dialect.decimal,
    )

    def parse(piece):
        position, text = piece
        if dialect.separator == " ":
            text = _one_blank(text)
        if not text.strip():
            return np.empty((0, len(plan.features))), [], np.empty(0, int)
        how_to_read = csv.ReadOptions(use_threads=False, block_size=len(text) + 1, column_names=columns)
        with _explaining(blob, dialect, position):
            table = csv.read_csv(pa.BufferReader(text), how_to_read, how_to_split, how_to_convert)
        return _values(table, blob.name, dialect, plan)

    return parse


def _values(table, name, dialect, plan):
    block = np.empty((table.num_rows, len(plan.features)))
    for at, column in enumerate(plan.features):
        block[:, at] = table.column(str(column)).to_numpy()
        if dialect.columns[column].kind == "whole":
            _refuse_long_integers(block[:, at], name, dialect.columns[column].name)
    if plan.label is None:
        return block, [], None
    codes = table.column(str(plan.label)).combine_chunks()
    positions = codes.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return block, [text.strip() for text in codes.dictionary.to_pylist()], positions


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
    where = f"line {lines_before + int(row[1])} " if row else "one line "
    if ragged := re.search(r"Expected (\d+) columns, got (\d+)", message):
        return refuse(name, f"{where}has {ragged[2]} cells where {ragged[1]} are expected", "correct that line")
    if bad := re.search(r"column #(\d+).*invalid value '(.*)'", message, re.DOTALL):
        column = one_line(dialect.columns[int(bad[1])].name, 40)
        what = f"{where}has '{one_line(bad[2], 30)}' in column '{column}' where a number is expected"
        return refuse(name, what, "correct it or leave the cell empty")
    if "UTF8" in message:
        return refuse(name, f"{where}is not written in UTF-8", "save it as UTF-8")
    return refuse(name, f"is not a readable text table ({one_line(message)})", "check its lines")


def _refuse_long_integers(values, name, column):
    """Whole numbers that doubles cannot hold are identifiers, not measurements."""
    size = np.abs(values)
    if np.any((size > LARGEST_EXACT_INTEGER) & (size < np.inf)):
        what = f"holds a whole number of more than 15 digits in column '{one_line(column, 40)}'"
        raise refuse(name, what, "drop the column if it is an identifier, or rescale it")


FORMAT = Format("text table", (".csv", ".tsv", ".tab", ".txt", ".dat", ".data"), recognises, read, in_gzip=True, rank=3)
