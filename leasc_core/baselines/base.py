"""What every baseline is: words about itself, a limit of size, and ``run(X, k, seed)``."""

import inspect
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from numbers import Integral
from typing import Any

import numpy as np

from ..data.finite import refuse_non_finite
from ..data.scale import unit_rows
from ..data.sources import open_source
from ..errors import DataError, ParameterError
from .meter import Clock, PeakMemory


@dataclass(frozen=True, eq=False)
class LearnedCodes:
    """Codes by a function, those of any points when they are asked for.

    Attributes
    ----------
    encode : rows of points to rows of codes, a column a representative
    representatives : which points these are
    """

    encode: Callable = field(repr=False)
    representatives: np.ndarray = field(repr=False)


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a run gives back.

    Attributes
    ----------
    labels : (m,) int32 array
    seconds : dict from stage to seconds; ``total`` among them is the wall clock of the whole run
    processor : the same in processor time, for the stages where it is known, and ``total``
    megabytes : the peak of memory above its start
    codes : the codes the clusters came from, rows are points (dense or sparse), or :class:`LearnedCodes`, or None
    """

    labels: np.ndarray
    seconds: dict
    processor: dict
    megabytes: float
    codes: object = field(default=None, repr=False)


@dataclass(frozen=True)
class Baseline:
    """One method with its words.

    Attributes
    ----------
    name, label, family, blurb : how it is called, in tables, among others, in one line
    cost : its cost in words, m points, d features
    largest : the most points it can finish on a small machine; None has no such limit
    method : ``method(points, k, seed, clock, **settings)`` gives ``labels, codes``; its docstring states the settings
    streams : whether it takes a source as it is; else it gets an array of directions (rows of length one)
    loads : packages that are imported before the clock begins
    """

    name: str
    label: str
    family: str
    blurb: str
    cost: str
    largest: int | None
    method: Callable = field(repr=False)
    streams: bool = False
    loads: tuple = ("sklearn.cluster",)

    @property
    def settings(self) -> dict:
        """Its settings and their fixed defaults, which no label ever chose in a run."""
        found = inspect.signature(self.method).parameters.values()
        return {each.name: each.default for each in found if each.kind is each.KEYWORD_ONLY}

    def run(self, X: Any, k: int, seed: int = 0, **settings: Any) -> Outcome:
        """Cluster the rows of ``X`` into ``k``; the same seed gives the same labels.

        Data above :attr:`largest` are refused before any work, with the size that can be done.
        """
        source = open_source(X)
        self._check(source, k, seed, settings)
        for package in self.loads:
            import_module(package)
        clock, begun, worked = Clock(), time.perf_counter(), time.process_time()
        with PeakMemory() as peak, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            points = source if self.streams else directions(source)
            labels, codes = self.method(points, int(k), int(seed), clock, **settings)
        clock.seconds["total"], clock.processor["total"] = time.perf_counter() - begun, time.process_time() - worked
        return Outcome(np.asarray(labels, dtype=np.int32), clock.seconds, clock.processor, peak.megabytes, codes)

    def check_size(self, n_points: int) -> None:
        """A :class:`ParameterError` where so many points are more than this method can finish."""
        if self.largest is not None and n_points > self.largest:
            raise ParameterError(
                f"{self.label} cannot finish {n_points:,} points ({self.cost}); it can do {self.largest:,}: "
                f"draw that many, or take a method made for large data, such as leasc_f2."
            )

    def _check(self, source, k, seed, settings):
        self.check_size(len(source))
        if not source.shape[1]:
            raise DataError("The data have 0 features; give at least one column.")
        if isinstance(k, bool) or not isinstance(k, Integral) or not 2 <= k <= len(source):
            raise ParameterError(f"k={k!r} must be a whole number from 2 to the {len(source):,} points; change k.")
        if isinstance(seed, bool) or not isinstance(seed, Integral) or not 0 <= seed < 2**32:
            raise ParameterError(f"seed={seed!r} must be a whole number from 0 to 4,294,967,295; try 0.")
        for name in settings.keys() - self.settings.keys():
            known = ", ".join(self.settings) or "none"
            raise ParameterError(f"{name} is no setting of {self.label}; its settings are: {known}.")


def directions(source):
    """All rows of a source, checked, in double precision and of length one; a zero row stays zero."""
    blocks = [block for _, block in source.blocks()]
    points = np.vstack(blocks).astype(np.float64) if blocks else np.empty(source.shape)
    refuse_non_finite(points, 0)
    return unit_rows(points)
