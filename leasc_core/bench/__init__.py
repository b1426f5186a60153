"""Methods × data × seeds, beside the paper's tables: resumable, label-free, one tidy row a run.

>>> from leasc_core import bench
>>> bench.run("mnist5k", seeds=3).markdown()                           # doctest: +SKIP

To compare on data of your own: ``bench.run(bench.own_data(X, y, name="mine"), methods=["lsr", "kmeans"])``.
"""

from .recipes import RECIPES, Plan, Recipe, get, own_data
from .run import run
from .table import Table

__all__ = ["RECIPES", "Plan", "Recipe", "Table", "get", "own_data", "run"]
