"""From a recipe, which is plain JSON, to rows ready for the next room: a page and a worker get the same. No Streamlit."""

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from leasc_core.data.columns.metadata import PickedMetadata
from leasc_core.data.sources import open_source, source_of_array
from leasc_core.errors import DataError
from leasc_ui.data.choices import FOUR_LINES, SAMPLES
from leasc_ui.data.cleaning import Watched, fitted, quiet
from leasc_ui.places import app_folder
from leasc_ui.session.pipeline import LoadedData
from leasc_ui.work.uploads import limits_of

SAMPLE_FOLDER = app_folder() / "sample_data"
# Rows without their incomplete ones are kept in memory, so there is a limit to how many cells these may be.
MOST_CELLS_KEPT = 50_000_000


@dataclass(frozen=True, eq=False)
class Opened:
    """A data set as it was read, and what was found out about it on the way."""

    data: LoadedData
    n_missing: int = 0
    notes: tuple = field(default=())


def load_recipe(recipe, say=quiet) -> LoadedData:
    """The data of a recipe, cleaned as it says; LeascError where that cannot be."""
    rows = {key: value for key, value in recipe.items() if key != "preprocess"}
    return clean(open_recipe(rows, say), recipe.get("preprocess"), say)


def open_recipe(recipe, say=quiet) -> Opened:
    """The rows of a recipe as they are, looked through once."""
    kinds = {"synthetic": _synthetic, "sample": _sample, "file": _file}
    if recipe.get("kind") not in kinds:
        raise DataError(f"The recipe is of the unknown kind {recipe.get('kind')!r}; load the data again.")
    return kinds[recipe["kind"]](recipe, say)


def clean(opened, settings, say=quiet) -> LoadedData:
    """The data with a fitted Preprocessor, as ``recipe["preprocess"]`` asks for; None does nothing."""
    data = opened.data
    if settings is None:
        if opened.n_missing:
            raise DataError(f"{data.name}: {opened.n_missing:,} values are missing; choose how to fill them.")
        return data
    data = replace(data, recipe={**data.recipe, "preprocess": settings})
    wanted = dict(settings)
    if wanted.pop("scattering", False):
        from leasc_ui.data.pictures import scattered

        return scattered(data, wanted, say)
    if wanted["missing"] == "drop":
        data, wanted["missing"] = _complete_rows(data, say), "error"
    return replace(data, preprocess=fitted(data.source, wanted, say))


def describe(preprocess):
    """What a fitted cleaning does, in one line."""
    steps = [step.describe() for step in getattr(preprocess, "steps_", ()) if step.kind != "refuse_missing"]
    return " ".join([*getattr(preprocess, "before_", ()), *steps])


def rays(noise, seed):
    """The four rays with their noise multiplied by ``noise``: points, and the ray each came from."""
    from leasc_core.data.synthetic import four_rays

    _, truth_labels, truth = four_rays(seed, return_truth=True)
    return truth.clean + noise * truth.errors, truth_labels


def _synthetic(recipe, say):
    parameters = dict(recipe["parameters"])
    if parameters.pop("preset", None) == FOUR_LINES:
        points, labels = rays(parameters["noise"], parameters["random_state"])
    else:
        from leasc_core.data.synthetic import make_union_of_subspaces

        points, labels = make_union_of_subspaces(**parameters)
    names = tuple("outlier" if label < 0 else f"subspace {label + 1}" for label in range(-1, labels.max() + 1))
    outliers = labels.min() < 0
    return _in_memory("made points", recipe, points, labels + outliers, names if outliers else names[1:])


def _sample(recipe, say):
    from leasc_core.data.reading import load_data

    if recipe["name"] not in SAMPLES:
        raise DataError(f"There is no sample set {recipe['name']!r}; choose one of {', '.join(SAMPLES)}.")
    sample = SAMPLES[recipe["name"]]
    read = load_data(SAMPLE_FOLDER / sample.file)
    return _in_memory(sample.title, recipe, read.X, read.y, read.label_names, read.image_shape, read)


def _in_memory(name, recipe, points, labels, names, image_shape=None, about=None):
    """Arrays that all visitors share, so nobody may write to them; `about` is the data set that they come from."""
    for array in (points, labels):
        array.setflags(write=False)
    data = LoadedData(name, recipe, source_of_array(points, name, about), None, labels, names and tuple(names), image_shape)
    return Opened(data, int(np.isnan(points).sum()) if points.dtype.kind == "f" else 0)


def _file(recipe, say):
    from leasc_core.data.values import check_values

    def rows_done(done, expected):
        say(f"Reading row {done:,}", done / expected if expected else None)

    path = Path(recipe["path"])
    source = open_source(path, progress=rows_done, limits=limits_of(path), **recipe.get("options", {}))
    notes = check_values(Watched(source, "Looking through the values", say))
    missing = _count_missing(source, say) if notes else 0
    names = source.label_names and tuple(source.label_names)
    recipe = {**recipe, **_pixels_run_down(path, recipe, source)}
    return Opened(LoadedData(path.name, recipe, source, None, source.labels, names, source.image_shape), missing, tuple(notes))


def _pixels_run_down(path, recipe, source):
    """MATLAB flattens a picture by columns; only a thumbnail has to know."""
    if source.image_shape is None or path.suffix.lower() != ".mat":
        return {}
    from leasc_core.data.reading import list_arrays

    chosen = recipe.get("options", {}).get("array")
    arrays = {info.name: info for info in list_arrays(path, limits=limits_of(path))}
    data = arrays[chosen] if chosen else next(info for info in arrays.values() if info.role == "data")
    return {"image_order": "F"} if len(data.shape) == 2 else {}


def _count_missing(source, say):
    watched = Watched(source, "Counting missing values", say)
    return sum(int(np.isnan(block).sum()) for _, block in watched.blocks())


def _complete_rows(data, say):
    """The data without the rows that lack a value."""
    if data.source.shape[0] * data.source.shape[1] > MOST_CELLS_KEPT:
        raise DataError(
            f"{data.name}: rows can be left out of at most {MOST_CELLS_KEPT:,} values, and here are "
            f"{data.source.shape[0] * data.source.shape[1]:,}; fill the missing ones instead."
        )
    watched = Watched(data.source, "Leaving rows out", say)
    blocks = [(start, block, ~np.isnan(block).any(axis=1)) for start, block in watched.blocks()]
    rows = np.concatenate([start + np.flatnonzero(whole) for start, _, whole in blocks])
    if not len(rows):
        raise DataError(f"{data.name}: each of its {len(data):,} rows lacks a value; fill the missing ones instead.")
    kept = np.concatenate([block[whole] for _, block, whole in blocks])
    source = open_source(kept, name=data.name)
    source.feature_names, source.columns = data.source.feature_names, data.source.columns
    if data.source.metadata is not None:
        source.metadata = PickedMetadata(data.source.metadata, rows)
    return replace(data, source=source, labels=None if data.labels is None else data.labels[rows])
