"""Theorem 1 on real points: how far codes move between a representative and the points it stands for, and what bounds that.

Theorem 1 says ‖f(x) − f(y)‖ ≤ ‖∂f(x)/∂x‖_F ρ + o(ρ) (the paper writes O(ρ) and says "of higher order"): a statement of first
order. For smooth activations the remainder is O(ρ²). ReLU is linear up to its kinks: where no unit changes side between x and y
there is no remainder at all, and where one does the theorem's expansion does not apply. The chord bound holds in every case.
"""

from dataclasses import dataclass, field

import numpy as np

from leasc_core.encoder.jacobian import chord_norms, crossed_units, jacobian_norms, lipschitz_bound
from leasc_core.theory.radius import nearest_rows

# Rounding: a bound that is met to so many digits is met, and codes are exact to so many of theirs.
SLACK, ROUNDING = 1e-9, 1e-12
BLOCK = 4096


@dataclass(frozen=True, eq=False)
class ContractionReport:
    """One entry a point y with its nearest representative x.

    Attributes
    ----------
    nearest : which representative
    distances : ‖x − y‖
    changes : ‖f(x) − f(y)‖
    norms : ‖J(x)‖_F, one for each representative
    first_order : ‖J(x)‖_F ‖x − y‖, Theorem 1 without its remainder
    strict : ‖J̄‖_F ‖x − y‖ with f(y) − f(x) = J̄(y − x), which always holds
    lipschitz : ‖f(x) − f(y)‖ / ‖x − y‖ never exceeds it, anywhere
    crossed : units whose kink lies between x and y; None where the activation has none
    rounding : changes below it are nothing
    """

    nearest: np.ndarray = field(repr=False)
    distances: np.ndarray = field(repr=False)
    changes: np.ndarray = field(repr=False)
    norms: np.ndarray = field(repr=False)
    first_order: np.ndarray = field(repr=False)
    strict: np.ndarray = field(repr=False)
    lipschitz: float
    crossed: np.ndarray | None = field(repr=False)
    rounding: float = 0.0

    @property
    def apart(self):
        """Points that are not a representative themselves: only they say something."""
        return self.distances > 0

    @property
    def inside_first_order(self):
        return self._met(self.first_order)

    @property
    def inside_strict(self):
        return self._met(self.strict)

    @property
    def kinked(self):
        """Where the theorem's expansion does not apply: a kink lies between x and y."""
        return np.zeros(len(self.distances), dtype=bool) if self.crossed is None else self.crossed > 0

    @property
    def tightness(self):
        """‖f(x) − f(y)‖ over its first-order bound: 1 is tight, near 0 is loose, above 1 the remainder was needed."""
        return np.divide(self.changes, self.first_order, out=np.zeros_like(self.changes), where=self.first_order > 0)

    @property
    def radius(self):
        """ρ over these points."""
        return float(self.distances.max())

    def share(self, mask, among=None):
        """The share of points with this property, among those apart from their representative (and ``among``); None of none."""
        counted = self.apart if among is None else self.apart & among
        return float(np.mean(mask[counted])) if counted.any() else None

    def _met(self, bound):
        return self.changes <= bound * (1 + SLACK) + self.rounding


def contraction_report(network, representatives, points):
    """Theorem 1 for every row of ``points`` and its nearest row of ``representatives``, all as f sees them (unit length)."""
    representatives, points = (np.asarray(each, dtype=np.float64) for each in (representatives, points))
    norms, codes = jacobian_norms(network, representatives), network(representatives)
    columns = [[] for _ in range(5)]
    for start in range(0, len(points), BLOCK):
        block = points[start : start + BLOCK]
        nearest, distances = nearest_rows(block, representatives)
        ends = representatives[nearest]
        crossed = crossed_units(network, ends, block)
        row = (
            nearest,
            distances,
            np.linalg.norm(codes[nearest] - network(block), axis=1),
            chord_norms(network, ends, block),
            np.zeros(len(block), dtype=np.int64) if crossed is None else crossed,
        )
        for column, values in zip(columns, row, strict=True):
            column.append(values)
    nearest, distances, changes, chords, crossed = map(np.concatenate, columns)
    return ContractionReport(
        nearest=nearest,
        distances=distances,
        changes=changes,
        norms=norms,
        first_order=norms[nearest] * distances,
        strict=chords * distances,
        lipschitz=lipschitz_bound(network),
        crossed=crossed if network.activation == "relu" else None,
        rounding=ROUNDING * float(np.linalg.norm(codes, axis=1).max()),
    )
