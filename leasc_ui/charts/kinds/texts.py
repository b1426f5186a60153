"""Words that set the texts of one cluster apart from all others."""

import re
from collections import Counter

import numpy as np

WORD = re.compile(r"[^\W\d_]{3,}")
MOST_TEXTS = 5000


def telling_terms(texts, labels, count: int, each=6) -> list[list[str]]:
    """For each cluster the words whose share of its texts exceeds their share elsewhere most, beside what chance gives.

    A word scores (p - q) / √((p + q) (1 / n + 1 / m)), as in a test of two shares: p of n texts in the cluster hold it, q of m
    others.
    """
    labels = np.asarray(labels)
    found = [Counter() for _ in range(count)]
    for text, label in zip(texts, labels, strict=True):
        if label >= 0:
            found[label].update(set(WORD.findall(str(text).lower())))
    sizes = np.bincount(labels[labels >= 0], minlength=count)
    everywhere, total = sum(found, Counter()), int(sizes.sum())
    terms = []
    for cluster in range(count):
        n, m = max(1, int(sizes[cluster])), max(1, total - int(sizes[cluster]))

        def score(word, cluster=cluster, n=n, m=m):
            p, q = found[cluster][word] / n, (everywhere[word] - found[cluster][word]) / m
            return (p - q) / np.sqrt((p + q) * (1 / n + 1 / m))

        best = sorted(found[cluster], key=lambda word: (-score(word), word))[:each]
        terms.append([word for word in best if score(word) > 2])
    return terms
