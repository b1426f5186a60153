"""A Dask cluster: the same two operations, done where the rows are. Install ``dask[array] distributed`` to use it.

The function and its weights are part of the task graph and nothing is scattered, so a worker that dies takes nothing with it:
the scheduler still has the graph, and gives the lost blocks to another.
"""

import operator
from dataclasses import dataclass

import numpy as np

from ..data.sources import DataSource, open_source
from ..errors import DataError, ParameterError, RunError
from .local import BLOCK_ROWS

ROWS_A_TASK = 16_384


def connect(address):
    """A client of the scheduler at ``address``, which Dask then uses for everything; close it when done."""
    try:
        from distributed import Client
    except ImportError:
        raise ParameterError("A scheduler needs Dask: install the packages of requirements-dask.txt.") from None
    try:
        return Client(address, timeout=10)
    except (OSError, ValueError, TimeoutError) as error:
        problem = type(error).__name__
        raise RunError(f"No Dask scheduler answers at {address} ({problem}); start one, or check the address.") from None


def dask_array(path, rows=ROWS_A_TASK, **options):
    """The rows of a file as a Dask array; every worker must see the file under the same path."""
    import dask.array as da
    from dask import delayed

    source = open_source(path, **options)
    read = delayed(_read, pure=True)
    parts = []
    for start in range(0, len(source), rows):
        stop = min(start + rows, len(source))
        parts.append(da.from_delayed(read(str(path), options, start, stop), (stop - start, source.shape[1]), source.dtype))
    return da.concatenate(parts)


def is_dask_array(thing):
    """Whether ``thing`` is a Dask array, without importing Dask."""
    return type(thing).__module__.startswith("dask.array") and hasattr(thing, "to_delayed")


class DaskSource(DataSource):
    """Rows of a Dask array: samples are fetched, passes are made where the rows are."""

    def __init__(self, array, name="dask array"):
        if array.ndim != 2:
            raise DataError(f"The Dask array has {array.ndim} dimensions; give one sample a row and one feature a column.")
        if any(np.isnan(size) for size in array.shape):
            array = array.compute_chunk_sizes()
        super().__init__(array.shape, array.dtype, name)
        self.array = array.rechunk({1: -1})

    def engine(self):
        return DaskEngine()

    def rows(self, start, stop):
        return self.array[start:stop].compute()

    def _take_sorted(self, wanted):
        return self.array[wanted].compute()


class DaskEngine:
    """Map and sum over the blocks of a Dask array; what is mapped stays with the workers as a Dask array."""

    block_rows = BLOCK_ROWS

    def __init__(self):
        self.rows_read = 0

    def map(self, function, table, store, name, columns, dtype, progress=None):
        """``function(block, start)`` of every block, as a Dask array; the store is not needed, the graph can redo any part.

        What later steps stand on is computed at once and stays with the workers; labels of points are computed when asked for.
        """
        import dask.array as da

        blocks = [da.from_delayed(result, (rows, *columns), dtype) for rows, result in self._results(function, table)]
        mapped = da.concatenate(blocks)
        straight_to_labels = isinstance(table, DataSource) and not columns
        return mapped if straight_to_labels else mapped.persist()

    def sum(self, function, table, progress=None):
        """The sum of ``function(block, start)`` over all blocks, added in pairs."""
        from dask import delayed

        add = delayed(operator.add, pure=True)
        parts = [result for _, result in self._results(function, table)]
        while len(parts) > 1:
            parts = [add(*parts[i : i + 2]) if i + 1 < len(parts) else parts[i] for i in range(0, len(parts), 2)]
        total = parts[0].compute()
        if progress:
            progress(len(table))
        return total

    def take(self, table, indices):
        """The rows at ``indices``, fetched."""
        if isinstance(table, DataSource):
            self.rows_read += len(indices)
            return table.take(indices)
        return table[indices].compute()

    def _results(self, function, table):
        """``(rows, delayed result)`` of every block."""
        from dask import delayed

        array, function = self._where_the_rows_are(function, table)
        whole, call = delayed(function, pure=True, traverse=False), delayed(_call, pure=True)
        start = 0
        for rows, block in zip(array.chunks[0], array.to_delayed().ravel(), strict=True):
            yield rows, call(whole, block, start)
            start += rows

    def _where_the_rows_are(self, function, table):
        if not isinstance(table, DataSource):
            return table, function
        self.rows_read += len(table)
        if isinstance(table, DaskSource):
            return table.array, function
        return table.base.array, _After(table.preprocessor, function)


@dataclass(frozen=True)
class _After:
    """Clean a block, then the function."""

    preprocessor: object
    function: object

    def __call__(self, block, start):
        return self.function(self.preprocessor.transform(block), start)


def _call(function, block, start):
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        return function(np.asarray(block), start)


def _read(path, options, start, stop):
    return open_source(path, **options).rows(start, stop)
