"""What every selector shares: reading rows from a source, and checking how many are wanted."""

from typing import Any, ClassVar, Protocol

import numpy as np

from leasc_core.data.finite import refuse_non_finite
from leasc_core.data.sources import open_source
from leasc_core.errors import ParameterError


class Selector(Protocol):
    """Chooses representatives; ``name``, ``short``, ``label`` and ``blurb`` are its words in a form.

    It may say how long it usually ``takes``, as in "a few seconds".
    """

    name: ClassVar[str]
    short: ClassVar[str]
    label: ClassVar[str]
    blurb: ClassVar[str]

    def select(self, source: Any, n: int, rng: Any) -> np.ndarray:
        """The sorted indices (int64) of ``n`` different rows of ``source``."""


def opened(source, n):
    """The ``DataSource`` of ``source`` once ``n`` rows can be chosen from it."""
    source = open_source(source)
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)):
        raise ParameterError(f"n={n!r} is no number of representatives; give a whole number of at least 1.")
    if n < 1:
        raise ParameterError(f"n={n} representatives cannot be chosen; ask for at least 1.")
    if n > len(source):
        raise ParameterError(
            f"n={n} representatives cannot be chosen from the {len(source)} points of {source.name}; "
            f"ask for at most {len(source)}."
        )
    return source


def read_rows(source, indices):
    """The rows at ``indices`` as float64; missing and infinite values are refused."""
    rows = source.take(indices).astype(np.float64, copy=False)
    refuse_non_finite(rows, indices)
    return rows
