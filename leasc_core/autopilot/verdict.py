"""From evidence to an order: those with the number of clusters that was counted, the firmest or shortest told first."""

from dataclasses import replace

import numpy as np

# Scores that differ by less than this are as good as equal: told as subspaces, and as two draws of a sample agree.
EQUAL_TOLD, EQUAL_AGREED = 0.005, 0.02


def score(evidence, shortest=None, told=False):
    """In [0, 1]: how likely every cluster is represented, times one of two.

    Where the clusters were ``told`` as subspaces, e^−(nats a point above the ``shortest``): that says all that agreement could.
    Where they were not, how well two draws agree: every cut through a curved cluster saves nats.
    """
    if told:
        firm = np.exp(-max(0.0, evidence.description - shortest)) if shortest is not None else 1.0
    else:
        firm = np.clip(evidence.stability, 0, 1)
    return float(firm * evidence.coverage)


def ranked(candidates, k, told=False):
    """Best first: those with k clusters by their score, and after them the others; equals in the order they were tried."""
    scored = []
    for candidate in candidates:
        same = [each.evidence.description for each in candidates if each.n_clusters == candidate.n_clusters]
        scored.append(replace(candidate, score=score(candidate.evidence, min(same), told)))
    equal = EQUAL_TOLD if told else EQUAL_AGREED
    asked, others = ([each for each in scored if (each.n_clusters == k) is so] for so in (True, False))
    return tuple(_in_order(asked, equal) + _in_order(others, equal))


def _in_order(candidates, equal):
    """Again and again, of those as good as the best that is left, the one that was tried first."""
    left, ordered = list(candidates), []
    while left:
        best = max(each.score for each in left)
        ordered.append(left.pop(next(i for i, each in enumerate(left) if each.score >= best - equal)))
    return ordered
