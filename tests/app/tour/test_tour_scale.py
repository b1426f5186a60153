"""Step 8 of the tour: what is timed, how it is continued by Table II, and what is said of it."""

import numpy as np
import pytest

from leasc_core.theory.complexity import TABLE
from leasc_ui.screens.tour.scale import (
    CLASSICAL,
    FEATURES,
    LEARNED,
    REPRESENTATIVES,
    TIMED,
    Timing,
    continued,
    fitted,
    measured,
    memory_wall,
    sizes,
)
from leasc_ui.screens.tour.steps.scale import readable


def made_up(method, cost):
    return [Timing(method, m, cost(m)) for m in TIMED[method]]


@pytest.fixture
def growths():
    """A machine on which f takes 0.1 s and a microsecond a point, and LSR a nanosecond for each m²d and a picosecond for m³."""
    rows = made_up(LEARNED, lambda m: 0.1 + 1e-6 * m) + made_up(CLASSICAL, lambda m: 1e-9 * m**2 * FEATURES + 1e-12 * m**3)
    return fitted(rows)


def test_known_costs_are_found_and_continued(growths):
    same = continued(growths, REPRESENTATIVES, FEATURES)
    assert same[LEARNED](10**9) == pytest.approx(0.1 + 1e3, rel=1e-6)
    assert same[CLASSICAL](10**6) == pytest.approx(1e-9 * 1e12 * FEATURES + 1e-12 * 1e18, rel=1e-6)


def test_other_numbers_of_representatives_and_features_follow_table_ii(growths):
    more = continued(growths, 2 * REPRESENTATIVES, 3 * FEATURES)
    then, now = sizes(1, REPRESENTATIVES, FEATURES), sizes(1, 2 * REPRESENTATIVES, 3 * FEATURES)
    mine = next(row for row in TABLE if row.method == "RPCM F²")
    training, coding = (of(now) / of(then) for of in (mine.training_of, mine.coding_of))
    assert more[LEARNED](10**7) == pytest.approx(0.1 * training + 10 * coding, rel=1e-6)
    assert more[CLASSICAL](10**4) == pytest.approx(1e-9 * 1e8 * 3 * FEATURES + 1.0, rel=1e-6)


def test_this_machine_is_timed_at_every_size_once_a_turn():
    timings = measured()
    assert [(row.method, row.points) for row in timings] == [(method, m) for method, all_m in TIMED.items() for m in all_m]
    assert all(row.seconds > 0 for row in timings) and measured() is timings
    assert all(growth(10**9) > growth(10**3) > 0 for growth in fitted(timings).values())


def test_the_wall_is_where_all_pairs_fill_the_memory():
    wall = memory_wall(16e9)
    assert 8 * wall**2 <= 16e9 < 8 * (wall + 1) ** 2


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1e-5, "0.0 milliseconds"),
        (0.02, "20 milliseconds"),
        (6.4, "6.4 seconds"),
        (59.0, "59 seconds"),
        (86_400 * 2, "2.0 days"),
        (3.156e7 * 1234, "1,234 years"),
    ],
)
def test_times_as_a_person_says_them(seconds, words):
    assert readable(np.float64(seconds)) == words
