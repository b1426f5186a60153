"""Frames of pandas and polars go in as they are, matched by name, and codes come out as frames where that is asked for."""

import numpy as np
import pandas as pd
import pytest

from leasc_core import DataError, LeaSC, make_union_of_subspaces


@pytest.fixture(scope="module")
def points():
    return make_union_of_subspaces(n_subspaces=2, dim=2, ambient_dim=5, n_per_subspace=40, random_state=0)[0]


def fresh():
    return LeaSC(2, preprocess=None, affinity="landmarks", n_representatives=20, random_state=0)


NAMES = ["up", "down", "left", "right", "far"]


def made(library, columns):
    """A frame of that library."""
    module = pytest.importorskip(library, reason=f"{library} is not installed")
    return module.Table.from_pydict(columns) if library == "pyarrow" else module.DataFrame(columns)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_frame_is_what_its_numbers_are(library, points):
    columns = dict(zip(NAMES, points.T, strict=True))
    frame = made(library, columns)
    plain, model = fresh().fit(points), fresh().fit(frame)
    np.testing.assert_array_equal(model.labels_, plain.labels_)
    assert model.feature_names_in_.tolist() == NAMES
    turned = made(library, {name: columns[name] for name in reversed(NAMES)})
    np.testing.assert_array_equal(model.predict(turned), plain.labels_)
    with pytest.raises(DataError, match="far"):
        model.predict(made(library, {name: columns[name] for name in NAMES[:4]}))


def test_text_in_a_polars_frame_is_left_out_as_in_a_pandas_frame(points):
    polars = pytest.importorskip("polars", reason="polars is not installed")
    columns = dict(zip(NAMES, points.T, strict=True)) | {"note": [f"row number {at} says so" for at in range(len(points))]}
    other, usual = fresh().fit(polars.DataFrame(columns)), fresh().fit(pd.DataFrame(columns))
    np.testing.assert_array_equal(other.labels_, usual.labels_)
    assert other.feature_names_in_.tolist() == usual.feature_names_in_.tolist() == NAMES


def test_codes_as_a_frame(points):
    frame = pd.DataFrame(points, columns=NAMES, index=np.arange(len(points)) + 100)
    model = fresh().set_output(transform="pandas").fit(frame)
    codes = model.transform(frame)
    assert codes.columns.tolist() == model.get_feature_names_out().tolist()
    np.testing.assert_allclose(codes.to_numpy(), fresh().fit(points).transform(points), rtol=1e-9, atol=1e-12)
    assert codes.index.tolist() == frame.index.tolist()


def test_codes_as_a_polars_frame(points):
    polars = pytest.importorskip("polars", reason="polars is not installed")
    model = fresh().set_output(transform="polars").fit(points)
    assert isinstance(model.transform(points), polars.DataFrame)
