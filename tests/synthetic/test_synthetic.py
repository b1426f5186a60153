"""The generator gives what was asked: angles, ranks, noise and corruption are measured on its output."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import subspace_angles
from scipy.stats import kstest, linregress, normaltest

from leasc_core.data.synthetic import four_rays, make_union_of_subspaces
from leasc_core.data.synthetic.presets import make_preset, preset, presets
from leasc_core.errors import ParameterError

ROOT = Path(__file__).parents[2]
PAPER_EXAMPLE = ROOT / ".." / "shared" / "data" / "paper_example_800.mat"


def spans(truth):
    """An orthonormal basis of each class, found from its clean points alone."""
    found = []
    for k, basis in enumerate(truth.bases):
        points = truth.clean[truth.labels == k] - truth.offsets[k]
        found.append(np.linalg.svd(points, full_matrices=False)[2][: basis.shape[1]].T)
    return found


def smallest_angles(truth):
    """Smallest principal angle in degrees of every pair of classes, by scipy."""
    found = spans(truth)
    pairs = {(i, j) for i in range(len(found)) for j in range(i)}
    return {(i, j): np.degrees(subspace_angles(found[i], found[j]).min()) for i, j in pairs}


@pytest.mark.parametrize("angle", [0.05, 1.0, 20.0, 45.0, 90.0])
@pytest.mark.parametrize("dim", [1, 3, (1, 2, 3, 4)])
def test_angles_are_exact_between_all_pairs_where_there_is_room(angle, dim):
    _, _, truth = make_union_of_subspaces(dim=dim, ambient_dim=20, angle=angle, noise=0, return_truth=True)
    for measured in smallest_angles(truth).values():
        assert measured == pytest.approx(angle, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize(
    ("n_subspaces", "dim", "ambient_dim", "angle"),
    [(4, 1, 2, 45.0), (8, 1, 2, 20.0), (6, 2, 8, 2.0), (5, 3, 7, 10.0), (4, (3, 2, 1, 4), 8, 15.0)],
)
def test_angles_in_crowded_spaces(n_subspaces, dim, ambient_dim, angle):
    _, _, truth = make_union_of_subspaces(n_subspaces, dim, ambient_dim, noise=0, angle=angle, random_state=3, return_truth=True)
    for (i, j), measured in smallest_angles(truth).items():
        if i - j == 1:
            assert measured == pytest.approx(angle, rel=1e-6)
        assert measured >= angle - 1e-6


def test_random_subspaces_are_independent_and_uniform():
    _, _, truth = make_union_of_subspaces(2, 1, 3, 1, noise=0, return_truth=True)
    assert np.linalg.matrix_rank(np.hstack(truth.bases)) == 2
    cosines = [
        make_union_of_subspaces(1, 1, 3, 1, noise=0, random_state=seed, return_truth=True)[2].bases[0][0, 0]
        for seed in range(400)
    ]
    # Archimedes: one coordinate of a uniform direction in space is itself uniform.
    assert kstest(cosines, "uniform", args=(-1, 2)).pvalue > 1e-3


@pytest.mark.parametrize("affine", [False, True, 3.0])
def test_ranks_and_offsets(affine):
    Y, y, truth = make_union_of_subspaces(3, (1, 2, 5), 12, 60, 0.0, affine=affine, return_truth=True)
    for k, dim in enumerate((1, 2, 5)):
        points = Y[y == k]
        assert np.linalg.matrix_rank(points - points.mean(axis=0), tol=1e-9) == dim
        assert np.linalg.matrix_rank(points, tol=1e-9) == dim + bool(affine)
        assert np.linalg.norm(truth.offsets[k]) == pytest.approx(float(affine))
        assert np.abs(truth.bases[k].T @ truth.offsets[k]).max() < 1e-12
        assert np.allclose(truth.bases[k].T @ truth.bases[k], np.eye(dim), atol=1e-12)


@pytest.mark.parametrize("noise", [0.0, 0.02, 0.5])
@pytest.mark.parametrize("spread", ["gaussian", "uniform", "one_sided"])
@pytest.mark.parametrize("affine", [False, 5.0])
def test_noise_level_is_exact(noise, spread, affine):
    Y, y, truth = make_union_of_subspaces(noise=noise, spread=spread, affine=affine, return_truth=True)
    within = truth.clean - truth.offsets[y]
    measured = np.sqrt(np.mean(np.sum((Y - truth.clean) ** 2, axis=1)) / np.mean(np.sum(within**2, axis=1)))
    assert measured == pytest.approx(noise, rel=1e-9)


def test_noise_is_gaussian_and_isotropic():
    Y, _, truth = make_union_of_subspaces(n_per_subspace=2000, noise=0.3, return_truth=True)
    noise = Y - truth.clean
    assert normaltest(noise.ravel()).pvalue > 1e-3
    variances = np.linalg.eigvalsh(np.cov(noise.T))
    assert variances.max() / variances.min() < 1.3


@pytest.mark.parametrize("spread", ["gaussian", "uniform", "one_sided"])
@pytest.mark.parametrize("dim", [1, 3])
def test_spreads_have_unit_mean_square_norm(spread, dim):
    Y, _ = make_union_of_subspaces(1, dim, 6, 20_000, noise=0, spread=spread)
    assert np.mean(np.sum(Y**2, axis=1)) == pytest.approx(1.0, abs=0.03)


def test_uniform_spread_fills_the_ball_evenly():
    Y, _ = make_union_of_subspaces(1, 3, 6, 4000, noise=0, spread="uniform")
    radius = np.linalg.norm(Y, axis=1)
    assert kstest((radius / np.sqrt(5 / 3)) ** 3, "uniform").pvalue > 1e-3


def test_one_sided_points_have_no_mirror_image():
    Y, y = make_union_of_subspaces(3, 3, 12, 200, noise=0, spread="one_sided")
    for k in range(3):
        assert (Y[y == k] @ Y[y == k].T).min() > 0
    two_sided, y = make_union_of_subspaces(3, 3, 12, 200, noise=0)
    assert (two_sided[y == 0] @ two_sided[y == 0].T).min() < 0


def test_sizes():
    assert np.bincount(make_union_of_subspaces(3, n_per_subspace=7)[1]).tolist() == [7, 7, 7]
    assert np.bincount(make_union_of_subspaces(3, n_per_subspace=[5, 1, 9])[1]).tolist() == [5, 1, 9]
    sizes = np.bincount(make_union_of_subspaces(5, n_per_subspace=1000, imbalance=8.0)[1])
    assert sizes.sum() == 5000
    assert sizes[0] / sizes[-1] == pytest.approx(8.0, rel=0.01)
    assert np.allclose(sizes[1:] / sizes[:-1], 8.0 ** (-1 / 4), rtol=0.01)


def test_outlying_entries():
    Y, _, truth = make_union_of_subspaces(noise=0, sparse_fraction=0.03, sparse_magnitude=7.0, return_truth=True)
    errors = Y - truth.clean
    hit = np.abs(errors) > 1e-9
    assert hit.sum() == round(0.03 * Y.size)
    assert np.array_equal(hit, truth.sparse)
    assert np.allclose(np.abs(errors[hit]), 7.0 * np.sqrt(np.mean(truth.clean**2)))
    assert 0.4 < np.mean(errors[hit] > 0) < 0.6


@pytest.mark.parametrize("fraction", [0.1, 0.5, 0.95])
def test_missing_entries(fraction):
    Y, _, truth = make_union_of_subspaces(missing_fraction=fraction, return_truth=True)
    gaps = np.isnan(Y)
    assert gaps.sum() == round(fraction * Y.size)
    assert np.array_equal(gaps, truth.missing)
    assert not gaps.all(axis=1).any()
    assert np.array_equal(Y[~gaps], (truth.clean + truth.errors)[~gaps])


def test_outlier_points():
    Y, y, truth = make_union_of_subspaces(noise=0, outlier_fraction=0.1, return_truth=True)
    assert (y == -1).sum() == 80
    assert np.array_equal(y == -1, truth.outliers)
    assert np.array_equal(y[y >= 0], truth.labels[y >= 0])
    residual = np.min([np.linalg.norm(Y - Y @ U @ U.T, axis=1) for U in truth.bases], axis=0)
    assert residual[y >= 0].max() < 1e-12
    assert residual[y == -1].min() > 0.3
    typical = np.sqrt(np.mean(np.sum(truth.clean**2, axis=1)))
    assert np.allclose(np.linalg.norm(Y[y == -1], axis=1), typical)


def test_one_corruption_leaves_the_rest_as_it_was():
    plain = make_union_of_subspaces(return_truth=True)[2]
    all_on = {"sparse_fraction": 0.1, "missing_fraction": 0.1, "outlier_fraction": 0.1}
    rich = make_union_of_subspaces(return_truth=True, **all_on)[2]
    assert np.array_equal(plain.clean, rich.clean)
    untouched = ~rich.sparse & ~rich.outliers[:, None]
    assert np.array_equal(plain.errors[untouched], rich.errors[untouched])


def test_shuffling_keeps_points_with_their_labels():
    Y, y = make_union_of_subspaces(noise=0)
    mixed, labels, truth = make_union_of_subspaces(noise=0, shuffle=True, return_truth=True)
    assert not np.array_equal(labels, np.sort(labels))
    assert np.array_equal(np.unique(np.column_stack([Y, y]), axis=0), np.unique(np.column_stack([mixed, labels]), axis=0))
    assert np.array_equal(truth.labels, labels)


def test_same_seed_same_bytes_in_another_process():
    parameters = {
        "angle": 10.0,
        "affine": True,
        "missing_fraction": 0.1,
        "sparse_fraction": 0.1,
        "random_state": 5,
    }
    code = f"""
import sys; from leasc_core import make_union_of_subspaces as make
Y, y = make(**{parameters!r}); sys.stdout.buffer.write(Y.tobytes() + y.tobytes())"""
    elsewhere = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=ROOT)
    Y, y = make_union_of_subspaces(**parameters)
    assert elsewhere.stdout == Y.tobytes() + y.tobytes()
    assert (Y.dtype, y.dtype) == (np.float64, np.int64)


def test_seeds():
    assert not np.array_equal(make_union_of_subspaces(random_state=1)[0], make_union_of_subspaces(random_state=2)[0])
    assert not np.array_equal(make_union_of_subspaces(random_state=None)[0], make_union_of_subspaces(random_state=None)[0])
    same = [make_union_of_subspaces(random_state=np.random.default_rng(4))[0] for _ in range(2)]
    assert np.array_equal(*same)


@settings(max_examples=40, deadline=None)
@given(
    n_subspaces=st.integers(1, 5),
    dim=st.integers(1, 4),
    extra=st.integers(1, 10),
    size=st.integers(1, 30),
    noise=st.floats(0, 2),
    sparse=st.floats(0, 1),
    missing=st.floats(0, 0.5),
    outliers=st.floats(0, 1),
    affine=st.booleans(),
    shuffle=st.booleans(),
)
def test_truth_always_adds_up(n_subspaces, dim, extra, size, noise, sparse, missing, outliers, affine, shuffle):
    Y, y, truth = make_union_of_subspaces(
        n_subspaces,
        dim,
        dim + extra,
        size,
        noise,
        0,
        affine=affine,
        sparse_fraction=sparse,
        missing_fraction=missing,
        outlier_fraction=outliers,
        shuffle=shuffle,
        return_truth=True,
    )
    assert Y.shape == truth.clean.shape == (n_subspaces * size, dim + extra)
    assert np.array_equal(np.isnan(Y), truth.missing)
    assert np.array_equal(Y[~truth.missing], (truth.clean + truth.errors)[~truth.missing])
    assert np.bincount(truth.labels, minlength=n_subspaces).tolist() == [size] * n_subspaces
    assert np.array_equal(y, np.where(truth.outliers, -1, truth.labels))


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"n_subspaces": 0}, ["n_subspaces=0", "at least 1"]),
        ({"n_subspaces": 2.5}, ["n_subspaces=2.5"]),
        ({"dim": 21}, ["dim=21", "ambient_dim=20", "lower dim"]),
        ({"dim": [1, 2]}, ["dim lists 2", "n_subspaces=4"]),
        ({"dim": True}, ["dim=True"]),
        ({"n_per_subspace": [1, 2, 3, 0]}, ["n_per_subspace=0"]),
        ({"noise": -0.1}, ["noise=-0.1", "0"]),
        ({"noise": float("nan")}, ["noise=nan"]),
        ({"noise": "much"}, ["noise='much'"]),
        ({"angle": 0}, ["angle=0", "90"]),
        ({"angle": 91}, ["angle=91", "90"]),
        ({"angle": 10, "dim": 2, "ambient_dim": 3}, ["angle=10", "ambient_dim=3", "raise ambient_dim to 4"]),
        ({"angle": 60, "dim": 1, "ambient_dim": 2}, ["angle=60", "ambient_dim=2", "lower angle"]),
        ({"imbalance": 0.5}, ["imbalance=0.5", "at least 1"]),
        ({"imbalance": 2, "n_per_subspace": [1, 2, 3, 4]}, ["imbalance=2", "list"]),
        ({"imbalance": 1e6, "n_per_subspace": 3}, ["imbalance=1e+06", "lower it"]),
        ({"imbalance": 2, "n_subspaces": 1}, ["imbalance=2", "at least 2"]),
        ({"affine": -1}, ["affine=-1"]),
        ({"affine": True, "dim": 20}, ["affine=True", "dim=20", "ambient_dim=20"]),
        ({"spread": "wide"}, ["spread='wide'", "one_sided"]),
        ({"sparse_fraction": 1.5}, ["sparse_fraction=1.5", "1"]),
        ({"missing_fraction": 0.96}, ["missing_fraction=0.96", "0.95"]),
        ({"outlier_fraction": -1}, ["outlier_fraction=-1"]),
        ({"random_state": -3}, ["random_state=-3", "at least 0"]),
        ({"random_state": "today"}, ["random_state='today'"]),
    ],
)
def test_wrong_parameters_are_named(parameters, words):
    with pytest.raises(ParameterError) as caught:
        make_union_of_subspaces(**parameters)
    message = str(caught.value)
    assert all(word in message for word in words), message
    assert "\n" not in message


def test_four_rays_follow_the_paper():
    Y, y, truth = four_rays(return_truth=True)
    assert Y.shape == (800, 2)
    assert np.bincount(y).tolist() == [200] * 4
    asked = [(1, 2.2, 0.7, 0.18), (-3, -1, -0.5, 0.09), (-3, -1, 0.33, 0.10), (1.5, 3.5, -0.25, 0.10)]
    for k, (left, right, slope, deviation) in enumerate(asked):
        x, height = Y[y == k].T
        assert left <= x.min() < left + 0.1
        assert right - 0.1 < x.max() <= right
        fit = linregress(x, height - slope * x)
        assert abs(fit.slope) < 4 * fit.stderr
        assert abs(fit.intercept) < 4 * fit.intercept_stderr
        assert np.std(height - slope * x) == pytest.approx(deviation, rel=0.15)
        assert np.allclose(truth.clean[y == k] @ [-slope, 1], 0, atol=1e-12)
    assert np.array_equal(Y, truth.clean + truth.errors)


@pytest.mark.skipif(not PAPER_EXAMPLE.exists(), reason="the paper's own 800 points are not at ../shared/data")
def test_four_rays_look_like_the_papers_own_points():
    import h5py

    with h5py.File(PAPER_EXAMPLE) as file:
        theirs, labels = np.array(file["X"]), np.array(file["gndX"]).ravel().astype(int) - 1
    ours, y = four_rays()
    for k in range(4):
        for feature in (0, 1):
            assert kstest(ours[y == k, feature], theirs[labels == k, feature]).pvalue > 1e-4


def test_presets():
    assert presets()[0] == "four_lines"
    assert np.array_equal(make_preset("four_lines", 3)[0], four_rays(3)[0])
    for name in presets():
        Y, y = make_preset(name)
        again, _, truth = make_preset(name, return_truth=True)
        assert np.array_equal(Y, again, equal_nan=True)
        assert not np.array_equal(Y, make_preset(name, seed=1)[0], equal_nan=True)
        assert 400 <= len(y) <= 2000
        assert len(truth.bases) == truth.labels.max() + 1
        assert preset(name).title
        assert preset(name).lesson.endswith(".")
    with pytest.raises(ParameterError, match="four_lines"):
        make_preset("five_lines")
