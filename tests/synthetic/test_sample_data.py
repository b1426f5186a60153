"""Each sample file is made again byte for byte, loads with no options, and tells the story in its README."""

from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import subspace_angles
from scipy.optimize import linear_sum_assignment
from scipy.stats import linregress
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.datasets import load_digits
from sklearn.preprocessing import normalize
from threadpoolctl import threadpool_limits

from leasc_core.data.reading import load_data
from sample_data.make import FILES, make_all

FOLDER = Path(__file__).parents[2] / "sample_data"


@pytest.fixture(autouse=True)
def one_thread():
    """Small matrices: threads on a busy machine wait for one another longer than they work."""
    with threadpool_limits(1):
        yield


@pytest.fixture(scope="module")
def stories():
    """Every file as a user's program would read it."""
    return {path.stem: np.load(path, allow_pickle=False) for path in FOLDER.glob("*.npz")}


def accuracy(labels, found):
    """Share of points in their class under the best matching of clusters to classes."""
    table = np.zeros((labels.max() + 1, found.max() + 1))
    np.add.at(table, (labels, found), 1)
    rows, columns = linear_sum_assignment(-table)
    return table[rows, columns].sum() / labels.size


def kmeans(X, k):
    return KMeans(k, n_init=5, random_state=0).fit_predict(X)


def ridge_codes_clustered(X, k, ridge):
    """Spectral clustering of column-wise ridge codes with a zero diagonal: a stand-in for the method."""
    inverse = np.linalg.inv(X @ X.T + ridge * np.eye(len(X)))
    codes = inverse / np.diag(inverse)
    np.fill_diagonal(codes, 0)
    affinity = np.abs(codes) + np.abs(codes.T)
    return SpectralClustering(k, affinity="precomputed", random_state=0).fit_predict(affinity)


def numbered(names):
    return np.unique(names, return_inverse=True)[1]


def test_files_are_made_again_byte_for_byte(tmp_path):
    make_all(tmp_path)
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes(), name


def test_files_are_small_and_all_described():
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    sizes = [(FOLDER / name).stat().st_size for name in FILES]
    assert max(sizes) < 1_500_000
    assert sum(sizes) < 4_000_000
    assert all(f"## {name}" in readme for name in FILES)
    assert {path.name for path in FOLDER.iterdir() if path.suffix in (".npz", ".csv", ".h5ad", ".jsonl", ".ts")} == set(FILES)


@pytest.mark.parametrize(
    ("name", "shape", "classes", "image_shape"),
    [
        ("four_lines.csv", (800, 2), 4, None),
        ("moving_objects.npz", (450, 48), 5, None),
        ("shapes_under_light.npz", (960, 1024), 8, (32, 32)),
        ("digits.npz", (1797, 64), 10, (8, 8)),
        ("corrupted.npz", (400, 80), 5, None),
        ("field_scene.npz", (3072, 40), 6, None),
        ("cell_counts.h5ad", (500, 240), 5, None),
        ("sentences.jsonl", (400, 32), 5, None),
        ("sensor_states.ts", (300, 144), 4, None),
    ],
)
def test_files_load_with_no_options(name, shape, classes, image_shape):
    data = load_data(FOLDER / name)
    assert data.X.shape == shape
    assert np.unique(data.y).size == classes
    assert data.image_shape == image_shape


def test_four_lines_are_four_rays():
    data = load_data(FOLDER / "four_lines.csv")
    for k, slope in enumerate((0.7, -0.5, 0.33, -0.25)):
        x, height = data.X[data.y == k].T
        assert np.all(x > 0) or np.all(x < 0)
        fit = linregress(x, height)
        assert abs(fit.slope - slope) < 4 * fit.stderr
        assert abs(fit.intercept) < 4 * fit.intercept_stderr


def test_motions_are_low_dimensional(stories):
    X, names = stories["moving_objects"]["X"].astype(float), stories["moving_objects"]["labels"]
    linear = {
        "spinning globe": 3,
        "wobbling ring": 3,
        "tumbling die": 4,
        "rolling wheel": 3,
        "drifting stars": 3,
    }
    affine = {
        "spinning globe": 3,
        "wobbling ring": 3,
        "tumbling die": 3,
        "rolling wheel": 2,
        "drifting stars": 2,
    }
    # The largest singular value of 90 x 48 entries of noise of 0.3 pixels is about 0.3 (sqrt 90 + sqrt 48).
    noise = 0.3 * (np.sqrt(90) + np.sqrt(48))
    bases = []
    for name in np.unique(names):
        tracks = X[names == name]
        _, values, axes = np.linalg.svd(tracks, full_matrices=False)
        assert np.sum(values > 2 * noise) == linear[name]
        assert 0.7 * noise < values[linear[name]] < 1.2 * noise
        centred = np.linalg.svd(tracks - tracks.mean(axis=0), compute_uv=False)
        assert np.sum(centred > 2 * noise) == affine[name]
        bases.append(axes[: linear[name]].T)
    angles = [np.degrees(subspace_angles(bases[i], bases[j]).min()) for i in range(5) for j in range(i)]
    assert min(angles) > 3


def test_motions_need_subspaces(stories):
    X, names = stories["moving_objects"]["X"].astype(float), stories["moving_objects"]["labels"]
    assert accuracy(numbered(names), kmeans(X, 5)) < 0.75
    assert accuracy(numbered(names), ridge_codes_clustered(normalize(X), 5, 0.01)) > 0.98


def test_shapes_are_nine_dimensional_and_lambertian(stories):
    images, names, lights = (stories["shapes_under_light"][key] for key in ("images", "labels", "lights"))
    assert images.dtype == np.uint8
    assert np.allclose(np.linalg.norm(lights, axis=1), 1, atol=1e-5)
    for name in np.unique(names):
        pictures = images[names == name].reshape(120, -1).astype(float)
        energy = np.cumsum(np.linalg.eigvalsh(pictures @ pictures.T)[::-1])
        assert energy[8] / energy[-1] > 0.995
        assert energy[2] / energy[-1] < 0.99
    ball = names == "ball"
    centre = images[ball, 15:17, 15:17].mean(axis=(1, 2))
    assert np.abs(centre - 255 * lights[ball, 2]).max() < 2  # the middle of a ball faces the viewer


def test_ball_and_beach_ball_share_their_outline(stories):
    images, names = stories["shapes_under_light"]["images"], stories["shapes_under_light"]["labels"]
    plain, painted = images[names == "ball"].astype(float), images[names == "beach ball"].astype(float)
    assert np.all(painted <= plain)
    lit = plain > 40
    ratio = painted[lit] / plain[lit]
    assert 0.43 < ratio.min() < 0.46
    assert ratio.max() == 1


def test_shapes_need_subspaces(stories):
    images, names = stories["shapes_under_light"]["images"], stories["shapes_under_light"]["labels"]
    X = normalize(images.reshape(len(images), -1).astype(float))
    assert accuracy(numbered(names), kmeans(X, 8)) < 0.45
    assert accuracy(numbered(names), ridge_codes_clustered(X, 8, 1.0)) > 0.8


def test_digits_are_scikit_learns(stories):
    theirs = load_digits()
    assert np.array_equal(stories["digits"]["images"], theirs.images)
    assert np.array_equal(stories["digits"]["labels"], theirs.target)


def test_corruption_is_on_file(stories):
    X, y, clean, errors, wrong = (stories["corrupted"][key] for key in ("X", "y", "clean", "errors", "grossly_wrong"))
    assert np.array_equal(X, clean + errors)
    assert wrong.sum() == 120
    sizes = np.linalg.norm(errors, axis=1)
    assert np.allclose(sizes[wrong], 1.5, atol=0.05)
    assert sizes[~wrong].max() < 0.02
    for k in range(5):
        assert np.linalg.matrix_rank(clean[y == k].astype(float), tol=1e-2) == 4


def test_errors_decide_on_corrupted_data(stories):
    X, y, clean = (stories["corrupted"][key] for key in ("X", "y", "clean"))
    assert accuracy(y, ridge_codes_clustered(clean.astype(float), 5, 0.1)) == 1
    assert accuracy(y, ridge_codes_clustered(X.astype(float), 5, 0.1)) < 0.85
