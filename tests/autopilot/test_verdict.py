"""The order of candidates: the counted number first, then by agreement or by nats, equals in the order of promise."""

import pytest

from leasc_core.autopilot.candidates import Candidate, Evidence
from leasc_core.autopilot.verdict import ranked


def candidate(beta, stability, description=0.0, k=3):
    evidence = Evidence(1.0, stability, 0.1, 0.5, 1.0, description)
    return Candidate(k, beta, "f2", 100, 100, "landmarks", evidence, 0.0, 0.0)


def betas(candidates, **how):
    return [each.beta for each in ranked(candidates, 3, **how)]


def test_agreement_ranks_and_what_is_as_good_stays_as_tried():
    assert betas([candidate(1, 0.91), candidate(3, 0.92), candidate(10, 0.8)]) == [1, 3, 10]
    assert betas([candidate(1, 0.85), candidate(3, 0.92), candidate(10, 0.91)]) == [3, 10, 1]


def test_where_subspaces_are_told_nats_rank_and_agreement_does_not():
    some = [candidate(1, 1.0, description=-4.0), candidate(3, 0.5, description=-5.0)]
    assert betas(some, reproducible=True) == [3, 1] and betas(some) == [1, 3]
    assert ranked(some, 3, reproducible=True)[0].score == pytest.approx(1.0)


def test_other_numbers_of_clusters_come_after():
    assert betas([candidate(1, 0.99, k=2), candidate(3, 0.5)]) == [3, 1]


def test_where_subspaces_are_told_all_rows_are_in_the_order_of_their_length():
    """Ten and twenty nats behind the first is no longer a difference of scores, but still one of length."""
    some = [candidate(1, 1.0, -10.0), candidate(3, 1.0, -20.0), candidate(10, 1.0, -30.0), candidate(0.3, 1.0, -5.0, k=2)]
    some.append(candidate(0.1, 1.0, -25.0, k=4))
    assert betas(some, reproducible=True) == [10, 3, 1, 0.1, 0.3]
