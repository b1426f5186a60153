"""The .ts format of the UEA and UCR archives: one series a line, its channels between colons, its class at the end."""

import numpy as np

from leasc_core.data.dataset import Contents
from leasc_core.data.guards import check_cells, check_header, one_line, refuse
from leasc_core.data.labels import Labels
from leasc_core.data.layout import Layout
from leasc_core.data.reading.format import Format

BLOCK_ROWS = 512


def recognises(head, blob):
    """A file named .ts whose first line with content is a comment or a field."""
    start = head.lstrip()[:1]
    return blob.name.lower().endswith(".ts") and start in (b"@", b"#") and b"\0" not in head


def read(blob, limits, array=None, label=None):
    """A row a series: the channels of a moment beside each other, moment after moment."""
    if isinstance(label, str):
        raise refuse(blob.name, f"has no part named {label!r}: its classes stand at the end of each line", "leave the label out")
    fields, first = _fields(blob, limits)
    if fields.get("timestamps", "false").lower() == "true":
        raise refuse(blob.name, "gives a time with every value", "save it with values at even steps")
    has_class = fields.get("classlabel", "false").split()[:1] == ["true"]
    channels, window = _shape(first, has_class)
    labels = Labels(blob.name, "the end of each line") if has_class and label is not False else None
    why = f"A row is a series of {window} moments of {channels} channel{'s' * (channels > 1)}."
    contents = Contents(n_columns=channels * window, dtype=np.dtype(float), labels=labels)

    def blocks():
        if labels is not None:
            labels.chunks.clear()
        rows, classes, count = [], [], 0
        for number, line in _lines(blob, limits):
            parts = line.split(":")
            if has_class:
                classes.append(parts.pop().strip())
            rows.append(_values(parts, channels, window, number, blob.name))
            count += 1
            check_cells(blob.name, (count, channels * window), limits)
            if len(rows) == BLOCK_ROWS:
                yield _block(rows, classes, labels)
                rows, classes = [], []
        if rows:
            yield _block(rows, classes, labels)
        # How many there are is known only now.
        contents.layout = Layout("series", (count, window, channels), why, step=window)

    contents.blocks = blocks
    contents.feature_names = [f"t{moment} c{channel}" for moment in range(window) for channel in range(channels)]
    return contents


def _fields(blob, limits):
    """`(the fields before @data, the first line after it)`."""
    fields = {}
    for _, line in _lines(blob, limits, header=fields):
        return fields, line
    raise refuse(blob.name, "has no series after its line @data", "choose a file that holds data")


def _lines(blob, limits, header=None):
    """`(number, text)` of every line of data."""
    inside = False
    with blob.open() as file:
        number = 0
        while stored := file.readline(limits.header + 1):
            number += 1
            check_header(blob.name, len(stored), "line", limits)
            line = stored.decode("utf-8", "replace").strip()
            if not line or line.startswith("#"):
                continue
            if inside:
                yield number, line
            elif line.startswith("@"):
                name, _, value = line[1:].partition(" ")
                inside = name.lower() == "data"
                if header is not None:
                    header[name.lower()] = value.strip()


def _shape(line, has_class):
    parts = line.split(":")[: -1 if has_class else None]
    return max(1, len(parts)), len(parts[0].split(",")) if parts else 0


def _values(parts, channels, window, number, name):
    """One series (window, channels) as a row; refused where it is longer or shorter than the first."""
    lengths = [len(part.split(",")) for part in parts]
    if len(parts) != channels or any(length != window for length in lengths):
        found = f"{len(parts)} channels of {lengths[0] if lengths else 0}"
        what = f"line {number} has a series of {found} moments where the first has {channels} of {window}"
        raise refuse(name, what, "make all series of one length, or cut them into windows of one length")
    try:
        values = [[np.nan if value.strip() == "?" else float(value) for value in part.split(",")] for part in parts]
    except ValueError as error:
        raise refuse(name, f"line {number} holds a value that is no number ({one_line(error)})", "correct that line") from None
    return np.array(values).T.ravel()


def _block(rows, classes, labels):
    if labels is not None:
        labels.add_texts(np.array(classes))
    return np.array(rows)


FORMAT = Format("time series", (".ts",), recognises, read, in_gzip=True)
