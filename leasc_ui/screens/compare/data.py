"""What methods are compared on: the visitor's data, a sample set, or one of the paper's experiments. No Streamlit in here."""

from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np

from leasc_core.bench import RECIPES
from leasc_core.bench.recipes import data_folder
from leasc_core.bench.request import file_data, recipe_data
from leasc_core.data.sources import open_source
from leasc_core.storage.files import replacing, writing
from leasc_ui.data.choices import SAMPLES, of_sample
from leasc_ui.data.preview import code_labels
from leasc_ui.data.recipes import load_recipe
from leasc_ui.screens.cluster.request import file_of
from leasc_ui.screens.representatives.compute import usual_count
from leasc_ui.session.pipeline import LoadedData
from leasc_ui.work.runs import runs_root

YOURS = "yours"
# Where neither labels nor clusters say how many there are.
ASSUMED_CLUSTERS = 4
# Of the 800 points of its example the paper takes 88 (Figs. 2 to 4).
PAPER_COUNTS = {"four_lines": 88}
# The paper's sizes, so that a choice of one of its experiments need not load it first.
PAPER_SIZES = {
    "yaleb": (2414, 167),
    "ar": (2600, 114),
    "mnist5k": (5000, 500),
    "mnist70k": (70_000, 500),
    "norb": (48_600, 2048),
    "mnist8m": (1_000_000, 500),
    "youtube8m": (1_000_000, 1024),
}


@dataclass(frozen=True, eq=False)
class Subject:
    """Data to compare on.

    Attributes
    ----------
    key : how the page's address calls it
    shape : points, features
    clusters : how many are usual: the known classes, or those that were found
    labelled : whether scores can be computed
    data : None for one of the paper's experiments, whose files the worker reads
    """

    key: str
    title: str
    shape: tuple
    clusters: int
    labelled: bool
    representatives: int
    data: LoadedData | None = field(default=None, repr=False)


def titles():
    """What there is to choose from, besides the visitor's own: samples, and experiments whose files are on this server."""
    samples = {name: sample.title for name, sample in SAMPLES.items()}
    return samples | {name: RECIPES[name].title.split(":")[0].split(",")[0] + _size(name) for name in experiments()}


def experiments():
    """The paper's experiments whose files are here."""
    folder = data_folder()
    return [name for name, recipe in RECIPES.items() if all((folder / file).is_file() for file in recipe.files)]


def subject_of(key, pipeline) -> Subject | None:
    """The data of that name; None where the visitor has none yet."""
    if key in RECIPES:
        recipe = RECIPES[key]
        counts = [plan.settings.get("n_representatives") for plan in recipe.plans]
        shape = PAPER_SIZES[key]
        usual = next((count for count in counts if count), usual_count(shape[0]))
        return Subject(key, recipe.title, shape, recipe.clusters, True, usual)
    data = sample(key) if key in SAMPLES else pipeline.ready("data")
    if data is None:
        return None
    chosen = None if key in SAMPLES else pipeline.ready("representatives")
    count = PAPER_COUNTS.get(key, usual_count(len(data.points))) if chosen is None else len(chosen.indices)
    found = None if key in SAMPLES else pipeline.ready("clusters")
    known = None if data.labels is None else len(np.unique(data.labels))
    clusters = known or (len(np.unique(found.labels)) if found is not None else ASSUMED_CLUSTERS)
    clusters = min(max(2, clusters), len(data.points))
    return Subject(key, data.name, data.points.shape, clusters, data.labels is not None, count, data)


def sample(name) -> LoadedData:
    """A sample set as one click on the Data page gives it."""
    choices = of_sample(name)
    return load_recipe({**choices.recipe(), "preprocess": choices.cleaning.settings(False)})


def as_request(subject, clusters, visitor):
    """The data as a request names them; what has no file is written once into the visitor's folder."""
    if subject.data is None:
        return recipe_data(subject.key, data_folder())
    data = subject.data
    home = runs_root() / visitor / "data" / data.fingerprint
    path, options, cleaning = file_of(data, home)
    return file_data(path, clusters, options=options, preprocess=cleaning, labels=_kept_labels(data, home), name=data.name)


def recipe_of(subject):
    """How a row's data are got again: of the pipeline's data their recipe, of an experiment its name."""
    return {"kind": "experiment", "name": subject.key} if subject.data is None else subject.data.recipe


def data_again(recipe, seed) -> LoadedData:
    """The data of a recipe that :func:`recipe_of` gave; those of an experiment are drawn anew for each seed."""
    if recipe["kind"] != "experiment":
        return load_recipe(recipe)
    experiment = RECIPES[recipe["name"]]
    points, labels = experiment.points(data_folder(), seed)
    codes, names = code_labels(labels, None)
    return LoadedData(experiment.title.split(" (")[0], recipe, open_source(points), None, codes, tuple(map(str, names)))


def _kept_labels(data, home):
    if data.labels is None:
        return None
    known = code_labels(data.labels, data.label_names)[0].astype(np.int32)
    # The same points may come with other labels another time.
    path = home / f"known-{sha256(known).hexdigest()[:16]}.npy"
    if not path.exists():
        with writing(path):
            home.mkdir(parents=True, exist_ok=True, mode=0o700)
            with replacing(path) as file:
                np.save(file, known, allow_pickle=False)
    return path


def _size(name):
    return f", {PAPER_SIZES[name][0]:,} points"
