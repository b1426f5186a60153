"""Each kind is recognised from data made to be of it, and from nothing else."""

import numpy as np
import pytest

from leasc_core import make_union_of_subspaces
from leasc_core.data.layout import Layout
from leasc_core.prepare import recognise

rng = np.random.default_rng(0)


def smooth_pictures(n=60, side=16):
    """Bumps at random places: neighbouring pixels are alike."""
    at, grid = rng.uniform(4, side - 4, (n, 2)), np.arange(side)
    down = np.exp(-((grid[None] - at[:, :1]) ** 2) / 12)
    across = np.exp(-((grid[None] - at[:, 1:]) ** 2) / 12)
    return (down[:, :, None] * across[:, None, :]).reshape(n, -1)


def tracks(n=80, frames=20):
    """Two coordinates a frame, drifting; x and y beside each other."""
    start, speed = rng.normal(0, 100, (n, 1, 2)), rng.normal(0, 1, (n, 1, 2))
    return (start + speed * np.arange(frames)[None, :, None]).reshape(n, -1)


def test_a_shape_from_the_file_makes_pictures():
    kind = recognise(rng.random((20, 120)), image_shape=(10, 12))
    assert (kind.name, kind.shape) == ("pictures", (10, 12))


def test_squares_with_alike_neighbours_are_pictures():
    kind = recognise(smooth_pictures())
    assert (kind.name, kind.shape) == ("pictures", (16, 16))


def test_the_same_pixels_in_random_order_are_not():
    assert recognise(smooth_pictures()[:, rng.permutation(256)]).name != "pictures"


@pytest.mark.parametrize("layout", ["beside", "after"])
def test_tracks(layout):
    X = tracks()
    X = X if layout == "beside" else np.hstack([X[:, ::2], X[:, 1::2]])
    assert recognise(X).name == "tracks"


def test_counts():
    assert recognise(rng.poisson(0.3, (50, 200))).name == "counts"


def test_columns_in_other_units_make_a_table():
    assert recognise(rng.normal(0, [1, 1, 1, 500], (50, 4))).name == "table"


@pytest.mark.parametrize("seed", range(3))
def test_unions_of_subspaces_are_plain(seed):
    Y, _ = make_union_of_subspaces(n_subspaces=4, dim=3, ambient_dim=64, n_per_subspace=50, random_state=seed)
    assert recognise(Y).name == "plain"


def test_a_layout_is_trusted_before_the_values():
    spectra = Layout("cube", (6, 10, 256), "a scene of 6×10 pixels and 256 bands")
    kind = recognise(smooth_pictures(), layout=spectra)
    assert (kind.name, kind.why) == ("scene", "a scene of 6×10 pixels and 256 bands")
    assert recognise(rng.random((20, 120)), layout=Layout("pictures", (10, 12))).shape == (10, 12)


def test_spectra_in_whole_numbers_are_no_tracks():
    """Two smooth halves with a step between them, as detectors of two ranges give."""
    bands = np.concatenate([np.linspace(0, 1, 30), np.linspace(3, 2, 30)])
    rows = 500 + 400 * rng.random((80, 1)) * bands + 300 * rng.random((80, 1)) * bands**2
    rows[:, 30:] += 200 * rng.random((80, 1))
    assert recognise(np.round(rows)).name != "tracks"
