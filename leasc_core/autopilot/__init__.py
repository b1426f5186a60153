"""The autopilot: proposes clusters, β, representatives, landmarks and affinity without labels, in the time it is given."""

from importlib import import_module

_HOMES = {"propose": "search", "Candidate": "candidates", "Evidence": "candidates", "Proposal": "candidates"}
__all__ = sorted(_HOMES)


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
