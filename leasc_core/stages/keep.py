"""Stage three for small and middling data: every point is kept, their graph is cut, new points find their place."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..spectral.kept import fit_kept, pack_kept, unpack_kept
from ..spectral.kmeans import margins
from ..spectral.model import Fitted
from .context import Context
from .points import directions, prepared

RESTARTS = 20
# Of the points, another draw takes this share; the others it labels by its map.
SHARE = 0.8


@dataclass(frozen=True)
class Unchanged:
    """The encoder of graphs that join points themselves: each point is its own code."""

    weights: tuple = ()

    def __call__(self, points):
        return points


def keep(source: Any, graph: str, k: int, context: Context, draws: int = 1) -> Fitted:
    """Cut the ``graph`` (a name of ``KEPT_GRAPHS``) of all rows of ``source`` into ``k`` clusters.

    ``draws`` multiplies the starts of K-means; a kept graph takes every point, so nothing else is left to chance.
    """

    def make():
        with context.reporter.stage("spectral"):
            numbers = np.arange(len(source))
            points = prepared(context.engine.take(source, numbers), numbers, False)
            directions(points, numbers)  # warns of rows that have none
            context.reporter.checkpoint()
            return pack_kept(fit_kept(points, graph, k, context.seeds("centres"), restarts=RESTARTS * draws)[0])

    model = unpack_kept(graph, *context.store.once("spectral", make))
    with context.reporter.stage("labels", len(source)):
        context.reporter.counter("labels", len(source))(len(source))
    return Fitted(model, model.labels, k, lambda: margins(model.places, model.centres))


def labels_of_a_draw(points: np.ndarray, graph: str, k: int, rng: np.random.Generator) -> np.ndarray:
    """Labels of all ``points`` by the cut of a random 80 % of them and its map of the others."""
    some = np.sort(rng.choice(len(points), max(k, int(SHARE * len(points))), replace=False))
    return fit_kept(points[some], graph, k, rng)[0].label(points)
