"""A benchmark or sweep written down in a folder, so that another process can do it, be stopped, and go on.

``bench.json`` says what is asked, the rows come one by one into a ``.jsonl`` file, and a lock says whether somebody is at it.
``python -m leasc_core bench --resume FOLDER`` is such a process.
"""

import json
from pathlib import Path

from ..data.preprocessing import PreprocessedSource, Preprocessor
from ..data.sources import open_source
from ..errors import ParameterError, RunError
from ..runs.folder import RunFolder
from ..storage.files import replacing, writing
from .own import METHODS, own_data
from .recipes import Plan, get
from .rows import read_rows
from .run import checked_plans, checked_seeds, run
from .sweep import DRAWS, Sweep, run_sweep

FILE, FORMAT, VERSION = "bench.json", "leasc-bench", 1


def file_data(path, clusters=None, *, options=None, preprocess=None, labels=None, name=None):
    """One's own file as a request names it: reading options, settings of a Preprocessor, and a ``.npy`` file of labels."""
    path = str(Path(path).absolute())
    return {
        "path": path,
        "clusters": clusters,
        "options": dict(options or {}),
        "preprocess": preprocess,
        "labels": None if labels is None else str(Path(labels).absolute()),
        "name": name or Path(path).stem,
    }


def recipe_data(name, folder=None):
    """One of the paper's recipes as a request names it."""
    get(name)
    return {"recipe": name, "folder": None if folder is None else str(Path(folder).absolute())}


def prepare_table(folder, data, methods=None, seeds=3):
    """Write down: these methods (names or :class:`Plan`; None: the recipe's) on that data for these seeds."""
    recipe = _recipe_of(data, METHODS if methods is None else methods)
    plans = checked_plans(recipe, methods)
    asked = {"methods": [[plan.method, plan.settings] for plan in plans], "seeds": checked_seeds(seeds)}
    _write(folder, {"kind": "table", "data": data, **asked})


def prepare_sweep(folder, data, axes, parameters=None, draws=DRAWS, seed=0):
    """Write down a :class:`Sweep` of that data."""
    asked = {"axes": {name: list(values) for name, values in axes.items()}, "parameters": dict(parameters or {})}
    Sweep(_recipe_of(data), **asked, draws=draws, seed=seed)
    _write(folder, {"kind": "sweep", "data": data, **asked, "draws": draws, "seed": seed})


def resume(folder, on_row=None, workers=1):
    """Do what is left; ``on_row`` sees every row, old ones first, and ends it by returning True. Gives a Table or a Grid."""
    asked = request_of(folder)
    with RunFolder(folder).held():
        if asked["kind"] == "sweep":
            sweep, where = _sweep_of(asked), asked["data"].get("folder")
            grid = run_sweep(sweep, folder=where, output=folder, on_cell=on_row)
            if len(grid.rows) == count_of(asked):
                grid.save(folder)
            return grid
        plans = _plans_of(asked)
        recipe = _recipe_of(asked["data"], plans)
        where = asked["data"].get("folder")
        return run(recipe, methods=plans, seeds=asked["seeds"], folder=where, output=folder, on_row=on_row, workers=workers)


def request_of(folder):
    """What a folder asks for."""
    path = Path(folder) / FILE
    try:
        asked = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise RunError(f"{folder} holds no benchmark ({FILE}); start one there, or name another folder.") from None
    except (OSError, ValueError) as error:
        raise RunError(f"{path} cannot be read ({error}); start a new benchmark.") from None
    if not isinstance(asked, dict) or asked.get("format") != FORMAT or asked.get("version") != VERSION:
        raise RunError(f"{path} was not written by this version of the program; start a new benchmark in another folder.")
    return asked


def rows_of(folder):
    """The rows that are there, while they come: one a run of the table, or one a cell of the sweep."""
    return [row for path in sorted(Path(folder).glob("*.jsonl")) for row in read_rows(path)]


def count_of(asked):
    """How many rows there will be."""
    if asked["kind"] == "table":
        return len(asked["methods"]) * len(asked["seeds"])
    count = 1
    for values in asked["axes"].values():
        count *= len(values)
    return count


def is_running(folder):
    """Whether a process is at it now."""
    return RunFolder(folder).is_held()


def _recipe_of(data, methods=METHODS):
    if "recipe" in data:
        return get(data["recipe"])
    source = open_source(data["path"], **data["options"])
    labels = source.labels
    if data["labels"] is not None:
        import numpy as np

        labels = np.load(data["labels"], allow_pickle=False)
    if data["preprocess"]:
        source = PreprocessedSource(source, Preprocessor(**data["preprocess"]).fit(source))
    return own_data(source, labels, data["name"], data["clusters"], methods)


def _sweep_of(asked):
    return Sweep(_recipe_of(asked["data"]), asked["axes"], asked["parameters"], asked["draws"], asked["seed"])


def _plans_of(asked):
    return [Plan(name, settings) for name, settings in asked["methods"]]


def _write(folder, asked):
    """Keep what is asked; a folder may be asked more of the same data (its rows stay), other data are refused."""
    folder, asked = Path(folder), {"format": FORMAT, "version": VERSION, **asked}
    path = folder / FILE
    try:
        text = json.dumps(asked, indent=1, ensure_ascii=False)
    except TypeError as error:
        raise ParameterError(f"What is asked cannot be written down ({error}); use numbers, words and lists.") from None
    if path.exists():
        before, now = request_of(folder), json.loads(text)
        if (before["kind"], before["data"]) != (now["kind"], now["data"]):
            raise RunError(f"{folder} holds another benchmark; go on with it by --resume, or name another folder.")
    with writing(path):
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(text.encode())
