"""Texts in some notation to numbers, column by column, as Arrow computes it."""

import numpy as np

from leasc_core.data.columns.notation import LIST, MISSING, Notation, notation_of

LOOKED_AT = 1000


def missing_of(texts):
    """Where a text is missing, as a boolean Arrow array."""
    import pyarrow as pa
    import pyarrow.compute as pc

    trimmed = pc.utf8_trim_whitespace(texts)
    return pc.fill_null(pc.is_in(trimmed, value_set=pa.array(MISSING, trimmed.type)), True)


def to_numbers(texts, notation) -> np.ndarray:
    """float64 values, NaN where missing; ValueError with `(row, text)` for the first cell that is no such number."""
    import pyarrow as pa
    import pyarrow.compute as pc

    missing = missing_of(texts)
    strange = pc.and_not(pc.invert(pc.match_substring_regex(texts, notation.pattern())), missing)
    if pc.any(strange).as_py():
        row = pc.index(strange, True).as_py()
        raise ValueError(row, texts[row].as_py())
    bare = texts
    for unit in notation.units:
        bare = pc.replace_substring(bare, unit, "")
    negative = pc.or_(pc.match_substring_regex(bare, r"^\s*\("), pc.match_substring_regex(bare, r"^\s*[-−]"))
    if notation.thousands:
        bare = pc.replace_substring(bare, notation.thousands, "")
    bare = pc.replace_substring_regex(bare, r"^\s*\(?\s*[-+−]?\s*|\s*\)?\s*$", "")
    if notation.decimal != ".":
        bare = pc.replace_substring(bare, notation.decimal, ".")
    bare = pc.if_else(missing, pa.scalar(None, bare.type), bare)
    values = np.array(pc.cast(bare, pa.float64()).to_numpy(zero_copy_only=False), float)
    return np.where(pc.fill_null(negative, False).to_numpy(zero_copy_only=False), -values, values)


def to_lists(texts, width) -> np.ndarray:
    """(n, width) float64 of cells such as [0.1, 0.2], NaN where missing; ValueError with `(row, text)` for any other cell."""
    import pyarrow as pa
    import pyarrow.compute as pc

    missing = missing_of(texts)
    bare = pc.utf8_trim_whitespace(pc.replace_substring_regex(texts, r"[\[\](),;\s]+", " "))
    parts = pc.split_pattern(bare, " ")
    fits = pc.and_(pc.match_substring_regex(texts, LIST), pc.equal(pc.list_value_length(parts), width))
    strange = pc.and_not(pc.invert(fits), missing)
    if pc.any(strange).as_py():
        row = pc.index(strange, True).as_py()
        raise ValueError(row, texts[row].as_py())
    there = pc.invert(missing)
    values = np.full((len(texts), width), np.nan)
    numbers = pc.cast(parts.filter(there).flatten(), pa.float64()).to_numpy(zero_copy_only=False)
    values[there.to_numpy(zero_copy_only=False)] = numbers.reshape(-1, width)
    return values


def as_numbers(texts) -> np.ndarray | None:
    """The numbers that a column of texts holds, in whatever notation; None where it holds others too."""
    import pyarrow as pa

    texts = texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts
    cells = [text.strip() for text in texts[:LOOKED_AT].to_pylist() if text is not None and text.strip() not in MISSING]
    for decimal in (".", ","):
        notation = notation_of(cells, decimal) if cells else Notation(plain=True)
        if notation is not None:
            try:
                return to_numbers(texts, notation)
            except (ValueError, pa.ArrowInvalid):
                continue
    return None
