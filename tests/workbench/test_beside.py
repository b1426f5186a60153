"""What goes with a cluster: shares as pandas counts them, scores as in the chi-squared test, silence where chance rules."""

import numpy as np
import pandas as pd
from scipy.stats import chi2_contingency

from leasc_core.data.columns.metadata import metadata_of
from leasc_core.workbench.beside import goes_with, over_represented, words_of


def test_shares_are_pandas_and_the_score_is_that_of_the_chi_squared_test():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 900)
    machine = np.where((labels == 1) & (rng.random(900) < 0.7), "press", rng.choice(["saw", "drill", "press"], 900))
    found = over_represented("machine", machine, labels, 3)[1][0]
    shares = pd.crosstab(labels, machine, normalize="index")
    assert (found.value, found.count) == ("press", ((labels == 1) & (machine == "press")).sum())
    assert np.isclose(found.share, shares.loc[1, "press"])
    table = pd.crosstab(labels == 1, machine == "press")
    assert np.isclose(found.score**2, chi2_contingency(table, correction=False)[0])


def test_chance_is_not_told():
    alarms = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        labels = rng.integers(0, 2, 600)
        found = over_represented("city", rng.choice(list("abcdefgh"), 600), labels, 2)
        alarms += any(found)
    assert alarms <= 4


def test_words_of_texts_and_columns_by_role():
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 2, 400)
    texts = np.array(
        [f"The {'pump leaks oil' if label else 'screen stays dark'}, ticket {at}" for at, label in enumerate(labels)],
        dtype=object,
    )
    assert {found.value for found in words_of("note", texts, labels, 2)[1]} == {"pump", "leaks", "oil"}
    metadata = metadata_of({"ticket": [f"T{at}" for at in range(400)], "note": texts, "month": labels + 1.0})
    told = goes_with(metadata, {"ticket": "id", "note": "text", "month": "category"}, labels, 2)
    assert {found.column for found in told[0]} == {"note", "month"}
    assert [found.value for found in told[1] if found.column == "month"] == ["2"]


def test_missing_values_and_points_in_no_cluster():
    labels = np.array([0] * 50 + [1] * 50 + [-1] * 50)
    values = np.array(["a"] * 50 + ["b"] * 40 + [""] * 60)
    found = over_represented("x", values, labels, 2)
    assert found[0][0].share == 1.0
    assert found[1][0].share == 1.0
    assert found[1][0].elsewhere == 0.0
