"""Two labellings of the same points by the same names: clusters are matched so that most points agree."""

import numpy as np


def matched(labels, reference, k):
    """``labels`` (0 … k − 1) renamed to agree with ``reference`` at as many points as possible."""
    from scipy.optimize import linear_sum_assignment

    labels, reference = np.asarray(labels), np.asarray(reference)
    table = np.bincount(labels.astype(np.int64) * k + reference, minlength=k * k).reshape(k, k)
    return linear_sum_assignment(table, maximize=True)[1][labels]
