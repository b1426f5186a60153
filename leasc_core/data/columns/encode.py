"""Categories as codes: labels of rows, columns of 0 and 1, places in order."""

import numpy as np

from leasc_core.data.columns.notation import MISSING
from leasc_core.data.guards import one_line, refuse


def codes_of(texts):
    """`(different texts without blanks around, position of each row's text, -1 where missing)`."""
    import pyarrow as pa

    codes = texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts
    codes = codes if pa.types.is_dictionary(codes.type) else codes.dictionary_encode()
    names = [str(text).strip() for text in codes.dictionary.to_pylist()]
    positions = codes.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    known = [at for at, name in enumerate(names) if name not in MISSING]
    places = np.full(len(names) + 1, -1)
    places[known] = np.arange(len(known))
    return [names[at] for at in known], places[positions]


def as_texts(column):
    """A column of Arrow as texts."""
    import pyarrow as pa

    return column if pa.types.is_dictionary(column.type) else column.cast(pa.large_string())


def encoded(texts, info, file_name) -> np.ndarray:
    """The features of a category: one column for each level, or one with the level's place; NaN where missing."""
    names, positions = codes_of(texts)
    places = {level: place for place, level in enumerate(info.levels)}
    for at, name in enumerate(names):
        if name not in places and (positions == at).any():
            what = f"holds '{one_line(name, 30)}' in column '{one_line(info.name, 40)}', a value that the model does not know"
            raise refuse(file_name, what, "correct it or leave the cell empty")
    place = np.array([places.get(name, -1) for name in names] + [-1])[positions]
    missing = place < 0
    if info.kind == "ordinal":
        return np.where(missing, np.nan, place)[:, None].astype(float)
    values = (place[:, None] == np.arange(len(info.levels))).astype(float)
    values[missing] = np.nan
    return values
