"""Paired tests over seeds against scipy's, Holm's correction against a worked example, and what is said where nothing can be."""

import numpy as np
import pytest
from scipy import stats

from leasc_core.bench.tables.significance import holm, paired_p, verdicts


def by_seed(*values):
    return dict(enumerate(values))


def test_the_p_value_is_scipy_s():
    rng = np.random.default_rng(0)
    first, second = rng.normal(0.8, 0.02, 9), rng.normal(0.79, 0.02, 9)
    assert paired_p(first - second) == pytest.approx(stats.ttest_rel(first, second).pvalue)


def test_holm_by_hand():
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx({"a": 0.03, "c": 0.06, "b": 0.06})
    assert holm({"a": 0.9, "b": 0.8}) == pytest.approx({"a": 1.0, "b": 1.0})


def test_best_worse_and_not_told_apart():
    found = verdicts(
        {
            "good": by_seed(0.90, 0.92, 0.91, 0.93, 0.90),
            "near": by_seed(0.91, 0.90, 0.92, 0.91, 0.91),
            "poor": by_seed(0.50, 0.53, 0.52, 0.51, 0.52),
        }
    )
    assert {name: each.kind for name, each in found.items()} == {"good": "best", "near": "open", "poor": "worse"}
    raw = stats.ttest_rel([0.90, 0.92, 0.91, 0.93, 0.90], [0.50, 0.53, 0.52, 0.51, 0.52]).pvalue
    assert found["poor"].p == pytest.approx(2 * raw) and found["poor"].seeds == 5


def test_less_is_better_where_that_is_said():
    found = verdicts({"a": by_seed(0.3, 0.31), "b": by_seed(0.1, 0.12)}, larger_is_better=False)
    assert found["b"].kind == "best" and found["a"].difference > 0


def test_one_seed_tells_nothing_and_seeds_that_change_nothing_are_said_to():
    assert verdicts({"a": by_seed(0.9), "b": by_seed(0.1)})["b"].kind == "alone"
    fixed = verdicts({"a": by_seed(0.9, 0.9), "b": by_seed(0.8, 0.8)})["b"]
    assert fixed.kind == "worse" and fixed.fixed and fixed.p is None
    assert verdicts({"a": by_seed(0.9, 0.8), "b": by_seed(0.9, 0.8)})["b"].kind == "equal"


def test_only_shared_seeds_are_paired_and_methods_without_rows_are_left_out():
    found = verdicts({"a": by_seed(0.9, 0.8, 0.95), "b": by_seed(0.7, 0.75), "none": {}})
    assert found["b"].seeds == 2 and "none" not in found
    assert verdicts({}) == {}
