"""Which points stand for all the others: ``select(source, n, rng)`` gives their sorted indices.

To add a selector, add a file with a frozen dataclass that has ``name``, ``label``, ``blurb`` and ``select``,
name it below, and test it in ``tests/selectors``.
"""

from leasc_core.errors import ParameterError

from .base import Selector
from .ds3 import DS3Selector
from .kmeans import KMeansSelector
from .random import RandomSelector

SELECTORS = {each.name: each for each in (RandomSelector, KMeansSelector, DS3Selector)}


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
