"""Principal angles and affinity against scipy and against subspaces built at known angles; intrinsic dimensions of both rules."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import subspace_angles

from leasc_core.data.synthetic import make_union_of_subspaces
from leasc_core.errors import DataError, ParameterError
from leasc_core.theory.subspaces import (
    compare_subspaces,
    dimension_by_energy,
    dimension_by_gap,
    found_subspaces,
    principal_angles,
    subspace_affinity,
)


@settings(max_examples=80)
@given(seed=st.integers(0, 10_000), d=st.integers(2, 12), p=st.integers(1, 6), q=st.integers(1, 6), shared=st.integers(0, 2))
def test_angles_equal_scipys(seed, d, p, q, shared):
    rng = np.random.default_rng(seed)
    p, q = min(p, d), min(q, d)
    A, B = rng.standard_normal((d, p)), rng.standard_normal((d, q))
    B[:, : min(shared, p, q)] = A[:, : min(shared, p, q)]
    assert np.allclose(principal_angles(A, B), np.sort(subspace_angles(A, B)), atol=1e-7)


@pytest.mark.parametrize("angle", [1e-9, 1e-5, 0.3, np.pi / 4, 1.2, np.pi / 2 - 1e-9, np.pi / 2])
def test_a_known_angle_between_planes_is_read_accurately(angle):
    A = np.eye(4)[:, :2]
    B = np.column_stack([np.eye(4)[0], np.cos(angle) * np.eye(4)[1] + np.sin(angle) * np.eye(4)[2]])
    turn = np.linalg.qr(np.random.default_rng(0).standard_normal((4, 4)))[0]
    angles = principal_angles(turn @ A, 3 * turn @ B)
    assert angles == pytest.approx([0.0, angle], abs=1e-15 + 1e-14)
    assert subspace_affinity(A, B) == pytest.approx(np.sqrt((1 + np.cos(angle) ** 2) / 2))


def test_the_extremes():
    axes = np.eye(5)
    assert subspace_affinity(axes[:, :2], axes[:, 2:4]) == pytest.approx(0.0, abs=1e-15)
    assert subspace_affinity(axes[:, :2], axes[:, :4]) == pytest.approx(1.0)
    assert np.isnan(subspace_affinity(axes[:, :0], axes[:, :2])) and not len(principal_angles(axes[:, :0], axes))
    assert len(principal_angles(np.ones((5, 3)), axes)) == 1


def test_dimensions_by_energy():
    assert [dimension_by_energy([3.0, 4.0, 0.0], share) for share in (0.5, 0.64, 0.65, 1.0)] == [1, 1, 2, 2]
    assert dimension_by_energy([]) == dimension_by_energy([0.0, 0.0]) == 0
    assert dimension_by_energy(np.ones(10), 0.9) == 9


def test_dimensions_by_gap():
    assert dimension_by_gap([10.0, 9.0, 1.0, 0.9]) == 2
    assert dimension_by_gap([5.0, 4.0, 3.0]) == 3, "no ratio reaches 2: no gap"
    assert dimension_by_gap([5.0, 4.0, 0.0, 0.0]) == 2 and dimension_by_gap([5.0, 1e-17, 1e-19]) == 1
    assert dimension_by_gap([7.0]) == 1 and dimension_by_gap([0.0]) == dimension_by_gap([]) == 0


@pytest.mark.parametrize("rule", ["energy", "gap"])
def test_the_planes_of_made_data_are_found_again(rule):
    Y, y, truth = make_union_of_subspaces(3, 2, 12, 80, noise=1e-3, random_state=0, return_truth=True)
    table = compare_subspaces(found_subspaces(Y, y), rule, 0.99)
    assert table.dimensions.tolist() == [2, 2, 2]
    for i in range(3):
        for j in range(i):
            expected = np.sort(subspace_angles(truth.bases[i], truth.bases[j]))
            assert table.smallest[i, j] == table.smallest[j, i] == pytest.approx(np.degrees(expected[0]), abs=0.5)
            assert table.affinity[i, j] == pytest.approx(np.sqrt(np.mean(np.cos(expected) ** 2)), abs=0.01)
    assert np.all(np.diag(table.affinity) == 1) and np.all(np.diag(table.smallest) == 0)


def test_clusters_of_one_point_and_of_zeros_do_no_harm():
    spans = found_subspaces(np.array([[1.0, 0], [0, 0], [0, 0], [1, 1]]), [5, 7, 7, 9])
    assert [(span.label, span.count, span.dimension()) for span in spans] == [(5, 1, 1), (7, 2, 0), (9, 1, 1)]
    table = compare_subspaces(spans, "gap")
    assert np.isnan(table.affinity[0, 1]) and table.smallest[0, 2] == pytest.approx(45)


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ParameterError, match=r"energy=0 is not above 0"):
        dimension_by_energy([1.0], 0)
    with pytest.raises(ParameterError, match="rule='elbow' is unknown"):
        compare_subspaces(found_subspaces(np.eye(2), [0, 1]), "elbow")
    with pytest.raises(DataError, match="3 labels for 2 points"):
        found_subspaces(np.eye(2), [0, 1, 2])
    with pytest.raises(DataError, match="4 and of 3 features"):
        principal_angles(np.eye(4), np.eye(3))
    with pytest.raises(ParameterError, match="finite numbers"):
        dimension_by_gap([1.0, np.nan])
