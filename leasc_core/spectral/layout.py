"""UMAP's layout (McInnes, Healy & Melville 2018): a graph of nearest neighbours drawn in the plane or in space.

Compiled once a machine and free of the interpreter's lock while it works, so that a page can go on answering.
"""

from collections.abc import Callable

import numpy as np
from scipy import sparse

from .nearest import compiled, nearest

NEIGHBOURS, EPOCHS, NEGATIVE = 15, 200, 5
# The curve 1 / (1 + a d^2b) of min_dist 0.1 and spread 1.
A, B = 1.5769, 0.8951
SPREAD, LARGEST_STEP = 10.0, 4.0


def umap_layout(
    rows: np.ndarray,
    dimensions: int = 2,
    seed: int = 0,
    epochs: int = EPOCHS,
    pause: Callable[[float], None] = lambda share: None,
) -> np.ndarray:
    """Places (n, ``dimensions``) float32 of some thousand rows; ``pause(share done)`` is called every epoch and may raise."""
    rows = np.ascontiguousarray(rows, np.float32)
    places = _first_places(rows, dimensions, seed)
    if len(rows) < 4:
        return places
    graph = fuzzy_graph(rows, min(NEIGHBOURS, len(rows) - 1)).tocoo()
    kept = graph.data >= graph.data.max() / epochs
    heads, tails = graph.row[kept].astype(np.int64), graph.col[kept].astype(np.int64)
    every = graph.data.max() / graph.data[kept]
    due, state = every.copy(), np.array([seed * 2654435761 + 88172645463325252], np.uint64)
    pull = compiled(_epoch, fastmath=True)
    for epoch in range(epochs):
        pause(epoch / epochs)
        pull(places, heads, tails, every, due, float(epoch + 1), np.float32(1.0 - epoch / epochs), state)
    return places


def fuzzy_graph(rows: np.ndarray, neighbours: int) -> sparse.csr_matrix:
    """The symmetric graph of membership strengths: exp(−(d − ρ)/σ), whose sum over a point's neighbours is log₂ r."""
    squared, found = nearest(rows, rows, neighbours + 1)
    own = found == np.arange(len(rows))[:, None]
    own[~own.any(axis=1), -1] = True  # of copies that crowd the point itself out, the last gives way
    distances = np.sqrt(squared[~own].reshape(len(rows), neighbours)).astype(np.float64)
    others = found[~own].reshape(len(rows), neighbours)
    nearest_one = np.where(distances > 0, distances, np.inf).min(axis=1)
    nearest_one = np.where(np.isfinite(nearest_one), nearest_one, 0.0)
    beyond = np.maximum(distances - nearest_one[:, None], 0.0)
    low, high = np.full(len(rows), 1e-9), np.full(len(rows), max(float(beyond.max()), 1e-6) * 10)
    for _ in range(50):
        width = np.sqrt(low * high)
        too_wide = np.exp(-beyond / width[:, None]).sum(axis=1) > np.log2(neighbours)
        low, high = np.where(too_wide, low, width), np.where(too_wide, width, high)
    strengths = np.exp(-beyond / np.sqrt(low * high)[:, None])
    pointers = np.arange(0, others.size + 1, neighbours)
    joined = sparse.csr_matrix((strengths.ravel(), others.ravel(), pointers), shape=(len(rows), len(rows)))
    joined.sum_duplicates()
    return (joined + joined.T - joined.multiply(joined.T)).tocsr()


def _first_places(rows, dimensions, seed):
    """Principal coordinates, the widest from −10 to 10, shaken a little so that copies part."""
    centred = rows - rows.mean(axis=0)
    some = centred if len(rows) <= 3000 else centred[:: len(rows) // 3000]
    axes = np.linalg.svd(some, full_matrices=False)[2][:dimensions]
    places = np.zeros((len(rows), dimensions), np.float32)
    places[:, : len(axes)] = centred @ axes.T
    places *= SPREAD / max(float(np.abs(places).max()), 1e-12)
    return places + np.random.default_rng(seed).normal(scale=1e-2, size=places.shape).astype(np.float32)


def _epoch(places, heads, tails, every, due, now, rate, state):
    """Pull the ends of every edge whose turn it is together, and push each head from five points of chance."""
    n, dimensions = places.shape
    for edge in range(len(heads)):
        if due[edge] > now:
            continue
        due[edge] += every[edge]
        i, j = heads[edge], tails[edge]
        apart = np.float32(0.0)
        for c in range(dimensions):
            apart += (places[i, c] - places[j, c]) ** 2
        if apart > 0:
            force = -2.0 * A * B * apart ** (B - 1.0) / (1.0 + A * apart**B)
            for c in range(dimensions):
                step = min(LARGEST_STEP, max(-LARGEST_STEP, force * (places[i, c] - places[j, c])))
                places[i, c] += rate * step
                places[j, c] -= rate * step
        for _ in range(NEGATIVE):
            x = state[0]
            x ^= x << np.uint64(13)
            x ^= x >> np.uint64(7)
            x ^= x << np.uint64(17)
            state[0] = x
            j = np.int64(x % np.uint64(n))
            if j == i:
                continue
            apart = np.float32(0.0)
            for c in range(dimensions):
                apart += (places[i, c] - places[j, c]) ** 2
            force = 2.0 * B / ((0.001 + apart) * (1.0 + A * apart**B))
            for c in range(dimensions):
                step = min(LARGEST_STEP, max(-LARGEST_STEP, force * (places[i, c] - places[j, c]))) if apart > 0 else LARGEST_STEP
                places[i, c] += rate * step
