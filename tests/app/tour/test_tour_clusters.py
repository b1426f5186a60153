"""Step 6 of the tour: its affinity, spectrum, embedding and regions against dense algebra and the model's own prediction."""

import numpy as np
import pytest

from leasc_core import LeaSC
from leasc_ui.screens.tour.clusters import GRID, HIDDEN, REPRESENTATIVES, affinity_of, clustered, flattened, order_of, places
from leasc_ui.screens.tour.lines import BOX, paper_example
from leasc_ui.screens.tour.matrices import block_means, matrices_html, spread


@pytest.mark.parametrize("affinity", ["landmarks", "codes"])
def test_the_spectrum_is_that_of_the_affinity_that_is_shown(affinity):
    made = clustered(4, affinity)
    assert np.allclose(made.affinity, made.affinity.T) and made.affinity.min() >= 0
    values = np.linalg.eigvalsh(made.affinity)[::-1]
    count = min(9, len(made.eigenvalues))
    assert np.allclose(values[:count] / values[0], made.eigenvalues[:count], atol=1e-5)


def test_four_clusters_are_four_blocks_and_the_gap_names_them():
    made = clustered(4, "landmarks")
    _, rays = paper_example()
    assert made.gap == 4 and np.array_equal(made.labels, rays)
    same = made.labels[:, None] == made.labels
    assert made.affinity[~same].sum() < 1e-6 * made.affinity[same].sum()
    centres = np.array([made.embedded[made.labels == k].mean(axis=0) for k in range(4)])
    nearest = np.linalg.norm(made.embedded[:, None] - centres, axis=2).argmin(axis=1)
    assert np.array_equal(nearest, made.labels), "K-means has an easy task in the embedding"


def test_every_place_of_the_plane_has_the_label_that_the_model_predicts():
    points, _ = paper_example()
    made = clustered(3, "landmarks")
    as_shown = {"preprocess": None, "affinity": "landmarks", "n_representatives": REPRESENTATIVES, "hidden": (HIDDEN,)}
    model = LeaSC(3, **as_shown, random_state=0).fit(points)
    rows = np.random.default_rng(0).permutation(GRID[0] * GRID[1])[:50]
    there = places()[rows]
    pairs = set(zip(model.predict(there).tolist(), made.regions.ravel()[rows].tolist(), strict=True))
    assert len(pairs) == len({first for first, _ in pairs}) == len({second for _, second in pairs}), "one name a cluster"
    left, right, bottom, top = BOX
    assert places()[0] == pytest.approx([left, top], abs=0.1) and places()[-1] == pytest.approx([right, bottom], abs=0.1)


def test_the_affinity_of_joins_by_hand():
    B = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 0.0]])
    expected = B @ np.diag([1 / 1.5, 1 / 0.5]) @ B.T
    assert np.allclose(affinity_of(B), expected)


def test_an_embedding_keeps_the_distances_of_what_is_flat_already():
    flat = np.random.default_rng(0).standard_normal((30, 2))
    turned = flat @ np.linalg.qr(np.random.default_rng(1).standard_normal((5, 5)))[0][:2]
    shown = flattened(turned)
    ratio = np.linalg.norm(shown[0] - shown[1]) / np.linalg.norm(flat[0] - flat[1])
    assert np.abs(shown).max() == pytest.approx(1)
    assert np.linalg.norm(shown[4] - shown[9]) == pytest.approx(ratio * np.linalg.norm(flat[4] - flat[9]))


def test_orders_are_permutations():
    labels = np.array([2, 0, 1, 0])
    assert order_of(labels, True).tolist() == [1, 3, 2, 0]
    assert sorted(order_of(labels, False)) == [0, 1, 2, 3]


def test_matrices_become_pictures_with_words():
    assert np.array_equal(block_means(np.arange(16.0).reshape(4, 4), 2), [[2.5, 4.5], [10.5, 12.5]])
    assert len(block_means(np.ones((7, 7)), 3)) <= 3 and block_means(np.eye(3), 3).tolist() == np.eye(3).tolist()
    assert spread(np.zeros((2, 2))) == 1.0
    drawn = matrices_html([("<E>", np.eye(2), 'say "E"')], 1.0, 50)
    assert "&lt;E&gt;" in drawn and 'alt="say &quot;E&quot;"' in drawn and "data:image/png" in drawn
