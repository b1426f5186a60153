"""What LeaSC is compared with: every method behind one small interface, and a registry of names.

>>> from leasc_core import baselines
>>> labels = baselines.get("ssc").run(X, 3, seed=0).labels            # doctest: +SKIP

To add a baseline, add a file here with a function ``method(points, k, seed, clock, *, setting=default)`` that returns labels (and
codes, or None), name it in that file's ``BASELINES``, and test it in ``tests/baselines``.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ..errors import ParameterError
from .base import Baseline, Outcome

FAMILIES = {
    "leasc": "LeaSC",
    "encoders": "Other encoders inside LeaSC",
    "coding": "Classical coding, normalised cut",
    "classify": "Sample, cluster, classify",
    "spectral": "Large-scale spectral clustering",
    "everyday": "What one would otherwise do",
}


@cache
def registry():
    """All baselines by name, in the order of their families; every module of this folder may add some."""
    modules = [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__)]
    known = [each for module in modules for each in getattr(module, "BASELINES", ())]
    return {each.name: each for each in sorted(known, key=lambda each: list(FAMILIES).index(each.family))}


def names(family: str | None = None) -> tuple[str, ...]:
    """The names of all baselines, or of one family of :data:`FAMILIES`."""
    return [each.name for each in registry().values() if family in (None, each.family)]


def get(name: str) -> Baseline:
    """The baseline of that name."""
    if name not in registry():
        raise ParameterError(f"baseline {name!r} is unknown; choose one of {', '.join(registry())}.")
    return registry()[name]


__all__ = ["FAMILIES", "Baseline", "Outcome", "get", "names", "registry"]
