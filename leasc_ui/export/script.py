"""A run as a Python script and as a notebook that do it again and get the same labels. No Streamlit in here."""

import json
from inspect import signature

from leasc_core.coding.variants import VARIANTS
from leasc_core.runs.report.recipe import scales
from leasc_ui.data.choices import FOUR_LINES, SAMPLES
from leasc_ui.data.pictures import scale_of
from leasc_ui.results.asked import whole_parameters
from leasc_ui.work.names import slug

CODING_TOLERANCE = 1e-2


def script(asked, data, history=None):
    """The run as one file of Python; ``asked`` is its :class:`~leasc_ui.screens.cluster.request.Request`."""
    head = f'"""Cluster {_plain(asked.name)} again: the same data, choices and seeds give the same labels. Needs leasc_core."""'
    parts = [head]
    for words, code in sections(asked, data, history):
        parts.append("\n".join([*(f"# {line}" for line in words.splitlines()), code]))
    return "\n\n".join(parts) + "\n"


def notebook(asked, data, history=None):
    """The same as a Jupyter notebook."""
    cells = [
        _cell(
            "markdown", f"# {_plain(asked.name)}\nThe same data, choices and seeds give the same labels. Needs `leasc_core`.", 0
        )
    ]
    for words, code in sections(asked, data, history):
        cells += [_cell("markdown", words, len(cells)), _cell("code", code, len(cells) + 1)]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return json.dumps({"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}, indent=1, ensure_ascii=False)


def sections(asked, data, history=None):
    """``(words, code)`` in order."""
    cleaning = dict(asked.recipe.get("preprocess") or {})
    if not asked.settings.mine:
        yield from _whole(asked, data, cleaning, history)
        return
    yield "The data: rows are points.", "\n".join([*_imports(asked, cleaning), "", *_loading(asked, data, cleaning)])
    yield "The points as every later step sees them.", _cleaning(cleaning)
    yield "Representatives: a few points that stand for all.", _representatives(asked)
    yield "Their codes, and the function f that learns them.", _training(asked)
    yield "Every point is coded by f and clustered.", _clustering(asked, cleaning)
    if history is not None and history.steps:
        yield "What was done to the clusters by hand; new points are labelled as edited.", _edits(history.steps)
    yield "What is kept: labels.npy has one label a row, the model labels new points.", _keeping(asked)


def _whole(asked, data, cleaning, history):
    """The whole method by itself: data in, labels out."""
    cleaning.pop("scattering", None)
    given = ", ".join(f"{name}={value!r}" for name, value in whole_parameters(data, asked.settings).items())
    learned, public = _learned(cleaning), ["LeaSC", "open_source"]
    preparation = ""
    if learned:
        public.append("Preprocessor")
        cleaner = f"Preprocessor({', '.join(f'{name}={value!r}' for name, value in learned.items())})"
        name = whole_parameters(data, asked.settings).get("preprocess") or ("none" if scales(learned) else "auto")
        given = ", ".join(part for part in given.split(", ") if not part.startswith("preprocess="))
        preparation = f", preprocess={cleaner}" if name == "none" else f", preprocess=({cleaner}, {name!r})"
    if asked.recipe["kind"] == "synthetic":
        public.append("make_union_of_subspaces" if asked.recipe["parameters"].get("preset") != FOUR_LINES else "four_rays")
    head = ["import numpy as np", "", f"from leasc_core import {', '.join(sorted(public))}", ""]
    yield "The data: rows are points.", "\n".join([*head, *_loading(asked, data, cleaning)])
    yield (
        "Recognised, prepared, counted and clustered: the same as the page.",
        f"model = LeaSC({given}{preparation}).fit(data)\n"
        "print(model.n_clusters_, 'clusters of', np.bincount(model.labels_), 'points')\n"
        "if model.choice_ is not None:\n    print(model.choice_.sentence())",
    )
    if history is not None and history.steps:
        yield "What was done to the clusters by hand; new points are labelled as edited.", _edits(history.steps)
    yield "What is kept: labels.npy has one label a row (from 0), the model labels new raw rows.", _keeping(asked)


def _imports(asked, cleaning):
    kind = asked.recipe["kind"]
    lines = ["import numpy as np", ""]
    public = ["LeaSC", "RPCM", "choose", "open_source"]
    public += ["PreprocessedSource", "Preprocessor"] if _learned(cleaning) else []
    public += ["ScatteringFeatures"] if cleaning.get("scattering") else []
    synthetic = kind == "synthetic" and asked.recipe["parameters"].get("preset") != FOUR_LINES
    if kind == "synthetic":
        public.append("make_union_of_subspaces" if synthetic else "four_rays")
    return [*lines, f"from leasc_core import {', '.join(sorted(public))}"]


def _loading(asked, data, cleaning):
    recipe = asked.recipe
    if recipe["kind"] == "synthetic":
        lines = [*_made(dict(recipe["parameters"])), "data = open_source(made)"]
    else:
        options = "".join(f", {name}={value!r}" for name, value in recipe.get("options", {}).items())
        lines = [f"DATA = {_file_name(recipe)!r}  # where the file lies", f"data = open_source(DATA{options})"]
    if cleaning.get("scattering"):
        lines += [
            "# Scattering turns every picture into features that small shifts hardly change.",
            f"scattering = ScatteringFeatures({tuple(data.image_shape)!r}, J={scale_of(data.image_shape)})",
            "data = open_source(scattering.fit_transform(data))",
        ]
    if _leaves_out(cleaning):
        lines += [
            "# Rows that lack a value are left out.",
            "rows = data.rows(0, len(data))",
            "data = open_source(rows[~np.isnan(rows).any(axis=1)])",
        ]
    return lines


def _made(parameters):
    if parameters.pop("preset", None) == FOUR_LINES:
        return [
            f"_, _, truth = four_rays({parameters['random_state']}, return_truth=True)",
            f"made = truth.clean + {parameters['noise']!r} * truth.errors",
        ]
    given = ",\n".join(f"    {name}={value!r}" for name, value in parameters.items())
    return [f"made, _ = make_union_of_subspaces(\n{given},\n)"]


def _file_name(recipe):
    if recipe["kind"] == "sample":
        return f"sample_data/{SAMPLES[recipe['name']].file}"
    return recipe["path"].replace("\\", "/").rsplit("/", 1)[-1]


def _leaves_out(cleaning):
    return cleaning.get("missing") == "drop"


def _learned(cleaning):
    """The settings of the Preprocessor, or None where there is nothing to learn."""
    wanted = {name: value for name, value in cleaning.items() if name != "scattering"}
    if _leaves_out(wanted):
        wanted["missing"] = "error"
    return wanted if any(value not in ("error", False, None) for value in wanted.values()) else None


def _cleaning(cleaning):
    learned = _learned(cleaning)
    if not learned:
        return "points = data"
    given = ", ".join(f"{name}={value!r}" for name, value in learned.items())
    return f"cleaning = Preprocessor({given})\npoints = PreprocessedSource(data, cleaning.fit(data))"


def _representatives(asked):
    chosen = asked.representatives
    given = f"{chosen['count']}, selector={chosen['selector']!r}, rng={chosen['seed']}, dtype=float"
    return f"chosen = choose(points, {given})  # of length one"


def _training(asked):
    train = asked.train
    given = _of_rpcm(train) | {"zero_diagonal": VARIANTS[train["variant"]].self_code_is_trivial}
    given |= {"tol": CODING_TOLERANCE, "random_state": train["seed"]}
    lines = ",\n".join(f"    {name}={value!r}" for name, value in given.items())
    return f"rpcm = RPCM(\n{lines},\n).fit(chosen.points)"


def _of_rpcm(train):
    """The settings of Train that are parameters of RPCM; what is left at None is its own."""
    from leasc_core import RPCM

    given = train | {"hidden": (train["hidden"],)}
    return {name: given[name] for name in signature(RPCM).parameters if given.get(name) is not None}


def _clustering(asked, cleaning):
    given = {"n_clusters": asked.clusters["clusters"], "random_state": asked.clusters["seed"]}
    trained = _of_rpcm(asked.train)
    if asked.settings.draws > 1:  # the others are chosen and trained as the first was
        given |= trained | {"selector": asked.representatives["selector"]}
    given |= {"variant": trained["variant"], "hidden": trained["hidden"]}
    given |= {"n_representatives": asked.representatives["count"], **asked.settings.graph()}
    words = [f"{name}={value!r}" for name, value in given.items()]
    words += ["preprocess=cleaning"] if _learned(cleaning) else []
    return "\n".join(
        [
            f"model = LeaSC({', '.join(words)}).fit(data, start=(chosen, rpcm))",
            "print(model.n_clusters_, 'clusters of', np.bincount(model.labels_), 'points')",
        ]
    )


def _edits(steps):
    lines = ["from leasc_core.workbench.edited import EditedModel", "from leasc_core.workbench.rows import rows_of"]
    lines += [
        "from leasc_core.workbench.recluster import recluster",
        "from leasc_core.workbench import steps as edit",
        "",
        "edits = [",
    ]
    lines += [*(f"    edit.{step!r}," for step in steps), "]", "fits = {}", "for step in edits:"]
    lines += ["    if isinstance(step, edit.Recluster):"]
    lines += ["        rows = np.sort(np.concatenate([rows_of(part, len(data)) for part in step.parts]))"]
    again = "step.settings['n_clusters'], step.settings['preprocess']"
    lines += [f"        fits[step.fit] = recluster(data, rows, {again}).model"]
    lines += [
        "model = EditedModel(model, edits, data, fits)",
        "print(model.names_, np.bincount(model.labels_[model.labels_ >= 0]))",
    ]
    return "\n".join(lines)


def _keeping(asked):
    return f"np.save('labels.npy', model.labels_)\nmodel.save({f'{slug(asked.name)}.leasc'!r})"


def _plain(name):
    """A name that can stand in a docstring or a heading, whatever the file was called."""
    return "".join(letter if letter.isalnum() or letter in " ._-" else "_" for letter in str(name))[:80]


def _cell(kind, text, number):
    cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": text.splitlines(keepends=True)}
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})
