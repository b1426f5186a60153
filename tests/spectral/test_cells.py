"""Landmarks in cells against a look at all of them."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from leasc_core import BundleError, LeaSC, make_union_of_subspaces
from leasc_core.data.scale import unit_rows
from leasc_core.spectral import cells
from leasc_core.spectral.kmeans import quick_kmeans_centres
from leasc_core.spectral.landmarks import LandmarkGraph
from leasc_core.spectral.nearest import nearest
from leasc_core.storage.bundle import read_bundle, save_bundle


def on_subspaces(count, seed=0):
    """Unit rows on 20 subspaces of dimension 4 in 30 features, with noise."""
    Y, _ = make_union_of_subspaces(
        n_subspaces=20, dim=4, ambient_dim=30, n_per_subspace=count // 20, noise=0.1, random_state=seed
    )
    return unit_rows(np.random.default_rng(seed).permutation(Y).astype(np.float32))


@pytest.fixture(scope="module", params=[False, True], ids=["signed", "mirrored"])
def placed(request):
    points = on_subspaces(12_000)[:6000]
    return points, *cells.place_in_cells(points, 2000, np.random.default_rng(0), request.param), request.param


def search(points, landmarks, bounds, mirrored, count=6):
    return cells.nearest_in_cells(points, landmarks, bounds, cells.middles_of(landmarks, bounds, mirrored), count, mirrored)


def test_cells_cover_the_landmarks_and_these_are_placed_as_well_as_by_one_k_means(placed):
    points, landmarks, bounds, mirrored = placed
    assert bounds[0] == 0 and bounds[-1] == len(landmarks) and (np.diff(bounds) > 0).all()
    assert 1700 <= len(landmarks) <= 2050
    flat = quick_kmeans_centres(points, len(landmarks), np.random.default_rng(0), mirrored=mirrored)
    others = on_subspaces(12_000)[6000:]
    ours, theirs = (nearest(others, each, 1, mirrored)[0].mean() for each in (landmarks, flat))
    assert ours <= 1.05 * theirs


def test_looking_into_every_cell_is_looking_at_all_landmarks(placed, monkeypatch):
    points, landmarks, bounds, mirrored = placed
    monkeypatch.setattr(cells, "PROBES", len(bounds))
    squared, found = search(points[:300], landmarks, bounds, mirrored)
    exact, where = nearest(points[:300], landmarks, 6, mirrored)
    assert np.allclose(squared, exact, atol=1e-5)
    assert (found == where).mean() > 0.99, "up to ties by rounding"


def test_a_few_cells_miss_hardly_a_neighbour(placed):
    points, landmarks, bounds, mirrored = placed
    squared, found = search(points, landmarks, bounds, mirrored)
    exact, where = nearest(points, landmarks, 6, mirrored)
    assert squared.mean() <= 1.01 * exact.mean(), "what is missed is replaced by one nearly as near"
    kept = np.mean([len(set(a) & set(b)) for a, b in zip(found % len(landmarks), where % len(landmarks), strict=True)]) / 6
    assert kept >= 0.95
    signs = np.where(found >= len(landmarks), -1, 1)[:, :, None]
    apart = points[:, None] - signs * landmarks[found % len(landmarks)]
    assert np.allclose(squared, (apart**2).sum(axis=2), atol=1e-4)


def test_cells_of_one_landmark_leave_no_point_without_neighbours():
    points = on_subspaces(400)
    squared, found = search(points, points[:30], np.arange(31), False, count=10)
    assert np.isfinite(squared).all() and all(len(set(row)) == 10 for row in found)


def test_a_saved_model_joins_by_its_cells(tmp_path):
    Y, _ = make_union_of_subspaces(n_subspaces=6, dim=3, ambient_dim=20, n_per_subspace=700, noise=0.05, random_state=0)
    model = LeaSC(6, preprocess="none", n_landmarks=2000, n_representatives=200, random_state=0).fit(Y)
    graph, path = model.model_.graph, tmp_path / "model.leasc"
    assert isinstance(graph, LandmarkGraph) and len(graph.bounds) > 20
    model.save(path)
    again = LeaSC.load(path)
    assert np.array_equal(again.model_.graph.bounds, graph.bounds)
    assert np.array_equal(again.predict(Y), model.labels_)
    settings, arrays = read_bundle(path, "LeaSC")
    for wrong in (graph.bounds[:-1], graph.bounds[::-1].copy(), graph.bounds.astype(float), graph.bounds[None]):
        save_bundle(path, "LeaSC", settings, arrays | {"draw0.bounds": wrong})
        with pytest.raises(BundleError):
            LeaSC.load(path)


def test_both_paths_label_alike(monkeypatch):
    Y, y = make_union_of_subspaces(n_subspaces=6, dim=4, ambient_dim=40, n_per_subspace=700, noise=0.1, random_state=1)
    labels = []
    for quick in (True, False):
        monkeypatch.setattr(cells, "QUICK", quick)
        model = LeaSC(6, preprocess="none", affinity="landmarks", n_landmarks=2000, n_representatives=300, random_state=0).fit(Y)
        assert (model.model_.graph.bounds is None) == (not quick)
        labels.append(model.labels_)
    assert adjusted_rand_score(*labels) >= 0.995 and adjusted_rand_score(y, labels[0]) >= 0.99
