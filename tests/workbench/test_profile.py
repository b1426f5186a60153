"""Profiles: every number is pandas' on the same rows, whatever is missing and however the rows come in blocks."""

import numpy as np
import pandas as pd
import pytest

from leasc_core.data.sources import open_source
from leasc_core.errors import DataError, ParameterError
from leasc_core.workbench import profile as module
from leasc_core.workbench.profile import profile


@pytest.fixture
def sensors():
    """Temperatures near 20 °C, pressures near 101,325 Pa with a spread of 1, and a column full of holes."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {"temp": rng.normal(20, 5, 5000), "pressure": rng.normal(101_325, 1, 5000), "gap": rng.exponential(2, 5000)}
    )
    frame.loc[rng.random(5000) < 0.4, "gap"] = np.nan
    labels = rng.integers(-1, 4, 5000)
    frame.loc[labels == 2, "temp"] -= 25
    frame.loc[labels == 3, "gap"] = np.nan
    return frame, labels


def test_numbers_are_those_of_pandas(sensors):
    frame, labels = sensors
    found = profile(open_source(frame.to_numpy()), labels, columns=frame.columns)
    groups = frame[labels >= 0].groupby(labels[labels >= 0])
    assert found.noise == (labels < 0).sum()
    np.testing.assert_array_equal(found.sizes, groups.size())
    np.testing.assert_array_equal(found.counts, groups.count())
    for ours, theirs in ((found.means, groups.mean()), (found.spreads, groups.std()), (found.medians, groups.median())):
        np.testing.assert_allclose(ours, theirs.to_numpy(), rtol=1e-9)
    elsewhere = [frame[labels != cluster].mean() for cluster in range(4)]
    np.testing.assert_allclose(found.means_elsewhere, elsewhere, rtol=1e-9)


def test_effects_are_cohens_d_with_its_sign(sensors):
    frame, labels = sensors
    found = profile(open_source(frame.to_numpy()), labels, columns=frame.columns)
    for cluster in range(3):
        here, there = frame[labels == cluster], frame[labels != cluster]
        within = here.var() * (here.count() - 1) + there.var() * (there.count() - 1)
        pooled = np.sqrt(within / (here.count() + there.count() - 2))
        np.testing.assert_allclose(found.effects[cluster], (here.mean() - there.mean()) / pooled, rtol=1e-8)
    assert found.columns[found.lowest(2)[0]] == "temp"
    assert found.columns[found.telling(2)[0]] == "temp"
    assert "temp" not in [found.columns[at] for at in found.highest(2)]


def test_blocks_do_not_matter(sensors, monkeypatch):
    frame, labels = sensors
    whole = profile(open_source(frame.to_numpy()), labels)
    monkeypatch.setattr(module, "BLOCK_CELLS", 100)
    parts = profile(open_source(frame.to_numpy()), labels)
    for name in ("means", "spreads", "medians", "effects"):
        np.testing.assert_allclose(getattr(parts, name), getattr(whole, name), rtol=1e-9)


def test_medians_of_many_rows_say_of_how_many(sensors, monkeypatch):
    frame, labels = sensors
    monkeypatch.setattr(module, "MEDIAN_CELLS", 3 * 2000)
    found = profile(open_source(frame.to_numpy()), labels)
    assert not found.exact
    assert found.rows_for_medians == 500
    np.testing.assert_allclose(found.medians[:, 0], frame.temp[labels >= 0].groupby(labels[labels >= 0]).median(), atol=1)


def test_constant_columns_and_empty_clusters():
    found = profile(np.array([[1.0, 5.0], [1.0, 6.0], [1.0, 6.0]]), np.array([0, 2, 2]))
    np.testing.assert_array_equal(found.sizes, [1, 0, 2])
    assert found.effects[0, 0] == 0
    assert np.isnan(found.means[1]).all()
    assert abs(found.effects[0, 1]) == module.LARGEST_EFFECT


def test_bad_labels_are_refused():
    with pytest.raises(DataError, match="2 labels for 3 rows"):
        profile(np.ones((3, 2)), np.array([0, 1]))
    with pytest.raises(ParameterError, match="beyond the 1 clusters"):
        profile(np.ones((3, 2)), np.array([0, 1, 0]), n_clusters=1)
