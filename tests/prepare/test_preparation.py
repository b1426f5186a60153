"""A preparation repeats itself: by blocks, after a save, on new rows; and refuses what it cannot do in one sentence."""

import json

import numpy as np
import pytest

from leasc_core.errors import BundleError, DataError, ParameterError
from leasc_core.prepare import NAMES, Preparation

rng = np.random.default_rng(1)
ROWS = rng.poisson(2.0, (90, 256)).astype(np.float32)
SHAPE = (16, 16)
OF_ROWS = [name for name in NAMES if name != "patches"]  # those look around them: tests/features/test_patches.py


@pytest.mark.parametrize("name", OF_ROWS)
@pytest.mark.parametrize("block", [1, 7, 90])
def test_blocks_of_any_size_give_what_the_whole_gives(name, block):
    made = Preparation(name, SHAPE).fit(ROWS)
    whole = made.transform(ROWS)
    parts = np.vstack([made.transform(ROWS[i : i + block]) for i in range(0, len(ROWS), block)])
    assert whole.shape == (90, made.n_features_out_) and whole.dtype == np.float32
    np.testing.assert_allclose(parts, whole, atol=2e-4 * np.abs(whole).max())


@pytest.mark.parametrize("name", OF_ROWS)
def test_learned_and_done_at_once_is_the_same(name):
    made = Preparation(name, SHAPE)
    np.testing.assert_array_equal(made.fit_transform(ROWS), Preparation(name, SHAPE).fit(ROWS).transform(ROWS))
    np.testing.assert_array_equal(made.transform(ROWS[:5]), Preparation(name, SHAPE).fit(ROWS).transform(ROWS[:5]))


def test_learning_from_pictures_can_be_stopped():
    class Enough(Exception):
        pass

    def pause():
        raise Enough

    with pytest.raises(Enough):
        Preparation("scattering2", SHAPE).fit(ROWS, pause)


@pytest.mark.parametrize("name", OF_ROWS)
def test_what_is_recorded_comes_back(name):
    made = Preparation(name, SHAPE).fit(ROWS)
    settings, arrays = made.state()
    again = Preparation.from_state(json.loads(json.dumps(settings)), arrays)
    np.testing.assert_array_equal(again.transform(ROWS[:5]), made.transform(ROWS[:5]))
    assert again.describe() == made.describe()


def test_standard_units_are_those_of_numpy():
    X = rng.normal(5, [1, 30, 0.1], (200, 3)).astype(np.float32)
    expected = (X - X.mean(axis=0)) / X.std(axis=0)
    np.testing.assert_allclose(Preparation("standard").fit(X).transform(X), expected, rtol=6e-3, atol=1e-3)


def test_centred_rows_keep_their_distances():
    X = rng.normal(3, 1, (80, 10)).astype(np.float32)
    Z = Preparation("centred").fit(X).transform(X)
    np.testing.assert_allclose(Z.mean(axis=0), 0, atol=1e-5)
    np.testing.assert_allclose(Z @ Z.T, (X - X.mean(0)) @ (X - X.mean(0)).T, atol=1e-3)


def test_tracks_end_in_a_column_of_ones():
    Z = Preparation("tracks").fit(ROWS).transform(ROWS[:4])
    np.testing.assert_array_equal(Z[:, -1], 1)


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: Preparation("polish"), ParameterError, "no preparation; choose"),
        (lambda: Preparation("scattering2"), ParameterError, "needs the shape of a picture"),
        (lambda: Preparation("scattering2", (10, 10)).fit(ROWS), DataError, "100 values and a row has 256"),
        (lambda: Preparation("counts").fit(ROWS - 5), DataError, "needs values from 0 on"),
        (lambda: Preparation("centred").fit(ROWS).transform(ROWS[:, :9]), DataError, "learned on 256 features"),
        (lambda: Preparation("centred").fit(np.where(ROWS > 7, np.nan, ROWS)), DataError, "not finite"),
        (lambda: Preparation.from_state({"version": 9}, {}), BundleError, "save the model again"),
        (lambda: Preparation.from_state({"version": 1, "preparation": "tracks"}, {}), BundleError, "save the model again"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(make, error, words):
    with pytest.raises(error, match=words):
        make()
