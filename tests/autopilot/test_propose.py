"""The autopilot on data whose answer is known: its pick, its table, its events, its time."""

import itertools

import numpy as np
import pytest

from leasc_core import make_union_of_subspaces
from leasc_core.autopilot import propose
from leasc_core.autopilot.search import SETTINGS
from leasc_core.estimators.leasc import LeaSC
from leasc_core.events import CandidateDone, StageStarted


@pytest.fixture(scope="module")
def planes():
    return make_union_of_subspaces(n_subspaces=3, dim=2, ambient_dim=15, n_per_subspace=100, noise=0.02, random_state=5)[0]


@pytest.fixture(scope="module")
def proposed(planes):
    events = []
    return propose(planes, budget=1e9, on_event=events.append), events


def test_finds_the_planes(proposed):
    proposal, _ = proposed
    assert proposal.complete
    assert proposal.pick.n_clusters == 3
    assert "3 clusters" in proposal.sentence


def test_every_candidate_was_told_and_is_a_row(proposed):
    proposal, events = proposed
    told = [event.row for event in events if isinstance(event, CandidateDone)]
    assert isinstance(events[0], StageStarted) and events[0].stage == "autopilot"
    assert len(told) == len(proposal.candidates) >= len(SETTINGS)
    by_setting = {(c.n_clusters, c.beta, c.affinity): c for c in proposal.candidates}
    for row in told:
        evidence = by_setting[row["n_clusters"], row["beta"], row["affinity"]].evidence
        assert (row["stability"], row["eigengap"]) == (evidence.stability, evidence.eigengap)
        assert np.isfinite([row[name] for name in ("stability", "eigengap", "separation", "description", "code_error")]).all()
    assert len(proposal.table()) == len(proposal.candidates)


def test_a_candidate_is_a_setting_of_leasc(proposed):
    model = LeaSC(**proposed[0].pick.parameters())
    assert model.n_clusters == 3


def test_a_stop_keeps_what_was_judged(planes):
    proposal = propose(planes, budget=1e9, on_event=lambda event: isinstance(event, CandidateDone))
    assert len(proposal.candidates) == 1 and not proposal.complete and proposal.runner_up is None
    assert propose(planes, on_event=lambda event: True) is None


def test_the_budget_is_kept_by_the_clock_it_is_given(planes):
    """A clock that moves one second a look: far fewer settings fit into little time, and the first always does."""
    looks = itertools.count()
    short = propose(planes, budget=1.0, clock=lambda: float(next(looks)))
    assert {(c.beta, c.affinity) for c in short.candidates} == {(SETTINGS[0].beta, SETTINGS[0].affinity)}
    assert not short.complete and short.seconds > 1.0


def test_a_number_that_the_points_do_not_tell_is_ranked_by_agreement():
    """Six planes told as six; asked for two, how short the halves are told must not hide that draws cut them anywhere."""
    Y, _ = make_union_of_subspaces(6, 2, 20, 60, noise=0.02, random_state=0)
    asked = propose(Y, budget=1e9, n_clusters=2)
    assert asked.pick.evidence.stability >= max(each.evidence.stability for each in asked.candidates) - 0.02
