"""Preprocessing agrees with scikit-learn's, streams, and comes back from its record unchanged."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file, save_file
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import StandardScaler, normalize

from leasc_core.data.preprocessing import Preprocessor
from leasc_core.data.preprocessing.sampling import MAX_ROWS, RowSample
from leasc_core.data.synthetic import make_union_of_subspaces
from leasc_core.errors import BundleError, DataError, ParameterError

EVERYTHING = {"drop_constant": True, "standardise": True, "n_components": 3, "unit_rows": True}


def table(n_rows=200, gaps=0.1, seed=0):
    """Ten columns of different scales, one of them constant, some values missing."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_rows, 10)) * np.geomspace(0.1, 100, 10) + rng.uniform(-50, 50, 10)
    X[:, 4] = 7.5
    X[rng.random(X.shape) < gaps] = np.nan
    return X


def test_nothing_asked_nothing_done():
    X = table(gaps=0)
    assert np.array_equal(Preprocessor().fit_transform(X), X)


def test_mean_like_scikit_learn():
    X, X_new = table(), table(seed=1)
    ours, theirs = Preprocessor("mean").fit(X), SimpleImputer().fit(X)
    assert np.allclose(ours.transform(X_new), theirs.transform(X_new))
    assert ours.n_missing_ == np.isnan(X).sum()


def test_standardise_like_scikit_learn():
    X, X_new = table(gaps=0), table(gaps=0, seed=1)
    assert np.allclose(Preprocessor(standardise=True).fit(X).transform(X_new), StandardScaler().fit(X).transform(X_new))


@pytest.mark.parametrize("missing", ["mean", "low_rank"])
def test_a_constant_column_is_not_blown_up(missing):
    X = table()
    X[:, 4] = np.where(np.isnan(X[:, 4]), np.nan, 0.1)
    assert np.abs(Preprocessor(missing, standardise=True).fit_transform(X)[:, 4]).max() < 1e-12


def test_unit_rows_like_scikit_learn():
    X = table(gaps=0)
    X[3] = 0
    assert np.allclose(Preprocessor(unit_rows=True).fit_transform(X), normalize(X))


def test_the_whole_chain_like_scikit_learn():
    X, X_new = table(), table(seed=1)
    imputer, scaler, pca = SimpleImputer(), StandardScaler(), PCA(3, svd_solver="full")
    varied = [column for column in range(10) if column != 4]
    pca.fit(scaler.fit_transform(imputer.fit_transform(X)[:, varied]))
    expected = normalize(pca.transform(scaler.transform(imputer.transform(X_new)[:, varied])))
    ours = Preprocessor("mean", **EVERYTHING).fit(X)
    signs = np.sign(np.sum(ours.steps_[3].components * pca.components_, axis=1))
    assert np.allclose(ours.transform(X_new), expected * signs)
    assert (ours.n_features_in_, ours.n_features_out_) == (10, 3)


def test_variance_kept_like_scikit_learn():
    X = table(gaps=0)
    ours = Preprocessor(variance=0.99).fit(X)
    assert ours.n_features_out_ == PCA(0.99, svd_solver="full").fit(X).n_components_


def test_drop_reports_the_rows_that_stay():
    X, X_new = table(gaps=0.05), table(gaps=0.05, seed=1)
    complete = np.flatnonzero(np.isfinite(X_new).all(axis=1))
    ours = Preprocessor("drop", standardise=True).fit(X)
    Z, rows = ours.transform(X_new, return_rows=True)
    assert np.array_equal(rows, complete)
    scaler = StandardScaler().fit(X[np.isfinite(X).all(axis=1)])
    assert np.allclose(Z, scaler.transform(X_new[complete]))
    streamed = [rows for _, rows in ours.transform_blocks(np.array_split(X_new, 9))]
    assert np.array_equal(np.concatenate(streamed), complete)


@pytest.mark.parametrize("parameters", [{"missing_fraction": 0.2}, {"missing_fraction": 0.5, "affine": 2.0}])
def test_low_rank_recovers_what_the_mean_cannot(parameters):
    Y, _, truth = make_union_of_subspaces(ambient_dim=30, shuffle=True, return_truth=True, **parameters)
    Y *= np.geomspace(0.01, 100, 30)
    whole = (truth.clean + truth.errors) * np.geomspace(0.01, 100, 30)
    scale = whole.std(axis=0)

    def relative_error(filled):
        return np.linalg.norm(((filled - whole) / scale)[truth.missing]) / np.linalg.norm((whole / scale)[truth.missing])

    low_rank = Preprocessor("low_rank").fit(Y[:600])
    assert relative_error(low_rank.transform(Y)) < 0.1
    assert relative_error(Preprocessor("mean").fit_transform(Y)) > 0.5
    seen = ~truth.missing
    assert np.array_equal(low_rank.transform(Y)[seen], Y[seen])


def test_low_rank_is_the_mean_where_columns_know_nothing_of_each_other():
    X = table(n_rows=2000, gaps=0.1)
    ours = Preprocessor("low_rank").fit(X)
    assert "rank 0" in ours.steps_[0].describe()
    assert np.allclose(ours.transform(X), SimpleImputer().fit_transform(X))


def test_low_rank_fill_is_the_conditional_mean_of_its_gaussian():
    Y, _ = make_union_of_subspaces(ambient_dim=12, noise=0.1, missing_fraction=0.3, affine=True)
    ours = Preprocessor("low_rank").fit(Y)
    model = ours.steps_[0]
    covariance = model.basis * model.variances @ model.basis.T + model.noise * np.eye(12)
    covariance *= np.outer(model.scale, model.scale)
    filled = ours.transform(Y)
    for row in range(0, 800, 37):
        gap = np.isnan(Y[row])
        known = np.linalg.solve(covariance[np.ix_(~gap, ~gap)], Y[row, ~gap] - model.mean[~gap])
        assert np.allclose(filled[row, gap], model.mean[gap] + covariance[np.ix_(gap, ~gap)] @ known)


@pytest.mark.parametrize("missing", ["drop", "mean", "low_rank"])
@settings(max_examples=4, deadline=None)
@given(cuts=st.lists(st.integers(1, 199), max_size=8))
def test_blocks_do_not_matter(missing, cuts):
    X = table(gaps=0.03)
    whole = Preprocessor(missing, **EVERYTHING).fit(X)
    streamed = Preprocessor(missing, **EVERYTHING).fit(np.split(X, sorted(set(cuts))))
    blocks = [block for block, _ in streamed.transform_blocks(np.split(X, sorted(set(cuts))))]
    assert np.allclose(np.concatenate(blocks), whole.transform(X), atol=1e-8)


def test_files_are_read_in_place(tmp_path):
    X = table(gaps=0.02)
    np.save(tmp_path / "table.npy", X)
    from_file = Preprocessor("mean", **EVERYTHING).fit(tmp_path / "table.npy")
    assert np.allclose(from_file.transform(X), Preprocessor("mean", **EVERYTHING).fit_transform(X))


@pytest.mark.parametrize("missing", ["error", "drop", "mean", "low_rank"])
def test_float32_stays_float32(missing):
    X = table(gaps=0 if missing == "error" else 0.02)
    single = Preprocessor(missing, **EVERYTHING).fit_transform(X.astype(np.float32))
    assert single.dtype == np.float32
    assert np.allclose(single, Preprocessor(missing, **EVERYTHING).fit_transform(X), atol=2e-3)


@pytest.mark.parametrize("missing", ["error", "drop", "mean", "low_rank"])
def test_the_record_survives_json_and_safetensors(missing, tmp_path):
    X, X_new = table(gaps=0 if missing == "error" else 0.05), table(gaps=0, seed=1)
    before = Preprocessor(missing, **EVERYTHING).fit(X)
    settings_, arrays = before.state()
    save_file(arrays, tmp_path / "arrays.safetensors")
    after = Preprocessor.from_state(json.loads(json.dumps(settings_)), load_file(tmp_path / "arrays.safetensors"))
    assert np.array_equal(after.transform(X_new), before.transform(X_new))
    assert [step.describe() for step in after.steps_] == [step.describe() for step in before.steps_]
    assert after.state()[0] == settings_
    assert (after.n_features_out_, after.n_rows_, after.n_missing_) == (3, 200, before.n_missing_)


def spoilt(change):
    """A sound record of every kind of array, with one thing changed."""
    X, _ = make_union_of_subspaces(2, 1, 10, 50, missing_fraction=0.1)
    X[:, 4] = 7.5
    settings_, arrays = Preprocessor("low_rank", **EVERYTHING).fit(X).state()
    settings_ = json.loads(json.dumps(settings_))
    change(settings_, arrays)
    return settings_, arrays


def set_array(name, value):
    return lambda settings_, arrays: arrays.update({name: value})


@pytest.mark.parametrize(
    "change",
    [
        lambda s, a: s.update(version=99),
        lambda s, a: s.update(n_features_in="ten"),
        lambda s, a: s.update(n_features_in=11),
        lambda s, a: s.update(n_rows=-1),
        lambda s, a: s.update(steps=[]),
        lambda s, a: s.update(steps="all"),
        lambda s, a: s.pop("parameters"),
        lambda s, a: s.update(parameters={"colour": 1}),
        lambda s, a: s["steps"].append({"kind": "execute"}),
        lambda s, a: s["steps"].append({"kind": ["x"]}),
        lambda s, a: s["steps"].append(7),
        lambda s, a: s["steps"].append({"kind": "drop_rows"}),
        lambda s, a: s.update(steps=[{"kind": "unit_rows"}]),
        lambda s, a: s["steps"][0].update(noise="none"),
        lambda s, a: s["steps"][0].update(noise=-1.0),
        lambda s, a: s["steps"][0].update(noise=float("nan")),
        lambda s, a: a.pop("0.basis"),
        set_array("0.basis", np.ones((3, 3))),
        set_array("0.scale", np.zeros(10)),
        set_array("1.columns", np.arange(100)),
        set_array("1.columns", np.array([-1])),
        set_array("1.columns", np.array([0.5])),
        set_array("2.deviation", np.ones(2)),
        set_array("2.deviation", np.zeros(9)),
        set_array("2.mean", np.full(9, np.nan)),
        set_array("2.mean", np.array(["x"] * 9)),
        set_array("3.components", np.ones((3, 8))),
        set_array("3.variances", np.ones((3, 1))),
    ],
)
def test_a_spoilt_record_is_refused(change):
    with pytest.raises(BundleError) as caught:
        Preprocessor.from_state(*spoilt(change))
    assert "\n" not in str(caught.value)


def test_an_untouched_record_is_accepted():
    Preprocessor.from_state(*spoilt(lambda settings_, arrays: None))


@pytest.mark.parametrize(
    ("parameters", "X", "words"),
    [
        ({}, np.array([[1.0, 2.0], [3.0, np.nan]]), "row 1, column 1.*low_rank"),
        ({"missing": "mean"}, np.array([[1.0, np.inf], [3.0, 4.0]]), "infinite.*row 0, column 1"),
        ({"missing": "drop"}, np.array([[1.0, np.nan], [np.nan, 4.0]]), "Each of the 2 rows.*mean"),
        ({"missing": "mean"}, np.array([[1.0, np.nan], [2.0, np.nan]]), "Column 1.*drop_constant"),
        ({"drop_constant": True}, np.ones((4, 3)), "3 columns"),
        ({}, np.ones((0, 3)), "no rows"),
        ({}, np.ones(3), "dimension"),
    ],
)
def test_data_that_cannot_be_cleaned(parameters, X, words):
    with pytest.raises(DataError, match=words):
        Preprocessor(**parameters).fit(X)


def test_new_rows_are_checked_too():
    ours = Preprocessor().fit(table(gaps=0))
    with pytest.raises(DataError, match="9 columns.*expects 10"):
        ours.transform(np.ones((2, 9)))
    with pytest.raises(DataError, match="row 1, column 0"):
        ours.transform(np.array([np.ones(10), np.full(10, np.nan)]))


@pytest.mark.parametrize("missing", ["mean", "low_rank"])
def test_an_empty_column_goes_with_the_constant_ones(missing):
    X = table()
    X[:, 2] = np.nan
    ours = Preprocessor(missing, drop_constant=True).fit(X)
    assert ours.steps_[1].columns.tolist() == [0, 1, 3, 5, 6, 7, 8, 9]
    assert np.isfinite(ours.transform(X)).all()


def test_wrong_parameters():
    with pytest.raises(ParameterError, match="missing='guess'.*low_rank"):
        Preprocessor("guess").fit(table())
    with pytest.raises(ParameterError, match="both"):
        Preprocessor("mean", n_components=2, variance=0.5).fit(table())
    with pytest.raises(ParameterError, match="exceeds 9"):
        Preprocessor("mean", drop_constant=True, n_components=10).fit(table())
    with pytest.raises(ParameterError, match="generator"):
        Preprocessor("mean", n_components=2).fit(iter([table()]))
    assert Preprocessor("mean", standardise=True).fit(iter([table()])).n_rows_ == 200


def test_the_sample_is_even_and_bounded():
    sample = RowSample()
    for start in range(0, 40_000, 700):
        sample.add(np.arange(start, min(start + 700, 40_000), dtype=float)[:, None])
    rows = sample.rows()[:, 0]
    assert rows.size == MAX_ROWS == np.unique(rows).size
    assert np.array_equal(rows, np.sort(rows))
    counts = np.histogram(rows, bins=8, range=(0, 40_000))[0]
    assert np.abs(counts - MAX_ROWS / 8).max() < 5 * np.sqrt(MAX_ROWS / 8)


def test_names_go_the_way_of_their_columns():
    X = np.random.default_rng(0).standard_normal((30, 4))
    X[:, 1] = 7.0
    assert Preprocessor(drop_constant=True, standardise=True).fit(X).names_out(["a", "b", "c", "d"]) == ["a", "c", "d"]
    assert Preprocessor(n_components=2).fit(X).names_out(["a", "b", "c", "d"]) == ["principal axis 1", "principal axis 2"]
