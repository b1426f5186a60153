"""Two results compared: the table is scikit-learn's, agreement too, and who moved is counted by hand."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.cluster import contingency_matrix

from leasc_core.errors import DataError
from leasc_core.workbench.comparison import compare


def test_table_and_agreement_are_scikit_learns():
    rng = np.random.default_rng(0)
    first, second = rng.integers(0, 5, 400), rng.integers(0, 7, 400)
    found = compare(first, second)
    np.testing.assert_array_equal(found.table, contingency_matrix(first, second))
    assert found.agreement == pytest.approx(adjusted_rand_score(first, second))
    assert found.matched == pytest.approx(1 - len(found.moved) / 400)
    for row, column, count in found.moves():
        rows = found.rows_of(row, column)
        assert count == len(rows)
        assert np.isin(rows, found.moved).all()


def test_other_numbers_for_the_same_clusters_are_no_change():
    labels = np.repeat([0, 1, 2], 10)
    found = compare(labels, np.array([2, 0, 1])[labels])
    assert (found.agreement, found.matched, len(found.moved), found.moves()) == (1.0, 1.0, 0, [])


def test_noise_stands_last_and_a_merge_moves_the_smaller_part():
    first, second = np.array([0] * 6 + [1] * 3 + [2] * 4), np.array([0] * 9 + [1] * 3 + [-1])
    found = compare(first, second, ["a", "b", "c"])
    assert found.second == ("cluster 1", "cluster 2", "noise")
    assert found.table.tolist() == [[6, 0, 0], [3, 0, 0], [0, 3, 1]]
    assert found.moved.tolist() == [6, 7, 8, 12]
    assert found.moves() == [(1, 0, 3), (2, 2, 1)]


def test_results_of_other_data_are_refused():
    with pytest.raises(DataError, match="results of the same data"):
        compare(np.zeros(3, int), np.zeros(4, int))
    with pytest.raises(DataError, match="a name for each cluster"):
        compare(np.array([0, 5]), np.array([0, 1]), ["only one"])
