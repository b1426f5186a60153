"""Some of the points clustered again by themselves: with a preparation, a number of clusters and a model of their own."""

from dataclasses import dataclass, field

import numpy as np

from ..data.sources import DataSource
from ..errors import ParameterError
from .rows import text_of
from .steps import Recluster

FEWEST = 10
# As many rows are taken into memory, 4 GB of them at the most.
MOST_CELLS = 1 << 30


@dataclass(frozen=True, eq=False)
class Again:
    """What came of it: the fitted model, and its label for each of ``rows``."""

    rows: np.ndarray = field(repr=False)
    labels: np.ndarray = field(repr=False)
    model: object = field(repr=False)
    settings: dict

    @property
    def count(self) -> int:
        """How many clusters were found; 1 is no split at all."""
        return len(np.unique(self.labels))

    def step(self, used: int, inside: int | None = None, fit: str = "") -> Recluster:
        """The edit that puts this into effect; new clusters are numbered from ``used`` on, as the state says."""
        parts = tuple(text_of(self.rows[self.labels == part]) for part in range(int(self.labels.max()) + 1))
        clusters = tuple(range(used, used + len(parts)))
        return Recluster(parts, clusters, inside, self.settings, fit)


def recluster(
    source: DataSource, rows: np.ndarray, n_clusters: int | None = None, preprocess="auto", seed: int = 0, on_event=None
) -> Again:
    """Cluster these raw rows with :class:`leasc_core.LeaSC`, which chooses preparation, graph and number where not given."""
    from ..data.sources import ArraySource
    from ..estimators.leasc import LeaSC

    rows = np.unique(np.asarray(rows, dtype=np.int64))
    least = max(FEWEST, 2 * (n_clusters or 2))
    if len(rows) < least:
        raise ParameterError(f"{len(rows)} points are too few to cluster again; take {least} or more.")
    if len(rows) * source.shape[1] > MOST_CELLS:
        raise ParameterError(f"{len(rows):,} points of {source.shape[1]:,} columns are too many at once; select fewer.")
    points = ArraySource(source.take(rows), source.name)
    for name in ("feature_names", "image_shape", "columns", "layout"):
        setattr(points, name, getattr(source, name, None))
    model = LeaSC(n_clusters=n_clusters, preprocess=preprocess, affinity="auto", random_state=seed, on_event=on_event).fit(points)
    settings = {"n_clusters": n_clusters, "preprocess": preprocess, "random_state": seed}
    return Again(rows, np.asarray(model.labels_), model, settings)
