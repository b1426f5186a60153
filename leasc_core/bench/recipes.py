"""The paper's experiments as recipes: which file, how it is prepared, which methods and settings, and the paper's numbers."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..errors import DataError, ParameterError
from .paper import numbers as paper
from .paper import reasons

DATA_VARIABLE = "LEASC_DATA"
BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"
EVERYDAY = ("kmeans", "cosine_kmeans", "sklearn_spectral", "umap_hdbscan")
SAMPLED = ("selssc", "sellrr", "sssc", "slrr", "slsr", "nystrom", "nystrom_orthogonal")
REPRESENTED = ("leasc_f2", "leasc_l1", "leasc_nuclear", "leasc_elastic_net", "dae", "ssc_lomp", "latlrr", "rpcaec")


@dataclass(frozen=True)
class Plan:
    """One method of a recipe, with the settings the recipe fixes beforehand."""

    method: str
    settings: dict = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Recipe:
    """An experiment.

    Attributes
    ----------
    files : what must lie in the data folder
    source : where a user finds them, in words
    load : ``load(folder, seed)`` gives points, labels (or None); the labels go to the metrics alone
    clusters : k
    plans : the methods, in the order of the table
    paper : (ACC, NMI) in % by method; ``paper_seconds`` by method, of the stage ``timed`` (None: all stages)
    reasons : by method, why ours is more than 5 points under the paper's where it is, as experiments showed
    """

    name: str
    title: str
    files: tuple
    source: str
    load: Callable = field(repr=False)
    clusters: int
    plans: tuple
    paper: dict = field(default_factory=dict, repr=False)
    paper_seconds: dict = field(default_factory=dict, repr=False)
    timed: str | None = None
    reasons: dict = field(default_factory=dict, repr=False)

    def missing_files(self, folder):
        """Names of the files that are not in ``folder``."""
        return [name for name in self.files if not (Path(folder) / name).exists()]

    def check_files(self, folder=None):
        """A :class:`DataError` that names the files that are not there, and what to do."""
        folder = data_folder(folder)
        missing = self.missing_files(folder)
        if missing:
            raise DataError(
                f"The recipe {self.name} needs {' and '.join(missing)} in {folder}, and it is not there: {self.source} Then name "
                f"the folder by --data FOLDER (folder=... in Python) or the variable {DATA_VARIABLE}."
            )

    def points(self, folder, seed):
        """Points and labels for one seed."""
        self.check_files(folder)
        return self.load(Path(folder) if folder is not None else data_folder(), seed)


def data_folder(folder=None):
    """The folder given, or that of the variable LEASC_DATA, or ``shared/data`` beside the project."""
    return Path(folder or os.environ.get(DATA_VARIABLE) or BESIDE)


def get(name):
    """The recipe of that name."""
    if name not in RECIPES:
        raise ParameterError(f"recipe {name!r} is unknown; choose one of {', '.join(RECIPES)}.")
    return RECIPES[name]


def _faces(file, components):
    """Images → ``components`` principal components; the same for every seed."""

    def load(folder, seed):
        from sklearn.decomposition import PCA

        from ..data.reading import load_data

        data = load_data(folder / file)
        return PCA(components, svd_solver="full").fit_transform(data.X.astype(np.float64)), data.y

    return load


def _features(points, labels, count=None):
    """Features and labels from two ``.npy`` files; ``count`` of them drawn anew for each seed."""

    def load(folder, seed):
        X = np.load(folder / points, mmap_mode="r", allow_pickle=False)
        y = np.load(folder / labels, allow_pickle=False)
        if count is None:
            return X.astype(np.float32), y
        rows = np.sort(np.random.default_rng(seed).choice(len(X), count, replace=False))
        return X[rows].astype(np.float32), y[rows]

    return load


def _plans(known, count=None, also=EVERYDAY):
    """The paper's methods and those one would otherwise take; ``count`` representatives or samples, as the paper had."""

    def settings(method):
        if count is None:
            return {}
        return {"n_representatives": count} if method in REPRESENTED else {"n_samples": count} if method in SAMPLED else {}

    return tuple(Plan(method, settings(method)) for method in (*known, *also))


MNIST_FILES = ("mnist_scattering_pca500.npy", "mnist_labels.npy")
MNIST_SOURCE = "compute scattering features of MNIST (as python -m benchmarks.data does), PCA to 500, save them with np.save."
NORB_SOURCE = (
    "small NORB is public: shrink each of its 48,600 stereo pairs to 2 × 32 × 32, save them as rows of 2,048 numbers, and the "
    "5 categories, with np.save."
)
MNIST8M_SOURCE = "MNIST8M is public: draw a million digits and save their scattering features, and the labels, with np.save."
YOUTUBE_SOURCE = (
    "YouTube-8M's features of whole videos are public: draw a million videos of 100 classes, save their 1,024 features, and the "
    "classes, with np.save."
)

RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe(
            "yaleb",
            "Extended Yale B: 2,414 faces of 38 people, PCA 167 (Tables III, IV)",
            ("extended_yale_b_32x32.mat",),
            "the 32 × 32 crops are public as a MATLAB file.",
            _faces("extended_yale_b_32x32.mat", 167),
            38,
            _plans(paper.YALEB),
            paper.YALEB,
            paper.YALEB_CODING,
            "coding",
            reasons.YALEB,
        ),
        Recipe(
            "ar",
            "AR: 2,600 faces of 100 people, PCA 114 (Tables III, IV)",
            ("ar_55x40.mat",),
            "ask its authors for the images, 26 of each of 100 people at 55 × 40.",
            _faces("ar_55x40.mat", 114),
            100,
            _plans(paper.AR),
            paper.AR,
            paper.AR_CODING,
            "coding",
        ),
        Recipe(
            "mnist5k",
            "MNIST, 5,000 digits drawn for each seed, scattering features (Table V)",
            MNIST_FILES,
            MNIST_SOURCE,
            _features(*MNIST_FILES, 5000),
            10,
            _plans(paper.MNIST5K, 500),
            paper.MNIST5K,
            reasons=reasons.MNIST5K,
        ),
        Recipe(
            "mnist70k",
            "MNIST, all 70,000 digits, scattering features (Tables VI, VII)",
            MNIST_FILES,
            MNIST_SOURCE,
            _features(*MNIST_FILES),
            10,
            _plans(paper.MNIST70K, 500, ("kmeans", "cosine_kmeans", "umap_hdbscan")),
            paper.MNIST70K,
            paper.MNIST70K_SECONDS,
            reasons=reasons.MNIST70K,
        ),
        Recipe(
            "norb5k",
            "NORB, 5,000 pictures drawn for each seed (Table V)",
            ("norb_2048.npy", "norb_labels.npy"),
            NORB_SOURCE,
            _features("norb_2048.npy", "norb_labels.npy", 5000),
            5,
            _plans(paper.NORB5K, 250),
            paper.NORB5K,
        ),
        Recipe(
            "norb",
            "NORB: 48,600 pictures of toys, 2 × 32 × 32 pixels (Tables VI, VII)",
            ("norb_2048.npy", "norb_labels.npy"),
            NORB_SOURCE,
            _features("norb_2048.npy", "norb_labels.npy"),
            5,
            _plans(paper.NORB, 3000, ("kmeans", "cosine_kmeans")),
            paper.NORB,
            paper.NORB_SECONDS,
        ),
        Recipe(
            "mnist8m",
            "MNIST8M, one million digits, scattering features (Tables VI, VII)",
            ("mnist8m_1m_scattering.npy", "mnist8m_1m_labels.npy"),
            MNIST8M_SOURCE,
            _features("mnist8m_1m_scattering.npy", "mnist8m_1m_labels.npy"),
            10,
            _plans(paper.MNIST8M, 500, ("kmeans", "cosine_kmeans")),
            paper.MNIST8M,
            paper.MNIST8M_SECONDS,
        ),
        Recipe(
            "youtube8m",
            "YouTube8M, one million videos of 100 classes (Tables VI, VII)",
            ("youtube8m_1m_features.npy", "youtube8m_1m_labels.npy"),
            YOUTUBE_SOURCE,
            _features("youtube8m_1m_features.npy", "youtube8m_1m_labels.npy"),
            100,
            _plans(paper.YOUTUBE8M, 500, ("kmeans", "cosine_kmeans")),
            paper.YOUTUBE8M,
            paper.YOUTUBE8M_SECONDS,
        ),
    )
}
