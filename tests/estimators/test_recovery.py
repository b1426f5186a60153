"""What the method is for: subspaces come back, with default parameters, whatever the norm."""

import numpy as np
import pytest

from leasc_core import LeaSC, clustering_accuracy, make_union_of_subspaces
from leasc_core.coding.problem import VARIANTS
from leasc_core.data.synthetic import four_rays

DEFAULT_CASES = {
    "4 planes in R^20, 2 % noise": (4, lambda seed: make_union_of_subspaces(4, 2, 20, 200, 0.02, seed)),
    "10 of dimension 5 in R^60, 10 % noise": (10, lambda seed: make_union_of_subspaces(10, 5, 60, 200, 0.1, seed)),
    "the 800-point example": (4, lambda seed: four_rays(random_state=seed)),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_noiseless_independent_subspaces_are_recovered_exactly(variant):
    Y, y = make_union_of_subspaces(n_subspaces=3, dim=2, ambient_dim=12, n_per_subspace=80, noise=0.0, random_state=1)
    labels = LeaSC(3, variant=variant, n_representatives=120, random_state=0).fit(Y).labels_
    assert clustering_accuracy(y, labels) == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("case", DEFAULT_CASES)
def test_default_parameters(case):
    k, make = DEFAULT_CASES[case]
    scores = []
    for seed in range(5):
        Y, y = make(seed)
        scores.append(clustering_accuracy(y, LeaSC(k, random_state=seed).fit(Y).labels_))
    assert np.mean(scores) >= 0.99, scores


@pytest.mark.slow
@pytest.mark.parametrize("case", DEFAULT_CASES)
def test_the_number_of_clusters_is_found(case):
    k, make = DEFAULT_CASES[case]
    assert LeaSC(random_state=0, epochs=0).fit(make(0)[0]).n_clusters_ == k


def test_labels_are_never_used():
    Y, y = make_union_of_subspaces(n_per_subspace=40)
    model = LeaSC(4, hidden=(40,), epochs=0, random_state=0)
    with_labels = model.fit(Y, y).labels_
    assert (with_labels == model.fit(Y, np.roll(y, 17)).labels_).all()


def test_the_papers_affinity_finds_planes():
    Y, y = make_union_of_subspaces(4, 2, 20, 100, 0.02, 0)
    labels = LeaSC(4, affinity="codes", random_state=0).fit(Y).labels_
    assert clustering_accuracy(y, labels) >= 0.99


def test_the_sign_is_decided_from_the_data():
    planes, _ = make_union_of_subspaces(n_per_subspace=100)
    rays, _ = four_rays()
    assert LeaSC(4, hidden=(50,), epochs=0, random_state=0).fit(planes).sign_ignored_
    assert not LeaSC(4, hidden=(50,), epochs=0, random_state=0).fit(rays).sign_ignored_
