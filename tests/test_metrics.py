"""Scores against their definitions: every matching tried, every pair counted, entropies summed by hand."""

from itertools import combinations, permutations
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leasc_core.errors import DataError
from leasc_core.metrics import adjusted_rand_index, clustering_accuracy, normalized_mutual_information, score

labellings = st.integers(1, 30).flatmap(lambda size: st.tuples(*[st.lists(st.integers(0, 4), min_size=size, max_size=size)] * 2))


def accuracy_by_trying_all(y_true, y_pred):
    classes, clusters = sorted(set(y_true)), sorted(set(y_pred))
    longer = classes + [None] * max(0, len(clusters) - len(classes))
    matchings = permutations(longer, len(clusters))
    return max(
        sum(dict(zip(clusters, matching, strict=True))[p] == t for t, p in zip(y_true, y_pred, strict=True))
        for matching in matchings
    ) / len(y_true)


def rand_index_by_pairs(y_true, y_pred):
    pairs = list(combinations(range(len(y_true)), 2))
    together_true = sum(y_true[i] == y_true[j] for i, j in pairs)
    together_pred = sum(y_pred[i] == y_pred[j] for i, j in pairs)
    both = sum(y_true[i] == y_true[j] and y_pred[i] == y_pred[j] for i, j in pairs)
    expected = together_true * together_pred / len(pairs)
    return (both - expected) / ((together_true + together_pred) / 2 - expected)


def information_by_hand(y_true, y_pred):
    def entropy(labels):
        return -sum(labels.count(each) / len(labels) * log(labels.count(each) / len(labels)) for each in set(labels))

    first, second = entropy(y_true), entropy(y_pred)
    shared = first + second - entropy(list(zip(y_true, y_pred, strict=True)))
    return shared / ((first + second) / 2)


@settings(max_examples=60, deadline=None)
@given(labellings)
def test_accuracy_is_the_best_of_all_matchings(labels):
    assert clustering_accuracy(*labels) == pytest.approx(accuracy_by_trying_all(*labels), abs=1e-12)


def test_accuracy_of_more_clusters_than_classes_counts_the_left_over_as_wrong():
    assert clustering_accuracy([0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2]) == pytest.approx(4 / 6)
    assert clustering_accuracy([0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1]) == pytest.approx(4 / 6)


@pytest.mark.parametrize("seed", range(5))
def test_information_and_rand_index_equal_their_definitions(seed):
    rng = np.random.default_rng(seed)
    y_true = rng.integers(0, 4, 40).tolist()
    y_pred = np.where(rng.random(40) < 0.5, y_true, rng.integers(0, 6, 40)).tolist()
    assert normalized_mutual_information(y_true, y_pred) == pytest.approx(information_by_hand(y_true, y_pred), abs=1e-12)
    assert adjusted_rand_index(y_true, y_pred) == pytest.approx(rand_index_by_pairs(y_true, y_pred), abs=1e-12)


def test_names_of_labels_do_not_matter():
    y_true = [3, 3, -1, -1, 10**12]
    named = np.array(["b", "b", "c", "c", "a"])
    assert score(y_true, named) == {"acc": 1.0, "nmi": pytest.approx(1.0), "ari": 1.0}
    assert score(np.array([0.5, 0.5, 2.5]), [True, True, False])["acc"] == 1.0


def test_score_holds_the_three_scores():
    y_true, y_pred = [0, 0, 1, 1, 2], [0, 1, 1, 1, 1]
    assert score(y_true, y_pred) == {
        "acc": clustering_accuracy(y_true, y_pred),
        "nmi": normalized_mutual_information(y_true, y_pred),
        "ari": adjusted_rand_index(y_true, y_pred),
    }


@pytest.mark.parametrize(
    ("y_true", "y_pred", "words"),
    [
        ([0, 1], [0, 1, 1], "2 labels and y_pred 3"),
        ([], [], "empty"),
        ([[0], [1]], [0, 1], r"shape \(2, 1\)"),
        (np.arange(20_000), np.arange(20_000), "20,000 classes against 20,000 clusters"),
        (np.array([0, "a", None], dtype=object), [0, 1, 2], "y_true mixes kinds"),
    ],
)
def test_labels_that_cannot_be_scored_are_refused_in_a_sentence(y_true, y_pred, words):
    with pytest.raises(DataError, match=words):
        clustering_accuracy(y_true, y_pred)
