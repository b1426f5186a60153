"""One spectral embedding, read at every number of clusters: the eigenvectors are found once, K-means is cheap."""

from dataclasses import dataclass, field

import numpy as np

from ..data.scale import unit_rows
from ..spectral.codes import GramSum
from ..spectral.embedding import low_pass, relative_gaps, singular_directions
from ..spectral.kmeans import kmeans_centres, margins, nearest_centre

RESTARTS = 3
# Of more points than this a sample finds where to start, and so affords more restarts: a bad optimum would pass for disagreement.
MANY, SAMPLE, SAMPLE_RESTARTS = 4000, 1500, 10
# Clusters that may be told apart; finer partitions than the eigengap ever answers, to merge from.
MOST = 60


@dataclass(frozen=True, eq=False)
class SpectralScan:
    """Singular coordinates of points (rows), as many as the most clusters need, and σ² of each.

    ``seen`` are the points learned from; None is all.
    """

    eigenvalues: np.ndarray
    coordinates: np.ndarray = field(repr=False)
    seen: np.ndarray | None = field(default=None, repr=False)

    @classmethod
    def of(cls, rows, seen=None):
        """From the rows of B (points × landmarks or representatives), or from the ``seen`` ones of them."""
        total = GramSum.of(rows if seen is None else rows[seen])
        values, directions = singular_directions(total.gram, total.degrees, 2 * MOST + 1)
        return cls(values, np.asarray(rows @ directions), seen)

    @property
    def most_clusters(self):
        """The largest number of clusters that can be read here."""
        return int(min(MOST, len(self.eigenvalues) - 1, len(self.coordinates) // 2))

    def embed(self, k):
        """Unit-length coordinates as the fit would use them for k clusters."""
        count = min(2 * k + 1, len(self.eigenvalues))
        return unit_rows(self.coordinates[:, :count] * low_pass(self.eigenvalues[:count], k))

    def labels(self, k, seed=0):
        """K-means in that embedding."""
        from sklearn.cluster import KMeans

        embedded = self.embed(k)
        own = embedded if self.seen is None else embedded[self.seen]
        if len(own) > MANY:
            return nearest_centre(embedded, kmeans_centres(own, k, np.random.default_rng(seed), SAMPLE, SAMPLE_RESTARTS))
        return KMeans(k, n_init=RESTARTS, random_state=seed).fit(own).predict(embedded)

    def gap(self, k):
        """The relative eigengap behind k."""
        gaps = relative_gaps(self.eigenvalues)
        return float(gaps[k - 1]) if 1 <= k <= len(gaps) else 0.0


def separation(embedded, labels):
    """Mean margin of the points (the simplified silhouette): 1 − a/b with a, b the distances to the own centre and the next."""
    names, numbered = np.unique(labels, return_inverse=True)
    members = np.eye(len(names))[numbered]
    return float(margins(embedded, (members.T @ embedded) / members.sum(axis=0)[:, None]).mean()) if len(names) > 1 else 0.0
