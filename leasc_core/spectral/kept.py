"""Graphs that keep the points they were learned from, for small and middling data, and the map that places new points.

Three ways to join a point to the kept ones (exact codes, unit singular vectors, neighbours) end in the same normalised cut.
A kept point keeps its place, so that ``predict`` on the points of ``fit`` gives ``labels_``; a new one is placed by Nyström's
formula, at (its joins) · D^{-1/2} V / λ.
"""

from dataclasses import dataclass, fields

import numpy as np
from scipy import linalg, sparse

from ..data.scale import single, single_unit_rows, unit_rows
from ..errors import BundleError, ParameterError
from .codes import largest_codes
from .embedding import low_pass, top_eigenvectors
from .kmeans import kmeans_centres, margins, nearest_centre
from .nearest import nearest
from .rotation import turned_axes

# "exact" and "exact_even" cut by k eigenvectors turned to axes, "exact_soft" and "neighbours" by 2k + 1 with the soft end of the
# landmark map; "even" and "soft" join by the square roots of codes. "shape" is RSIM, for tracks.
KEPT_GRAPHS = ("exact", "exact_even", "exact_soft", "shape", "neighbours")
SOFT = ("exact_soft", "neighbours")
# The most points that may be kept: n² numbers for codes and shapes, r joins a point for neighbours.
MOST_KEPT = {"exact": 4000, "exact_even": 4000, "exact_soft": 4000, "shape": 4000, "neighbours": 100_000}
# Codes kept a point (as where the paper cuts small data), and the exponent of RSIM (Ji et al. 2015).
KEPT_CODES, POWER = 8, 3.5
# Rows nearer than this, beside their length, are the same point: rounding of another block size stays far below.
SAME = 1e-4
ROWS = 2048


@dataclass(frozen=True)
class ExactJoin:
    """Joins by exact ``f2`` codes: ``coder`` (d, n) takes a point to its codes over the n kept ones, the largest 8 count.

    ``even`` (1 or 0) takes their square roots: one large code then does not outweigh seven that say the same.
    """

    coder: np.ndarray
    even: int
    kind = "exact"

    @classmethod
    def fit(cls, points: np.ndarray, beta: float, even: bool = False) -> tuple["ExactJoin", sparse.csr_matrix]:
        """The join and the symmetric affinity |Z| + |Z|ᵀ of the kept points (n, n)."""
        X = np.asarray(points, np.float64)
        coder = ridge_coder(X, beta)
        codes = X @ coder  # with self-codes; without them each row is divided by 1 − its own
        codes /= 1.0 - np.diag(codes)[:, None]
        np.fill_diagonal(codes, 0.0)
        kept = _largest(codes, even)
        return cls(coder.astype(np.float32), int(even)), (kept + kept.T).tocsr()

    def __call__(self, points: np.ndarray) -> sparse.csr_matrix:
        """The (b, n) joins of new points."""
        return _largest(points @ self.coder, self.even)


@dataclass(frozen=True)
class ShapeJoin:
    """Joins by |cos|^3.5 between unit rows of the first r right singular vectors (RSIM): ``basis`` (d, r), ``shapes`` (n, r)."""

    basis: np.ndarray
    shapes: np.ndarray
    kind = "shape"

    @classmethod
    def fit(cls, points: np.ndarray, k: int) -> tuple["ShapeJoin", np.ndarray]:
        """The join and affinity of the rank with the smallest cut over eigengap (no label is read)."""
        U, s, Vt = linalg.svd(np.asarray(points, np.float64), full_matrices=False)
        most = min(4 * k, int((s > s[0] * 1e-6).sum()))
        found = []
        for rank in range(min(k + 1, most), most + 1):
            shapes = unit_rows(U[:, :rank])
            affinity = _powers(shapes, shapes)
            np.fill_diagonal(affinity, 0.0)
            found.append((_cut_over_gap(affinity, k), rank, affinity))
        _, rank, affinity = min(found, key=lambda each: each[:2])
        return cls(Vt[:rank].T / s[:rank], unit_rows(U[:, :rank])), affinity

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """The (b, n) joins of new points."""
        return _powers(unit_rows(points @ self.basis), self.shapes)


@dataclass(frozen=True)
class NeighbourJoin:
    """Joins to the r nearest kept rows by angle, with a heat kernel scaled by the distance to the r-th at both ends."""

    kept: np.ndarray
    widths: np.ndarray
    neighbours: int
    kind = "neighbours"

    @classmethod
    def fit(cls, rows: np.ndarray, neighbours: int) -> tuple["NeighbourJoin", sparse.csr_matrix]:
        """The join and the symmetric affinity of the kept rows."""
        r = min(neighbours, len(rows) - 1)
        squared, found = nearest(rows, rows, r + 1)
        squared, found = squared[:, 1:], found[:, 1:]
        made = cls(rows, np.sqrt(squared[:, -1]) + 1e-12, r)
        joins = made._matrix(squared, found, made.widths)
        return made, joins.maximum(joins.T).tocsr()

    def __call__(self, points: np.ndarray) -> sparse.csr_matrix:
        """The (b, n) joins of new rows."""
        squared, found = nearest(points, self.kept, self.neighbours)
        return self._matrix(squared, found, np.sqrt(squared[:, -1]) + 1e-12)

    def _matrix(self, squared, found, own):
        weights = np.exp(-squared.astype(np.float64) / (own[:, None] * self.widths[found]))
        pointers = np.arange(0, found.size + 1, found.shape[1])
        return sparse.csr_matrix((weights.ravel(), found.ravel(), pointers), shape=(len(found), len(self.kept)))


@dataclass(frozen=True)
class KeptModel:
    """A join, the kept rows with their places, the map of new ones, and the cluster centres; the end of ``predict``."""

    join: ExactJoin | ShapeJoin | NeighbourJoin
    kept: np.ndarray
    places: np.ndarray
    directions: np.ndarray
    eigenvalues: np.ndarray
    centres: np.ndarray

    @property
    def graph(self):
        """What joins a row to the kept ones."""
        return self.join

    @property
    def labels(self) -> np.ndarray:
        """The clusters of the kept rows."""
        return nearest_centre(self.places, self.centres)

    def embed(self, rows: np.ndarray) -> np.ndarray:
        """Unit-length spectral coordinates (b, k) of rows; a kept row is where it was."""
        rows = single_unit_rows(np.asarray(rows))
        placed = unit_rows(np.asarray(self.join(rows) @ self.directions, np.float64))
        known = known_rows(rows, self.kept)
        placed[known >= 0] = self.places[known[known >= 0]]
        return placed

    def label(self, rows: np.ndarray) -> np.ndarray:
        """The cluster of each row."""
        parts = [nearest_centre(self.embed(rows[i : i + ROWS]), self.centres) for i in range(0, len(rows), ROWS)]
        return np.concatenate(parts) if parts else np.empty(0, np.int32)

    def margins(self, rows: np.ndarray) -> np.ndarray:
        """How far each row is from the border of its cluster, in [0, 1]."""
        return margins(self.embed(rows), self.centres)


def fit_kept(
    rows: np.ndarray, kind: str, k: int, rng, beta: float = 1.0, neighbours: int = 10, restarts: int = 20
) -> tuple[KeptModel, np.ndarray]:
    """The model and the labels of the prepared ``rows`` in k clusters; ``kind`` is one of ``KEPT_GRAPHS``."""
    check_kept(kind, len(rows), k)
    lengths, rows = single(rows), single_unit_rows(rows)
    if kind.startswith("exact"):
        join, affinity = ExactJoin.fit(rows, beta, kind != "exact")
    elif kind == "shape":
        join, affinity = ShapeJoin.fit(lengths, k)
    else:
        join, affinity = NeighbourJoin.fit(rows, neighbours)
    soft = kind in SOFT
    values, vectors, scale = cut_vectors(affinity, min(2 * k + 1, len(rows)))
    vectors = vectors * low_pass(values, k) if soft else vectors[:, :k]
    places = unit_rows(vectors)[_homes(rows)]
    turned = kind in ("exact", "exact_even") and k == places.shape[1]
    centres = turned_axes(places) if turned else kmeans_centres(places, k, rng, restarts=restarts)
    directions = scale[:, None] * vectors / np.maximum(values[: vectors.shape[1]], 1e-6)
    model = KeptModel(join, rows, places, directions, values, centres)
    return model, model.labels


def pack_kept(model: KeptModel) -> tuple[dict, dict]:
    """``(settings, arrays)`` of a model, all that :func:`unpack_kept` needs."""
    join = {f"join.{name}": value for name, value in vars(model.join).items()}
    arrays = join | {f.name: getattr(model, f.name) for f in fields(model) if f.name != "join"}
    settings = {name: int(value) for name, value in arrays.items() if not isinstance(value, np.ndarray)}
    return settings, {name: value for name, value in arrays.items() if name not in settings and name != "join.kept"}


def unpack_kept(kind: str, settings: dict, arrays: dict) -> KeptModel:
    """The model that :func:`pack_kept` recorded; BundleError where its parts do not fit together."""
    made = {"shape": ShapeJoin, "neighbours": NeighbourJoin}.get(kind, ExactJoin)
    both = settings | arrays | {"join.kept": arrays["kept"]}
    join = made(**{f.name: both[f"join.{f.name}"] for f in fields(made)})
    model = KeptModel(join, **{f.name: arrays[f.name] for f in fields(KeptModel) if f.name != "join"})
    n, q = len(model.kept), model.centres.shape[1]
    fits = model.places.shape == model.directions.shape == (n, q) and all(np.isfinite(A).all() for A in arrays.values())
    width = model.kept.shape[1]
    own = {
        ExactJoin: lambda: join.coder.shape == (width, n),
        ShapeJoin: lambda: len(join.basis) == width and len(join.shapes) == n,
        NeighbourJoin: lambda: join.widths.shape == (n,) and type(join.neighbours) is int and 1 <= join.neighbours <= n,
    }[made]()
    if not (fits and own):
        raise BundleError("The kept points and their map do not fit together; save the model again.")
    return model


def check_kept(kind: str, n: int, k: int) -> None:
    """A ParameterError where so many points cannot be kept, or cannot be cut into k."""
    if n > MOST_KEPT[kind]:
        raise ParameterError(
            f'affinity={kind!r} keeps every point and {n:,} are more than its {MOST_KEPT[kind]:,}; take affinity="landmarks".'
        )
    if k > n:
        raise ParameterError(f"n_clusters={k} is more than the {n} points; ask for fewer clusters.")


def cut_vectors(affinity, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The k leading eigenvalues and eigenvectors of D^{-1/2} W D^{-1/2}, and D^{-1/2}; W dense or sparse."""
    degrees = np.asarray(affinity.sum(axis=1)).ravel()
    scale = 1.0 / np.sqrt(np.where(degrees > 0, degrees, 1.0))
    if sparse.issparse(affinity):
        normalised = affinity.multiply(scale[:, None]).multiply(scale[None, :]).tocsr()
    else:
        normalised = affinity * scale[:, None] * scale[None, :]
    values, vectors = top_eigenvectors(normalised, k)
    return values, vectors, scale


def ridge_coder(X: np.ndarray, beta: float) -> np.ndarray:
    """What takes a point (row) to its ``f2`` codes over the rows of X: (d, n), by the smaller of the two Grams."""
    if len(X) < X.shape[1]:
        return np.linalg.solve(X @ X.T + np.eye(len(X)) / beta, X).T
    return np.linalg.solve(X.T @ X + np.eye(X.shape[1]) / beta, X.T)


def known_rows(rows: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """For each row the number of the kept row that it is, or −1."""
    _, found = nearest(rows, kept, 1)
    found = found.ravel()
    apart = np.linalg.norm(rows - kept[found], axis=1)
    return np.where(apart <= SAME * np.maximum(np.linalg.norm(rows, axis=1), 1e-30), found, -1)


def _largest(codes, even):
    kept = sparse.csr_matrix(largest_codes(codes, KEPT_CODES))
    return kept.sqrt() if even else kept


def _homes(rows):
    """The kept row that each row is taken for: itself, or the first of its copies."""
    home = known_rows(rows, rows)
    home = np.where(home < 0, np.arange(len(rows)), home)
    return home[home]


def _powers(A, B):
    return np.abs(A @ B.T) ** POWER


def _cut_over_gap(affinity, k):
    """Normalised cut of the k-way labels over the eigengap behind the k-th eigenvalue: small where k groups stand apart."""
    degrees = affinity.sum(axis=1)
    values, vectors, _ = cut_vectors(affinity, k + 1)
    places = unit_rows(vectors[:, :k])
    labels = nearest_centre(places, kmeans_centres(places, k, np.random.default_rng(0)))
    members = np.eye(k)[labels]
    inside, volumes = np.einsum("ic,ij,jc->c", members, affinity, members, optimize=True), degrees @ members
    cut = float(np.sum(1.0 - inside / np.maximum(volumes, 1e-12)))
    return cut / max(float(values[k - 1] - values[k]) if len(values) > k else 1.0, 1e-12)
