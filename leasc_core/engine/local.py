"""This machine: blocks of rows, read ahead by a thread while the last one is computed, mapped in order or summed."""

import queue
import threading

import numpy as np

from ..data.sources import DataSource

BLOCK_ROWS = 4096
AHEAD = 2
# Rows of what the engine made itself (a few numbers a point) are handled in larger blocks; always the same, so that sums are too.
SMALL_ROWS = 65_536


class LocalEngine:
    """Map and sum over the rows of a source or an array, one pass each.

    Attributes
    ----------
    rows_read : how many rows of sources it has read so far; divided by their number, the passes over the data
    """

    def __init__(self, block_rows=None):
        self.block_rows = block_rows or BLOCK_ROWS
        self.rows_read = 0

    def map(self, function, table, store, name, columns, dtype, progress=None):
        """``function(block, start)`` of every block, kept by ``store`` as its table ``name``; goes on where that left off."""
        out = store.table(name, (len(table), *columns), dtype)
        already = out.done
        try:
            for start, block in self._blocks(table, out.done):
                out.append(function(block, start))
                if progress:
                    progress(out.done, already)
        finally:
            out.close()
        return out.array()

    def sum(self, function, table, progress=None):
        """The sum of ``function(block, start)`` over all blocks, in their order."""
        total = None
        for start, block in self._blocks(table):
            part = function(block, start)
            total = part if total is None else total + part
            if progress:
                progress(start + len(block))
        return total

    def take(self, table, indices):
        """The rows at ``indices``."""
        if not isinstance(table, DataSource):
            return table[indices]
        self.rows_read += len(indices)
        return table.take(indices)

    def _blocks(self, table, start=0):
        if not isinstance(table, DataSource):
            for first in range(start, len(table), SMALL_ROWS):
                yield first, np.asarray(table[first : first + SMALL_ROWS])
            return
        for first, block in read_ahead(table.raw_blocks(self.block_rows, start)):
            self.rows_read += len(block)
            yield first, block


def read_ahead(blocks, depth=AHEAD):
    """The same blocks; a thread fetches the next ones while the caller works on this one."""
    ready, ended = queue.Queue(depth), threading.Event()

    def offer(item):
        while not ended.is_set():
            try:
                ready.put(item, timeout=0.1)
            except queue.Full:
                continue
            return

    def fetch():
        try:
            for block in blocks:
                offer((block, None))
                if ended.is_set():
                    return
            offer((None, None))
        except BaseException as error:
            offer((None, error))

    reader = threading.Thread(target=fetch, name="read-ahead", daemon=True)
    reader.start()
    try:
        while True:
            block, error = ready.get()
            if error is not None:
                raise error
            if block is None:
                return
            yield block
    finally:
        ended.set()
        reader.join()
