"""What the edits of :mod:`.steps` do to the clusters of a run, one after the other, from the run's own labels."""

import re
from dataclasses import dataclass, field, replace
from functools import singledispatch

import numpy as np

from ..errors import DataError, ParameterError
from .rows import rows_of
from .steps import MOST_NAME, MOST_NOTE, Colour, Give, Lock, Merge, Name, Noise, Note, Recluster, Step, TakeOut

NOISE = -1
COLOUR = re.compile(r"#[0-9a-fA-F]{6}|")


@dataclass(frozen=True, eq=False)
class State:
    """Clusters as edits leave them.

    Attributes
    ----------
    labels : (n_points,) the number of each point's cluster, -1 for none.
    ids : numbers of the clusters there are, in order.
    used : numbers below this were taken at some time.
    names, colours, notes : by number, where given; a note under None is the project's.
    locked : numbers.
    parents : number of a new cluster to that of the one most of it came from.
    """

    labels: np.ndarray = field(repr=False)
    ids: tuple
    used: int
    names: dict = field(default_factory=dict)
    colours: dict = field(default_factory=dict)
    notes: dict = field(default_factory=dict)
    locked: frozenset = frozenset()
    parents: dict = field(default_factory=dict)

    @property
    def compact(self) -> np.ndarray:
        """Labels 0, 1, … without gaps, -1 for none."""
        places = np.full(self.used + 1, NOISE, np.int32)
        places[list(self.ids)] = np.arange(len(self.ids))
        return places[self.labels]

    @property
    def titles(self) -> list:
        """What the clusters are called, in the order of ``ids``."""
        return [self.title(each) for each in self.ids]

    def title(self, cluster: int | None) -> str:
        """What one is called: clusters count from 1 where a person reads."""
        return "noise" if cluster == NOISE else self.names.get(cluster) or f"cluster {cluster + 1}"

    def namesake(self, cluster: int, name: str) -> int | None:
        """Another cluster of that name, which a page offers to merge with."""
        wanted = " ".join(name.split()).casefold()
        return next((each for each in self.ids if each != cluster and self.title(each).casefold() == wanted), None)


def beginning(labels: np.ndarray, n_clusters: int | None = None) -> State:
    """The state before any edit."""
    labels = np.asarray(labels, dtype=np.int32)
    count = int(labels.max(initial=-1)) + 1 if n_clusters is None else int(n_clusters)
    return State(labels, tuple(range(count)), count)


def replay(labels: np.ndarray, steps, n_clusters: int | None = None) -> State:
    """The state after ``steps``, from a run's labels."""
    state = beginning(labels, n_clusters)
    for step in steps:
        state = apply(step, state)
    return state


@singledispatch
def apply(step: Step, state: State) -> State:
    """The state after one more step; :class:`ParameterError` where it cannot be done."""
    raise DataError(f"{type(step).__name__} is no edit.")


@apply.register
def _merge(step: Merge, state):
    if len(set(step.clusters)) < 2:
        raise ParameterError("One cluster alone cannot be merged; name two or more.")
    _open(state, *step.clusters)
    first, *others = step.clusters
    labels = np.where(np.isin(state.labels, others), np.int32(first), state.labels)
    return _without(replace(state, labels=labels), others)


@apply.register
def _take_out(step: TakeOut, state):
    rows = _rows(step.rows, state)
    return _moved(_with_new(state, [step.cluster], _most_from(state, rows)), rows, step.cluster)


@apply.register
def _give(step: Give, state):
    _open(state, step.cluster)
    return _moved(state, _rows(step.rows, state), step.cluster)


@apply.register
def _noise(step: Noise, state):
    if step.cluster is None:
        return _moved(state, _rows(step.rows, state), NOISE)
    _open(state, step.cluster)
    labels = np.where(state.labels == step.cluster, np.int32(NOISE), state.labels)
    return _without(replace(state, labels=labels), [step.cluster])


@apply.register
def _recluster(step: Recluster, state):
    if len(step.parts) != len(step.clusters) or not step.parts:
        raise ParameterError("A cluster that is split needs a number for each part; make the edit again.")
    if step.inside is not None:
        _open(state, step.inside)
    parts = [_rows(part, state) for part in step.parts]
    together = np.concatenate(parts)
    if len(np.unique(together)) < len(together):
        raise ParameterError("The parts of a split must not share rows; make the edit again.")
    parent = _most_from(state, together) if step.inside is None else step.inside
    after = _with_new(state, step.clusters, parent)
    for rows, cluster in zip(parts, step.clusters, strict=True):
        after = _moved(after, rows, cluster)
    return after


@apply.register
def _lock(step: Lock, state):
    _known(state, step.cluster)
    return replace(state, locked=state.locked | {step.cluster} if step.locked else state.locked - {step.cluster})


@apply.register
def _name(step: Name, state):
    _known(state, step.cluster)
    name = " ".join(step.name.split())[:MOST_NAME]
    other = state.namesake(step.cluster, name) if name else None
    if other is not None:
        raise ParameterError(f"“{name}” is already a cluster; choose another name, or merge the two.")
    return replace(state, names=_put(state.names, step.cluster, name))


@apply.register
def _colour(step: Colour, state):
    _known(state, step.cluster)
    if not COLOUR.fullmatch(step.colour):
        raise ParameterError(f"{step.colour!r} is no colour; write it as #rrggbb.")
    return replace(state, colours=_put(state.colours, step.cluster, step.colour))


@apply.register
def _note(step: Note, state):
    if step.cluster is not None:
        _known(state, step.cluster)
    return replace(state, notes=_put(state.notes, step.cluster, step.text[:MOST_NOTE]))


def _put(known, key, value):
    return {**known, key: value} if value else {name: each for name, each in known.items() if name != key}


def _rows(text, state):
    rows = rows_of(text, len(state.labels))
    if not len(rows):
        raise ParameterError("No points are selected; select some, in the map or the table.")
    return rows


def _moved(state, rows, cluster):
    """These rows in another cluster; one that is left empty is gone."""
    before = np.unique(state.labels[rows])
    _open(state, *(each for each in before.tolist() if each not in (NOISE, cluster)))
    labels = state.labels.copy()
    labels[rows] = cluster
    emptied = [each for each in before.tolist() if each != NOISE and not (labels == each).any()]
    return _without(replace(state, labels=labels), emptied)


def _most_from(state, rows):
    """The cluster that most of these rows are in; None where most are in none."""
    found, counts = np.unique(state.labels[rows], return_counts=True)
    most = int(found[counts.argmax()])
    return None if most == NOISE else most


def _with_new(state, clusters, parent):
    if any(each < state.used for each in clusters) or len(set(clusters)) < len(clusters):
        raise ParameterError(f"Numbers below {state.used} are taken; a new cluster is number {state.used} or more.")
    parents = state.parents | {each: parent for each in clusters if parent is not None}
    return replace(state, ids=(*state.ids, *clusters), used=max(clusters) + 1, parents=parents)


def _without(state, gone):
    """Without some clusters; nothing is known of them any more but what came of them."""
    left = {name: {at: value for at, value in getattr(state, name).items() if at not in gone} for name in ("names", "colours")}
    notes = {at: value for at, value in state.notes.items() if at is None or at not in gone}
    ids = tuple(each for each in state.ids if each not in gone)
    return replace(state, ids=ids, notes=notes, locked=state.locked - set(gone), **left)


def _known(state, *clusters):
    for each in clusters:
        if each not in state.ids:
            raise ParameterError(f"There is no {state.title(each)} any more; choose one of those that are listed.")


def _open(state, *clusters):
    _known(state, *clusters)
    for each in clusters:
        if each in state.locked:
            raise ParameterError(f"{state.title(each)} is locked; unlock it first.")
