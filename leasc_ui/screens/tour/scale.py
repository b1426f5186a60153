"""What codes cost on this machine: f and classical coding timed at small sizes, continued by Table II. No Streamlit in here."""

from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter

import numpy as np

from leasc_ui.work import core

LEARNED, CLASSICAL = "codes by f", "classical codes (LSR)"
TIMED = {LEARNED: (1000, 4000, 16_000, 64_000), CLASSICAL: (200, 400, 800, 1600)}
# Table II: f costs something once and something a point, LSR m²d for the products and m³ for the solve.
POWERS = {LEARNED: (0, 1), CLASSICAL: (2, 3)}
REPRESENTATIVES, FEATURES, HIDDEN, EPOCHS = 100, 20, 100, 5
ROUNDS = 3
BYTES = 8


@dataclass(frozen=True)
class Timing:
    method: str
    points: int
    seconds: float


@lru_cache(maxsize=8)
def measured(turn=0):
    """The best of three times of each method and size, on one core; another ``turn`` measures again."""
    rows = []
    with core.working():
        points = _points(max(TIMED[LEARNED]))
        for method, work in ((LEARNED, _by_function), (CLASSICAL, _by_everyone)):
            work(points[: REPRESENTATIVES + 1])
            rows += [Timing(method, m, min(_seconds(work, points[:m]) for _ in range(ROUNDS))) for m in TIMED[method]]
    return tuple(rows)


def fitted(timings):
    """A :class:`~leasc_core.theory.growth.Growth` for each method."""
    from leasc_core.theory.growth import fit_growth

    growths = {}
    for method, powers in POWERS.items():
        own = [row for row in timings if row.method == method]
        growths[method] = fit_growth([row.points for row in own], [row.seconds for row in own], powers)
    return growths


def continued(growths, n, d):
    """The same for other numbers of representatives and features, each term by Table II's formula for it."""
    from leasc_core.theory.growth import Growth

    then, now = sizes(1, REPRESENTATIVES, FEATURES), sizes(1, n, d)
    share = {
        LEARNED: (now.n**3 / then.n**3, now.weights / then.weights),
        CLASSICAL: (d / FEATURES, 1.0),
    }
    return {
        method: Growth(growth.powers, tuple(np.multiply(growth.weights, share[method]).tolist()))
        for method, growth in growths.items()
    }


def sizes(m, n, d):
    """The letters of Table II, with f as it is timed here."""
    from leasc_core.theory.complexity import Sizes

    return Sizes(m, n, d, (HIDDEN,), EPOCHS)


def memory_wall(memory):
    """The most points whose classical codes, m × m numbers, fit into so many bytes."""
    return int(np.sqrt(memory / BYTES))


def _points(count):
    from leasc_core import make_union_of_subspaces

    points, _ = make_union_of_subspaces(4, 2, FEATURES, -(-count // 4), shuffle=True)
    return points[:count] / np.linalg.norm(points[:count], axis=1, keepdims=True)


def _by_function(points):
    from leasc_core import RPCM

    model = RPCM(hidden=(HIDDEN,), epochs=EPOCHS, zero_diagonal=False, random_state=0).fit(points[:REPRESENTATIVES])
    model.transform(points)


def _by_everyone(points):
    from leasc_core.coding.solve import solve_codes

    solve_codes(points.T, "f2", beta=1.0, noise="f2", zero_diagonal=True)


def _seconds(work, points):
    begun = perf_counter()
    work(points)
    return perf_counter() - begun
