"""Writers: what is written comes back the same, no cell is a formula, files appear whole or not at all."""

import csv
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from leasc_core.data.reading import load_data
from leasc_core.data.writers import neutral, save_data
from leasc_core.errors import ParameterError

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 20)


@pytest.mark.parametrize("kind", ["csv", "tsv", "npy", "npz", "parquet"])
@pytest.mark.parametrize("dtype", ["f8", "f4", "u1", "i4", "i8"])
def test_every_writer_and_reader_give_the_same_array_back(kind, dtype, tmp_path):
    X = (RNG.normal(size=(20, 3)) * 50 + 100).astype(dtype)
    save_data(tmp_path / f"a.{kind}", X)
    data = load_data(tmp_path / f"a.{kind}")
    np.testing.assert_array_equal(data.X, X)
    if kind in ("npy", "npz", "parquet"):
        assert data.X.dtype == X.dtype
        assert data.fingerprint == load_data(tmp_path / f"a.{kind}").fingerprint


@pytest.mark.parametrize("kind", ["csv", "tsv", "npz", "parquet"])
@pytest.mark.parametrize("labels", [Y, np.array(["red", "green", "blue"])[Y]], ids=["numbers", "texts"])
def test_labels_come_back(kind, labels, tmp_path):
    X = RNG.normal(size=(20, 3))
    save_data(tmp_path / f"a.{kind}", X, labels)
    data = load_data(tmp_path / f"a.{kind}")
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.y if data.label_names is None else np.array(data.label_names)[data.y], labels)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_names_come_back(kind, tmp_path):
    X = RNG.normal(size=(20, 3))
    save_data(tmp_path / f"a.{kind}", X, Y, feature_names=["a", "b,c", "label"], label_names=["x", "y", "z"])
    data = load_data(tmp_path / f"a.{kind}", label="label_")
    assert data.feature_names == ["a", "b,c", "label"]
    assert data.label_names == ["x", "y", "z"]
    np.testing.assert_array_equal(data.y, Y)


@settings(max_examples=30, deadline=None)
@given(arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(2, 4)), elements=st.floats(-1e9, 1e9)))
def test_any_matrix_survives_csv_and_parquet(tmp_path_factory, X):
    folder = tmp_path_factory.mktemp("round")
    for kind in ("csv", "parquet"):
        save_data(folder / f"a.{kind}", X)
        np.testing.assert_array_equal(load_data(folder / f"a.{kind}").X, X)


def test_missing_values_stay_missing(tmp_path):
    X = np.array([[1.0, np.nan], [np.nan, 4.0]])
    for kind in ("csv", "parquet", "npy", "npz"):
        save_data(tmp_path / f"a.{kind}", X)
        np.testing.assert_array_equal(load_data(tmp_path / f"a.{kind}").X, X)


def test_no_cell_is_a_formula_and_numbers_stay_numbers(tmp_path):
    X = np.array([[-1.5, 2.0], [3.0, -4.0]])
    names = ["=HYPERLINK(1)", "@sum"]
    save_data(tmp_path / "a.csv", X, np.array(["=1+1", "-cmd|' /C calc'!A0"]), feature_names=names)
    cells = [cell for row in csv.reader(io.StringIO((tmp_path / "a.csv").read_text())) for cell in row]
    for cell in cells:
        if cell.startswith(("=", "+", "-", "@")):
            float(cell)
    np.testing.assert_array_equal(pd.read_csv(tmp_path / "a.csv").iloc[:, :2], X)
    assert neutral("-5") == "-5"
    assert neutral("+1.5e3") == "+1.5e3"
    assert neutral("-5 apples") == "'-5 apples"
    assert neutral("plain") == "plain"


def test_a_failed_write_leaves_the_old_file(tmp_path):
    save_data(tmp_path / "a.npy", np.ones((2, 2)))
    with pytest.raises(ParameterError, match="one array"):
        save_data(tmp_path / "a.npy", np.zeros((2, 2)), [0, 1])
    np.testing.assert_array_equal(np.load(tmp_path / "a.npy"), np.ones((2, 2)))
    assert [path.name for path in tmp_path.iterdir()] == ["a.npy"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("a.xlsx", np.ones((2, 2))), "not a format"),
        (("a.csv", np.ones(2)), "1-dimensional"),
        (("a.csv", np.array([["a", "b"]])), "numbers"),
        (("a.csv", np.ones((2, 2)), [1]), "one label for each row"),
        (("a.csv", np.ones((2, 2)), None, ["a", "a"]), "2 columns"),
        (("a.csv", np.ones((2, 2)), [0, 3], None, ["x", "y"]), "from 0 to 3"),
    ],
)
def test_what_cannot_be_written_is_said(arguments, message, tmp_path):
    with pytest.raises(ParameterError, match=message):
        save_data(tmp_path / arguments[0], *arguments[1:])
