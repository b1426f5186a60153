"""What one would otherwise do: clustering by distance, as scikit-learn and UMAP offer it."""

import numpy as np

from ..data.scale import divided, exponent_of
from ..errors import ParameterError
from .base import Baseline

FAMILY = "everyday"
# HDBSCAN's own least.
SMALLEST_CLUSTER = 5


def kmeans(points, k, seed, clock):
    """K-means on the points as they are. Defaults: k-means++, the best of 10 starts."""
    from sklearn.cluster import KMeans

    X = np.vstack([block for _, block in points.blocks()])
    X = divided(X, exponent_of(X))
    with clock("clustering"):
        return KMeans(k, n_init=10, random_state=seed).fit_predict(X), None


def cosine_kmeans(points, k, seed, clock):
    """K-means on points of length one, so that angles decide. Defaults: k-means++, the best of 10 starts."""
    from sklearn.cluster import KMeans

    with clock("clustering"):
        return KMeans(k, n_init=10, random_state=seed).fit_predict(points), None


def sklearn_spectral(points, k, seed, clock, *, n_neighbors=10):
    """scikit-learn's SpectralClustering on a graph of nearest neighbours. Defaults: 10 neighbours, points of length one."""
    from sklearn.cluster import SpectralClustering

    if len(points) <= k:
        raise ParameterError(f"scikit-learn spectral needs more points than clusters and got {len(points)} for k={k}; lower k.")
    model = SpectralClustering(k, affinity="nearest_neighbors", n_neighbors=min(n_neighbors, len(points)), random_state=seed)
    with clock("clustering"):
        return model.fit_predict(points), None


def umap_hdbscan(points, k, seed, clock, *, n_neighbors=30):
    """UMAP to the plane, then HDBSCAN, which finds its own number of clusters; what it calls noise is one cluster more.

    Defaults: 30 neighbours, min_dist 0; a cluster has at least m / 10k points (k is used for nothing else).
    """
    from sklearn.cluster import HDBSCAN
    from umap import UMAP

    if len(points) < SMALLEST_CLUSTER:
        raise ParameterError(f"UMAP + HDBSCAN needs at least {SMALLEST_CLUSTER} points and got {len(points)}; give more rows.")
    with clock("embedding"):
        flat = UMAP(n_neighbors=min(n_neighbors, len(points) - 1), min_dist=0.0, random_state=seed).fit_transform(points)
    with clock("clustering"):
        labels = HDBSCAN(min_cluster_size=max(SMALLEST_CLUSTER, len(points) // (10 * k)), copy=True).fit_predict(flat)
    return np.where(labels < 0, labels.max() + 1, labels), None


BASELINES = (
    Baseline(
        "kmeans", "K-means", FAMILY, "The nearest of k centres.", "ten starts of some m·k·d each", 5_000_000, kmeans, streams=True
    ),
    Baseline(
        "cosine_kmeans",
        "Cosine K-means",
        FAMILY,
        "The nearest of k directions.",
        "ten starts of some m·k·d each",
        5_000_000,
        cosine_kmeans,
    ),
    Baseline(
        "sklearn_spectral",
        "scikit-learn spectral",
        FAMILY,
        "Eigenvectors of a graph of nearest neighbours.",
        "m² d for the neighbours, Lanczos on the graph",
        20_000,
        sklearn_spectral,
    ),
    Baseline(
        "umap_hdbscan",
        "UMAP + HDBSCAN",
        FAMILY,
        "A flat map of the data, cut where it is empty.",
        "m log m neighbours, hundreds of rounds over the graph",
        200_000,
        umap_hdbscan,
        loads=("umap", "sklearn.cluster"),
    ),
)
