"""Who does the work on blocks of rows: this machine, or a Dask cluster. Both offer the same two operations, map and sum."""

from .local import LocalEngine


def engine_of(source, block_rows=None):
    """The engine that a source asks for: rows of a Dask array stay with its cluster."""
    base = getattr(source, "base", source)
    return base.engine() if hasattr(base, "engine") else LocalEngine(block_rows)
