"""Classical coding: every point coded by all the others, the codes cut (the paper's CCod).

Codes are those of Eq. 8 without the function f, on points of length one. Only the cut is shared (:mod:`.cut`).
"""

import numpy as np

from ..coding.problem import DEFAULT_BETA
from .base import Baseline
from .cut import cut_codes

FAMILY = "coding"
LOADS = ("sklearn.cluster", "leasc_core.baselines.solvers.active_set")
DENSE_LIMIT = 8_000
SPARSE_LIMIT = 20_000


def lsr(points, k, seed, clock, *, beta=DEFAULT_BETA["f2"], affine=False, kept=8):
    """Least squares regression (Lu 2012): min ‖Z‖²_F + β‖E‖²_F, diag(Z) = 0, in closed form; ``affine`` codes sum to one.

    Defaults: β = 1; of each code the 8 largest entries are cut.
    """
    return _coded(points, k, seed, clock, kept, variant="f2", beta=beta, noise="f2", zero_diagonal=True, affine=affine)


def lrr(points, k, seed, clock, *, beta=DEFAULT_BETA["nuclear"], affine=False, tol=1e-2, kept=8):
    """Low-rank representation (Liu 2013): min ‖Z‖_* + β‖E‖₂,₁, to a relative duality gap of ``tol``; ``affine`` codes sum to one.

    Defaults: β = 1, tol = 0.01, at most 300 iterations; of each code the 8 largest entries are cut.
    """
    problem = {"variant": "nuclear", "beta": beta, "noise": "l21", "zero_diagonal": False, "affine": affine}
    return _coded(points, k, seed, clock, kept, tol=tol, max_iter=300, **problem)


def ssc(points, k, seed, clock, *, alpha=20.0, kept=8):
    """Sparse subspace clustering (Elhamifar & Vidal 2013): min ‖Z‖₁ + ½λ‖E‖²_F, diag(Z) = 0, a Lasso for each point.

    Defaults: λ = α/μ with α = 20 and μ the least over points of their largest |⟨x_i, x_j⟩|, as its authors propose; of each
    code the 8 largest entries are cut.
    """
    from .solvers.active_set import elastic_codes, nearest_similarities

    with clock("coding"):
        codes = elastic_codes(points, 1.0, gamma=alpha / _positive(nearest_similarities(points).min()))
    return _cut(codes, k, seed, clock, kept)


def ensc(points, k, seed, clock, *, alpha=1.0, beta=10.0, kept=8):
    """Elastic-net subspace clustering (Panagakis & Kotropoulos 2014): min ‖Z‖₁ + α‖Z‖²_F + β‖E‖²_F, diag(Z) = 0.

    Defaults: α = 1, β = 10, one weight for all points; of each code the 8 largest entries are cut.
    """
    from .solvers.active_set import elastic_codes

    with clock("coding"):
        codes = elastic_codes(points, 1.0, 2.0 * alpha, 2.0 * beta)
    return _cut(codes, k, seed, clock, kept)


def ssc_omp(points, k, seed, clock, *, entries=10, kept=8):
    """Subspace clustering by orthogonal matching pursuit (You 2016).

    Defaults: at most 10 entries a code, as its authors have it; the 8 largest are cut.
    """
    from .solvers.pursuit import pursuit_codes

    with clock("coding"):
        codes = pursuit_codes(points, entries)
    return _cut(codes, k, seed, clock, kept)


def ensc_active(points, k, seed, clock, *, l1=0.9, gamma=50.0, kept=8):
    """Elastic-net subspace clustering by an oracle-guided active set (You 2016).

    Defaults: l1 = 0.9 and γ = 50 times the least that gives a point a code, as its authors have them; the 8 largest are cut.
    """
    from .solvers.active_set import elastic_codes, nearest_similarities

    with clock("coding"):
        codes = elastic_codes(points, l1, 1.0 - l1, gamma * l1 / _positive(nearest_similarities(points)))
    return _cut(codes, k, seed, clock, kept)


def _coded(points, k, seed, clock, kept, **problem):
    from ..coding.solve import solve_codes

    with clock("coding"):
        codes = solve_codes(points.T, **problem).codes.T
    return _cut(codes, k, seed, clock, kept)


def _positive(similarity):
    """A point at right angles to all others has no code; any weight will do for it."""
    return np.where(similarity > 0, similarity, 1.0)


def _cut(codes, k, seed, clock, kept):
    with clock("cut"):
        return cut_codes(codes, k, seed, kept), codes


BASELINES = (
    Baseline(
        "lsr",
        "LSR",
        FAMILY,
        "Codes of least squares: dense and smooth, in closed form.",
        "m²d for the codes, m² memory",
        DENSE_LIMIT,
        lsr,
    ),
    Baseline(
        "ssc",
        "SSC",
        FAMILY,
        "The sparsest combination of other points, by a Lasso for each point.",
        "m Lassos, each a few products of m × d and a small problem",
        DENSE_LIMIT,
        ssc,
        loads=LOADS,
    ),
    Baseline(
        "lrr",
        "LRR",
        FAMILY,
        "Codes of the lowest rank, with whole points allowed to be noise.",
        "some hundred eigendecompositions of d × d and products of m × d × d, m² memory",
        DENSE_LIMIT,
        lrr,
    ),
    Baseline(
        "ensc",
        "ENSC",
        FAMILY,
        "Between sparse and smooth: an elastic net for each point.",
        "m elastic nets, each a few products of m × d and a small problem",
        DENSE_LIMIT,
        ensc,
        loads=LOADS,
    ),
    Baseline(
        "ssc_omp",
        "SSC-OMP",
        FAMILY,
        "Sparse codes chosen greedily, ten entries each.",
        "ten products of m × d for each of m points",
        SPARSE_LIMIT,
        ssc_omp,
    ),
    Baseline(
        "ensc_active",
        "EnSC",
        FAMILY,
        "The elastic net solved on the few points that an oracle names.",
        "a few products of m × d and a small problem for each of m points",
        SPARSE_LIMIT,
        ensc_active,
        loads=LOADS,
    ),
)
