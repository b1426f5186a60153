"""A cost measured at small sizes and continued to large ones: seconds as a sum of powers of the number of points."""

from dataclasses import dataclass

import numpy as np

from leasc_core.errors import ParameterError


@dataclass(frozen=True)
class Growth:
    """Σ cᵢ m^pᵢ with every cᵢ ≥ 0."""

    powers: tuple
    weights: tuple

    def __call__(self, points):
        """Seconds for so many points, a number or an array."""
        points = np.asarray(points, dtype=np.float64)
        return sum(weight * points**power for power, weight in zip(self.powers, self.weights, strict=True))

    def largest(self, seconds):
        """The most points that take at most so long; 0 where even one takes longer."""
        low, high = 0, 1
        while self(high) <= seconds and high < 2**62:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self(middle) <= seconds else (low, middle)
        return low


def fit_growth(points, seconds, powers):
    """The :class:`Growth` with these powers that misses the measured seconds least, counted in per cent of each."""
    from scipy.optimize import nnls

    points, seconds = (np.asarray(each, dtype=np.float64) for each in (points, seconds))
    if len(points) != len(seconds) or len(points) < len(powers) or not np.all(seconds > 0) or not np.all(points > 0):
        raise ParameterError(
            f"{len(points)} numbers of points and {len(seconds)} times do not fix {len(powers)} powers; give at least so many, "
            "all above 0."
        )
    largest = points.max()
    table = (points[:, None] / largest) ** np.asarray(powers) / seconds[:, None]
    weights, _ = nnls(table, np.ones(len(points)))
    return Growth(tuple(powers), tuple(float(w / largest**p) for w, p in zip(weights, powers, strict=True)))
