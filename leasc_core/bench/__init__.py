"""Methods × data × seeds beside the paper's tables, and sweeps over parameters: resumable, label-free, one tidy row a run.

>>> from leasc_core import bench
>>> bench.run("mnist5k", seeds=3).markdown()                           # doctest: +SKIP
>>> bench.run_sweep(bench.sweep_of("mnist5k", {"alpha": bench.PAPER_WEIGHTS, "beta": bench.PAPER_WEIGHTS},
...                 parameters={"variant": "elastic_net"})).chosen("stability")["cell"]   # doctest: +SKIP

To compare on data of your own: ``bench.run(bench.own_data(X, y, name="mine"), methods=["lsr", "kmeans"])``. In another process:
:mod:`leasc_core.bench.request`.
"""

from .grid import QUALITIES, SCORES, Grid
from .own import own_data
from .recipes import RECIPES, Plan, Recipe, get
from .run import run
from .sweep import PAPER_WEIGHTS, REPRESENTATIVES, Sweep, run_sweep, sweep_of
from .tables.table import Table

__all__ = [
    "PAPER_WEIGHTS",
    "QUALITIES",
    "RECIPES",
    "REPRESENTATIVES",
    "SCORES",
    "Grid",
    "Plan",
    "Recipe",
    "Sweep",
    "Table",
    "get",
    "own_data",
    "run",
    "run_sweep",
    "sweep_of",
]
