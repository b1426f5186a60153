"""LeaSC over a grid of one or two of its parameters, cell by cell (the paper's Figs. 7 and 8); resumable like a table.

Each cell is fitted for a few draws of the representatives. What needs no labels (``quality``) and what judges by them
(``scores``) are kept apart: the first may choose a cell, the second only tells an oracle's choice.
"""

import time
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import numpy as np

from ..baselines.meter import Clock, PeakMemory
from ..coding.variants import VARIANTS
from ..data.sources import open_source
from ..errors import LeascError, ParameterError
from ..metrics import score
from .grid import Grid
from .quality import held_out_code_error, relative_eigengap, stability
from .recipes import Recipe, data_folder, get
from .rows import RowFile

# Fig. 7: both α and β go through these. Fig. 8 does not print its numbers of representatives; its best are 500 and 3,000.
PAPER_WEIGHTS = (1e-4, 5e-4, 1e-3, 5e-3, 1e-2, 5e-2, 0.1, 1.0, 10.0, 50.0, 100.0)
REPRESENTATIVES = (100, 200, 500, 1000, 2000, 3000)
MOST_CELLS = 1000
DRAWS = 3
NOT_SWEPT = ("preprocess", "hidden")


@dataclass(frozen=True, eq=False)
class Sweep:
    """What is asked of a sweep.

    Attributes
    ----------
    recipe : the data, their k and labels (:func:`~leasc_core.bench.own_data` makes one of any source)
    axes : ``{parameter: values}`` of LeaSC, one or two; the first goes down, the second across
    parameters : LeaSC's other parameters, where not the defaults; ``n_clusters`` is the recipe's unless it stands here
    draws : fits a cell, each with representatives drawn anew
    seed : of the first draw, and of the recipe's data
    """

    recipe: Recipe
    axes: dict
    parameters: dict = field(default_factory=dict)
    draws: int = DRAWS
    seed: int = 0

    def __post_init__(self):
        if not 1 <= len(self.axes) <= 2:
            raise ParameterError(f"A sweep has one or two parameters, not {len(self.axes)}; name one or two of LeaSC's.")
        for name in self.axes:
            values = list(self.axes[name])
            if not values or len(values) != len(set(map(repr, values))):
                raise ParameterError(f"The values of {name} are {values!r}; give at least one, and each of them once.")
        if not isinstance(self.draws, int) or not 1 <= self.draws <= 100:
            raise ParameterError(f"draws={self.draws!r} must be a whole number from 1 to 100; try {DRAWS}.")
        count = len(self.cells())
        if count > MOST_CELLS:
            raise ParameterError(f"The sweep has {count:,} cells; at most {MOST_CELLS:,} are done: take fewer values.")
        for cell in self.cells():
            self.check(cell)

    def cells(self):
        """The swept parameters of every cell, row by row."""
        names = list(self.axes)
        return [dict(zip(names, values, strict=True)) for values in product(*self.axes.values())]

    def model_parameters(self, cell):
        """All parameters of LeaSC in a cell, defaults left out; α where the variant has no R₂ is left out as well."""
        chosen = {"n_clusters": self.recipe.clusters, **self.parameters, **cell}
        variant = VARIANTS.get(chosen.get("variant", "f2"))
        if variant is None or not variant.uses_alpha:
            chosen.pop("alpha", None)
        return chosen

    def check(self, cell):
        """A :class:`ParameterError` where a cell asks for what LeaSC does not know or allow."""
        from ..estimators.leasc import LIMITS
        from ..selectors import get_selector

        for name, value in {**self.parameters, **cell}.items():
            if name == "selector":
                get_selector(value)
                continue
            if name not in LIMITS or (name in cell and name in NOT_SWEPT) or name == "preprocess":
                known = ", ".join(sorted({*LIMITS, "selector"} - set(NOT_SWEPT)))
                raise ParameterError(f"{name} cannot be swept; choose among {known}.")
            LIMITS[name].check(name, value)


def run_sweep(sweep, *, folder=None, output=None, on_cell=None):
    """Do a sweep, or what is left of it, and give back its :class:`Grid`.

    Parameters
    ----------
    folder : where a recipe's data are, as in :func:`~leasc_core.bench.run`
    output : a folder for ``sweep.jsonl`` (cells found there are not computed again); None keeps all in memory
    on_cell : called with each cell as it is there; returning True ends the sweep after it
    """
    points, labels = sweep.recipe.points(data_folder(folder), sweep.seed)
    source = open_source(points)
    kept = RowFile(None if output is None else Path(output) / "sweep.jsonl")
    rows = []
    for cell in sweep.cells():
        row = {**_row(sweep, cell, source, labels, kept), "cell": cell}
        rows.append(row)
        if on_cell is not None and on_cell(row) is True:
            break
    return Grid(sweep.axes, rows)


def sweep_of(recipe, axes, **settings):
    """A :class:`Sweep` of a recipe given by name or itself."""
    return Sweep(get(recipe) if isinstance(recipe, str) else recipe, axes, **settings)


def _row(sweep, cell, source, labels, kept):
    """The row of a cell, from the file or computed; cells that ask the same of LeaSC are computed once."""
    parameters = sweep.model_parameters(cell)
    key = ["sweep", sweep.recipe.name, parameters, sweep.draws, sweep.seed, source.fingerprint]
    row = kept.find(key)
    if row is None:
        measured = _measure(parameters, source, labels, sweep)
        row = kept.add({"key": key, "recipe": sweep.recipe.name, "cell": cell, "parameters": parameters, **measured})
    return row


def _measure(parameters, source, labels, sweep):
    clock, begun = Clock(), time.perf_counter()
    try:
        with PeakMemory() as peak:
            models = [_fit(parameters, source, sweep.seed + draw, clock) for draw in range(sweep.draws)]
    except ParameterError as refusal:
        return {"status": "refused", "message": str(refusal)}
    except (LeascError, ValueError, ArithmeticError, MemoryError) as failure:
        return {"status": "failed", "message": f"{type(failure).__name__}: {failure}"}
    seconds = (time.perf_counter() - begun) / sweep.draws
    stages = {stage: round(spent / sweep.draws, 4) for stage, spent in clock.seconds.items()}
    return {
        "status": "done",
        "quality": _quality(models, source, sweep.seed),
        "scores": _scores(models, labels),
        "clusters": [int(model.n_clusters_) for model in models],
        "seconds": round(seconds, 4),
        "stages": stages,
        "megabytes": round(peak.megabytes, 1),
    }


def _fit(parameters, source, seed, clock):
    import warnings

    from ..estimators.leasc import LeaSC

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain = {"preprocess": "none", "affinity": "landmarks"}
        return LeaSC(**plain | parameters, random_state=seed, on_event=clock.listen).fit(source)


def _quality(models, source, seed):
    """What needs no labels: means over the draws."""
    rng = np.random.default_rng(seed)
    return {
        "eigengap": _mean(relative_eigengap(model.eigenvalues_, model.n_clusters_) for model in models),
        "stability": _rounded(stability([model.labels_ for model in models])),
        "code_error": _mean(held_out_code_error(model, source, rng) for model in models),
    }


def _scores(models, labels):
    """What judges by labels: means over the draws, and their deviation; None without labels."""
    if labels is None:
        return None
    each = [score(labels, model.labels_) for model in models]
    means = {name: _mean(found[name] for found in each) for name in each[0]}
    return means | {"acc_sd": _rounded(float(np.std([found["acc"] for found in each], ddof=1)))} if len(each) > 1 else means


def _mean(values):
    known = [value for value in values if value is not None]
    return _rounded(float(np.mean(known))) if known else None


def _rounded(value):
    return None if value is None else round(value, 6)
