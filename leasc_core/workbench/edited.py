"""A model with the edits a person made to its clusters: it labels new points as the edited clusters would have it."""

import json
import tempfile
from pathlib import Path

import numpy as np

from ..data.sources import DataSource, open_source
from ..data.sources.matching import match
from ..errors import BundleError, LeascError, ParameterError
from ..estimators.points import known_columns
from ..prepare.preparation import seen_through
from ..storage.bundle import kind_of, read_bundle, save_bundle
from .replay import NOISE, State, apply, beginning
from .rules import Nearest, Seen
from .steps import Give, Merge, Noise, Recluster, TakeOut, from_plain, to_plain

KIND = "EditedLeaSC"
MODEL = "model"


class EditedModel:
    """A fitted model, and what was done to its clusters by hand.

    Parameters
    ----------
    model : fitted, with ``labels_``, ``predict`` and ``save``
    steps : the edits, in order (:mod:`leasc_core.workbench.steps`)
    source : the rows that the model was fitted to
    fits : the models of splits, by the name that their step gives (``Recluster.fit``)

    Attributes
    ----------
    labels_ : (m,) int32, clusters 0, 1, … in the order of ``names_``; -1 is noise
    names_, n_clusters_, steps
    state_ : :class:`~leasc_core.workbench.replay.State` of the rows it was fitted to

    Notes
    -----
    A row that was there when an edit was made goes where the edit put it. A new one is labelled by the model first; then each
    edit follows: a merged cluster by its number, a split one by the model of the split. Where points were picked by hand, a new
    point goes with the nearest that was there (as prepared for the model), among those of the clusters they were picked from.
    """

    def __init__(self, model, steps, source, fits=None):
        source = source if isinstance(source, DataSource) else open_source(source)
        self.model, self.steps, self.fits = model, tuple(steps), dict(fits or {})
        base = np.asarray(model.labels_)
        if len(base) != len(source):
            raise ParameterError(f"The model was fitted to {len(base):,} rows, not to {len(source):,}; give the same rows.")
        state, self.rules, touched = beginning(base, model.n_clusters_), [], np.zeros(len(base), bool)
        prepared = prepared_by(model, source)
        for step in self.steps:
            after = apply(step, state)
            self.rules.append(_rule(step, state, after, prepared))
            if isinstance(self.rules[-1], Nearest):
                touched |= np.isin(state.labels, self.rules[-1].sources)
            state = after
        rows = np.flatnonzero(touched)
        self._keep(state, Seen.of(source, rows, state.labels[rows]))

    def _keep(self, state: State, seen: Seen):
        self.state_, self.seen = state, seen
        self.labels_, self.names_, self.n_clusters_ = state.compact, state.titles, len(state.ids)
        self.n_features_in_ = self.model.n_features_in_

    def predict(self, Y) -> np.ndarray:
        """The edited cluster of each row, -1 for noise."""
        names = getattr(self.model, "feature_names_in_", None)
        source = match(Y if isinstance(Y, DataSource) else open_source(Y, like=known_columns(self.model)), names)
        labels = np.asarray(self.model.predict(source)).astype(np.int32)
        if self.steps:
            by_hand = any(isinstance(rule, Nearest) for rule in self.rules)
            prepared = prepared_by(self.model, source) if by_hand else None
            for start, block in source.blocks() if by_hand else [(0, None)]:
                own = slice(start, len(labels) if block is None else start + len(block))
                labels[own] = self._follow(labels[own], block, prepared, start)
        return self._compact(labels)

    def predict_with_confidence(self, Y) -> tuple:
        """Labels as :meth:`predict` gives them, and how sure the model was before the edits."""
        return self.predict(Y), self.model.predict_confidence(Y)  # where it has learned any (``calibration_``)

    @property
    def calibration_(self):
        """What the model's confidence is read from, where it has any."""
        return self.model.calibration_

    @property
    def on_event(self):
        """Who hears of the model's progress."""
        return self.model.on_event

    @on_event.setter
    def on_event(self, listener):
        self.model.on_event = listener

    def save(self, path) -> None:
        """Write the model, the models of its splits and the edits to one file."""
        arrays = {MODEL: _packed(self.model), "labels": np.asarray(self.model.labels_)}
        arrays |= {f"fit.{name}": _packed(fit) for name, fit in self.fits.items()}
        arrays |= {"seen.names": self.seen.names.view(np.int64), "seen.clusters": self.seen.clusters}
        for number, rule in enumerate(self.rules):
            if isinstance(rule, Nearest):
                arrays |= {f"rule{number}.{name}": getattr(rule, name) for name in ("sources", "points", "clusters")}
        arrays["steps"] = np.frombuffer(json.dumps(to_plain(self.steps)).encode(), np.uint8)
        save_bundle(path, KIND, {"clusters": int(self.model.n_clusters_)}, arrays)

    @classmethod
    def load(cls, path) -> "EditedModel":
        """The model that :meth:`save` wrote."""
        settings, arrays = read_bundle(path, KIND)
        try:
            found = cls.__new__(cls)
            found.model, found.steps = _unpacked(arrays[MODEL]), from_plain(json.loads(arrays["steps"].tobytes()))
            fits = {name[4:]: A for name, A in arrays.items() if name.startswith("fit.")}
            found.fits = {name: _unpacked(A) for name, A in fits.items()}
            state, found.rules = beginning(arrays["labels"], settings["clusters"]), []
            for number, step in enumerate(found.steps):
                parts = [arrays.get(f"rule{number}.{name}") for name in ("sources", "points", "clusters")]
                found.rules.append(_sound(Nearest(*parts)) if parts[1] is not None else _rule(step, state, None, None))
                state = apply(step, state)
            found._keep(state, Seen(arrays["seen.names"].view(np.uint64), arrays["seen.clusters"]))
            return found
        except BundleError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError, LeascError) as error:
            raise BundleError(f"{path} does not hold a complete edited model ({error}); save it again.") from None

    def _pairs(self):
        return zip(self.rules, self.steps, strict=True)

    def _follow(self, labels, block, prepared, start):
        """Every edit in turn, on the model's labels of a block of raw rows, from row ``start`` of the source ``prepared``."""
        labels, ready = labels.copy(), None
        for rule, step in self._pairs():
            if isinstance(rule, dict):
                for old, new in rule.items():
                    labels[labels == old] = new
                continue
            if rule is None:
                continue
            at = np.flatnonzero(np.isin(labels, rule.sources))
            if len(at):
                ready = prepared.rows(start, start + len(block)) if ready is None else ready
                before, labels[at] = labels[at], rule(ready[at])
                self._refine(step, labels, at, before, block)
        known, clusters = self.seen.find(block) if block is not None else (False, labels)
        return np.where(known, clusters, labels)

    def _refine(self, step, labels, at, before, block):
        """Points that joined what was split are told apart by the model of the split."""
        fit = self.fits.get(step_fit(step))
        if fit is not None:
            inside = at[np.isin(labels[at], step.clusters) & (labels[at] != before)]
            if len(inside):
                labels[inside] = np.asarray(step.clusters, np.int32)[np.asarray(fit.predict(block[inside]))]

    def _compact(self, labels):
        places = np.full(self.state_.used + 1, NOISE, np.int32)
        places[list(self.state_.ids)] = np.arange(len(self.state_.ids))
        return places[labels]


def load_model(path):
    """A saved model of either kind: as fitted, or with edits."""
    from ..estimators.leasc import LeaSC

    return (EditedModel if kind_of(path) == KIND else LeaSC).load(path)


def prepared_by(model, source: DataSource) -> DataSource:
    """Raw rows as the model prepares them."""
    return seen_through(source, model.preprocess_)


def step_fit(step) -> str | None:
    """The name of the model that a split was made with, or None."""
    return (step.fit or None) if isinstance(step, Recluster) else None


def _rule(step, before, after, prepared):
    """What a step does to new points: a dictionary of numbers, :class:`Nearest`, or None for nothing."""
    if isinstance(step, Merge):
        return dict.fromkeys(step.clusters[1:], step.clusters[0])
    if isinstance(step, Noise) and step.cluster is not None:
        return {step.cluster: NOISE}
    if isinstance(step, (TakeOut, Give, Noise, Recluster)):
        moved = before.labels != after.labels
        return Nearest.of(prepared, before.labels, after.labels, np.unique(before.labels[moved]))
    return None


def _sound(rule):
    if rule.points.ndim != 2 or rule.clusters.shape != (len(rule.points),) or not np.isfinite(rule.points).all():
        raise BundleError("The points of an edit do not fit together; save the model again.")
    return rule


def _packed(model):
    """The model's own file as bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.leasc"
        model.save(path)
        return np.frombuffer(path.read_bytes(), np.uint8)


def _unpacked(array):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.leasc"
        path.write_bytes(array.tobytes())
        return load_model(path)
