"""Which count is believed: a wide gap, a firm cut within its clusters, or what is shared; and the graph of codes."""

import numpy as np
import pytest

from leasc_core import make_union_of_subspaces
from leasc_core.evidence.code_graph import _ridge, by_code_graphs, code_graph
from leasc_core.evidence.count import Count, by_agreement, fewest_by_agreement
from leasc_core.evidence.counting import count_clusters, weighed
from leasc_core.metrics import adjusted_rand_index
from leasc_core.spectral.landmarks import unit_rows

HALVES, QUARTERS, ACROSS = np.repeat([0, 1], 40), np.repeat([0, 1, 2, 3], 20), np.tile([0, 1, 2, 3], 20)


def count(labels, how="agreement", agreement=1.0, shared=1.0):
    return Count(int(labels.max()) + 1, how, agreement, shared, labels)


def test_without_a_gap_agreement_decides():
    only = count(QUARTERS, shared=0.9)
    assert weighed(None, only) == [only]


def test_beside_a_wide_gap_only_a_firm_cut_within_its_clusters_comes_first():
    gap = count(HALVES, "eigengap", shared=0.7)
    firm, shaky, across = count(QUARTERS), count(QUARTERS, agreement=0.9), count(ACROSS)
    assert weighed(gap, firm) == [firm, gap]
    assert weighed(gap, shaky) == [gap, shaky] and weighed(gap, across) == [gap, across]


def shared_by_pairs(**pairs):
    """A table of counts with what each pair of draws shares."""
    named = ((int(name[1:]), tuple(each)) for name, each in pairs.items())
    return {k: Count(k, "agreement", 0.9, float(np.mean(each)), HALVES, each) for k, each in named}


def test_of_numbers_that_noise_alone_tells_apart_the_smallest_is_taken():
    """4 is better than 3 in every pair; 5 is better than 4 in the mean, but not in every pair."""
    table = shared_by_pairs(k2=[0.1, 0.2, 0.1], k3=[0.5, 0.6, 0.5], k4=[0.9, 1.0, 0.9], k5=[1.3, 0.8, 0.8])
    assert by_agreement([table]).k == 5
    assert fewest_by_agreement([table], above=1).k == 4 and fewest_by_agreement([table], above=4).k == 5
    assert fewest_by_agreement([shared_by_pairs(k2=[0.1, 0.1], k3=[0.5, 0.6])], above=1).k == 3


def test_the_graph_of_codes_holds_small_clusters_apart():
    """Twelve subspaces of 20 points each, from all the points and from two thirds of them."""
    Y, y = make_union_of_subspaces(12, 2, 30, 20, noise=0.01, random_state=0)
    for most_seen in (len(Y), 160):
        labels = code_graph(unit_rows(Y), 10.0, 0, most_seen).labels(12)
        assert adjusted_rand_index(y, labels) > 0.95


@pytest.mark.parametrize(("k", "each"), [(6, 60), (25, 25), (41, 25)])
def test_graphs_of_codes_count_few_clusters_and_many(k, each):
    """Up to 20 every number is looked at, above that steps and then the numbers about the best; 41 is no step."""
    Y, _ = make_union_of_subspaces(k, 2, 60, each, noise=0.01, random_state=1)
    assert by_code_graphs(unit_rows(Y), len(Y), 0, lambda: None).k == k


@pytest.mark.parametrize("shape", [(100, 20), (178, 13), (200, 6)])
def test_few_points_without_clusters_are_not_many_clusters(shape):
    """Partitions of few points into many parts share much by chance alone; that must not count."""
    noise = np.random.default_rng(0).standard_normal(shape)
    assert by_code_graphs(unit_rows(noise), len(noise), 0, lambda: None).k == 2


@pytest.mark.parametrize("seed", range(3))
def test_few_points_in_small_clusters_are_counted(seed):
    """Seven blobs of twelve points each."""
    from sklearn.datasets import make_blobs

    Y, _ = make_blobs([12] * 7, 12, cluster_std=2.5, random_state=seed)
    assert by_code_graphs(unit_rows(Y), len(Y), 0, lambda: None).k == 7


class Enough(Exception):
    pass


def stop_at(number):
    """A pause that ends things at the so-many-th call."""
    calls = iter(range(10_000))

    def pause():
        if next(calls) == number:
            raise Enough

    return pause


def test_counting_hears_a_stop():
    Y, _ = make_union_of_subspaces(4, 2, 20, 40, random_state=0)
    with pytest.raises(Enough):
        by_code_graphs(unit_rows(Y), len(Y), 0, stop_at(5))


@pytest.mark.parametrize(("features", "at"), [(20, 0), (20, 6), (3, 0), (3, 4)])
def test_a_stop_is_heard_before_any_graph_and_where_there_are_none(features, at):
    """While descriptions are shortened; and in few features, where settings alone are asked."""
    Y = np.random.default_rng(0).standard_normal((200, features))
    scans = [code_graph(unit_rows(Y), 1.0, seed, len(Y)) for seed in range(2)]
    with pytest.raises(Enough):
        count_clusters(Y, unit_rows(Y), lambda _: scans, pause=stop_at(at))


def test_a_few_more_points_than_are_looked_at_change_nothing():
    """Graphs learn from a part only of twice the points or more."""
    Y, _ = make_union_of_subspaces(5, 2, 20, 40, noise=0.3, random_state=0)
    points, directions = Y[:150], unit_rows(Y)
    scans = [code_graph(directions[:150], 1.0, seed, 150) for seed in range(2)]
    some, all_of_them = (count_clusters(points, given, lambda _: scans)[0] for given in (directions[:150], directions))
    assert some.k == all_of_them.k and some.shared == all_of_them.shared


def test_both_ways_to_a_ridge_are_scikit_learns():
    """With more points than features and with fewer, a point's codes are those of ridge regression on its coders."""
    from sklearn.linear_model import Ridge

    rng = np.random.default_rng(0)
    for coders, features in ((30, 8), (6, 20)):
        X, points = rng.standard_normal((coders, features)), rng.standard_normal((5, features))
        expected = Ridge(alpha=1 / 4.0, fit_intercept=False).fit(X.T, points.T).coef_
        assert np.allclose(points @ _ridge(X, 4.0), expected)
