"""Comparisons and sweeps as folders that a worker fills row by row: asked, looked at, and found again. No Streamlit in here."""

import json
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from leasc_core.bench import Plan
from leasc_core.bench.recipes import REPRESENTED, SAMPLED
from leasc_core.bench.request import prepare_sweep, prepare_table, request_of, rows_of
from leasc_core.errors import RunError
from leasc_core.storage.files import replacing, writing
from leasc_ui.screens.compare.data import as_request, recipe_of
from leasc_ui.screens.compare.sweep.values import cell_words
from leasc_ui.work.queue import BENCH, LINE
from leasc_ui.work.runs import STOPPED, RunKind, last_words, new_folder, runs_of, start, state_of

COMPARISONS, SWEEPS = RunKind("comparisons", BENCH), RunKind("sweeps", BENCH)
STORY = "story.json"


@dataclass(frozen=True)
class Story:
    """What a folder remembers besides the request: what the data are called and how they are got again; plain JSON."""

    title: str
    subject: str
    fingerprint: str
    recipe: dict
    clusters: int
    labelled: bool
    representatives: int
    points: int


@dataclass(frozen=True, eq=False)
class Progress:
    """Where a comparison or a sweep stands; ``state`` as of any run. ``now`` is what is being computed, in words."""

    state: str
    rows: list = field(repr=False)
    total: int = 0
    now: str | None = None
    left: float | None = None
    place: int | None = None
    error: str | None = None

    @property
    def active(self):
        return self.state in ("waiting", "running")

    @property
    def done(self):
        return len(self.rows)


def plans_of(methods, representatives):
    """Each method with as many representatives, or samples, as all the others that take some."""

    def settings(name):
        if name in REPRESENTED:
            return {"n_representatives": representatives}
        return {"n_samples": representatives} if name in SAMPLED else {}

    return [Plan(name, settings(name)) for name in methods]


def begin_table(visitor, subject, methods, seeds, clusters, representatives):
    """Write a comparison down and start it; rows that an earlier one of the same data has are taken over. Returns its folder."""
    asked = as_request(subject, clusters, visitor)
    plans = plans_of(methods, representatives)
    return _begin(
        visitor, COMPARISONS, subject, asked, clusters, representatives, lambda folder: prepare_table(folder, asked, plans, seeds)
    )


def begin_sweep(visitor, subject, axes, parameters, draws, clusters, representatives):
    """The same of a sweep."""
    asked = as_request(subject, clusters, visitor)
    return _begin(
        visitor,
        SWEEPS,
        subject,
        asked,
        clusters,
        representatives,
        lambda folder: prepare_sweep(folder, asked, axes, parameters, draws),
    )


def story_of(folder) -> Story | None:
    """What a folder is about, or None where that is not known."""
    try:
        return Story(**json.loads((Path(folder) / STORY).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def earlier(visitor, shelf):
    """``(folder, story)`` of this visitor's, newest first."""
    return [(folder, story) for folder in runs_of(visitor, shelf) if (story := story_of(folder)) is not None]


def progress_of(folder) -> Progress:
    """Where a folder stands, read from it alone."""
    folder = Path(folder)
    try:
        asked = request_of(folder)
    except RunError as problem:
        return Progress("broken", [], error=str(problem))
    wanted = wanted_of(asked)
    state = state_of(folder, lambda: set(wanted) <= _found(folder).keys())
    found = _found(folder)
    rows = [found[key] for key in wanted if key in found]
    missing = [key for key in wanted if key not in found]
    now, left = _ahead(asked, rows, missing) if state == "running" else (None, None)
    if now and (folder / STOPPED).exists():
        now, left = f"Stopping after {now}", None
    error = last_words(folder) if state == "broken" else None
    return Progress(state, rows, len(wanted), now, left, LINE.place(folder), error)


def wanted_of(asked):
    """A key for every row there will be, in the order in which they are computed."""
    if asked["kind"] == "table":
        return [_table_key(name, settings, seed) for seed in asked["seeds"] for name, settings in asked["methods"]]
    keys = [_sweep_key(parameters, asked["draws"], asked["seed"]) for parameters in sweep_parameters(asked).values()]
    return list(dict.fromkeys(keys))


def sweep_parameters(asked):
    """``{cell: parameters of LeaSC}``, a cell as the tuple of its values; α counts only where the variant has it."""
    from types import SimpleNamespace

    from leasc_core.bench import Sweep

    k = None if "recipe" in asked["data"] else asked["data"]["clusters"]
    if k is None:
        from leasc_core.bench import get

        k = get(asked["data"]["recipe"]).clusters
    sweep = Sweep(SimpleNamespace(clusters=k), asked["axes"], asked["parameters"], asked["draws"], asked["seed"])
    return {tuple(cell.values()): sweep.model_parameters(cell) for cell in sweep.cells()}


def grid_of(folder):
    """The :class:`~leasc_core.bench.Grid` of the cells that are there, and what was asked."""
    from leasc_core.bench import Grid

    asked = request_of(folder)
    found, rows = _found(folder), []
    for cell, parameters in sweep_parameters(asked).items():
        row = found.get(_sweep_key(parameters, asked["draws"], asked["seed"]))
        if row is not None:
            rows.append({**row, "cell": dict(zip(asked["axes"], cell, strict=True)), "parameters": parameters})
    return Grid(asked["axes"], rows), asked


def _begin(visitor, shelf, subject, asked, clusters, representatives, prepare):
    folder = new_folder(visitor, shelf)
    before = next((old for old, _ in earlier(visitor, shelf) if request_of(old)["data"] == asked), None)
    prepare(folder)
    if before is not None:
        _take_over(before, folder)
    fingerprint = subject.key if subject.data is None else subject.data.fingerprint
    story = Story(
        subject.title, subject.key, fingerprint, recipe_of(subject), clusters, subject.labelled, representatives, subject.shape[0]
    )
    with writing(folder / STORY), replacing(folder / STORY) as file:
        file.write(json.dumps(vars(story), ensure_ascii=False).encode())
    start(folder)
    return folder


def _take_over(before, folder):
    """Rows are found by what was asked and of which points, so those that do not belong here do no harm."""
    for path in before.glob("*.jsonl"):
        shutil.copyfile(path, folder / path.name)
    for kept in ("labels", "codes"):
        if (before / kept).is_dir():
            shutil.copytree(before / kept, folder / kept, copy_function=os.link)


def _ahead(asked, rows, missing):
    """What is being computed, and about how many seconds are left: known once every kind of row has been seen."""
    if not missing:
        return "writing the tables", None
    if asked["kind"] == "table":
        name, _, seed = missing[0]
        seen = {}
        for row in rows:
            seen.setdefault(row["method"], []).append(row.get("seconds", 0.0))
        known = all(key[0] in seen for key in missing)
        left = sum(np.mean(seen[key[0]]) for key in missing) if known else None
        from leasc_core import baselines

        return f"{baselines.get(name).label}, seed {seed}", left
    spent = [asked["draws"] * row["seconds"] for row in rows if row.get("seconds")]
    cells = {_sweep_key(parameters, *missing[0][1:]): cell for cell, parameters in sweep_parameters(asked).items()}
    words = cell_words(dict(zip(asked["axes"], cells[missing[0]], strict=True)))
    return words, float(np.mean(spent) * len(missing)) if spent else None


def _found(folder):
    """The rows that are there by their keys; of a run that was tried again, the last."""
    return {_key(row): row for row in rows_of(folder)}


def _key(row):
    if "parameters" in row:
        return _sweep_key(row["parameters"], row["key"][3], row["key"][4])
    return _table_key(row["method"], row["settings"], row["seed"])


def _table_key(name, settings, seed):
    return (name, json.dumps(settings, sort_keys=True), seed)


def _sweep_key(parameters, draws, seed):
    return (json.dumps(parameters, sort_keys=True), draws, seed)
