"""The edits that a person makes to clusters: frozen, JSON-able, in words; what each does is in :mod:`.replay`.

Clusters are named by numbers that never change: those of the run are 0, 1, …, and one that an edit makes takes the next free
number. Rows are texts as in :mod:`.rows`.
"""

from dataclasses import asdict, dataclass, field, fields

from ..errors import DataError

MOST_NAME, MOST_NOTE = 60, 20_000
MOST_STEPS = 10_000


@dataclass(frozen=True)
class Merge:
    """``clusters`` become one, which keeps the first one's number, name and colour."""

    clusters: tuple


@dataclass(frozen=True)
class TakeOut:
    """``rows`` leave their clusters and become the new cluster ``cluster``."""

    rows: str
    cluster: int


@dataclass(frozen=True)
class Give:
    """``rows`` leave their clusters and join ``cluster``."""

    rows: str
    cluster: int


@dataclass(frozen=True)
class Noise:
    """``rows`` (or all of ``cluster``) belong to no cluster: label -1."""

    rows: str = ""
    cluster: int | None = None


@dataclass(frozen=True)
class Recluster:
    """Rows are clustered again by themselves: ``parts`` are the rows of each new cluster, ``clusters`` their numbers.

    ``inside`` is the cluster that was split, None for a selection. ``settings`` say how (plain JSON); ``fit`` names the model
    that :class:`~.edited.EditedModel` labels new points with.
    """

    parts: tuple
    clusters: tuple
    inside: int | None = None
    settings: dict = field(default_factory=dict, hash=False)
    fit: str = ""


@dataclass(frozen=True)
class Lock:
    """No later edit may change who is in ``cluster``, until it is unlocked."""

    cluster: int
    locked: bool = True


@dataclass(frozen=True)
class Name:
    """``cluster`` is called ``name``; "" is the usual name again."""

    cluster: int
    name: str


@dataclass(frozen=True)
class Colour:
    """``cluster`` is drawn in ``colour`` (#rrggbb); "" is the usual colour again."""

    cluster: int
    colour: str


@dataclass(frozen=True)
class Note:
    """Free text on ``cluster``, or on the whole project (None); "" takes it away."""

    text: str
    cluster: int | None = None


KINDS = {kind.__name__.lower(): kind for kind in (Merge, TakeOut, Give, Noise, Recluster, Lock, Name, Colour, Note)}
Step = Merge | TakeOut | Give | Noise | Recluster | Lock | Name | Colour | Note


def to_plain(steps) -> list:
    """Steps as JSON values."""
    return [{"kind": type(step).__name__.lower(), **asdict(step)} for step in steps]


def from_plain(values) -> tuple:
    """The steps that :func:`to_plain` described; a :class:`DataError` where they are none."""
    if not isinstance(values, list) or len(values) > MOST_STEPS:
        raise DataError(f"The edits must be a list of at most {MOST_STEPS:,} steps; save the project again.")
    return tuple(_step(number, value) for number, value in enumerate(values, 1))


def _step(number, value):
    kind = KINDS.get(value.get("kind")) if isinstance(value, dict) else None
    if kind is None:
        raise DataError(f"Edit {number} is of no known kind; save the project again with this version.")
    known = {each.name for each in fields(kind)}
    if not value.keys() - {"kind"} <= known:
        raise DataError(f"Edit {number} says more than a {value['kind']} can; save the project again with this version.")
    given = {name: tuple(part) if isinstance(part, list) else part for name, part in value.items() if name != "kind"}
    try:
        step = kind(**given)
    except TypeError:
        raise DataError(f"Edit {number}, a {value['kind']}, is not complete; save the project again.") from None
    if not all(_fits(name, part) for name, part in given.items()):
        raise DataError(f"Edit {number}, a {value['kind']}, has a value of the wrong kind; save the project again.")
    return step


def _fits(name, value):
    if name == "cluster":
        return value is None or _whole(value)
    if name == "inside":
        return value is None or _whole(value)
    if name == "clusters":
        return isinstance(value, tuple) and all(map(_whole, value))
    if name == "parts":
        return isinstance(value, tuple) and all(isinstance(part, str) for part in value)
    if name == "settings":
        return isinstance(value, dict)
    return isinstance(value, bool) if name == "locked" else isinstance(value, str)


def _whole(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
