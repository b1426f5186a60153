"""Definition 1 against all pairs of distances, in blocks of any size, with and without known subspaces."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from leasc_core.errors import DataError, ParameterError
from leasc_core.theory import radius
from leasc_core.theory.radius import nearest_representatives, representative_radius


def drawn(seed, m=40, n=6, d=3):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((m, d)), rng.choice(m, n, replace=False), rng.integers(0, 3, m)


@settings(max_examples=40)
@given(seed=st.integers(0, 10_000), cells=st.sampled_from([1, 30, 100, 10_000]), known=st.booleans(), unit=st.booleans())
def test_radii_equal_brute_force_for_any_block_size(seed, cells, known, unit):
    Y, indices, labels = drawn(seed)
    lengths = np.linalg.norm(Y, axis=1, keepdims=True)
    table = cdist(*(each / np.linalg.norm(each, axis=1, keepdims=True) if unit else each for each in (Y, Y[indices])))
    if known:
        table[labels[:, None] != labels[indices]] = np.inf
    best, owner = table.min(axis=1), table.argmin(axis=1)
    before, radius.CELLS = radius.CELLS, cells
    try:
        found = representative_radius(Y, indices, labels if known else None, unit)
    finally:
        radius.CELLS = before
    assert lengths.all()
    for j in range(len(indices)):
        mine = (owner == j) & np.isfinite(best)
        assert found.counts[j] == mine.sum()
        assert found.radii[j] == pytest.approx(best[mine].max(initial=0.0), abs=1e-12)
        if found.radii[j] > 0:
            assert table[found.farthest[j], j] == pytest.approx(found.radii[j], abs=1e-12)
    assert found.uncovered == np.count_nonzero(np.isinf(best))
    assert found.radius == pytest.approx(best.max(), abs=1e-12)


def test_more_representatives_never_leave_a_point_farther():
    Y, _, _ = drawn(3, 200)
    order = np.random.default_rng(4).permutation(200)
    values = [representative_radius(Y, order[:n]).radius for n in range(1, 201)]
    assert all(then <= now + 1e-12 for now, then in zip(values, values[1:], strict=False)) and values[-1] == 0


def test_short_distances_far_from_the_origin_keep_their_digits():
    Y = 1e8 + np.array([[0.0, 0.0], [3.0, 4.0], [1e-6, 0.0]])
    assert representative_radius(Y, [0]).radius == pytest.approx(5.0, rel=1e-7)
    assert next(nearest_representatives(Y, [0]))[2][2] == pytest.approx(Y[2, 0] - Y[0, 0], rel=1e-12)


def test_what_cannot_be_measured_is_refused():
    Y, indices, labels = drawn(0)
    with pytest.raises(ParameterError, match="at least one row number"):
        representative_radius(Y, [])
    with pytest.raises(DataError, match="39 labels for 40 points"):
        representative_radius(Y, indices, labels[1:])
    Y[7, 1] = np.nan
    with pytest.raises(DataError, match="Row 7, feature 1 is NaN"):
        representative_radius(Y, np.setdiff1d(indices, [7]))
