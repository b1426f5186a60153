"""Which points stand for all the others: ``select(source, n, rng)`` gives their sorted indices.

To add a selector, add a file here with a frozen dataclass that has ``name``, ``short``, ``label``, ``blurb`` and ``select``,
name it in that file's ``SELECTOR``, and test it in ``tests/selectors``.
"""

from importlib import import_module
from pkgutil import iter_modules

from leasc_core.errors import ParameterError

from .base import Selector
from .ds3 import DS3Selector
from .kmeans import KMeansSelector
from .random import RandomSelector

FIRST = ("random", "kmeans", "ds3")


def _found():
    """Every module's ``SELECTOR`` by name; the oldest first, others by name."""
    modules = [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__)]
    known = {module.SELECTOR.name: module.SELECTOR for module in modules if hasattr(module, "SELECTOR")}
    order = [*FIRST, *sorted(known.keys() - set(FIRST))]
    return {name: known[name] for name in order}


SELECTORS = _found()


def get_selector(selector):
    """The selector of that name with its defaults, or ``selector`` itself if it already is one."""
    if isinstance(selector, str) and selector in SELECTORS:
        return SELECTORS[selector]()
    if hasattr(selector, "select") and not isinstance(selector, type):
        return selector
    raise ParameterError(
        f"selector={selector!r} is not known; choose one of {', '.join(SELECTORS)}, or give an object with "
        f"select(source, n, rng)."
    )


__all__ = ["SELECTORS", "DS3Selector", "KMeansSelector", "RandomSelector", "Selector", "get_selector"]
