"""The choice reads no label, takes nothing where nothing is needed, and what is needed where it is."""

from pathlib import Path

import numpy as np
import pytest

from leasc_core import LeaSC, load_data, make_union_of_subspaces
from leasc_core.metrics import clustering_accuracy
from leasc_core.prepare import Preparation, choose
from leasc_core.prepare.choice import labels_by


@pytest.mark.parametrize("seed", range(2))
def test_unions_of_subspaces_stay_as_they_are(seed):
    Y, _ = make_union_of_subspaces(n_subspaces=4, dim=2, ambient_dim=20, n_per_subspace=150, noise=0.01, random_state=seed)
    assert choose(Y, 4).preparation == "none"


def test_a_large_unit_is_standardised():
    rng = np.random.default_rng(0)
    centres = rng.normal(0, 4, (3, 6))
    y = np.repeat(np.arange(3), 60)
    X = centres[y] + rng.normal(0, 1, (180, 6))
    X[:, 0] = rng.normal(0, 5000, 180)
    choice = choose(X, 3)
    assert choice.kind.name == "table" and choice.preparation == "standard"
    labels = labels_by(choice.graph, Preparation("standard").fit(X).transform(X), 3, rng)
    assert clustering_accuracy(y, labels) > 0.9


def test_half_of_the_choice_may_be_fixed():
    Y, _ = make_union_of_subspaces(n_subspaces=3, n_per_subspace=60, random_state=0)
    assert choose(Y, 3, graph="landmarks").graph == "landmarks"
    assert choose(Y, 3, preparation="standard").preparation == "standard"
    assert choose(Y, 3, preparation="standard", graph="exact").evidence == ()


def test_the_same_seed_gives_the_same_evidence():
    Y, _ = make_union_of_subspaces(n_subspaces=3, n_per_subspace=60, random_state=0)
    first, again = (choose(Y, 3, seed=5) for _ in range(2))
    assert [e.agreement for e in first.evidence] == [e.agreement for e in again.evidence]
    assert "were taken" in first.sentence() and len(first.table()) == len(first.evidence)


def test_what_cannot_be_beaten_ends_the_comparison():
    """Where labels of re-drawn rows are all the same and tell all that k even clusters could, no other candidate is judged."""
    Y, _ = make_union_of_subspaces(n_subspaces=4, dim=2, ambient_dim=20, n_per_subspace=150, noise=0.01, random_state=0)
    choice = choose(Y, 4)
    assert len(choice.evidence) == 1 and choice.evidence[0].score >= 0.98
    assert "no other could be better" in choice.sentence()
    vague = choose(np.random.default_rng(0).standard_normal((300, 12)), 4)
    assert len(vague.evidence) > 3 and "candidates" in vague.sentence()


def test_few_rows_do_not_end_the_comparison():
    """On 160 of the 800 rows, pieces of the four lines are as stable as the lines."""
    data = load_data(Path(__file__).parents[2] / "sample_data/four_lines.csv")
    assert clustering_accuracy(data.y, LeaSC(4, random_state=0).fit(data).labels_) == 1.0
