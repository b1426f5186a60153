"""A run as a Python script and as a notebook that do it again and get the same labels. No Streamlit in here."""

import json

from leasc_ui.data_choices import FOUR_LINES, SAMPLES
from leasc_ui.data_pictures import scale_of
from leasc_ui.names import slug

USUAL_RPCM = ("variant", "alpha_bar", "alpha", "beta", "solver", "train", "activation", "epochs")
SELF_CODES_ARE_TRIVIAL = ("l1", "elastic_net")
CODING_TOLERANCE = 1e-2


def script(asked, data):
    """The run as one file of Python; ``asked`` is its :class:`~leasc_ui.cluster_request.Request`."""
    head = f'"""Cluster {_plain(asked.name)} again: the same data, choices and seeds give the same labels. Needs leasc_core."""'
    parts = [head]
    for words, code in sections(asked, data):
        parts.append("\n".join([*(f"# {line}" for line in words.splitlines()), code]))
    return "\n\n".join(parts) + "\n"


def notebook(asked, data):
    """The same as a Jupyter notebook."""
    cells = [
        _cell(
            "markdown", f"# {_plain(asked.name)}\nThe same data, choices and seeds give the same labels. Needs `leasc_core`.", 0
        )
    ]
    for words, code in sections(asked, data):
        cells += [_cell("markdown", words, len(cells)), _cell("code", code, len(cells) + 1)]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return json.dumps({"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}, indent=1, ensure_ascii=False)


def sections(asked, data):
    """``(words, code)`` in order."""
    cleaning = dict(asked.recipe.get("preprocess") or {})
    yield "The data: rows are points.", "\n".join([*_imports(asked, cleaning), "", *_loading(asked, data, cleaning)])
    yield "The points as every later step sees them.", _cleaning(cleaning)
    yield "Representatives: a few points that stand for all.", _representatives(asked)
    yield "Their codes, and the function f that learns them.", _training(asked)
    yield "Every point is coded by f and clustered.", _clustering(asked, cleaning)
    yield "What is kept: labels.npy has one label a row, the model labels new points.", _keeping(asked)


def _imports(asked, cleaning):
    kind = asked.recipe["kind"]
    lines = ["import numpy as np", ""]
    public = ["LeaSC", "RPCM", "open_source"]
    public += ["Preprocessor"] if _learned(cleaning) else []
    public += ["ScatteringFeatures"] if cleaning.get("scattering") else []
    synthetic = kind == "synthetic" and asked.recipe["parameters"].get("preset") != FOUR_LINES
    public += ["make_union_of_subspaces"] if synthetic else []
    lines.append(f"from leasc_core import {', '.join(sorted(set(public)))}")
    if kind == "synthetic" and not synthetic:
        lines.append("from leasc_core.data.synthetic import four_rays")
    if _learned(cleaning):
        lines.append("from leasc_core.data.preprocessing import PreprocessedSource")
    return [
        *lines,
        "from leasc_core.estimators.landmark import decide_sign",
        "from leasc_core.estimators.packing import pack_network",
        "from leasc_core.estimators.points import directions",
        "from leasc_core.estimators.seeds import Seeds",
        "from leasc_core.runs.checkpoint import MemoryStore",
        "from leasc_core.selectors import get_selector",
        "from leasc_core.selectors.base import read_rows",
    ]


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
    rng = f"np.random.default_rng({chosen['seed']})"
    return "\n".join(
        [
            f"indices = get_selector({chosen['selector']!r}).select(points, {chosen['count']}, {rng})",
            "representatives = directions(read_rows(points, indices), 0)  # of length one",
        ]
    )


def _training(asked):
    train = asked.train
    given = {name: train[name] for name in USUAL_RPCM if train[name] is not None}
    given |= {"hidden": (train["hidden"],), "zero_diagonal": train["variant"] in SELF_CODES_ARE_TRIVIAL}
    given |= {"tol": CODING_TOLERANCE, "random_state": train["seed"]}
    lines = ",\n".join(f"    {name}={value!r}" for name, value in given.items())
    return f"rpcm = RPCM(\n{lines},\n).fit(representatives)"


def _clustering(asked, cleaning):
    given = {"n_clusters": asked.clusters["clusters"], "random_state": asked.clusters["seed"]}
    given |= {"variant": asked.train["variant"], "hidden": (asked.train["hidden"],)}
    given |= {"n_representatives": asked.representatives["count"], **asked.settings.graph()}
    if asked.settings.draws > 1:  # the others are chosen and trained as the first was
        given |= {name: asked.train[name] for name in USUAL_RPCM if asked.train[name] is not None}
        given["selector"] = asked.representatives["selector"]
    words = [f"{name}={value!r}" for name, value in given.items()]
    words += ["preprocess=cleaning"] if _learned(cleaning) else []
    return "\n".join(
        [
            f"sign = decide_sign('auto', representatives, Seeds({asked.clusters['seed']})('sign'))",
            "trained = {",
            "    'representatives': ({'sign_ignored': bool(sign)}, {'indices': indices, 'points': representatives}),",
            "    'network': pack_network(rpcm),",
            "}",
            "",
            "",
            "class Begun(MemoryStore):",
            '    """What is trained already need not be trained again."""',
            "",
            "    def once(self, name, make):",
            "        return trained[name] if name in trained else make()",
            "",
            "",
            f"model = LeaSC({', '.join(words)}).fit_run(data, Begun())",
            "print(model.n_clusters_, 'clusters of', np.bincount(model.labels_), 'points')",
        ]
    )


def _keeping(asked):
    return f"np.save('labels.npy', model.labels_)\nmodel.save({f'{slug(asked.name)}.leasc'!r})"


def _plain(name):
    """A name that can stand in a docstring or a heading, whatever the file was called."""
    return "".join(letter if letter.isalnum() or letter in " ._-" else "_" for letter in str(name))[:80]


def _cell(kind, text, number):
    cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": text.splitlines(keepends=True)}
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})
