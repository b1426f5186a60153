"""Sample, cluster, classify (the paper's S-C-C): a few points are coded and cut, a classifier labels all the others."""

import numpy as np
from scipy import linalg

from . import coding
from .base import Baseline

FAMILY = "classify"
BLOCK = 4096
SAMPLES = 1000


def selssc(points, k, seed, clock, *, n_samples=SAMPLES):
    """select+SSC (Wang 2014): SSC of a sample, then a linear classifier.

    Defaults: 1,000 random samples, SSC's own settings, ridge 0.01.
    """
    return _sample_cluster_classify(points, k, seed, clock, n_samples, coding.ssc, LinearClassifier)


def sellrr(points, k, seed, clock, *, n_samples=SAMPLES):
    """select+LRR (Wang 2014): LRR of a sample, then a linear classifier.

    Defaults: 1,000 random samples, LRR's own settings, ridge 0.01.
    """
    return _sample_cluster_classify(points, k, seed, clock, n_samples, coding.lrr, LinearClassifier)


def sssc(points, k, seed, clock, *, n_samples=SAMPLES):
    """Scalable SSC (Peng 2016): SSC of a sample, then the class residual.

    Defaults: 1,000 random samples, SSC's own settings, ridge 1.
    """
    return _sample_cluster_classify(points, k, seed, clock, n_samples, coding.ssc, ResidualClassifier)


def slrr(points, k, seed, clock, *, n_samples=SAMPLES):
    """Scalable LRR (Peng 2016): LRR of a sample, then the class residual.

    Defaults: 1,000 random samples, LRR's own settings, ridge 1.
    """
    return _sample_cluster_classify(points, k, seed, clock, n_samples, coding.lrr, ResidualClassifier)


def slsr(points, k, seed, clock, *, n_samples=SAMPLES):
    """Scalable LSR (Peng 2016): LSR of a sample, then the class residual.

    Defaults: 1,000 random samples, LSR's own settings, ridge 1.
    """
    return _sample_cluster_classify(points, k, seed, clock, n_samples, coding.lsr, ResidualClassifier)


def _sample_cluster_classify(points, k, seed, clock, n_samples, method, classifier):
    rng = np.random.default_rng(seed)
    rows = np.sort(rng.choice(len(points), min(n_samples, len(points)), replace=False))
    found, _ = method(points[rows], k, seed, clock)
    with clock("classifying"):
        classify = classifier(points[rows], found)
        labels = np.concatenate([classify(points[i : i + BLOCK]) for i in range(0, len(points), BLOCK)])
        labels[rows] = found
    return labels, None


class LinearClassifier:
    """The largest of k linear functions, fitted to the sample's clusters by ridge regression (without an offset)."""

    RIDGE = 0.01

    def __init__(self, points, labels):
        targets = np.equal.outer(labels, np.unique(labels)).astype(float)
        gram = points.T @ points
        gram[np.diag_indices_from(gram)] += self.RIDGE
        self.classes, self.weights = np.unique(labels), linalg.solve(gram, points.T @ targets, assume_a="pos")

    def __call__(self, points):
        return self.classes[np.argmax(points @ self.weights, axis=1)]


class ResidualClassifier:
    """Collaborative representation (Zhang 2011): the cluster whose own part of a point's code explains the point best.

    Codes z by all samples with a ridge, that of LSR's own codes; the cluster c of least ‖x − X_c z_c‖ / ‖z_c‖. A ridge near zero
    makes codes that jump from cluster to cluster: on digits even the true labels of the samples then give 0.78.
    """

    RIDGE = 1.0

    def __init__(self, points, labels):
        order = np.argsort(labels, kind="stable")
        self.samples, labels = points[order], labels[order]
        self.classes, starts = np.unique(labels, return_index=True)
        self.edges = [*starts, len(labels)]
        gram = self.samples @ self.samples.T
        gram[np.diag_indices_from(gram)] += self.RIDGE
        self.coder = linalg.solve(gram, self.samples, assume_a="pos").T

    def __call__(self, points):
        codes = points @ self.coder
        ratios = np.empty((len(points), len(self.classes)))
        for c, (a, b) in enumerate(zip(self.edges, self.edges[1:], strict=False)):
            part = codes[:, a:b]
            residual = np.linalg.norm(points - part @ self.samples[a:b], axis=1)
            ratios[:, c] = residual / np.maximum(np.linalg.norm(part, axis=1), np.finfo(float).tiny)
        return self.classes[np.argmin(ratios, axis=1)]


COST = "the coding method on n samples, then m·n·d for the classifier"
BASELINES = (
    Baseline(
        "selssc",
        "selSSC",
        FAMILY,
        "SSC of a sample, the rest by a linear classifier.",
        COST,
        1_000_000,
        selssc,
        loads=coding.LOADS,
    ),
    Baseline("sellrr", "selLRR", FAMILY, "LRR of a sample, the rest by a linear classifier.", COST, 1_000_000, sellrr),
    Baseline(
        "sssc",
        "SSSC",
        FAMILY,
        "SSC of a sample, the rest by the cluster that fits best.",
        COST,
        1_000_000,
        sssc,
        loads=coding.LOADS,
    ),
    Baseline("slrr", "SLRR", FAMILY, "LRR of a sample, the rest by the cluster that fits best.", COST, 1_000_000, slrr),
    Baseline("slsr", "SLSR", FAMILY, "LSR of a sample, the rest by the cluster that fits best.", COST, 1_000_000, slsr),
)
