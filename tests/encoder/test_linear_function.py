"""Where codes of f2 are a linear function of the points, f needs no hidden layer: it gives the codes of points it never saw."""

import numpy as np
import pytest

from leasc_core import LeaSC, make_union_of_subspaces
from leasc_core.stages import Coding
from leasc_core.stages.points import prepared


@pytest.fixture(scope="module")
def points():
    return make_union_of_subspaces(n_subspaces=4, dim=2, ambient_dim=12, n_per_subspace=150, noise=0.05, random_state=0)[0]


def plain(**given):
    return LeaSC(4, preprocess=None, affinity="landmarks", n_representatives=100, random_state=0, **given)


def test_codes_of_unseen_points_are_the_ridge_regression_on_the_representatives(points):
    model = plain(beta=2.0).fit(points)
    unseen = np.setdiff1d(np.arange(len(points)), model.representative_indices_)
    X, Y = model.representatives_.astype(float), prepared(points[unseen], unseen, True).astype(float)
    wanted = np.linalg.solve(X @ X.T + np.eye(len(X)) / 2.0, X @ Y.T).T
    assert np.abs(model.transform(points[unseen]) - wanted).max() < 1e-4


def test_codes_are_compared_in_a_space_that_keeps_every_angle(points):
    model = plain(code_dim=64).fit(points)
    narrow, whole = model.encoder_(points[:50].astype(np.float32)), model.network_(points[:50].astype(np.float32))
    assert narrow.shape == (50, 12)
    assert np.abs(narrow @ narrow.T - whole @ whole.T).max() < 1e-3 * np.abs(whole @ whole.T).max()


@pytest.mark.parametrize(
    "given, hidden",
    [
        ({"variant": "f2", "zero_diagonal": False}, ()),
        ({"variant": "f2", "zero_diagonal": True}, (1500,)),
        ({"variant": "f2", "zero_diagonal": False, "noise": "l1"}, (1500,)),
        ({"variant": "l1"}, (1500,)),
        ({"variant": "f2", "zero_diagonal": False, "hidden": (30,)}, (30,)),
    ],
)
def test_only_linear_codes_go_without_hidden_layers(given, hidden):
    assert Coding(**given).hidden_used == hidden
