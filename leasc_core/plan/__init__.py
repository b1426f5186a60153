"""How many clusters, and how far to believe it: plateaus of stable numbers, judged against data without clusters."""

from importlib import import_module

_HOMES = {
    "Plateau": "plateaus",
    "Counts": "plateaus",
    "Verdict": "verdict",
    "count": "number",
    "count_source": "number",
    "judge": "verdict",
}
__all__ = sorted(_HOMES)


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
