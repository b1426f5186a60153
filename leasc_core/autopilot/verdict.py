"""Puts candidates in order: those with the counted number of clusters first, each group by its score."""

from dataclasses import replace

import numpy as np

# What differs by less than this is as good as equal: nats a point, and as two draws of a sample agree.
EQUAL_REPRODUCIBLE, EQUAL_AGREED = 0.005, 0.02


def score(evidence, shortest=None, reproducible=False):
    """In [0, 1]: the probability that every cluster is represented, times one of two.

    Where the count by description was ``reproducible``: e^−(nats a point above the ``shortest``).
    Else the agreement of two draws, since every cut through a curved cluster saves nats.
    """
    if reproducible:
        firm = np.exp(-max(0.0, evidence.description - shortest)) if shortest is not None else 1.0
    else:
        firm = np.clip(evidence.stability, 0, 1)
    return float(firm * evidence.coverage)


def ranked(candidates, k, reproducible=False):
    """Best first: those with k clusters by their score, and after them the others; equals in the order they were tried."""
    scored = []
    for candidate in candidates:
        same = [each.evidence.description for each in candidates if each.n_clusters == candidate.n_clusters]
        scored.append(replace(candidate, score=score(candidate.evidence, min(same), reproducible)))
    asked, others = ([each for each in scored if (each.n_clusters == k) is so] for so in (True, False))
    return tuple(_in_order(asked, reproducible) + _in_order(others, reproducible))


def _in_order(candidates, reproducible):
    """Again and again, of those as good as the best that is left, the one that was tried first."""
    merits = [(_merit(each, reproducible), each) for each in candidates]
    equal, ordered = EQUAL_REPRODUCIBLE if reproducible else EQUAL_AGREED, []
    while merits:
        best = max(merit for merit, _ in merits)
        ordered.append(merits.pop(next(i for i, (merit, _) in enumerate(merits) if merit >= best - equal))[1])
    return ordered


def _merit(candidate, reproducible):
    """The score, or its logarithm up to a constant where ``reproducible``: nats order those too whose score is next to 0."""
    evidence = candidate.evidence
    return np.log(max(evidence.coverage, np.finfo(float).tiny)) - evidence.description if reproducible else candidate.score
