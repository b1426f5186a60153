"""Large-scale spectral clustering on the points themselves, without codes (the paper's LsSpC)."""

import numpy as np
from scipy import linalg

from ..data.scale import unit_rows
from .base import Baseline

FAMILY = "spectral"
LOADS = ("torch", "sklearn.cluster", "leasc_core.estimators.landmark")


def lbsc_k(points, k, seed, clock, *, n_landmarks=None):
    """Landmark-based spectral clustering with K-means landmarks (Cai & Chen 2015), as LeaSC does it, on raw points.

    Defaults: as many landmarks as LeaSC takes (m^¾ or m/10, at most 8,000), 5 neighbours, a locally scaled heat kernel.
    """
    from ..estimators.landmark import LandmarkSpectralClustering

    model = LandmarkSpectralClustering(k, n_landmarks=n_landmarks, random_state=seed, on_event=clock.listen)
    return model.fit(points.astype(np.float32)).labels_, None


def lbsc_r(points, k, seed, clock, *, n_landmarks=None):
    """The same with landmarks drawn at random among the points. Defaults: as :func:`lbsc_k`."""
    from ..spectral.landmarks import default_landmarks
    from ..stages.represent import decide_sign
    from .landmark_end import cluster_at_landmarks

    rng = np.random.default_rng(seed)
    count = min(len(points), n_landmarks or max(default_landmarks(len(points)), 4 * k))
    with clock("landmarks"):
        landmarks = points[rng.choice(len(points), count, replace=False)]
        blind = decide_sign("auto", points, rng)
    return cluster_at_landmarks(points, landmarks, k, seed, clock, blind), None


def nystrom(points, k, seed, clock, *, n_samples=500, neighbour=7):
    """Nyström extension of a sample's eigenvectors (Fowlkes 2004; Chen 2011), not made orthogonal.

    Defaults: 500 random samples; kernel exp(−‖x−y‖²/2σ²), σ the median distance from a sample to its 7th neighbour among samples.
    """
    return _nystrom(points, k, seed, clock, n_samples, neighbour, extended_vectors)


def nystrom_orthogonal(points, k, seed, clock, *, n_samples=500, neighbour=7):
    """The same with the extended eigenvectors made orthogonal in one step. Defaults: as :func:`nystrom`."""
    return _nystrom(points, k, seed, clock, n_samples, neighbour, orthogonal_vectors)


def _nystrom(points, k, seed, clock, n_samples, neighbour, vectors):
    from ..spectral.kmeans import kmeans_centres, nearest_centre

    rng = np.random.default_rng(seed)
    with clock("affinity"):
        rows = np.sort(rng.choice(len(points), min(n_samples, len(points)), replace=False))
        columns, square = normalised_kernel(points, rows, neighbour)
    with clock("spectral"):
        V = unit_rows(vectors(columns, square, k))
    with clock("centres"):
        return nearest_centre(V, kmeans_centres(V, k, rng)), None


def normalised_kernel(points, rows, neighbour=7):
    """C (m, n) and A (n, n): the columns of D^{-1/2} S D^{-1/2} at the samples, and their square; degrees by Nyström's own S."""
    sample = points[rows]
    squares = _squared_distances(sample, sample)
    width = np.median(np.sort(squares, axis=1)[:, min(neighbour, len(rows) - 1)]) or 1.0
    A, C = np.exp(-squares / (2.0 * width)), np.exp(-_squared_distances(points, sample) / (2.0 * width))
    degrees = C @ (_power(A, -1.0) @ C.sum(axis=0))
    # Low-rank degrees may be negative for a point unlike all samples; its own kernel sum is a floor.
    degrees = np.maximum(degrees, C.sum(axis=1))
    scale = 1.0 / np.sqrt(degrees)
    return C * scale[:, None] * scale[rows], A * scale[rows][:, None] * scale[rows]


def extended_vectors(C, A, k):
    """C U Λ⁻¹ for the k leading eigenpairs of A."""
    values, U = linalg.eigh(A, subset_by_index=[len(A) - k, len(A) - 1])
    return C @ (U / np.maximum(values, 1e-12))


def orthogonal_vectors(C, A, k):
    """The k leading orthonormal eigenvectors of C A⁻¹ Cᵀ (Fowlkes's one-shot way)."""
    half = _power(A, -0.5)
    values, U = linalg.eigh(half @ (C.T @ C) @ half, subset_by_index=[len(A) - k, len(A) - 1])
    return C @ (half @ (U / np.sqrt(np.maximum(values, 1e-12))))


def _power(A, exponent):
    """A to a negative power on its numerical range."""
    values, U = linalg.eigh(A)
    kept = values > values[-1] * 1e-10
    return (U[:, kept] * values[kept] ** exponent) @ U[:, kept].T


def _squared_distances(P, Q):
    products = P @ Q.T
    squares = np.einsum("ij,ij->i", P, P)[:, None] + np.einsum("ij,ij->i", Q, Q) - 2.0 * products
    return np.maximum(squares, 0.0)


BASELINES = (
    Baseline(
        "lbsc_k",
        "LbSC-K",
        FAMILY,
        "Points joined to K-means landmarks of the data themselves.",
        "m·p·d for p landmarks",
        1_000_000,
        lbsc_k,
        loads=LOADS,
    ),
    Baseline(
        "lbsc_r",
        "LbSC-R",
        FAMILY,
        "Points joined to landmarks drawn at random.",
        "m·p·d for p landmarks",
        1_000_000,
        lbsc_r,
        loads=LOADS,
    ),
    Baseline(
        "nystrom",
        "Nyström",
        FAMILY,
        "Eigenvectors of a sample, extended to all points.",
        "m·n·d for n samples, m·n memory",
        1_000_000,
        nystrom,
    ),
    Baseline(
        "nystrom_orthogonal",
        "NyströmO",
        FAMILY,
        "The same, with the extended eigenvectors made orthogonal.",
        "m·n·(d + n) for n samples, m·n memory",
        1_000_000,
        nystrom_orthogonal,
    ),
)
