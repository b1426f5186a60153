"""Stage one: a few points that stand for all (line 1 of Algorithm 1)."""

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..data.sources import open_source
from ..errors import DataError, ParameterError
from ..selectors import get_selector
from ..spectral.sign import sign_is_noise
from .context import Context
from .points import prepared

STAGE = "representatives"
DEFAULT_REPRESENTATIVES = 1000


@dataclass(frozen=True, eq=False)
class Representatives:
    """Rows that stand for all: their ``indices`` (n,) in the source and the ``points`` (n, d) as the network sees them.

    ``sign_ignored`` says whether x and −x count as the same; None leaves that to whoever clusters.
    """

    indices: np.ndarray
    points: np.ndarray
    sign_ignored: bool | None = None

    def with_sign(self, sign: str, context: Context) -> "Representatives":
        """The same with ``sign_ignored`` decided, if it was not."""
        if self.sign_ignored is not None:
            return self
        return replace(self, sign_ignored=bool(decide_sign(sign, self.points, context.seeds("sign"))))

    def packed(self) -> tuple[dict, dict]:
        """As a store keeps it: settings and arrays."""
        return {"sign_ignored": self.sign_ignored}, {"indices": self.indices, "points": self.points}


def choose(
    source: Any,
    count: int,
    context: Context | None = None,
    *,
    selector: Any = "random",
    sign: str | None = None,
    unit_rows: bool = True,
    rng: Any = None,
    dtype: Any = None,
) -> Representatives:
    """Choose ``count`` representatives among the rows of ``source``.

    Parameters
    ----------
    source : array, path or DataSource of points (rows)
    context : None is a fresh one of this process
    selector : a name ("random", "kmeans", "ds3"), or an object with ``select(source, n, rng)``
    sign : {"auto", "keep", "ignore"} decides whether x and −x are the same; None leaves it open
    unit_rows : scale each to length one
    rng : seed or generator of the choice; None takes that of the context
    dtype : of the points; None keeps single or double precision as it is
    """
    source, context = open_source(source), context or Context.local()

    def make():
        with context.reporter.stage(STAGE):
            chance = context.seeds(STAGE) if rng is None else np.random.default_rng(rng)
            indices = get_selector(selector).select(source, count, chance)
            rows = context.engine.take(source, indices)
            points = prepared(rows if dtype is None else rows.astype(dtype), indices, unit_rows)
            chosen = Representatives(indices, points)
            return (chosen if sign is None else chosen.with_sign(sign, context)).packed()

    settings, arrays = context.store.once(STAGE, make)
    return Representatives(arrays["indices"], arrays["points"], settings["sign_ignored"])


def decide_sign(sign: str, points: np.ndarray, rng: np.random.Generator) -> bool:
    """Whether codes are compared without regard to their sign."""
    return sign_is_noise(points, rng) if sign == "auto" else sign == "ignore"


def count_representatives(settings: Any, n_points: int) -> int:
    """How many representatives ``settings`` (a LeaSC) asks for among ``n_points``; refused where that cannot be."""
    n = min(DEFAULT_REPRESENTATIVES, n_points) if settings.n_representatives is None else settings.n_representatives
    if n > n_points:
        raise ParameterError(f"n_representatives={n} is more than the {n_points} points; ask for at most {n_points}.")
    if settings.n_clusters is not None and settings.n_clusters > n_points:
        raise ParameterError(f"n_clusters={settings.n_clusters} is more than the {n_points} points; ask for fewer clusters.")
    return n


def check_cluster_count(k: int | None, points: np.ndarray, what: str = "points") -> None:
    """As many different points as clusters, at the least (``what`` names them)."""
    wanted = 2 if k is None else k
    if k == 1:
        warnings.warn("n_clusters=1 puts every point into one cluster; ask for at least 2 to divide them.", stacklevel=3)
    if k is not None and k > len(points):
        raise ParameterError(f"n_clusters={k} is more than the {len(points)} {what}; ask for fewer clusters.")
    distinct = len(np.unique(points[: max(1000, 20 * wanted)], axis=0))
    if distinct < wanted:
        distinct = len(np.unique(points, axis=0))
    if distinct < wanted:
        raise DataError(
            f"The {what} hold {distinct} distinct point(s), fewer than the {wanted} clusters asked for; "
            "remove duplicates or ask for fewer clusters."
        )
