"""Which count is believed: a wide gap, a firm cut within its clusters, or what is shared; and the graph of codes."""

import numpy as np

from leasc_core import make_union_of_subspaces
from leasc_core.autopilot.counting import weighed
from leasc_core.autopilot.draws import code_graph
from leasc_core.evidence.count import Count
from leasc_core.metrics import adjusted_rand_index
from leasc_core.spectral.landmarks import unit_rows

HALVES, QUARTERS, ACROSS = np.repeat([0, 1], 40), np.repeat([0, 1, 2, 3], 20), np.tile([0, 1, 2, 3], 20)


def count(labels, how="agreement", agreement=1.0, shared=1.0):
    return Count(int(labels.max()) + 1, how, agreement, shared, labels)


def test_without_a_gap_most_shared_wins():
    little, much = count(HALVES, shared=0.4), count(QUARTERS, shared=0.9)
    assert weighed(None, [little, much]) == [much, little]


def test_beside_a_wide_gap_only_a_firm_cut_within_its_clusters_comes_first():
    gap = count(HALVES, "eigengap", shared=0.7)
    firm, shaky, across = count(QUARTERS), count(QUARTERS, agreement=0.9), count(ACROSS)
    assert weighed(gap, [firm]) == [firm, gap]
    assert weighed(gap, [shaky]) == [gap, shaky] and weighed(gap, [across]) == [gap, across]


def test_the_graph_of_codes_holds_small_clusters_apart():
    """Twelve subspaces of 20 points each, from all the points and from two thirds of them."""
    Y, y = make_union_of_subspaces(12, 2, 30, 20, noise=0.01, random_state=0)
    for most_seen in (len(Y), 160):
        labels = code_graph(unit_rows(Y), 10.0, 0, most_seen).labels(12)
        assert adjusted_rand_index(y, labels) > 0.95
