"""Columns that are no features: those that only number the rows, and those that somebody leaves out."""

import numpy as np
import pandas as pd
import pytest

from leasc_core import load_data
from leasc_core.data.sources import open_source
from leasc_core.errors import DataError, ParameterError


def table(**columns):
    rows = {"a": [0.5, 1.5, 2.5, 3.5, 4.5, 5.5], "b": [3.0, 1.0, 2.0, 6.0, 5.0, 4.0]}
    return pd.DataFrame({**columns, **rows})


def stored(frame, folder, ending):
    path = folder / f"table.{ending}"
    frame.to_csv(path, index=False) if ending == "csv" else frame.to_parquet(path)
    return path


@pytest.mark.parametrize("name", ["id", "ID", "customer_id", "Nr.", "row", "sample no"])
def test_a_first_column_that_numbers_the_rows_is_no_feature(tmp_path, name):
    data = load_data(stored(table(**{name: range(10_001, 10_007)}), tmp_path, "csv"))
    assert data.feature_names == ["a", "b"] and any("counts the rows" in note for note in data.notes)
    assert data.metadata.column(name).tolist() == list(range(10_001, 10_007))


MEANT = {"plot no": [1, 2, 2, 5, 6, 7], "grid": range(6), "width": range(6), "id": [1.5, 2.5, 3.5, 4.5, 5.5, 6.5]}


@pytest.mark.parametrize(("name", "values"), MEANT.items())
def test_what_may_mean_something_stays(tmp_path, name, values):
    assert load_data(stored(table(**{name: values}), tmp_path, "csv")).X.shape == (6, 3)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_columns_are_left_out_by_name(tmp_path, ending):
    path = stored(table(size=[2019, 2021, 2020, 2019, 2021, 2020], who=[7, 3, 9, 1, 4, 4]), tmp_path, ending)
    source = open_source(path, roles={"size": "left out", "who": "left-out"})
    assert source.feature_names == ["a", "b"] and np.allclose(source.rows(0, 2), [[0.5, 3.0], [1.5, 1.0]])
    assert load_data(path, roles={"b": "left out"}).feature_names == ["size", "who", "a"]
    assert source.metadata.take([3, 0])["who"].tolist() == [1, 7]
    with pytest.raises(DataError, match="no column 'when'.*choose one of those"):
        open_source(path, roles={"when": "left out"})
    with pytest.raises(ParameterError, match="no role for column 'who'"):
        open_source(path, roles={"who": "nobody"})


def test_text_is_no_reason_to_refuse_and_is_kept(tmp_path):
    frame = table(who=list("uvwxyz"), where=["here", "there"] * 3)
    data = load_data(stored(frame, tmp_path, "csv"))
    assert data.feature_names == ["a", "b"] and data.y is None
    assert data.metadata.column("who").tolist() == list("uvwxyz")
