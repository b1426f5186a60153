"""JSON Lines, one object a line, and a JSON list of objects: pyarrow parses them, lists of numbers become features."""

import io
import json

from leasc_core.data.guards import MEGABYTE, check_bytes, one_line, refuse
from leasc_core.data.reading.blobs import Blob
from leasc_core.data.reading.format import Format
from leasc_core.data.reading.tables import columnar

NAMES = (".jsonl", ".ndjson", ".json")
BLOCK_BYTES = 4 * MEGABYTE
LARGEST_LIST = 256 * MEGABYTE


def recognises(head, blob):
    """Text that begins with an object, or a list of objects in a file named .json."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:64]
    named = blob.name.lower().endswith(NAMES)
    return start.startswith(b"{") or (named and start.startswith(b"["))


def read(blob, limits, array=None, label=None, roles=None, like=()):
    """A row for each object, a column for each of its names.

    Parameters
    ----------
    roles : of columns, by name; guessed for those that are not named.
    like : columns of the data of a model, to be matched by name.
    """
    stored, nested = _stored(blob, limits)
    contents = columnar.read(stored, limits, label=label, roles=roles, like=like)
    if nested:
        some = ", ".join(f"'{one_line(name, 30)}'" for name in nested[:4])
        contents.notes.append(f"objects inside objects left out: {some}")
    return contents


def columns(blob, limits):
    """The columns, from the first objects."""
    return columnar.columns(_stored(blob, limits)[0], limits)


def _stored(blob, limits):
    """`(the objects as a stored table, names of those that are objects themselves and are left out)`."""
    table = _table(blob, limits)
    if table.num_rows == 1 and all(str(kind).startswith("list") for kind in table.schema.types):
        raise refuse(blob.name, "holds one object of lists: columns, not rows", "save one object a line, a row in each")
    nested = [field.name for field in table.schema if str(field.type).startswith(("struct", "map"))]
    return Blob(blob.name, data=_as_feather(table.drop_columns(nested))), nested


def _table(blob, limits):
    """The objects as a `pyarrow.Table`."""
    import pyarrow as pa
    from pyarrow import json as arrow_json

    start = blob.head(1 << 12).removeprefix(b"\xef\xbb\xbf").lstrip()
    try:
        if start.startswith(b"["):
            return _of_list(blob, limits)
        with blob.open() as file:
            skipped = len(b"\xef\xbb\xbf") if blob.head(3) == b"\xef\xbb\xbf" else 0
            file.read(skipped)
            options = arrow_json.ReadOptions(use_threads=False, block_size=BLOCK_BYTES)
            return arrow_json.read_json(file, options)
    except (pa.ArrowException, OSError, ValueError) as error:
        what = f"is not JSON of one object a line ({one_line(str(error).removeprefix('JSON parse error: '), 100)})"
        raise refuse(blob.name, what, "give every line one object with the same kinds of values") from None


def _of_list(blob, limits):
    import pyarrow as pa

    with blob.open() as file:
        text = file.read(min(limits.bytes, LARGEST_LIST) + 1)
    check_bytes(blob.name, len(text), type(limits)(bytes=min(limits.bytes, LARGEST_LIST)))
    try:
        values = json.loads(text.decode("utf-8-sig"))
    except RecursionError:
        raise refuse(blob.name, "nests its values too deeply", "save one plain object a line") from None
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        raise refuse(blob.name, "is JSON, but no list of objects", "save one object a line, all with the same names")
    if not values:
        raise refuse(blob.name, "has 0 rows", "choose a file that holds samples")
    return pa.Table.from_pylist(values)


def _as_feather(table):
    from pyarrow import feather

    out = io.BytesIO()
    feather.write_feather(table, out, compression="uncompressed")
    return out.getvalue()


FORMAT = Format("JSON Lines", NAMES, recognises, read, columns=columns, in_gzip=True, rank=2)
