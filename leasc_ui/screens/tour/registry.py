"""The steps of the tour in their order. A new one is a module ``steps/NAME.py`` with a ``STEP``, and its name here."""

from functools import cache
from importlib import import_module

NAMES = ("problem", "representatives", "expression", "algorithm", "function", "clusters", "noise", "scale", "failures", "yours")


@cache
def steps():
    """All steps, first to last."""
    return tuple(import_module(f"leasc_ui.screens.tour.steps.{name}").STEP for name in NAMES)
