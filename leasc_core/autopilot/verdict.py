"""From evidence to an order: those with the number of clusters that was counted, the firmest and shortest told first."""

from dataclasses import replace

import numpy as np


def score(evidence, shortest=None, told=False):
    """In [0, 1]: how well two draws agree, how likely every cluster is represented, and e^−(nats a point above the shortest).

    Where the clusters were ``told`` as subspaces, the nats say all that the agreement could.
    """
    excess = 0.0 if shortest is None else max(0.0, evidence.description - shortest)
    firm = 1.0 if told else np.clip(evidence.stability, 0, 1)
    return float(firm * evidence.coverage * np.exp(-excess))


def ranked(candidates, k, told=False):
    """Best first: those with k clusters by their score (to two digits; then as they were tried), and after them the others."""
    scored = []
    for candidate in candidates:
        same = [each.evidence.description for each in candidates if each.n_clusters == candidate.n_clusters]
        scored.append(replace(candidate, score=score(candidate.evidence, min(same), told)))
    return tuple(sorted(scored, key=lambda each: (each.n_clusters != k, -round(each.score, 2))))
