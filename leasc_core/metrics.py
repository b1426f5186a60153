"""How well labels agree with a ground truth; the only place that may read one."""

import numpy as np
from numpy.typing import ArrayLike

from leasc_core.errors import DataError

# A table of more cells than this means that one side holds measurements or row numbers, not clusters.
LARGEST_TABLE = 100_000_000


def clustering_accuracy(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """The share of points labelled right under the best one-to-one matching of clusters to classes.

    Label values are free (numbers or strings), and the two sides may have different numbers of them; the
    points of a cluster left without a class count as wrong.
    """
    from scipy.optimize import linear_sum_assignment

    classes, clusters = _numbered(y_true, y_pred)
    shape = int(classes.max()) + 1, int(clusters.max()) + 1
    if shape[0] * shape[1] > LARGEST_TABLE:
        raise DataError(
            f"{shape[0]:,} classes against {shape[1]:,} clusters are too many to match (at most "
            f"{LARGEST_TABLE:,} pairs); give labels, not measurements or row numbers."
        )
    table = np.bincount(classes * shape[1] + clusters, minlength=shape[0] * shape[1]).reshape(shape)
    return float(table[linear_sum_assignment(table, maximize=True)].sum() / classes.size)


def normalized_mutual_information(y_true, y_pred):
    """Shared information over the mean entropy of the two labellings: 0 unrelated, 1 the same partition."""
    from sklearn.metrics import normalized_mutual_info_score

    return float(normalized_mutual_info_score(*_numbered(y_true, y_pred)))


def adjusted_rand_index(y_true, y_pred):
    """Agreement over pairs of points, corrected for chance: 0 on average at random, 1 the same partition."""
    from sklearn.metrics import adjusted_rand_score

    return float(adjusted_rand_score(*_numbered(y_true, y_pred)))


def score(y_true, y_pred):
    """The three at once: ``{"acc": ..., "nmi": ..., "ari": ...}``."""
    labels = _numbered(y_true, y_pred)
    return {
        "acc": clustering_accuracy(*labels),
        "nmi": normalized_mutual_information(*labels),
        "ari": adjusted_rand_index(*labels),
    }


def _numbered(y_true, y_pred):
    """Both labellings as whole numbers from 0 without gaps."""
    y_true, y_pred = _one_column(y_true, "y_true"), _one_column(y_pred, "y_pred")
    if y_true.size != y_pred.size:
        raise DataError(f"y_true has {y_true.size} labels and y_pred {y_pred.size}; give one of each for every point.")
    if not y_true.size:
        raise DataError("y_true and y_pred are empty; give at least one label.")
    return _codes(y_true, "y_true"), _codes(y_pred, "y_pred")


def _one_column(labels, name):
    labels = np.asarray(labels)
    if labels.ndim != 1:
        raise DataError(f"{name} has shape {labels.shape}; give a one-dimensional list of labels.")
    return labels


def _codes(labels, name):
    try:
        return np.unique(labels, return_inverse=True)[1].astype(np.int64)
    except TypeError:
        raise DataError(f"{name} mixes kinds of labels that cannot be compared; use one kind.") from None
