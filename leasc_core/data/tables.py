"""Which columns of a table are features and which holds the labels, judged by names and a few rows."""

import math
import re
from collections import Counter
from dataclasses import dataclass, field

from leasc_core.data.guards import one_line, refuse

LABEL_COLUMNS = (
    "label", "labels", "class", "classes", "target", "targets", "gnd", "truth", "ground_truth", "species",
    "category", "cluster", "y",
)  # fmt: skip
INDEX_COLUMNS = ("", "unnamed: 0", "index", "__index_level_0__")
# Names of columns that, if they also count up one by one, only number the rows: id, sample_id, Nr., No, row.
NUMBERING = re.compile(r"(.*[ _.-])?(id|nr|no|num|number|index|row|key)\.?", re.IGNORECASE)
LEAST_COUNTED = 5
FEW_CLASSES = 20
NUMERIC = ("number", "whole", "empty")


@dataclass(frozen=True)
class Column:
    """One column: its name, the kind of its values and some of them.

    `kind` is "number", "whole" (whole numbers only), "text", "mixed" (numbers and texts), "empty" or,
    for what cannot be used at all, the name of its type.
    """

    name: str
    kind: str
    sample: tuple = ()


@dataclass(frozen=True)
class Plan:
    """Positions of the feature columns and of the label column (or None)."""

    features: list
    label: int | None = None
    notes: list = field(default_factory=list)


def plan_columns(columns, file_name, label=None, named=True, drop_text=False, leave_out=()):
    """Choose features and labels, or refuse the table and say which column is in the way.

    Parameters
    ----------
    columns : list of Column
    label : name or position of the label column, False for none, None to judge.
    named : whether the file itself names its columns.
    drop_text : leave out columns that are not numbers, and say so, instead of refusing the table for them.
    leave_out : names of columns that are no features.
    """
    _refuse_duplicates([column.name for column in columns], file_name)
    notes, dropped = [], set()
    for at, column in enumerate(columns):
        if _is_index(column, at) or (column.kind == "empty" and not (named and column.name)):
            dropped.add(at)
            why = "is empty" if column.kind == "empty" else "counts the rows"
            notes.append(f"column {at}{_in_quotes(column.name)} left out: it only {why}")
    unwanted = {_position(columns, name, file_name, "leave out columns that it has") for name in leave_out}
    notes += [f"column {at}{_in_quotes(columns[at].name)} left out: as asked" for at in sorted(unwanted - dropped)]
    dropped |= unwanted
    if label is None:
        chosen = _judge(columns, dropped, named)
    else:
        chosen = None if label is False else _position(columns, label, file_name)
    features = [at for at in range(len(columns)) if at != chosen and at not in dropped]
    if drop_text:
        other = [at for at in features if columns[at].kind not in NUMERIC]
        notes += [f"column {at}{_in_quotes(columns[at].name)} left out: it is not numbers" for at in other]
        features = [at for at in features if at not in other]
    for at in features:
        _refuse_non_numeric(columns[at], at, file_name)
    if not features:
        raise refuse(file_name, "has no column of numbers", "choose a file that holds some")
    return Plan(features, chosen, notes)


def _judge(columns, dropped, named):
    left = [at for at in range(len(columns)) if at not in dropped]
    if len(left) < 3:
        texts = [at for at in left if columns[at].kind == "text"]
        return texts[0] if len(texts) == 1 else None
    by_name = {columns[at].name.strip().lower(): at for at in left if columns[at].kind in ("whole", "text")}
    for word in LABEL_COLUMNS if named else ():
        if word in by_name:
            return by_name[word]
    texts = [at for at in left if columns[at].kind == "text"]
    if texts:
        return texts[0] if len(texts) == 1 else None
    return None if named else _label_at_an_end(columns, left)


def _label_at_an_end(columns, left):
    """The last or first column, if it holds few whole numbers, often repeated, and the others differ in kind.

    The others differ if none of them is whole, or if they are the pixels of a square picture.
    """
    whole = [at for at in left if columns[at].kind == "whole"]
    is_picture = len(whole) == len(left) and is_square(len(left) - 1) and not is_square(len(left))
    ends = [at for at in (left[-1], left[0]) if (whole == [at] or is_picture) and _has_few(columns[at].sample)]
    # A pixel in a corner is nearly always black; labels are spread more evenly.
    return min(ends, key=lambda at: _commonest_share(columns[at].sample), default=None)


def _has_few(sample):
    return 2 <= len(set(sample)) <= min(FEW_CLASSES, len(sample) // 2)


def _commonest_share(sample):
    return Counter(sample).most_common(1)[0][1] / len(sample)


def is_square(count, smallest_side=8):
    """Is `count` the number of pixels of a square picture?"""
    side = math.isqrt(count)
    return side >= smallest_side and side * side == count


def _in_quotes(name):
    return f" ('{one_line(name, 40)}')" if name.strip() else ""


def _position(columns, label, file_name, remedy="name another label column"):
    if isinstance(label, int) and -len(columns) <= label < len(columns):
        return label % len(columns)
    names = [column.name for column in columns]
    if isinstance(label, str) and label in names:
        return names.index(label)
    some = ", ".join(one_line(name, 30) for name in names[:8])
    raise refuse(file_name, f"has no column {label!r} among its {len(columns)} ({some})", remedy)


def _is_index(column, at):
    name = column.name.strip()
    if at != 0 or column.kind != "whole" or not column.sample:
        return False
    first = int(column.sample[0])
    counts = list(column.sample) == list(range(first, first + len(column.sample)))
    if name.lower() in INDEX_COLUMNS:
        return counts and first in (0, 1)
    return counts and len(column.sample) >= LEAST_COUNTED and NUMBERING.fullmatch(name) is not None


def _refuse_duplicates(names, file_name):
    seen = set()
    for name in names:
        if name and name in seen:
            raise refuse(file_name, f"has two columns named '{one_line(name, 60)}'", "give every column its own name")
        seen.add(name)


def _refuse_non_numeric(column, at, file_name):
    if column.kind in NUMERIC:
        return
    where = f"column {at} ('{one_line(column.name, 40)}')"
    example = next((value for value in column.sample if isinstance(value, str)), "")
    shown = f" ('{one_line(example, 30)}')" if example else ""
    what = {"mixed": "mixes numbers and text", "text": "holds text"}.get(column.kind, f"holds {column.kind} values")
    remedy = "leave such columns out (drop_text), make it numeric or take it for the labels (label)"
    raise refuse(file_name, f"{where} {what}{shown}", remedy)
