"""From evidence to an order: what the candidates have in common decides k, how firmly they hold it decides β."""

import numpy as np


def score(evidence):
    """In [0, 1]: stable, separated, covered."""
    return float(np.clip(evidence.stability, 0, 1) * np.clip(evidence.separation, 0, 1) * evidence.coverage)


def ranked(candidates):
    """Best first: the shortest description decides k, the score decides among its candidates."""
    k = min(candidates, key=lambda each: each.evidence.description).n_clusters
    return tuple(sorted(candidates, key=lambda each: (each.n_clusters != k, -each.score)))
