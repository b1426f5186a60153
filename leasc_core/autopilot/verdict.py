"""From evidence to an order: the surest count decides k, then the firmest and shortest description decides the rest."""

from dataclasses import replace

import numpy as np

SURE = 0.99


def surest(counts):
    """The count to go by: one that two draws told in the same way, before gaps and agreement; then the best agreed on."""
    if not counts:
        return None
    order = {"description": 2, "eigengap": 1, "agreement": 0}
    return max(counts, key=lambda count: (order[count.how], count.agreement))


def is_sure(counts):
    """Whether another count would be wasted time."""
    best = surest(counts)
    return best is not None and best.how == "description" and best.agreement >= SURE


def score(evidence, shortest=None):
    """In [0, 1]: how well two draws agree, how likely every cluster is represented, and e^−(nats a point above the shortest)."""
    excess = 0.0 if shortest is None else max(0.0, evidence.description - shortest)
    return float(np.clip(evidence.stability, 0, 1) * evidence.coverage * np.exp(-excess))


def ranked(candidates, k):
    """Best first: those with k clusters by their score (to two digits; then as they were tried), and after them the others."""
    scored = []
    for candidate in candidates:
        same = [each.evidence.description for each in candidates if each.n_clusters == candidate.n_clusters]
        scored.append(replace(candidate, score=score(candidate.evidence, min(same))))
    return tuple(sorted(scored, key=lambda each: (each.n_clusters != k, -round(each.score, 2))))
