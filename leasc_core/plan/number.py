"""The number of clusters of raw rows: every preparation and graph that suits them is asked, and they answer together."""

import numpy as np

from ..data.scale import divided, exponent_of
from ..evidence.count import by_description, is_reproducible
from ..evidence.description import comparable
from ..prepare import Kind, Preparation, recognise
from ..prepare.candidates import candidates
from ..prepare.preparation import sample_rows
from .curve import Prepared, curve
from .plateaus import NONE, Counts, weighed
from .scan import scan

# Rows looked at, and those whose description is measured; fewer different rows than FEWEST say nothing.
COUNTED, TOLD, FEWEST, DESCRIBED_BY = 2000, 2000, 12, 60
# The kept graphs that cut exact codes say the same: one of them is asked.
ASKED = ("landmarks", "neighbours", "exact", "shape")
WIDE = 16


def count_source(
    source,
    seed: int = 0,
    preparation: str | None = None,
    graph: str | None = None,
    image_shape: tuple | None = None,
    layout=None,
    pause=lambda: None,
) -> Counts:
    """How many clusters the rows of a source or array have, by a sample; what is said of the rows is trusted (as by `choose`)."""
    rows = sample_rows(source, TOLD, seed)
    kind = recognise(rows, image_shape or getattr(source, "image_shape", None), layout or getattr(source, "layout", None))
    if kind.name == "scene" and preparation in (None, "patches"):
        rows, preparation = sample_rows(Preparation("patches").fit(source).seen(source), TOLD, seed), "none"
    return count(rows, kind, len(source), seed, preparation, graph, pause)


def count(
    rows: np.ndarray,
    kind: Kind,
    size: int | None = None,
    seed: int = 0,
    preparation: str | None = None,
    graph: str | None = None,
    pause=lambda: None,
) -> Counts:
    """How many clusters raw ``rows`` (n, d; a random sample of ``size``) of a ``kind`` have; no label is read.

    ``preparation`` ("none" or a name) or ``graph`` ask that one alone; ``pause()`` is called again and again and may raise.
    """
    if len(np.unique(rows, axis=0)) < FEWEST:
        return Counts((), f"Fewer than {FEWEST} different rows say nothing about a number of clusters.")
    rows, graph = divided(rows, exponent_of(rows)), "landmarks" if graph == "codes" else graph
    pairs = candidates(kind, size or len(rows), rows.shape[1], WIDE)
    pairs = list(dict.fromkeys((preparation or name, graph or join) for name, join in pairs))
    as_they_are = kind.name == "tracks" or any(name == "none" for name, _ in pairs)
    told = _told(rows, seed, pause) if as_they_are else None
    rows = rows if len(rows) <= COUNTED else rows[np.random.default_rng(seed).permutation(len(rows))[:COUNTED]]
    views, made = [], {}
    for name, join in pairs:
        if (join not in ASKED and graph is None) or (name == "denoised" and preparation is None):
            continue  # what stands above noise shows no other number than centred rows do
        pause()
        if name not in made:
            made[name] = Prepared.of(rows if name == "none" else Preparation(name, kind.shape).fit_transform(rows, pause), seed)
            pause()
        found = curve(made[name], join, seed, pause)
        if found.data:
            views.append(found)
    return weighed(views, told) if views else Counts((), NONE)


def _told(rows, seed, pause):
    """The count of subspaces, where two draws tell the same ones."""
    rows = rows[:TOLD]
    if len(rows) < 50:
        return None
    pause()
    scans = [scan("landmarks", rows, DESCRIBED_BY, np.random.default_rng([seed, 3, draw])) for draw in range(2)]
    count = by_description(comparable(rows), scans, pause)
    return count if is_reproducible(count) else None
