"""Many landmarks in cells: a point looks into the few cells nearest to it instead of at all of them.

Landmarks of a cell stand next to each other, so that cells are told by where each begins. Of the landmarks joined hardly one is
missed, at a tenth of the products.
"""

from itertools import pairwise

import numpy as np

from .kmeans import quick_kmeans_centres
from .nearest import compiled, nearest

# From so many landmarks on they stand in cells; a point looks into so many of them.
CELLS_FROM, PROBES = 2000, 12
# False: the path of 0.2.0, which benchmarks.scale runs beside this one.
QUICK = True
# Middles of cells are found by so many rounds.
ROUNDS = 5


def looked_at(landmarks):
    """How many landmarks and middles of cells a code is compared with, where there are so many ``landmarks``."""
    cells = round(np.sqrt(landmarks))
    return landmarks if landmarks < CELLS_FROM else cells + PROBES * landmarks // cells


def place_in_cells(points, count, rng, mirrored=False):
    """K-means landmarks (at most ``count``, p) of unit-length ``points`` and where their cells begin and end, (cells + 1,)."""
    return _in_cells(quick_kmeans_centres(points, count, rng, mirrored=mirrored), rng, mirrored)


def _in_cells(landmarks, rng, mirrored):
    """The landmarks in the order of their cells, and where these begin and end."""
    middles = quick_kmeans_centres(landmarks, round(np.sqrt(len(landmarks))), rng, ROUNDS, mirrored)
    home = nearest(landmarks, middles, 1, mirrored)[1].ravel() % len(middles)
    sizes = np.bincount(home)
    order = np.argsort(home, kind="stable")
    return np.ascontiguousarray(landmarks[order]), np.cumsum([0, *sizes[sizes > 0]])


def middles_of(landmarks, bounds, mirrored=False):
    """The mean landmark of each cell; ``mirrored`` first turns those of a cell to one side."""
    middles = []
    for start, stop in pairwise(bounds):
        own = landmarks[start:stop]
        middle = own[0] if mirrored else own.mean(axis=0)
        for _ in range(2 * mirrored):
            middle = (own * np.where(own @ middle < 0, -1, 1)[:, None]).mean(axis=0)
        middles.append(middle)
    return np.ascontiguousarray(middles, np.float32)


def nearest_in_cells(points, landmarks, bounds, middles, count, mirrored=False):
    """As :func:`~leasc_core.spectral.nearest.nearest`, among the landmarks of the ``PROBES`` nearest cells of each point."""
    import torch

    points = np.ascontiguousarray(points, np.float32)
    probes = min(PROBES, len(middles))
    cells = (nearest(points, middles, probes, mirrored)[1] % len(middles)).ravel()
    visitors = np.argsort(cells.astype(np.int16), kind="stable") // probes
    first = np.concatenate([[0], np.cumsum(np.bincount(cells, minlength=len(middles)))])
    half = 0.5 * np.einsum("ij,ij->i", landmarks, landmarks)
    scores, found = np.full((len(points), count), -np.inf, np.float32), np.zeros((len(points), count), np.int64)
    improve = compiled(_improve)
    for cell, (start, stop) in enumerate(pairwise(bounds)):
        rows = visitors[first[cell] : first[cell + 1]]
        if len(rows):
            own = torch.from_numpy(landmarks[start:stop])
            products = torch.mm(torch.from_numpy(points[rows]), own.T).numpy()
            improve(products, half[start:stop], mirrored, rows, start, len(landmarks), scores, found)
    squared = np.maximum(np.einsum("ij,ij->i", points, points)[:, None] - 2.0 * scores, 0.0)
    few = np.flatnonzero(np.isneginf(scores[:, -1]))
    if few.size:
        squared[few], found[few] = nearest(points[few], landmarks, count, mirrored)
    return squared, found


def _improve(products, half, mirrored, rows, start, columns, scores, found):
    """Put what is larger of ⟨x, c⟩ − ½‖c‖², for the landmarks c of a cell, into the falling lists of the points ``rows``."""
    count = scores.shape[1]
    for at in range(len(rows)):
        i = rows[at]
        least = scores[i, count - 1]
        for j in range(products.shape[1]):
            product = products[at, j]
            score = (abs(product) if mirrored else product) - half[j]
            if score > least:
                place = count - 1
                while place > 0 and scores[i, place - 1] < score:
                    scores[i, place], found[i, place] = scores[i, place - 1], found[i, place - 1]
                    place -= 1
                scores[i, place] = score
                found[i, place] = start + j + (columns if mirrored and product < 0 else 0)
                least = scores[i, count - 1]
