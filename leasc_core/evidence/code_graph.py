"""Counting by graphs that join points to the representatives that write them most: exact codes, no landmarks, no f."""

import numpy as np
from scipy import sparse

from ..spectral.codes import largest_codes
from .count import at_every_number, by_agreement, fewest_by_agreement
from .scan import SpectralScan

# The share of the points that code the others, and how many at most.
SHARE, MOST_CODED_BY = 0.6, 3000
# Of each point's exact codes so many are kept, as where the paper cuts small data (Table III).
KEPT = 8
ROWS = 2048
BETAS, DRAWS = (1.0, 10.0), 3
# Every number up to this is looked at; larger ones are not where one up to half of it is held so firmly.
FEW, FIRM = 20, 0.85
# So many points a cluster at least, in the mean: two partitions of few points into many parts share much by chance.
POINTS_EACH = 8
STEPS = (23, 26, 30, 35, 40, 46, 53)


def by_code_graphs(directions, most_seen, seed, pause):
    """Three draws of each graph at every number up to 20 and, unless a small one is firm, at some above.

    Of more than ``most_seen`` points each draw learns from so many.
    """
    graphs = []
    for beta in BETAS:
        pause()
        graphs.append([code_graph(directions, beta, seed + i, most_seen) for i in range(DRAWS)])
    most = max(2, min(scan.most_clusters for scans in graphs for scan in scans))
    most = min(most, max(2, len(directions) // POINTS_EACH))
    tables = [at_every_number(scans, range(2, min(FEW, most) + 1), pause) for scans in graphs]
    found = by_agreement(tables)
    if found.k > FEW // 2 or found.agreement < FIRM:
        found = _among_many(tables, graphs, most, pause)
    return found


def _among_many(tables, graphs, most, pause):
    """Above 20 first by steps, then every number about the best; many neighbours are as good, and the fewest are taken."""
    steps = [k for k in STEPS if k < most] + ([most] if most > FEW else [])
    tables = _beside(tables, graphs, steps, pause)
    best = by_agreement(tables)
    if best.k <= FEW:
        return best
    around = [FEW, *steps, most]
    at = around.index(best.k)
    near = range(around[at - 1] + 1, around[at + 1] + 1)
    return fewest_by_agreement(_beside(tables, graphs, [k for k in near if k not in tables[0]], pause), FEW)


def _beside(tables, graphs, numbers, pause):
    return [table | at_every_number(scans, numbers, pause) for table, scans in zip(tables, graphs, strict=True)]


def code_graph(points, beta, seed, most_seen):
    """The scan of ``points`` joined to the representatives that write them: exact ``f2`` codes, the 8 largest of each, no f.

    On a few thousand points this shows clusters of few points (faces: 64 a person) that landmarks would blur. Of more than
    ``most_seen`` points it learns from so many of its own choice: a cut through a continuum then differs from draw to draw.
    """
    rng = np.random.default_rng(seed)
    chosen = np.sort(rng.choice(len(points), int(min(MOST_CODED_BY, max(2, SHARE * len(points)))), replace=False))
    coder, itself = _ridge(points[chosen].astype(np.float64), beta), np.full(len(points), -1)
    itself[chosen] = np.arange(len(chosen))
    blocks = (slice(start, start + ROWS) for start in range(0, len(points), ROWS))
    rows = sparse.vstack([_joins(points[block] @ coder, itself[block]) for block in blocks], format="csr")
    seen = np.sort(rng.choice(len(points), most_seen, replace=False)) if most_seen < len(points) else None
    return SpectralScan.of(rows, seen)


def _ridge(X, beta):
    """What takes a point to its ``f2`` codes over the rows of X: (XᵀX + I/β)⁻¹Xᵀ, by the smaller of the two Grams."""
    if len(X) < X.shape[1]:
        return np.linalg.solve(X @ X.T + np.eye(len(X)) / beta, X).T
    return np.linalg.solve(X.T @ X + np.eye(X.shape[1]) / beta, X.T)


def _joins(codes, itself):
    """The largest codes of each row, sparse; nobody vouches for ``itself`` (a column, or −1)."""
    coding = np.flatnonzero(itself >= 0)
    codes[coding, itself[coding]] = 0.0
    return sparse.csr_matrix(largest_codes(codes, KEPT))
