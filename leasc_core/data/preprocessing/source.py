"""A source seen through a fitted Preprocessor: the same rows, cleaned and scaled as they are read."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from leasc_core.data.finite import refuse_non_finite
from leasc_core.data.sources import DataSource
from leasc_core.errors import ParameterError


class PreprocessedSource(DataSource):
    """Every row of ``base`` after ``preprocessor``; one row in, one row out."""

    def __init__(self, base: DataSource, preprocessor: Any):
        if preprocessor.missing == "drop":
            raise ParameterError(
                "A Preprocessor with missing='drop' leaves rows out, and then labels would not match the rows; "
                "drop them before the fit, or fill them with missing='mean' or 'low_rank'."
            )
        self.preprocessor = preprocessor
        first = self._after(base.rows(0, 1), 0)
        super().__init__((base.shape[0], preprocessor.n_features_out_), first.dtype, base.name)
        self.base, self.preprocessor, self.layout = base, preprocessor, base.layout

    def rows(self, start: int, stop: int) -> np.ndarray:
        return self._after(self.base.rows(start, stop), start)

    def raw_blocks(self, rows: int, start: int = 0) -> Iterator[tuple[int, np.ndarray]]:
        for first, block in self.base.raw_blocks(rows, start):
            yield first, self._after(block, first)

    def _take_sorted(self, wanted):
        return self._after(self.base.take(wanted), wanted)

    def _after(self, block, rows):
        if self.preprocessor.missing == "error":
            refuse_non_finite(block, rows)
        return self.preprocessor.transform(block)
