"""Proposition 1: how likely n random picks hit every basis, and how many picks that takes."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import comb, fsum, pi, sqrt
from typing import Any

import numpy as np

from leasc_core.errors import ParameterError

# Up to so many points fractions answer within a blink; up to the second number they may be asked for.
SMALL, LARGEST_EXACT = 400, 20_000
# The characteristic functions below have faded to nothing at this many inverse standard deviations.
REACH = 18.0


def coverage_probability(sizes: Sequence[int], n: int, exact: bool = False) -> Any:
    """The probability that n picks without replacement hit every basis (Proposition 1).

    Parameters
    ----------
    sizes : the number of points of each basis; a point belongs to one
    n : the number of picks
    exact : return a `Fraction` instead of a float

    Examples
    --------
    >>> coverage_probability([50, 50], 7, exact=True)
    Fraction(1820, 1843)
    """
    sizes = _checked_sizes(sizes)
    points = int(sizes.sum())
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or not 0 <= n <= points:
        raise ParameterError(f"n={n!r} is not a number of picks from {points} points; give 0 to {points}.")
    n = int(n)
    if n < len(sizes):
        return Fraction(0) if exact else 0.0
    if n > points - int(sizes.min()):
        return Fraction(1) if exact else 1.0
    if exact and points > LARGEST_EXACT:
        raise ParameterError(f"exact=True is for at most {LARGEST_EXACT} points, not {points}; ask for a float instead.")
    if exact or points <= SMALL:
        fraction = _inclusion_exclusion(sizes, n)
        return fraction if exact else float(fraction)
    return _by_characteristic_functions(*np.unique(sizes, return_counts=True), n)


def picks_needed(sizes, probability=0.99):
    """The fewest picks that hit every basis with at least this probability."""
    sizes = _checked_sizes(sizes)
    if not 0 < probability <= 1:
        raise ParameterError(f"probability={probability} is not above 0 and at most 1; give one that is.")
    certain = int(sizes.sum() - sizes.min()) + 1
    if probability == 1:
        return certain
    too_few, enough = len(sizes) - 1, certain
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        if coverage_probability(sizes, middle) >= probability:
            enough = middle
        else:
            too_few = middle
    return enough


def _inclusion_exclusion(sizes, n):
    """Σ_S (−1)^|S| C(m − m_S, n) / C(m, n) over the sets S of missed bases, those of equal m_S taken together."""
    points = int(sizes.sum())
    missed = {0: 1}
    for size in sizes.tolist():
        longer = defaultdict(int, missed)
        for removed, count in missed.items():
            if points - removed - size >= n:
                longer[removed + size] -= count
        missed = longer
    hits = sum(count * comb(points - removed, n) for removed, count in missed.items())
    return Fraction(hits, comb(points, n))


def _by_characteristic_functions(sizes, counts, n):
    """Proposition 1 without its alternating sum, which cancels to nothing when there are many bases.

    Keep each point with probability p, independently: given that n are kept, they are n random picks. So
    P = Π_i Pr(B_i ≥ 1) · Pr(Σ B_i = n | all B_i ≥ 1) / Pr(B = n) with B_i ~ Bin(m_i, p), B ~ Bin(m, p), for any p.
    With a p that makes n the mean of both sums, each is read off its characteristic function without cancellation.
    """
    points = int(counts @ sizes)
    p = _tilt(sizes, counts, n, points)
    missing = np.exp(sizes * np.log1p(-p))
    hit = -np.expm1(sizes * np.log1p(-p))
    mean = sizes * p / hit
    variance = counts @ np.maximum(mean * (1 - p + sizes * p - mean), 0.0)
    log_hit = fsum(counts * np.log1p(-missing)) if missing.max() < 0.5 else fsum(counts * np.log(hit))
    log_covered = _log_density(lambda t: _truncated(t, sizes, counts, p), n, variance)
    share = n / points
    log_any = _log_density(lambda t: points * _log_characteristic(t, share), n, n * (1 - share))
    # Pr(B = n) was taken at p = n/m, where it is not small; this carries it over to p.
    moved = n * np.log1p((p - share) / share) + (points - n) * np.log1p((share - p) / (1 - share))
    return float(min(np.exp(log_hit + log_covered - log_any - moved), 1.0))


def _tilt(sizes, counts, n, points):
    """p with Σ E[B_i | B_i ≥ 1] = n, to a few digits: the mean lies between mp and mp + k."""
    low, high = max(n - int(counts.sum()), 0.1) / points, n / points
    for _ in range(40):
        p = sqrt(low * high)
        if counts @ (sizes * p / -np.expm1(sizes * np.log1p(-p))) < n:
            low = p
        else:
            high = p
    return p


def _log_density(log_characteristic, n, variance):
    """log Pr(N = n) of a whole number N: the mean of its characteristic function against e^{−int}."""
    deviation = sqrt(variance)
    nodes = int(64 + 12 * deviation)
    reach = nodes // 2 if deviation * pi < REACH else int(REACH / deviation / (2 * pi) * nodes)
    t = 2 * pi / nodes * np.arange(reach + 1)
    with np.errstate(all="ignore"):
        waves = np.exp(log_characteristic(t) - 1j * n * t).real
    waves[1:] *= 2
    if 2 * reach == nodes:
        waves[-1] /= 2
    return np.log(fsum(waves) / nodes)


def _log_characteristic(t, p):
    """log E[e^{itB}] of one point kept with probability p, accurate also where it is nearly 0."""
    from scipy.special import log1p

    return log1p(p * (-2 * np.sin(t / 2) ** 2 + 1j * np.sin(t)))


def _truncated(t, sizes, counts, p):
    """The logs of the characteristic functions of B_i given B_i ≥ 1, summed over the bases.

    (E[e^{itB}] − q) / (1 − q) with q = (1 − p)^m; as E[e^{itB}] = q(1 + z)^m with z = e^{it} p/(1 − p), the difference is
    q·expm1(m log(1 + z)), or the same turned round where that would overflow.
    """
    from scipy.special import expm1, log1p

    total = np.zeros(len(t), dtype=complex)
    turned = log1p(np.exp(1j * t) * (p / (1 - p)))
    plain = _log_characteristic(t, p)
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        hit = -np.expm1(size * np.log1p(-p))
        grown = size * turned
        above = np.exp(size * plain) * -expm1(-np.where(grown.real >= 0, grown, 0))
        below = np.exp(size * np.log1p(-p)) * expm1(np.where(grown.real < 0, grown, 0))
        total += count * np.log(np.where(grown.real >= 0, above, below) / hit)
    return total


def _checked_sizes(sizes):
    values = np.asarray(sizes)
    if values.ndim != 1 or not values.size or values.dtype.kind not in "iu" or values.min() < 1:
        raise ParameterError(f"sizes={sizes!r} must list the number of points of each basis; give whole numbers of at least 1.")
    return values.astype(np.int64)
