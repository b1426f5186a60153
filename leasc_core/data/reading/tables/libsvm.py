"""The libsvm (svmlight) text format: a label and `index:value` pairs on each line, made dense."""

import re

import numpy as np

from leasc_core.data.dataset import Contents
from leasc_core.data.guards import check_cells, check_expansion, check_header, refuse
from leasc_core.data.labels import Labels
from leasc_core.data.reading.blobs import HEAD
from leasc_core.data.reading.format import Format

LINE = re.compile(rb"\s*[-+]?[\d.]+(?:[eE][-+]?\d+)?(?:[ \t]+\d+:[-+.\deEnaifNAIF]+)+\s*(?:#.*)?")
READ_BYTES = 4 << 20
LARGEST_INDEX = 2**31
LONGEST_NUMBER = 64


def recognises(head, blob):
    """The first line with content is a label followed by pairs."""
    lines = [line for line in head.splitlines() if line.strip() and not line.lstrip().startswith(b"#")]
    first = lines[0] if lines else b""
    if len(lines) == 1 and len(head) >= HEAD:
        first = first.rpartition(b" ")[0]
    named = blob.name.lower().endswith(FORMAT.extensions)
    return bool(LINE.fullmatch(first)) or (named and b"\0" not in head)


def read(blob, limits, array=None, label=None, n_features=None):
    """Dense rows; the first of two passes finds the size, so indices from 0 and from 1 both work."""
    rows, lowest, highest = 0, LARGEST_INDEX, -1
    for _, indices, _, counts in _parsed(blob, limits):
        rows += len(counts)
        if len(indices):
            lowest, highest = min(lowest, int(indices.min())), max(highest, int(indices.max()))
    first = min(lowest, 1)
    columns = highest - first + 1 if n_features is None else int(n_features)
    if rows == 0 or highest < 0:
        raise refuse(blob.name, "has 0 rows with values", "choose a file that holds data")
    if columns < highest - first + 1:
        raise refuse(blob.name, f"uses feature {highest} beyond n_features={n_features}", "raise n_features")
    check_cells(blob.name, (rows, columns), limits)
    check_expansion(blob.name, blob.stored if blob.packed else blob.size, 8 * rows * columns, limits)
    labels = None if label is False else Labels(blob.name, "the first number of each line", certain=False)
    block_rows = max(1, READ_BYTES // (8 * columns))

    def blocks():
        if labels is not None:
            labels.chunks.clear()
        for targets, indices, values, counts in _parsed(blob, limits):
            if labels is not None:
                labels.add_numbers(targets)
            yield from _dense(indices - first, values, counts, columns, block_rows)

    return Contents(blocks=blocks, n_rows=rows, n_columns=columns, dtype=np.dtype(float), labels=labels)


def _dense(columns, values, counts, width, block_rows):
    """Blocks of at most `block_rows` dense rows from pairs in row order."""
    ends = np.concatenate([[0], np.cumsum(counts)])
    for start in range(0, len(counts), block_rows):
        stop = min(start + block_rows, len(counts))
        block = np.zeros((stop - start, width))
        part = slice(ends[start], ends[stop])
        block[np.repeat(np.arange(stop - start), counts[start:stop]), columns[part]] = values[part]
        yield block


def _parsed(blob, limits):
    """`(labels, indices, values, pairs per line)` of a few megabytes of lines at a time."""
    done, rest = 0, b""
    with blob.open() as stream:
        while True:
            data = stream.read(READ_BYTES)
            text, cut, rest_of_line = (rest + data).rpartition(b"\n") if data else (rest, b"", b"")
            rest = rest_of_line
            check_header(blob.name, len(rest), "line", limits)
            lines = text.split(b"\n")
            yield _numbers(lines, done, blob.name)
            done += len(lines)
            if not data:
                return


def _numbers(lines, first_line, name):
    kept = [(at, line.split(b"#", 1)[0]) for at, line in enumerate(lines, first_line + 1)]
    kept = [(at, line) for at, line in kept if line.strip()]
    counts = np.array([line.count(b":") for _, line in kept], dtype=np.int64)
    tokens = b" ".join(line for _, line in kept).replace(b":", b" ").split()
    if len(tokens) != len(kept) + 2 * counts.sum() or max(map(len, tokens), default=0) > LONGEST_NUMBER:
        raise _bad_line(kept, name)
    try:
        numbers = np.array(tokens, dtype="S").astype(np.float64) if tokens else np.empty(0)
    except ValueError:
        raise _bad_line(kept, name) from None
    is_label = np.zeros(len(numbers), bool)
    is_label[np.concatenate([[0], np.cumsum(1 + 2 * counts)[:-1]]).astype(int)[: len(kept)]] = True
    pairs = numbers[~is_label].reshape(-1, 2)
    indices = pairs[:, 0]
    if len(indices) and not (np.all(indices >= 0) and np.all(indices < LARGEST_INDEX) and np.all(indices % 1 == 0)):
        raise refuse(name, "holds a feature index that is not a whole number from 0 to 2,147,483,647", "correct it")
    return numbers[is_label], indices.astype(np.int64), pairs[:, 1], counts


def _bad_line(kept, name):
    for at, line in kept:
        if not LINE.fullmatch(line):
            return refuse(name, f"is not 'label index:value …' in line {at}", "correct that line")
    return refuse(name, "holds a value that is not a number", "correct it")


FORMAT = Format("libsvm", (".libsvm", ".svm", ".svmlight"), recognises, read, in_gzip=True, rank=2)
