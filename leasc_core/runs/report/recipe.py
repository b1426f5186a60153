"""How to do a run again: its command line and its lines of Python, from what was asked."""

import json
import shlex
from pathlib import Path

# The command line's name of a parameter; all others go by --set NAME=VALUE.
FLAGS = {
    "n_clusters": "-k",
    "variant": "--variant",
    "n_representatives": "--representatives",
    "selector": "--selector",
    "beta": "--beta",
    "hidden": "--hidden",
    "n_landmarks": "--landmarks",
    "n_draws": "--draws",
    "precision": "--precision",
    "block_rows": "--block-rows",
    "random_state": "--seed",
    "affinity": "--affinity",
    "preprocess": "--prepare",
}
PREPROCESS_FLAGS = {
    "missing": "--missing",
    "standardise": "--standardise",
    "drop_constant": "--drop-constant",
    "n_components": "--pca",
    "variance": "--pca-variance",
}
# What a run takes where nothing is said. Two draws for confidence: their mean over thousands of points is what counts.
DEFAULTS = {"random_state": 0, "confidence_draws": 2}


def command_line(config):
    """The ``cluster`` command that asks for the same."""
    words = ["python", "-m", "leasc_core", "cluster", config["data"]["path"]]
    for name, value in config["parameters"].items():
        if value is None or DEFAULTS.get(name) == value:
            continue
        words += [FLAGS[name], _word(value)] if name in FLAGS else ["--set", f"{name}={_word(value)}"]
    for name, value in (config.get("preprocess") or {}).items():
        if name in PREPROCESS_FLAGS and value not in (None, False, "error"):
            words += [PREPROCESS_FLAGS[name]] + ([] if value is True else [_word(value)])
    for name, value in config["data"]["options"].items():
        words += _reading(name, value)
    return shlex.join(words)


def python_lines(config):
    """The same in Python."""
    data, settings = config["data"], dict(config["parameters"])
    if "hidden" in settings:
        settings["hidden"] = tuple(settings["hidden"])
    prepare = settings.pop("preprocess", None) if config.get("preprocess") else None
    given = [f"{name}={value!r}" for name, value in settings.items() if value is not None]
    names = ["LeaSC", "open_source"]
    if config.get("preprocess"):
        names.append("Preprocessor")
        given.append(f"preprocess={_preprocessing(config['preprocess'], prepare)}")
    wishes = "".join(f", {name}={value!r}" for name, value in data["options"].items())
    return "\n".join(
        [
            f"from leasc_core import {', '.join(sorted(names))}",
            "",
            f"points = open_source({data['path']!r}{wishes})",
            f"model = LeaSC({', '.join(given)}).fit(points)",
            "model.labels_",
        ]
    )


def scales(cleaning):
    """Whether a cleaning scales or turns the features, and so leaves no preparation to choose."""
    return any(cleaning.get(each) for each in ("standardise", "n_components", "variance", "unit_rows"))


def _preprocessing(cleaning, name):
    made = "Preprocessor(" + ", ".join(f"{each}={value!r}" for each, value in cleaning.items()) + ")"
    name = name or ("none" if scales(cleaning) else "auto")
    return made if name == "none" else f"({made}, {name!r})"


def predict_line(folder):
    """The command that labels new points by the run's model."""
    return shlex.join(["python", "-m", "leasc_core", "predict", str(Path(folder)), "new.csv", "-o", "labels.csv"])


def _word(value):
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value)) if all(isinstance(each, int) for each in value) else json.dumps(value)
    return str(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else json.dumps(value)


def _reading(name, value):
    if name == "label" and value is False:
        return ["--no-labels"]
    if isinstance(value, bool):
        return [f"--{name}" if value else f"--no-{name}"]
    return [f"--{name}", str(value)]
