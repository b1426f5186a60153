"""The loop of a benchmark: every method on every seed, one at a time so that seconds mean something, each row kept at once."""

from functools import partial
from numbers import Integral
from pathlib import Path

import numpy as np

from .. import baselines
from ..data.sources import open_source
from ..errors import LeascError, ParameterError
from ..metrics import score
from .label_free import held_out_residual
from .recipes import Plan, Recipe, data_folder, get
from .rows import RowFile
from .tables.table import Table

MOST_WORKERS = 64


def run(recipe, *, methods=None, seeds=3, folder=None, output=None, on_row=None, workers=1):
    """Run a recipe, or what is left of it, and give back its table.

    Parameters
    ----------
    recipe : a name of :data:`~leasc_core.bench.RECIPES`, or a :class:`~leasc_core.bench.Recipe`
    methods : names of baselines (None: all of the recipe); a :class:`~leasc_core.bench.Plan` brings its own settings
    seeds : how many (0, 1, …), or which
    folder : where the data are (None: the variable LEASC_DATA, or shared/data beside the project)
    output : a folder for ``<recipe>.jsonl`` (rows found there are not computed again), ``.csv``, ``.parquet`` and ``.md``; None
        keeps all in memory
    on_row : called with each row as it is there; returning True ends the benchmark after it, before tables are written
    workers : runs at once, each in a process of its own; seconds then tell less, and the rows say so
    """
    recipe = get(recipe) if isinstance(recipe, str) else recipe
    plans, seeds = checked_plans(recipe, methods), checked_seeds(seeds)
    if isinstance(workers, bool) or not isinstance(workers, Integral) or not 1 <= workers <= MOST_WORKERS:
        raise ParameterError(f"workers={workers!r} must be a whole number from 1 to {MOST_WORKERS}; try 2.")
    kept = RowFile(None if output is None else Path(output) / f"{recipe.name}.jsonl")
    rows = []
    rows_of = _rows if workers == 1 else partial(side_by_side, workers=workers)
    for row in rows_of(recipe, plans, seeds, data_folder(folder), kept):
        rows.append(row)
        if on_row is not None and on_row(row) is True:
            break
    table = Table(recipe, rows, None if output is None else Path(output))
    if output is not None and len(rows) == len(plans) * len(seeds):
        table.save(output)
    return table


def _rows(recipe, plans, seeds, folder, kept):
    """Rows seed by seed, so that a table is soon complete; data are loaded once a seed."""
    for seed in seeds:
        points, labels = recipe.points(folder, seed)
        fingerprint = open_source(points).fingerprint
        for plan in plans:
            key = key_of(recipe, plan, seed, fingerprint)
            row = kept.find(key)
            if row is None:
                measured, outcome = measure(recipe, plan, seed, points, labels)
                # One picture a method is enough to look at.
                row = kept.add({"key": key, **measured}, outcome, points if seed == seeds[0] else None)
            yield row


def key_of(recipe, plan, seed, fingerprint):
    """By what a row is known again."""
    return [recipe.name, plan.method, seed, plan.settings, fingerprint]


def measure(recipe, plan, seed, points, labels):
    """One run as a row, and its outcome; a method that refuses, or fails, says why in its row and does not end the others."""
    method = baselines.get(plan.method)
    row = {
        "recipe": recipe.name,
        "method": method.name,
        "label": method.label,
        "family": method.family,
        "seed": seed,
        "settings": plan.settings,
        "points": int(points.shape[0]),
        "features": int(points.shape[1]),
        "clusters": recipe.clusters,
        "labels_used": "none",
    }
    try:
        outcome = method.run(points, recipe.clusters, seed=seed, **plan.settings)
    except ParameterError as refusal:
        return {**row, "status": "refused", "message": str(refusal)}, None
    except (LeascError, ValueError, ArithmeticError, MemoryError) as failure:
        return {**row, "status": "failed", "message": f"{type(failure).__name__}: {failure}"}, None
    stages, worked = (
        {stage: round(spent, 4) for stage, spent in spent_by.items()} for spent_by in (outcome.seconds, outcome.processor)
    )
    costs = {
        "seconds": stages.pop("total"),
        "stages": stages,
        "processor": worked.pop("total"),
        "processor_stages": worked,
        "megabytes": round(outcome.megabytes, 1),
    }
    done = {**row, "status": "done", **_scores(labels, outcome.labels, points), **costs}
    return {**done, "found": len(np.unique(outcome.labels))}, outcome


def _scores(labels, found, points):
    """ACC, NMI and ARI; without labels, how far points lie off the subspace of their cluster."""
    scores = {"residual": held_out_residual(points, found)} if labels is None else score(labels, found)
    return {name: round(value, 6) for name, value in scores.items()}


def side_by_side(recipe, plans, seeds, folder, kept, workers):
    """The rows of :func:`run` as they come from ``workers`` processes; those in the file come first."""
    import os

    from joblib import Parallel, delayed, parallel_config

    todo = []
    for seed in seeds:
        fingerprint = open_source(recipe.points(folder, seed)[0]).fingerprint
        for plan in plans:
            key = key_of(recipe, plan, seed, fingerprint)
            row = kept.find(key)
            if row is None:
                todo.append((key, plan, seed))
            else:
                yield row
    threads = max(1, (os.cpu_count() or 1) // workers)
    with parallel_config("loky", n_jobs=workers, inner_max_num_threads=threads):
        runs = (delayed(_measure_apart)(recipe, folder, *each, workers) for each in todo)
        for row, outcome in Parallel(return_as="generator_unordered", pre_dispatch=workers)(runs):
            pictured = recipe.points(folder, row["seed"])[0] if row["seed"] == seeds[0] else None
            yield kept.add(row, outcome, pictured)


def _measure_apart(recipe, folder, key, plan, seed, workers):
    """One run in a process of its own, which loads the data itself."""
    row, outcome = measure(recipe, plan, seed, *recipe.points(folder, seed))
    return {"key": key, **row, "workers": workers}, outcome


def checked_plans(recipe: Recipe, methods):
    if methods is None:
        return recipe.plans
    fixed = {plan.method: plan for plan in recipe.plans}
    plans = [each if isinstance(each, Plan) else fixed.get(each, Plan(each)) for each in methods]
    for plan in plans:
        baselines.get(plan.method)
    return plans


def checked_seeds(seeds):
    chosen = range(seeds) if isinstance(seeds, Integral) and not isinstance(seeds, bool) else seeds
    try:
        chosen = [int(seed) for seed in chosen]
    except (TypeError, ValueError):
        chosen = []
    if not chosen or min(chosen) < 0:
        raise ParameterError(f"seeds={seeds!r} must be a number of at least 1, or a list of numbers from 0; try 3.")
    return chosen
