"""Text tables and libsvm: what is found by itself, what can be adjusted, beside pandas and scikit-learn."""

import gzip
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from leasc_core.data.reading import load_data
from leasc_core.errors import DataError, ParameterError


def text(lines, name="table.csv", **options):
    return load_data("\n".join(lines).encode(), name=name, **options)


def random_frame(rows=40, columns=5, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(rng.normal(size=(rows, columns)), columns=list("abcdefgh"[:columns]))


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " "])
@pytest.mark.parametrize("header", [True, False])
def test_separator_and_header_are_found(separator, header):
    frame = random_frame()
    data = load_data(frame.to_csv(sep=separator, header=header, index=False).encode(), name="t.txt")
    np.testing.assert_array_equal(data.X, frame.to_numpy())
    assert data.feature_names == (list(frame.columns) if header else None)
    assert data.y is None


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_decimal_comma_is_found(separator):
    frame = random_frame()
    data = load_data(frame.to_csv(sep=separator, decimal=",", index=False).encode(), name="t.csv")
    np.testing.assert_array_equal(data.X, frame.to_numpy())


def test_blanks_in_columns_as_numpy_and_fortran_write_them(tmp_path):
    values = random_frame().to_numpy()
    np.savetxt(tmp_path / "a.txt", values, fmt="%25.17g", header="made by numpy")
    np.testing.assert_array_equal(load_data(tmp_path / "a.txt").X, values)
    large = np.random.default_rng(1).integers(0, 100, size=(150_000, 3))
    np.savetxt(tmp_path / "b.dat", large, fmt="  %5d")
    np.testing.assert_array_equal(load_data(tmp_path / "b.dat").X, large)


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_endings_and_byte_order_mark(ending):
    body = ending.join(["x,y,z", "1,2,3", "", "4,5.5,6", ""])
    data = load_data(b"\xef\xbb\xbf" + body.encode(), name="t.csv")
    assert data.feature_names == ["x", "y", "z"]
    np.testing.assert_array_equal(data.X, [[1, 2, 3], [4, 5.5, 6]])


def test_text_labels_become_numbers_in_alphabetical_order():
    data = text(["a,b,kind", "1,2,pear", "3,4,apple", "5,6,pear"])
    assert data.label_names == ["apple", "pear"]
    np.testing.assert_array_equal(data.y, [1, 0, 1])
    assert data.y.dtype == np.int64
    assert data.feature_names == ["a", "b"]
    assert "labels taken from column 'kind'" in data.notes


def test_number_labels_keep_their_values():
    data = text(["class,a,b", "7,1.5,2", "3,3,4", "7,5,6"])
    np.testing.assert_array_equal(data.y, [7, 3, 7])
    assert data.label_names is None


def test_labels_without_a_header_are_the_repeated_whole_numbers_at_the_end():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 3, 60)
    lines = [",".join([*map(repr, row.tolist()), str(label)]) for row, label in zip(X, y, strict=True)]
    data = text(lines)
    np.testing.assert_array_equal(data.y, y)
    np.testing.assert_array_equal(data.X, X)


def test_label_column_is_adjustable():
    lines = ["a,b,c,label", "1,2,5,0", "3,4,6,1", "3,4,5,1"]
    np.testing.assert_array_equal(text(lines, label="c").y, [5, 6, 5])
    np.testing.assert_array_equal(text(lines, label=0).y, [1, 3, 3])
    np.testing.assert_array_equal(text(lines, label=-1).y, [0, 1, 1])
    assert text(lines, label=False).X.shape == (3, 4)
    given_labels = text(lines, label=["u", "v", "u"])
    np.testing.assert_array_equal(given_labels.y, [0, 1, 0])
    assert given_labels.X.shape == (3, 4)


def test_coordinates_named_x_and_y_are_both_features():
    data = text(["x,y", "1,2", "3,4", "5,6"])
    assert data.X.shape == (3, 2)
    assert data.y is None


def test_a_target_with_fractions_is_not_a_label():
    assert text(["a,b,target", "1,2,0.5", "3,4,0.7"]).y is None


def test_missing_cells_become_nan_and_are_counted():
    data = text(["a,b,c", "1,NA,3", "?,5,6", ",8,nan"])
    np.testing.assert_array_equal(data.X, [[1, np.nan, 3], [np.nan, 5, 6], [np.nan, 8, np.nan]])
    assert "4 of 9 values are missing" in data.notes


def test_missing_labels_are_marked():
    data = text(["a,b,label", "1,2,u", "3,4,", "5,6,v"])
    np.testing.assert_array_equal(data.y, [0, -1, 1])


def test_the_index_pandas_writes_is_left_out():
    frame = random_frame()
    data = load_data(frame.to_csv().encode(), name="t.csv")
    np.testing.assert_array_equal(data.X, frame.to_numpy())
    assert any("counts the rows" in note for note in data.notes)


def test_columns_can_be_samples():
    data = text(["1,2,3", "4,5,6"], transpose=True)
    np.testing.assert_array_equal(data.X, [[1, 4], [2, 5], [3, 6]])


def test_quoted_cells_and_a_separator_in_a_name():
    data = text(['"a,b","c"', '"1","2"', '"3","4"'])
    assert data.feature_names == ["a,b", "c"]
    np.testing.assert_array_equal(data.X, [[1, 2], [3, 4]])


def test_gzipped_tables_load_the_same():
    body = random_frame().to_csv(index=False).encode()
    np.testing.assert_array_equal(load_data(gzip.compress(body), name="t.csv.gz").X, load_data(body, name="t.csv").X)


def test_an_open_file_keeps_its_name(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    with open(path, "rb") as file:
        file.read(3)
        assert load_data(file).name == "points.csv"
        np.testing.assert_array_equal(load_data(file).X, [[1, 2], [3, 4]])
    with pytest.raises(DataError, match="binary"):
        load_data(io.StringIO("a,b\n1,2"), name="t.csv")


def test_options_of_other_formats_are_refused():
    with pytest.raises(ParameterError, match="n_features"):
        text(["1,2", "3,4"], n_features=3)
    with pytest.raises(ParameterError, match="array="):
        text(["1,2", "3,4"], array="X")
    with pytest.raises(ParameterError, match="label=True"):
        text(["1,2", "3,4"], label=True)


def test_the_error_says_where():
    lines = ["a,b,c"] + ["1,2,3"] * 500 + ["1,oops,3"] + ["1,2,3"] * 10
    with pytest.raises(DataError, match=r"line 502 has 'oops' in column 'b'"):
        text(lines)
    with pytest.raises(DataError, match=r"line 502 has 2 cells where 3"):
        text([*lines[:501], "1,2"])
    with pytest.raises(DataError, match=r"infinite value at row 500, column 'b'"):
        text([*lines[:501], "1,inf,3"])


@settings(max_examples=40, deadline=None)
@given(arrays(np.float64, st.tuples(st.integers(1, 8), st.integers(2, 5)), elements=st.floats(-1e100, 1e100)))
def test_any_finite_matrix_survives_pandas_csv(values):
    body = pd.DataFrame(values, columns=[f"x{at}" for at in range(values.shape[1])]).to_csv(index=False)
    try:
        loaded = load_data(body.encode(), name="t.csv").X
    except DataError as error:
        assert "more than 15 digits" in str(error)
        return
    np.testing.assert_array_equal(loaded, values)


@pytest.mark.parametrize("zero_based", [True, False])
def test_libsvm_beside_scikit_learn(tmp_path, zero_based):
    from sklearn.datasets import dump_svmlight_file

    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 7)) * (rng.random((30, 7)) < 0.4)
    X[0] = 1.0
    y = rng.choice([-1, 1], 30)
    dump_svmlight_file(X, y, str(tmp_path / "a.libsvm"), zero_based=zero_based, comment="ours")
    data = load_data(tmp_path / "a.libsvm")
    np.testing.assert_allclose(data.X, X, rtol=1e-15)
    np.testing.assert_array_equal(data.y, y)
    renamed = load_data((tmp_path / "a.libsvm").read_bytes(), name="a.txt")
    np.testing.assert_array_equal(renamed.X, data.X)


def test_libsvm_n_features_and_label_false():
    data = load_data(b"1 1:2.5 3:1\n0 2:1 # nothing\n", name="a.svm", n_features=5, label=False)
    np.testing.assert_array_equal(data.X, [[2.5, 0, 1, 0, 0], [0, 1, 0, 0, 0]])
    assert data.y is None
    with pytest.raises(DataError, match="n_features=2"):
        load_data(b"1 1:2.5 3:1\n", name="a.svm", n_features=2)


def test_libsvm_longer_than_one_read():
    lines = [f"{at % 3} 1:{at} 2:{at % 7} 3:1.00000000000000000000 4:2.0000000000000" for at in range(80_000)]
    data = load_data("\n".join(lines).encode(), name="a.svm")
    np.testing.assert_array_equal(data.X[:, 0], np.arange(80_000))
    np.testing.assert_array_equal(data.y, np.arange(80_000) % 3)


def test_many_classes_are_labels_only_where_they_repeat():
    lines = ["a,b,name"] + [f"1,2,n{at % 20_000}" for at in range(60_000)]
    data = text(lines, label="name")
    np.testing.assert_array_equal([data.label_names[at] for at in data.y[:5]], ["n0", "n1", "n2", "n3", "n4"])
    assert len(data.label_names) == 20_000
    with pytest.raises(DataError, match="different texts"):
        text(lines[:20_001], label="name")


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("named", ["pixel", "1x", None])
def test_digits_as_people_pass_them_round(first, named):
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True)
    table = pd.DataFrame(X[:200].astype(int), columns=[f"{named}{at}" for at in range(64)])
    table.insert(0 if first else 64, "label", y[:200])
    data = load_data(table.to_csv(index=False, header=named is not None).encode(), name="digits.csv")
    np.testing.assert_array_equal(data.X, X[:200])
    np.testing.assert_array_equal(data.y, y[:200])
    assert data.image_shape == (8, 8)


def test_columns_of_text_go_along_and_are_named():
    table = "who;sum (€);size;note;kind\nK1;1,5;2;=1+1;A\nK2;2,5;;x;B\nK3;3,5;4;y;A\n".encode()
    data = load_data(table, name="mixed.csv")
    assert data.feature_names == ["sum (€)", "size"]
    data = load_data(table, name="mixed.csv", label="kind")
    assert data.label_names == ["A", "B"] and data.y.tolist() == [0, 1, 0]
    assert np.array_equal(data.X, [[1.5, 2], [2.5, np.nan], [3.5, 4]], equal_nan=True)
    assert data.metadata.names == ("who", "note", "kind") and data.metadata.column("note").tolist() == ["=1+1", "x", "y"]
    assert sum("is no feature" in note for note in data.notes) == 2
    with pytest.raises(DataError, match="no column of numbers"):
        load_data(b"a,b\nx,y\nz,w\nv,u\n", name="words.csv")


@pytest.mark.parametrize(
    "options", [{"separator": "ab"}, {"separator": ",", "decimal": ","}, {"decimal": ";"}, {"encoding": "klingon"}]
)
def test_marks_and_encodings_that_cannot_be_are_refused(options):
    with pytest.raises(ParameterError, match="give"):
        load_data(b"a,b\n1,2\n3,4\n", name="t.csv", **options)


@pytest.mark.parametrize("labels", [["+-5", "1", "+-5"], np.array([b"\xe9", b"a", b"a"]), ["\ud800", "a", "a"], ["²", "1", "1"]])
def test_strange_labels_are_names(labels):
    data = load_data(b"a,b\n1,2\n3,4\n5,6\n", name="t.csv", label=labels)
    assert len(set(data.y.tolist())) == 2 == len(data.label_names)
    "".join(data.label_names).encode()


def test_an_encoding_can_be_said():
    body = "größe,länge,art\n1,2,ä\n3,4,ö\n5,6,ä\n".encode("cp850")
    data = load_data(body, name="t.csv", encoding="cp850")
    assert data.feature_names == ["größe", "länge"] and data.label_names == ["ä", "ö"]
