"""Limits of the parameters, as data, and one sentence for each way to break them."""

from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np

from ..errors import ParameterError


@dataclass(frozen=True)
class Number:
    """A real (or whole) number between ``low`` and ``high``; ``optional`` allows None."""

    low: float = -np.inf
    high: float = np.inf
    whole: bool = False
    above: bool = False
    optional: bool = False
    remedy: str = "choose a value inside the limits"

    def check(self, name, value):
        if value is None and self.optional:
            return
        kind = Integral if self.whole else Real
        known = isinstance(value, kind) and not isinstance(value, (bool, np.bool_))
        inside = known and (self.low < value if self.above else self.low <= value) and value <= self.high
        if not inside or not np.isfinite(value):
            raise ParameterError(f"{name}={value!r} must be {self.describe()}; {self.remedy}.")

    def describe(self):
        noun = "a whole number" if self.whole else "a number"
        low = f" {'greater than' if self.above else 'of at least'} {self.low:g}" if np.isfinite(self.low) else ""
        high = f" and at most {self.high:g}" if np.isfinite(self.high) else ""
        return noun + low + high + (" (or None)" if self.optional else "")


@dataclass(frozen=True)
class Choice:
    """One of a few names (or values)."""

    names: tuple

    def check(self, name, value):
        if not any(type(value) is type(each) and value == each for each in self.names):
            choices = ", ".join(map(repr, self.names))
            raise ParameterError(f"{name}={value!r} is unknown; choose one of {choices}.")


@dataclass(frozen=True)
class Layers:
    """A tuple of layer widths, or of the sides of a picture; ``optional`` allows None."""

    optional: bool = False
    noun: str = "a hidden layer; try (1500,)"

    def check(self, name, value):
        if value is None and self.optional:
            return
        widths = value if isinstance(value, (tuple, list)) else None
        if widths is None or any(not isinstance(h, Integral) or isinstance(h, bool) or h < 1 for h in widths):
            raise ParameterError(f"{name}={value!r} must be a tuple of whole numbers of at least 1, one {self.noun}.")


def check_parameters(estimator, limits):
    """Check every parameter of ``estimator`` named in ``limits``."""
    for name, limit in limits.items():
        limit.check(name, getattr(estimator, name))
