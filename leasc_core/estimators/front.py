"""Before Algorithm 1: what the parameters ask to be done to raw rows, the choice where they leave it open, the prepared rows."""

from copy import deepcopy

import numpy as np

from ..data.preprocessing import PreprocessedSource, Preprocessor
from ..data.sources import open_source
from ..engine.local import LocalEngine
from ..errors import ParameterError
from ..plan import Counts, count_source
from ..prepare import NAMES, Choice, Preparation, choose, recognise, recorded_from
from ..prepare.preparation import sample_rows
from ..stages.encode import as_it_is
from ..stages.represent import STAGE as REPRESENTATIVES
from ..stages.represent import count_representatives

# Prepared rows up to this many bytes are computed once; more are prepared whenever they are read.
KEPT_BYTES = 1 << 30
RECOGNISED_FROM = 2000


class Preprocess:
    """The limit of the parameter ``preprocess``."""

    def check(self, name, value):
        """A ParameterError where ``value`` is nothing that can be done to rows."""
        cleaning, preparation = parts_of(value)
        known = isinstance(preparation, str | None) and (preparation in ("auto", "none", *NAMES) or preparation is None)
        if not known or not isinstance(cleaning, Preprocessor | None):
            choices = ", ".join(map(repr, ("auto", "none", *NAMES)))
            raise ParameterError(
                f"{name}={value!r} is unknown; choose one of {choices}, a Preprocessor, or a pair of a Preprocessor and a name."
            )


def prepare(model, source, context):
    """The prepared rows of ``source``; sets ``preprocess_``, ``affinity_``, ``choice_`` and ``counts_`` of a LeaSC."""
    count_representatives(model, len(source))
    cleaning, name = parts_of(model.preprocess)
    begun = context.store.has(REPRESENTATIVES) and not context.store.has("choice")
    name = "none" if name is None or (begun and name == "auto") else name
    graph = "landmarks" if model.affinity == "auto" and (begun or _asks_for_landmarks(model)) else model.affinity
    cleaned = _cleaned(source, cleaning, context)
    model.choice_, shape = None, model.image_shape or getattr(source, "image_shape", None)
    model.counts_ = _counted(model, cleaned, name, graph, shape, context) if model.n_clusters is None else None
    if "auto" in (name, graph):
        said = {"image_shape": shape, "layout": None if model.image_shape else getattr(source, "layout", None)}
        model.choice_ = _chosen(model, cleaned, name, graph, said, context)
        name, graph, shape = model.choice_.preparation, model.choice_.graph, model.choice_.kind.shape or shape
    elif name.startswith("scattering") and shape is None:
        shape = recognise(sample_rows(cleaned, RECOGNISED_FROM)).shape
    model.affinity_ = graph
    model.preprocess_ = _learned(source, cleaning, name, shape, context)
    return _table(model._preprocessed(source), model.preparation_, context)


def parts_of(value):
    """``(Preprocessor or None, name or None)`` of the parameter ``preprocess``."""
    if isinstance(value, (tuple, list)) and len(value) == 2:
        return tuple(value)
    return (value, None) if isinstance(value, Preprocessor) else (None, value)


def _asks_for_landmarks(model):
    return model.n_landmarks is not None or model.n_draws > 1


def _cleaned(source, cleaning, context):
    if cleaning is None:
        return source
    learned = context.store.once("cleaning", lambda: deepcopy(cleaning).fit(source).state())
    return PreprocessedSource(source, Preprocessor.from_state(*learned))


def _chosen(model, cleaned, name, graph, said, context):
    def make():
        with context.reporter.stage("choice"):
            given = {"preparation": None if name == "auto" else name, "graph": None if graph == "auto" else graph}
            seed, pause = context.seeds.integer("choice"), context.reporter.steps("choice")
            if model.counts_ is not None and not model.counts_.found:
                return _nothing_to_choose(model, cleaned, given).state(), {}
            k = model.n_clusters or model.counts_.k
            if given["preparation"] is None and _told_as_they_are(model, cleaned):
                given["preparation"] = "none"
            found = choose(cleaned, k, seed, **given, **said, pause=pause)
            return found.state(), {}

    return Choice.from_state(context.store.once("choice", make)[0])


def _told_as_they_are(model, cleaned):
    """Whether the number was found by describing the rows as they are, as subspaces: then that is how they are clustered."""
    found = model.counts_ is not None and model.counts_.found and model.counts_.plateaus[0].how == "description"
    return found and _kind(model, cleaned).name != "tracks"


def _kind(model, cleaned):
    return recognise(sample_rows(cleaned, RECOGNISED_FROM), model.image_shape or getattr(cleaned, "image_shape", None))


def _nothing_to_choose(model, cleaned, given):
    """The choice where there are no clusters: rows as they are, and the graph that suits any size."""
    return Choice(_kind(model, cleaned), given["preparation"] or "none", given["graph"] or "landmarks", ())


def _counted(model, cleaned, name, graph, shape, context):
    """How many clusters a sample has, by the preparations and graphs that are left open."""

    def make():
        with context.reporter.stage("clusters"):
            seed, pause = context.seeds.integer("clusters"), context.reporter.steps("clusters")
            given = {"preparation": None if name == "auto" else name, "graph": None if graph == "auto" else graph}
            layout = None if model.image_shape else getattr(cleaned, "layout", None)
            return count_source(cleaned, seed, **given, image_shape=shape, layout=layout, pause=pause).state(), {}

    return Counts.from_state(context.store.once("clusters", make)[0])


def _learned(source, cleaning, name, shape, context):
    """The fitted Preparation, or Preprocessor where no preparation follows, or None."""
    if name == "none":
        return None if cleaning is None else _cleaned(source, cleaning, context).preprocessor
    pause = context.reporter.steps("preparing")
    made = context.store.once("preprocess", lambda: Preparation(name, shape, cleaning).fit(source, pause).state())
    return recorded_from(*made)


def _table(seen, preparation, context):
    """The prepared rows, computed once where they are few enough to keep and come from this machine."""
    if preparation is None or not isinstance(context.engine, LocalEngine) or 4 * np.prod(seen.shape, dtype=float) > KEPT_BYTES:
        return seen
    with context.reporter.stage("preparing", len(seen)):
        count = context.reporter.counter("preparing", len(seen))
        rows = context.engine.map(as_it_is, seen, context.store, "prepared", seen.shape[1:], np.float32, count)
    return open_source(rows, name=seen.name)
