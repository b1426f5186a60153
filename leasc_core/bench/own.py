"""A recipe of one's own: any source of points, how many clusters, and labels where there are some."""

import re

import numpy as np

from ..data.sources import open_source
from ..errors import DataError, ParameterError
from .recipes import EVERYDAY, Plan, Recipe

METHODS = ("leasc_f2", "lsr", "lbsc_k", *EVERYDAY[:3])


def own_data(X, y=None, name="data", clusters=None, methods=METHODS):
    """A recipe for an array, a path or a :class:`~leasc_core.data.sources.DataSource`.

    Parameters
    ----------
    y : labels for the metrics alone; None takes those that a file holds, if any, and without labels there are no scores
    clusters : k; None is the number of different labels
    """
    source = open_source(X)
    y = source.labels if y is None else np.asarray(y)
    if y is not None and len(y) != len(source):
        raise DataError(f"{name} has {len(source):,} points and {len(y):,} labels; give one label a point, or none.")
    if y is None and clusters is None:
        raise ParameterError(f"{name} has no labels that would say how many clusters there are; give clusters.")
    k = len(np.unique(y)) if clusters is None else clusters
    plans = tuple(each if isinstance(each, Plan) else Plan(each) for each in methods)
    return Recipe(_as_file_name(name), name, (), "", lambda folder, seed: (source, y), k, plans)


def _as_file_name(name):
    return re.sub(r"[^\w-]+", "_", str(name)).strip("_")[:60] or "data"
