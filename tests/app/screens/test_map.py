"""The map: which rows a shape means, and what gives the points their colours."""

from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.path import Path as Line

from leasc_ui.charts.cluster.live import live_map
from leasc_ui.results.colours import OTHER, Colouring, colouring, columns_of
from leasc_ui.results.picks import inside, rows_of, said, shape_of, told
from leasc_ui.results.results import Places, neighbours_kept


@pytest.fixture
def results():
    rng = np.random.default_rng(0)
    places = rng.normal(size=(500, 2)).astype(np.float32)
    labels = rng.integers(0, 3, 500)
    view = Places("umap", np.arange(500), places, ("x", "y"))
    source = SimpleNamespace(metadata=None, feature_names=["weight", "kind"], take=lambda rows: places[rows])
    return SimpleNamespace(
        rows=np.arange(500),
        drawn_labels=labels,
        labels=labels,
        count=3,
        sizes=np.bincount(labels),
        places=lambda kind: view,
        data=SimpleNamespace(source=source, labels=None),
    )


def test_a_lasso_selects_what_matplotlib_says_lies_inside(results):
    corners = np.array([[-1, -1], [1.2, -0.8], [0.2, 0.1], [1.5, 1.4], [-0.7, 0.9]])
    words = "lasso~umap~" + "~".join(f"{value}" for value in corners.ravel())
    places = results.places("umap").places.astype(float)
    assert np.array_equal(rows_of(words, results), np.flatnonzero(Line(corners).contains_points(places)))
    assert inside(places, np.array([[-1, -1], [1, 1]])).sum() == (np.abs(places) <= 1).all(axis=1).sum()


def test_of_clusters_that_stand_alone_only_their_points_are_meant(results):
    rows = rows_of("box~umap~-1~1~-1~1~of~1~3", results)
    assert set(results.labels[rows]) == {0, 2} and len(rows) < len(rows_of("box~umap~-1~1~-1~1", results))


@pytest.mark.parametrize(
    "words", ["box~umap~1~2~3", "lasso~umap~1~2~3~4", "box~elsewhere~1~2~3~4", "box~umap~a~b~c~d", "cluster~9", "", None]
)
def test_words_that_mean_nothing_select_nothing(results, words):
    assert shape_of(words) is None and rows_of(words, results) is None


def test_what_the_map_says_goes_through_an_address_and_back():
    assert (
        said("pca", "box~1~2~3~4") == "box~pca~1~2~3~4" and told("box~pca~1~2~3~4") == "box~1~2~3~4" and said("pca", "") is None
    )


def test_any_column_colours_with_the_sizes_of_all_points(results):
    assert columns_of(results.data) == ["weight", "kind"]
    shown = colouring(results, "weight", np.arange(50), results.labels[:50], ["a", "b", "c"])
    assert sum(shown.sizes) == 500 and len(shown.labels) == 50 and len(shown.names) == len(shown.palette) == 7
    values = np.array([f"v{at % 60}" for at in range(500)])
    results.data.source.metadata = SimpleNamespace(names=("town",), take=lambda rows, names: {"town": values[rows]})
    named = colouring(results, "town", np.arange(500), results.labels, [])
    assert len(named.names) == 40 and named.names[-1] == OTHER and sum(named.sizes) == 500


def test_the_legend_of_a_sample_has_the_sizes_of_all():
    drawn = Colouring("clusters", np.array([0, 1]), ("a", "b"), (20_000, 4))
    given = live_map(
        np.zeros((2, 2)), drawn, ("x", "y"), np.array([5, 9]), {"n": np.array([1.5, np.nan]), "t": np.array(["u", "v"])}
    )
    assert given["sizes"] == [20_000, 4] and [each["names"] for each in given["columns"]] == [None, ["u", "v"]]


def test_a_view_that_is_the_data_keeps_all_neighbours():
    points = np.random.default_rng(0).normal(size=(80, 2)).astype(np.float32)
    assert neighbours_kept(points, points) == 1.0
    assert neighbours_kept(points, np.random.default_rng(1).permutation(points)) < 0.4
