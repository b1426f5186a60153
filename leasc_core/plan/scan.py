"""One graph of some rows, read at every number of clusters: its spectrum is found once, a partition costs milliseconds."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from ..data.scale import single, single_unit_rows, unit_rows
from ..spectral.codes import GramSum
from ..spectral.embedding import low_pass, singular_directions
from ..spectral.kept import SOFT, ExactJoin, NeighbourJoin, ShapeJoin, cut_vectors, ridge_coder
from ..spectral.kmeans import nearest_centre, spread_out
from ..spectral.landmarks import LandmarkGraph, default_landmarks
from ..spectral.sign import sign_is_noise

# Representatives of a landmark graph at most, neighbours in the graphs (as the fit takes them), rounds of Lloyd’s algorithm.
REPRESENTATIVES, NEIGHBOURS, LANDMARK_NEIGHBOURS, ROUNDS = 600, 10, 5, 8
SHAPE_CLUSTERS, MERGED_FROM = 5, 60
# The vectors for so many clusters are found first: most data never need more, and these take a fraction of the time.
AT_FIRST = 26


@dataclass(frozen=True, eq=False)
class Scan:
    """Spectral coordinates of rows (n, q), falling eigenvalues (q,), and whether all or only the first k count at k clusters.

    ``grown(most)`` is the same graph with coordinates for up to ``most`` clusters.
    """

    eigenvalues: np.ndarray
    coordinates: np.ndarray = field(repr=False)
    soft: bool
    grown: Callable = field(repr=False)

    @property
    def most(self) -> int:
        """The largest number of clusters that can be read here."""
        return max(1, min(len(self.eigenvalues) // (2 if self.soft else 1), len(self.coordinates) // 2))

    @property
    def most_clusters(self) -> int:
        """The same, as descriptions are merged from (:mod:`leasc_core.evidence`)."""
        return min(self.most, MERGED_FROM)

    def gap(self, k: int) -> float:
        """(1 − λ_{k+1}) / (1 − λ_k): large where k clusters hang together and k + 1 do not."""
        gaps = np.maximum(1.0 - self.eigenvalues, 1e-3)
        return float(gaps[k] / gaps[k - 1]) if 1 <= k < len(gaps) else 1.0

    def places(self, k: int) -> np.ndarray:
        """Unit-length coordinates as the fit would use them for k clusters."""
        count = min(2 * k + 1, len(self.eigenvalues)) if self.soft else k
        some = self.coordinates[:, :count]
        return unit_rows(some * low_pass(self.eigenvalues[:count], k) if self.soft else some)

    def labels(self, k: int) -> np.ndarray:
        """A partition into (at most) k, numbered 0, 1, …: Lloyd's algorithm from k rows that point in different directions."""
        places = self.places(k)
        return _lloyd(places, places[spread_out(places, k)])


def scan(graph: str, rows: np.ndarray, most: int, rng, first: int | None = None, sign_blind: bool | None = None) -> Scan:
    """The scan of prepared ``rows`` by a graph for up to ``most`` clusters, of which the ``first`` can be read at once.

    ``sign_blind`` says whether a row and its negative count as the same, where that is known.
    """
    first = min(first or most, most)
    if graph == "landmarks":
        return _by_landmarks(rows, most, rng, sign_blind)(first)
    if graph == "shape":
        affinity = ShapeJoin.fit(single(rows), SHAPE_CLUSTERS)[1]
    elif graph == "neighbours":
        affinity = NeighbourJoin.fit(single_unit_rows(rows), NEIGHBOURS)[1]
    else:
        affinity = ExactJoin.fit(single_unit_rows(rows), 1.0, graph != "exact")[1]
    soft = graph in SOFT

    def grown(most):
        values, vectors, _ = cut_vectors(affinity, min(2 * most + 1 if soft else most + 1, len(rows) - 1))
        return Scan(np.minimum(values / max(values[0], 1e-12), 1.0), vectors, soft, grown)

    return grown(first)


def _by_landmarks(rows, most, rng, sign_blind):
    """The scan of a graph of landmarks, as a function of how many clusters are to be read."""
    points = unit_rows(rows)
    count = min(len(points), REPRESENTATIVES, max(2, int(0.8 * len(points))))
    some = points[rng.choice(len(points), count, replace=False)]
    codes = unit_rows((points @ ridge_coder(some.astype(np.float64), 1.0)).astype(np.float32))
    sign_blind = sign_is_noise(points, rng) if sign_blind is None else sign_blind
    landmarks = min(len(codes), max(default_landmarks(len(codes)), 4 * most))
    joins = LandmarkGraph.fit(codes, landmarks, LANDMARK_NEIGHBOURS, sign_blind, rng).rows(codes)
    total = GramSum.of(joins)

    def grown(most):
        values, directions = singular_directions(total.gram, total.degrees, 2 * most + 1)
        return Scan(values, np.asarray(joins @ directions), True, grown)

    return grown


def _lloyd(points, centres):
    labels = nearest_centre(points, centres)
    for _ in range(ROUNDS):
        sizes = np.bincount(labels, minlength=len(centres))
        belongs = sparse.csr_matrix((np.ones(len(labels)), (labels, np.arange(len(labels)))), (len(centres), len(labels)))
        centres = np.where(sizes[:, None] > 0, (belongs @ points) / np.maximum(sizes, 1)[:, None], centres)
        moved = nearest_centre(points, centres)
        if np.array_equal(moved, labels):
            break
        labels = moved
    return np.unique(labels, return_inverse=True)[1]
