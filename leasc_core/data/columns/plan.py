"""What becomes of each column of a table: guessed, asked for, or as a model knows it."""

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

from leasc_core.data.columns.guess import NUMERIC, guess_roles
from leasc_core.data.columns.info import ENCODINGS, ColumnInfo, check_roles
from leasc_core.data.guards import one_line, refuse

SHOWN = 4
UNNAMED = re.compile(r"column \d+")
MOST_LEVELS = {"one-hot": 200, "ordinal": 5000}
MOST_COMPARED = 1000
USABLE = (*NUMERIC, "yes or no", "list")


@dataclass(frozen=True)
class Plan:
    """What is done with each column.

    Attributes
    ----------
    columns : ColumnInfo of each, in the file's order.
    label : position of the label column, or None.
    notes : what is said of it.
    """

    columns: tuple
    label: int | None = None
    notes: list = field(default_factory=list)

    @cached_property
    def features(self):
        """Positions of the columns that give features."""
        return [at for at, column in enumerate(self.columns) if column.role == "feature"]

    @cached_property
    def beside(self):
        """Positions of those that go along."""
        return [at for at, column in enumerate(self.columns) if column.role != "feature"]

    @cached_property
    def encoded(self):
        """Positions of categories that are features."""
        return [at for at in self.features if self.columns[at].kind in ENCODINGS]

    @cached_property
    def feature_names(self):
        """One name for each feature."""
        return [name for column in self.columns for name in column.feature_names]

    def with_levels(self, at, values, file_name):
        """The plan with the values of category `at`, which are its levels; refused where they are too many."""
        column = self.columns[at]
        levels, most = sorted_levels(values), MOST_LEVELS[column.kind]
        if len(levels) > most:
            values = f"has {len(levels):,} different values in column '{one_line(column.name, 40)}'"
            what = f"{values}, where {column.kind} takes {most:,}"
            raise refuse(file_name, what, "give the column another role")
        columns = list(self.columns)
        columns[at] = replace(column, levels=tuple(levels))
        return replace(self, columns=tuple(columns))


def sorted_levels(values):
    """The values in order: by size where all are numbers, else by the alphabet."""
    from leasc_core.data.columns.notation import is_number

    values = set(values)
    return sorted(values, key=float) if all(map(is_number, values)) else sorted(values)


def plan_columns(columns, file_name, label=None, named=True, roles=None, like=()):
    """Give every column a role, or refuse the table and say which column is in the way.

    Parameters
    ----------
    columns : list of Column
    label : name or position of the label column, False for none, None to judge.
    named : whether the file itself names its columns.
    roles : asked for, by name (or position); what is not asked for is guessed.
    like : columns of the data a model was trained on; features are then matched by name.
    """
    names, notes = unique_names(columns)
    asked = {_position(names, name, file_name): role for name, role in check_roles(roles).items()}
    known = {column.name: column for column in like or ()}
    if named and known and all(UNNAMED.fullmatch(name) for name in known):
        known = {}
    if known:
        asked = {at: known[name].asked for at, name in enumerate(names) if name in known} | asked
    label = _asked_label(names, label, asked, file_name)
    guessed = guess_roles(columns, named, label)
    infos = []
    for at, (column, (role, why)) in enumerate(zip(columns, guessed, strict=True)):
        info = ColumnInfo(names[at], role, column.kind, why, _shown(column))
        if at in asked and asked[at] != role:
            why = "as in the data of the model" if names[at] in known and known[names[at]].asked == asked[at] else "as asked"
            info = _as_asked(info, column, asked[at], why, file_name)
        if column.kind == "list" and info.role == "feature":
            info = replace(info, levels=tuple(f"{names[at]}[{place}]" for place in range(column.width)))
        if info.kind in ENCODINGS and names[at] in known:
            info = replace(info, levels=known[names[at]].levels)
        infos.append(info)
    if known:
        _refuse_strangers(infos, known, file_name)
    infos = tuple(_with_facts(infos, columns) if named else infos)
    plan = Plan(infos, next((at for at, info in enumerate(infos) if info.role == "label"), None), notes)
    if not plan.features:
        raise refuse(file_name, "has no column of numbers", "choose a file that holds some, or give a column the role one-hot")
    plan.notes.extend(_told(plan, named))
    return plan


def without_label(columns):
    """The columns where the one that was guessed to hold labels has too many different values for that."""
    return tuple(replace(c, role="text", why="many different texts") if c.role == "label" else c for c in columns)


def columns_of(columns, named=True):
    """ColumnInfo of every column with the role that is guessed for it; refuses nothing."""
    names, _ = unique_names(columns)
    guessed = guess_roles(columns, named)
    infos = [
        ColumnInfo(name, role, column.kind, why, _shown(column))
        for name, column, (role, why) in zip(names, columns, guessed, strict=True)
    ]
    return tuple(_with_facts(infos, columns) if named else infos)


def unique_names(columns):
    """`(names, notes)`: empty and repeated names are changed, and that is said."""
    names, notes, seen = [], [], set()
    for at, column in enumerate(columns):
        name = column.name.strip() or f"column {at}"
        if name in seen:
            number = 2
            while f"{name} ({number})" in seen:
                number += 1
            notes.append(f"a second column '{one_line(name, 40)}' is called '{one_line(name, 40)} ({number})'")
            name = f"{name} ({number})"
        seen.add(name)
        names.append(name)
    return names, notes


def _asked_label(names, label, asked, file_name):
    """The label's position, False or None, from `label=` or from the roles."""
    labels = [at for at, role in asked.items() if role == "label"]
    if len(labels) > 1:
        both = " and ".join(f"'{one_line(names[at], 30)}'" for at in labels[:2])
        raise refuse(file_name, f"is given two columns of labels, {both}", "choose one, and give the other the role category")
    if label is None:
        return labels[0] if labels else None
    if label is False:
        return False
    at = _position(names, label, file_name, "name another label column")
    asked[at] = "label"
    return at


def _as_asked(info, column, role, why, file_name):
    if role in ENCODINGS:
        return replace(info, role="feature", kind=role, why=why)
    if role == "feature" and column.kind not in USABLE and not _numbers(column):
        what = {"text": "holds text", "date": "holds dates", "mixed": None}.get(column.kind, f"holds {column.kind} values")
        if what:
            shown = f" ('{one_line(column.sample[0], 30)}')" if column.sample else ""
            remedy = "give it the role one-hot, ordinal or category, or make it numeric"
            raise refuse(file_name, f"column '{one_line(info.name, 40)}' {what}{shown} and is asked for as a feature", remedy)
    return replace(info, role=role, why=why)


def _numbers(column):
    """Codes such as 007 are numbers where somebody says so."""
    from leasc_core.data.columns.notation import is_number

    return bool(column.sample) and all(is_number(str(value)) for value in column.sample)


def _refuse_strangers(infos, known, file_name):
    """New data have every feature that the model knows, and no other."""
    present = {info.name for info in infos}
    missing = [column.name for column in known.values() if column.role == "feature" and column.name not in present]
    if missing:
        some = ", ".join(f"'{one_line(name, 40)}'" for name in missing[:SHOWN]) + (", …" if len(missing) > SHOWN else "")
        what = f"has no column {some}, which the model knows as a feature"
        raise refuse(file_name, what, "add it, or name the column as in the data of the model")
    foreign = [info.name for info in infos if info.role == "feature" and info.name not in known]
    if foreign:
        what = f"has the column '{one_line(foreign[0], 40)}', which the model does not know"
        raise refuse(file_name, what, "give it the role 'left out' (roles, --role) or take the model that belongs to it")


def _with_facts(infos, columns):
    """Constant features and those that repeat another, in the rows looked at, are said to be so."""
    seen, told = {}, []
    features = sum(info.role == "feature" for info in infos)
    for info, column in zip(infos, columns, strict=True):
        if info.role == "feature" and info.kind in ("number", "whole") and len(column.sample) > 2 and features <= MOST_COMPARED:
            values = tuple(map(str, column.values))
            if len(set(values)) == 1:
                info = replace(info, why=f"{info.why}; constant: always {one_line(values[0], 20)} in the rows looked at")
            elif values in seen:
                info = replace(info, why=f"{info.why}; a duplicate: the same values as '{one_line(seen[values], 40)}'")
            else:
                seen[values] = info.name
        told.append(info)
    return told


def _shown(column):
    """A few values that differ, as texts."""
    different = islice(dict.fromkeys(column.sample[:50]), SHOWN)
    return tuple(dict.fromkeys(one_line(value, 60) for value in different))


def _told(plan, named):
    """Sentences on the columns that are no features, and on what is strange about those that are."""
    told = []
    for at, column in enumerate(plan.columns):
        quoted = f"column {at} ('{one_line(column.name, 40)}')" if named else f"column {at}"
        if column.role not in ("feature", "label"):
            told.append(f"{quoted} is no feature but {column.role}: {column.why}")
        elif column.role == "feature" and ("constant:" in column.why or "duplicate:" in column.why):
            told.append(f"{quoted} is a feature, {column.why}")
    more = [f"and {len(told) - 20} more such columns"] if len(told) > 20 else []
    return told[:20] + more


def _position(names, name, file_name, remedy="choose one of those"):
    if isinstance(name, int) and not isinstance(name, bool) and -len(names) <= name < len(names):
        return name % len(names)
    if isinstance(name, str) and name in names:
        return names.index(name)
    some = ", ".join(one_line(each, 30) for each in names[:8])
    raise refuse(file_name, f"has no column {name!r} among its {len(names)} ({some})", remedy)
