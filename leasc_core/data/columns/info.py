"""A column of a table (or an array beside the rows): its name, what it is for, and why."""

from dataclasses import asdict, dataclass

from leasc_core.errors import ParameterError

ROLES = ("feature", "label", "id", "time", "text", "link", "picture", "category", "weight", "left out")
# Two more ways to use a column: its values become features, by a column of 0 and 1 for each value or by their place in order.
ENCODINGS = ("one-hot", "ordinal")
ASKED = (*ROLES, *ENCODINGS)


@dataclass(frozen=True)
class ColumnInfo:
    """One column.

    Attributes
    ----------
    name : as the file has it, made unique.
    role : one of `ROLES`.
    kind : "number", "whole", "text", "date", "mixed", "empty", "list", or "one-hot" and "ordinal" for categories as features.
    why : why it has that role, in a few words.
    sample : some of its values, as texts.
    levels : the values of a category that is a feature, in the order of its columns (one-hot) or codes (ordinal);
        of a list, the names of its features.
    """

    name: str
    role: str
    kind: str
    why: str = ""
    sample: tuple = ()
    levels: tuple = ()

    @property
    def feature_names(self):
        """Names of the features that this column gives."""
        if self.role != "feature":
            return []
        if self.kind == "one-hot":
            return [f"{self.name}={level}" for level in self.levels]
        return list(self.levels) if self.kind == "list" else [self.name]

    @property
    def asked(self):
        """What to ask for to get this role again."""
        return self.kind if self.kind in ENCODINGS else self.role


def plain(columns):
    """The columns as JSON values."""
    return [asdict(column) for column in columns or ()]


def from_plain(values):
    """The columns that `plain` described."""
    listed = ({**value, "sample": tuple(value["sample"]), "levels": tuple(value["levels"])} for value in values or ())
    return tuple(ColumnInfo(**value) for value in listed)


def check_roles(roles):
    """`roles` as a dictionary of known roles; "left-out" and "one_hot" are understood too."""
    if not isinstance(roles or {}, dict):
        raise ParameterError(f"roles={roles!r} is no dictionary: give the role of each column, as in {{'year': 'left out'}}.")
    known = {role.replace(" ", "-"): role for role in ASKED}
    found = {}
    for name, role in (roles or {}).items():
        asked = known.get(str(role).strip().lower().replace("_", "-").replace(" ", "-"))
        if asked is None:
            raise ParameterError(f"{role!r} is no role for column {name!r}: use one of {', '.join(ASKED)}.")
        found[name] = asked
    return found
