"""A source seen through a fitted Preprocessor: the same rows, cleaned and scaled as they are read."""

from leasc_core.data.sources import DataSource
from leasc_core.errors import ParameterError


class PreprocessedSource(DataSource):
    """Every row of ``base`` after ``preprocessor``; one row in, one row out."""

    def __init__(self, base, preprocessor):
        if preprocessor.missing == "drop":
            raise ParameterError(
                "A Preprocessor with missing='drop' leaves rows out, and then labels would not match the rows; "
                "drop them before the fit, or fill them with missing='mean' or 'low_rank'."
            )
        first = preprocessor.transform(base.rows(0, 1))
        super().__init__((base.shape[0], preprocessor.n_features_out_), first.dtype, base.name)
        self.base, self.preprocessor = base, preprocessor

    def rows(self, start, stop):
        return self.preprocessor.transform(self.base.rows(start, stop))

    def raw_blocks(self, rows, start=0):
        for first, block in self.base.raw_blocks(rows, start):
            yield first, self.preprocessor.transform(block)

    def _take_sorted(self, wanted):
        return self.preprocessor.transform(self.base.take(wanted))
