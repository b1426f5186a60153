"""What is said without labels: a labelling by subspaces lies on them, one by chance does not."""

import numpy as np
import pytest

from leasc_core import bench, make_union_of_subspaces
from leasc_core.bench.label_free import held_out_residual
from leasc_core.errors import ParameterError


@pytest.fixture(scope="module")
def planes():
    return make_union_of_subspaces(3, 4, 30, 60, noise=0.0, random_state=3)


def test_true_subspaces_leave_nothing_and_wrong_ones_much(planes):
    X, y = planes
    assert held_out_residual(X, y) < 1e-9
    mixed = np.random.default_rng(0).permutation(y)
    # A third of every mixed cluster's energy can lie in 4 of its 12 directions, and a little more by luck.
    assert 0.45 < held_out_residual(X, mixed) < 0.75


def test_merging_two_clusters_does_not_look_better(planes):
    X, y = planes
    assert held_out_residual(X, np.minimum(y, 1)) > 0.05 > held_out_residual(X, y)


def test_scale_sign_and_lone_points_are_harmless(planes):
    X, y = planes
    signs = np.random.default_rng(1).choice([-3.0, 0.1], size=(len(X), 1))
    assert held_out_residual(X * signs, y) < 1e-9
    assert held_out_residual(X[:2], [0, 1]) == 1.0, "nobody else has spanned anything"


def test_without_labels_rows_are_label_free_and_sorted_by_them(planes):
    X, _ = planes
    table = bench.run(bench.own_data(X, clusters=3, methods=("kmeans", "lsr")), seeds=1)
    assert all("acc" not in row and 0 <= row["residual"] <= 1 for row in table.rows)
    assert [line["method"] for line in table.summary()] == ["lsr", "kmeans"]
    assert "held-out residual %" in table.markdown() and "ACC" not in table.markdown()


def test_without_labels_the_number_of_clusters_must_be_given(planes):
    with pytest.raises(ParameterError, match="give clusters"):
        bench.own_data(planes[0])
