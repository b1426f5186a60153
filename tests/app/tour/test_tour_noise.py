"""Step 7 of the tour: known corruption, what counts as found, and each norm at what it is made for."""

import numpy as np
import pytest

from leasc_ui.screens.tour.noise import AMOUNTS, BETA, ENTRY, LINES, NEAREST, POINT, corrupted, explained, share_removed

MADE_FOR = {"entries": "l1", "points": "l21", "noise": "f2"}


def test_the_corruption_is_what_it_says():
    entries, points, noise = (corrupted(kind, 2) for kind in AMOUNTS)
    assert np.count_nonzero(entries.corruption) == round(0.05 * entries.clean.size)
    assert set(np.abs(entries.corruption[entries.corruption != 0])) == {ENTRY}
    lengths = np.linalg.norm(points.corruption, axis=1)
    assert np.count_nonzero(lengths) == 6 and lengths.max() == pytest.approx(POINT)
    assert np.linalg.norm(noise.corruption, axis=1) == pytest.approx(0.25)
    far = np.linalg.norm(noise.clean, axis=1)
    assert far.min() == pytest.approx(NEAREST) and far.max() == pytest.approx(1)
    assert all(np.linalg.matrix_rank(noise.clean[noise.lines == k]) == 1 for k in range(LINES))
    assert np.linalg.matrix_rank(noise.clean) == LINES


@pytest.mark.parametrize("kind", ["entries", "points"])
def test_more_keeps_what_was_spoiled_before(kind):
    less, more = corrupted(kind, 1), corrupted(kind, 4)
    spoiled = less.corruption != 0
    assert np.array_equal(less.clean, more.clean)
    assert np.array_equal(more.corruption[spoiled], less.corruption[spoiled])
    assert np.count_nonzero(more.corruption) > np.count_nonzero(less.corruption)


def test_the_share_that_is_found():
    truth = np.array([[3.0, 0.0], [0.0, 4.0]])
    assert share_removed(truth, truth) == 1 and share_removed(np.zeros((2, 2)), truth) == 0
    assert share_removed(np.array([[3.0, 0.0], [0.0, 0.0]]), truth) == pytest.approx(9 / 25)
    assert share_removed(-5 * truth, truth) == 0


@pytest.mark.parametrize("kind", AMOUNTS)
@pytest.mark.parametrize("step", [0, 2, 5])
def test_each_norm_finds_most_of_what_it_is_made_for(kind, step):
    """What the page says in words; the order of the three is the claim, the figures are computed."""
    found = {norm: explained(kind, step, norm).removed for norm in BETA}
    assert max(found, key=found.get) == MADE_FOR[kind], found
