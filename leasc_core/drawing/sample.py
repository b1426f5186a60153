"""A sample of a run's points as the pictures need it: labels, places in the spectral embedding, sizes of the codes."""

from dataclasses import dataclass

import numpy as np

from ..engine import engine_of
from ..stages.encode import Encode

POINTS_SHOWN = 2000
MOST_ROWS, MOST_COLUMNS = 400, 800
# A point with a cosine of 0.9 to its own centre and 0.5 to another stands close to its own.
SHARPNESS = 4


@dataclass(frozen=True)
class Sample:
    """At most 2,000 points, in random order of clusters as in the data.

    ``places`` are two principal coordinates of the spectral embedding, ``shares`` of its variance; ``between`` are places
    among the clusters, which stand in a circle (``circle``). ``strengths`` are sizes of codes in [0, 1], rows and columns
    sorted by cluster and averaged to fit a screen, ``row_labels`` and ``column_labels`` the clusters before that averaging.
    """

    rows: np.ndarray
    labels: np.ndarray
    places: np.ndarray
    shares: np.ndarray
    between: np.ndarray
    circle: np.ndarray
    strengths: np.ndarray
    row_labels: np.ndarray
    column_labels: np.ndarray


def take_sample(model, source, seed=0):
    """The sample of a fitted model and its data."""
    count = min(POINTS_SHOWN, len(source))
    rows = np.sort(np.random.default_rng(seed).choice(len(source), count, replace=False))
    seen = model._preprocessed(source)
    points = np.asarray(engine_of(seen, model.block_rows).take(seen, rows))
    labels = np.asarray(model.labels_)[rows]
    embedded = model.model_.embed(Encode(model.encoder_, model.unit_rows)(points, 0))
    places, shares = _principal(embedded)
    between, circle = _between(embedded, model.model_.centres)
    codes = np.abs(Encode(model.network_, model.unit_rows)(points, 0))
    column_labels = np.asarray(model.labels_)[model.representative_indices_]
    order, columns = np.argsort(labels, kind="stable"), np.argsort(column_labels, kind="stable")
    strengths = _strengths(codes[order][:, columns])
    return Sample(rows, labels, places, shares, between, circle, strengths, labels[order], column_labels[columns])


def _principal(embedded):
    """Two principal coordinates, and the share of the variance of each."""
    left, sizes, _ = np.linalg.svd(embedded - embedded.mean(axis=0), full_matrices=False)
    count = min(2, len(sizes))
    places, shares = np.zeros((len(embedded), 2)), np.zeros(2)
    places[:, :count] = left[:, :count] * sizes[:count]
    shares[:count] = sizes[:count] ** 2 / max(np.sum(sizes**2), np.finfo(float).tiny)
    return places, shares


def _between(embedded, centres):
    """Clusters in a circle, those alike side by side, and each point between them by its cosines with their centres."""
    centres = centres / np.maximum(np.linalg.norm(centres, axis=1, keepdims=True), np.finfo(float).tiny)
    angles = np.empty(len(centres))
    angles[_chain(centres @ centres.T)] = np.pi / 2 - np.arange(len(centres)) * 2 * np.pi / len(centres)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    weights = np.maximum(embedded @ centres.T, 0.0) ** SHARPNESS
    return weights @ circle / np.maximum(weights.sum(axis=1, keepdims=True), np.finfo(float).tiny), circle


def _chain(alike):
    """An order in which each is followed by the one most like it among those left."""
    order, left = [0], set(range(1, len(alike)))
    while left:
        order.append(max(left, key=lambda other: alike[order[-1], other]))
        left.remove(order[-1])
    return order


def _strengths(codes):
    """Averages over a grid that fits a screen, on a scale from none to the largest but a few."""
    averaged = _averaged(_averaged(codes, MOST_ROWS).T, MOST_COLUMNS).T
    top = np.quantile(averaged, 0.995) if averaged.size else 0.0
    return np.clip(averaged / top, 0.0, 1.0) if top > 0 else np.zeros_like(averaged)


def _averaged(values, most):
    """Rows averaged in order to at most ``most`` of them."""
    if len(values) <= most:
        return values
    edges = np.linspace(0, len(values), most + 1).astype(int)
    return np.add.reduceat(values, edges[:-1], axis=0) / np.diff(edges)[:, None]
