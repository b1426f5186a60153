"""Real handwriting, sorted without labels: by K-means, and by the steps of the tour. No Streamlit in here."""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from leasc_ui.places import app_folder
from leasc_ui.work import core

SIDE, SHOWN, CLASSES = 8, 20, 10


@dataclass(frozen=True, eq=False)
class Sorted:
    """Clusters of the pictures, named after the digits they fit best, and the share that is right; labels judge alone."""

    labels: np.ndarray = field(repr=False)
    accuracy: float

    @property
    def hardest(self):
        """The digit of which the smallest share is right, and that share."""
        shares = [float((self.labels[pictures()[1] == digit] == digit).mean()) for digit in range(CLASSES)]
        return int(np.argmin(shares)), min(shares)


@lru_cache(maxsize=1)
def pictures():
    """1,797 pictures of 8 × 8 pixels as rows, and the digit of each."""
    from leasc_core import load_data

    data = load_data(app_folder() / "sample_data" / "digits.npz")
    return np.asarray(data.X, np.float32), np.asarray(data.y)


@lru_cache(maxsize=4)
def sorted_by(method) -> Sorted:
    """By "kmeans" or "leasc"; both see the pictures at length one, and are told that there are ten groups."""
    from leasc_core import LeaSC, clustering_accuracy
    from leasc_core.spectral.kmeans import kmeans_centres, nearest_centre
    from leasc_ui.screens.tour.naming import like_truth

    X, y = pictures()
    with core.working():
        if method == "leasc":
            told = {"preprocess": None, "affinity": "landmarks", "n_representatives": 500, "random_state": 0}
            labels = LeaSC(CLASSES, **told).fit(X).labels_
        else:
            rows = X / np.linalg.norm(X, axis=1, keepdims=True)
            labels = nearest_centre(rows, kmeans_centres(rows, CLASSES, np.random.default_rng(0)))
    return Sorted(like_truth(labels, y), clustering_accuracy(y, labels))


def sheet(labels) -> np.ndarray:
    """A row of pictures for each cluster (of any pictures where ``labels`` is None), drawn by chance, ink from 0 to 1."""
    X, _ = pictures()
    rng = np.random.default_rng(0)
    rows = [np.arange(len(X)) if labels is None else np.flatnonzero(labels == number) for number in range(CLASSES)]
    lines = [[_tile(X, row) for row in _some(members, rng)] for members in rows]
    return np.block(lines) / X.max()


def _some(members, rng):
    drawn = rng.permutation(members)[:SHOWN]
    return [*drawn, *[-1] * (SHOWN - len(drawn))]


def _tile(X, row):
    """A picture with a margin; blank where a cluster has no more."""
    picture = np.zeros((SIDE, SIDE)) if row < 0 else X[row].reshape(SIDE, SIDE)
    return np.pad(picture, 1)
