"""The few points a diagnosis looks at: drawn at random, whole rows only, without repeats, in their main directions."""

from dataclasses import dataclass, field

import numpy as np

from ..data.scale import divided, exponent_of, safe_norms
from ..data.sources import open_source
from ..errors import DataError

LOOKED_AT = 800
MOST_WITH_LABELS = 3000
PER_CLUSTER = 40
LEAST = 20
MOST_DIRECTIONS = 60
# A row longer than so many times the usual one counts as this long: what is asked is where it points to.
LONGEST = 3.0


@dataclass(frozen=True, eq=False)
class Sample:
    """``points`` are different rows in at most 60 of their main directions (uncentred); ``rows`` their numbers in the data.

    ``looked_at`` counts the rows drawn, ``repeated``, ``empty`` and ``missing`` those of them that were left out.
    """

    points: np.ndarray = field(repr=False)
    rows: np.ndarray = field(repr=False)
    singular_values: np.ndarray = field(repr=False)
    total: int
    features: int
    looked_at: int
    repeated: int
    empty: int
    missing: int


def draw_sample(data, rng, labels=None):
    """At most 800 rows of ``data`` (an array, a path, a source); more where there are many clusters to look at."""
    source = open_source(data)
    m, d = source.shape
    wanted = LOOKED_AT if labels is None else int(np.clip(PER_CLUSTER * len(np.unique(labels)), LOOKED_AT, MOST_WITH_LABELS))
    rows = np.arange(m) if m <= wanted else np.sort(rng.choice(m, wanted, replace=False))
    points = source.take(rows).astype(np.float64, copy=False)
    whole = np.isfinite(points).all(axis=1)
    full = whole & (np.where(whole[:, None], points, 0.0) != 0).any(axis=1)
    _, first = np.unique(points[full], axis=0, return_index=True)
    kept = np.flatnonzero(full)[np.sort(first)]
    if len(kept) < LEAST:
        raise DataError(
            f"{len(kept)} different rows without missing values and zeros (of {len(rows)} looked at) are too few to tell "
            f"what kind of data this is; give at least {LEAST}, or fill in what is missing first."
        )
    main, sizes = _main_directions(_shortened(points[kept]))
    return Sample(
        main, rows[kept], sizes, m, d, len(rows), int(full.sum()) - len(kept), int((whole & ~full).sum()), int((~whole).sum())
    )


def _shortened(points):
    usual = np.median(np.abs(points).max(axis=1))
    points, lengths = safe_norms(divided(points, exponent_of(usual)))
    return points * np.minimum(1.0, LONGEST * np.median(lengths) / lengths)[:, None]


def _main_directions(points):
    """The points in their main directions, and all singular values."""
    left, sizes, _ = np.linalg.svd(points, full_matrices=False)
    count = max(1, min(MOST_DIRECTIONS, int((sizes > 1e-10 * sizes[0]).sum())))
    return left[:, :count] * sizes[:count], sizes
