"""CSV, TSV and other text tables, parsed in a stream by pyarrow: memory stays at a block."""

import codecs
import io
import re
from contextlib import contextmanager

import numpy as np

from leasc_core.data.dataset import Contents
from leasc_core.data.dialect import MISSING, detect, read_head
from leasc_core.data.formats import Format
from leasc_core.data.guards import LARGEST_EXACT_INTEGER, one_line, refuse
from leasc_core.data.labels import Labels
from leasc_core.data.tables import plan_columns
from leasc_core.errors import DataError

BLOCK_BYTES = 1 << 20
READ_BYTES = 1 << 20


def recognises(head, blob):
    """Whatever has no zero bytes may be a table; this is the last format to be asked."""
    return b"\0" not in head or head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


def read(blob, limits, array=None, label=None, separator=None, header=None, decimal=None):
    """Features as float64 blocks, labels from the column found or asked for.

    Parameters
    ----------
    separator : one character; " " stands for any run of blanks and tabs. Found if not given.
    header : whether the first line names the columns. Found if not given.
    decimal : "." or ",". Found if not given.
    """
    head = read_head(blob, limits)
    dialect = detect(head, blob.name, limits, separator, header, decimal)
    plan = plan_columns(dialect.columns, blob.name, label, dialect.named)
    names = [column.name for column in dialect.columns]
    labels = None
    if plan.label is not None:
        labels = Labels(blob.name, f"column '{one_line(names[plan.label], 40)}'")
    return Contents(
        blocks=lambda: _blocks(blob, dialect, plan, labels),
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


def _blocks(blob, dialect, plan, labels):
    if labels is not None:
        labels.chunks.clear()
    whole = [at for at, column in enumerate(plan.features) if dialect.columns[column].kind == "whole"]
    with blob.open() as stream:
        reader = _reader(stream, blob.name, dialect, plan)
        while (batch := _next(reader, blob.name, dialect)) is not None:
            block = np.empty((batch.num_rows, len(plan.features)))
            for at, column in enumerate(plan.features):
                block[:, at] = batch.column(str(column)).to_numpy(zero_copy_only=False)
            _refuse_long_integers(block, whole, blob.name, [dialect.columns[at].name for at in plan.features])
            if labels is not None:
                codes = batch.column(str(plan.label))
                positions = codes.indices.fill_null(-1).to_numpy(zero_copy_only=False)
                labels.add_names([text.strip() for text in codes.dictionary.to_pylist()], positions)
            yield block


def _reader(stream, name, dialect, plan):
    import pyarrow as pa
    from pyarrow import csv

    types = {str(at): pa.float64() for at in plan.features}
    if plan.label is not None:
        types[str(plan.label)] = pa.dictionary(pa.int32(), pa.string())
    blanks = dialect.separator == " "
    size = max(BLOCK_BYTES, 8 * dialect.longest)
    with _explaining(name, dialect):
        return csv.open_csv(
            pa.PythonFile(_OneBlank(stream) if blanks else stream, mode="r"),
            read_options=csv.ReadOptions(
                use_threads=False,
                block_size=size,
                skip_rows=dialect.skip,
                column_names=[str(at) for at in range(len(dialect.columns))],
            ),
            parse_options=csv.ParseOptions(delimiter=dialect.separator),
            convert_options=csv.ConvertOptions(
                column_types=types,
                include_columns=list(types),
                null_values=list(MISSING),
                strings_can_be_null=True,
                decimal_point=dialect.decimal,
            ),
        )


@contextmanager
def _explaining(name, dialect):
    """Turn pyarrow's complaints into ours."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        if isinstance(error, DataError):
            raise
        raise _explained(str(error), name, dialect) from None


def _next(reader, name, dialect):
    with _explaining(name, dialect):
        return next(reader, None)


def _explained(message, name, dialect):
    """pyarrow's complaint as one of ours."""
    line = re.search(r"Row #(\d+)", message)
    where = f"line {line[1]} " if line else "one line "
    if ragged := re.search(r"Expected (\d+) columns, got (\d+)", message):
        return refuse(
            name, f"{where}has {ragged[2]} cells where {ragged[1]} are expected", "correct that line"
        )
    if bad := re.search(r"column #(\d+).*invalid value '(.*)'", message, re.DOTALL):
        column = one_line(dialect.columns[int(bad[1])].name, 40)
        what = f"{where}has '{one_line(bad[2], 30)}' in column '{column}' where a number is expected"
        return refuse(name, what, "correct it or leave the cell empty")
    if "UTF8" in message:
        return refuse(name, f"{where}is not written in UTF-8", "save it as UTF-8")
    return refuse(name, f"is not a readable text table ({one_line(message)})", "check its lines")


def _refuse_long_integers(block, whole, name, names):
    """Whole numbers that doubles cannot hold are identifiers, not measurements."""
    for at in whole:
        column = np.abs(block[:, at])
        if np.any((column > LARGEST_EXACT_INTEGER) & (column < np.inf)):
            what = f"holds a whole number of more than 15 digits in column '{one_line(names[at], 40)}'"
            raise refuse(name, what, "drop the column if it is an identifier, or rescale it")


class _OneBlank(io.RawIOBase):
    """A text stream with one blank for every run of blanks and tabs, and none at the ends of lines."""

    def __init__(self, stream):
        self.stream, self.held, self.ready, self.at_start = stream, b"", b"", True

    def readable(self):
        return True

    def read(self, count=-1):
        while not self.ready:
            data = self.stream.read(READ_BYTES)
            text = self.held + data
            kept = len(text.rstrip()) if data else len(text)
            text, self.held = text[:kept], re.sub(rb"[ \t]+", b" ", text[kept:])
            text = re.sub(rb"[ \t]*(\r?\n)[ \t]*", rb"\1", re.sub(rb"[ \t]+", b" ", text))
            self.ready = text.lstrip(b" ") if self.at_start else text
            self.at_start = self.at_start and not text
            if not data:
                break
        count = len(self.ready) if count is None or count < 0 else count
        taken, self.ready = self.ready[:count], self.ready[count:]
        return taken


FORMAT = Format(
    "text table", (".csv", ".tsv", ".tab", ".txt", ".dat", ".data"), recognises, read, in_gzip=True, rank=3
)
