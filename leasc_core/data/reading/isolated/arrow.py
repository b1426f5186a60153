"""pyarrow with all that it imports when it makes its first array, here once and before any child is forked."""

from contextlib import suppress

import pyarrow as pa

__all__ = ["pa"]

with suppress(ImportError):
    import pandas  # noqa: F401
