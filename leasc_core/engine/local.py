"""This machine: blocks of rows, read ahead by a thread, each computed by one core from beginning to end, kept in order."""

import queue
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

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
            for result in computed(function, self._blocks(table, already)):
                out.append(result)
                if progress:
                    progress(out.done, already)
        finally:
            out.close()
        return out.array()

    def sum(self, function, table, progress=None):
        """The sum of ``function(block, start)`` over all blocks, in their order."""
        total, done = None, 0
        for rows, part in computed(lambda block, start: (len(block), function(block, start)), self._blocks(table)):
            total = part if total is None else total + part
            done += rows
            if progress:
                progress(done)
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


def computed(function, blocks):
    """``function(block, start)`` of each ``(start, block)``, in order.

    Each block is one thread's from beginning to end and its products run on that thread alone: cores need not wait for one
    another inside a block, and a result does not depend on how many there are.
    """
    with _one_thread_each() as workers, ThreadPoolExecutor(workers, initializer=_alone) as pool:
        begun = deque()
        try:
            for start, block in blocks:
                begun.append(pool.submit(function, block, start))
                if len(begun) > workers:
                    yield begun.popleft().result()
            while begun:
                yield begun.popleft().result()
        finally:
            for each in begun:
                each.cancel()


@contextmanager
def _one_thread_each():
    """Products use one thread while this lasts; gives the number of threads they would have used."""
    import torch
    from threadpoolctl import threadpool_limits

    workers = torch.get_num_threads()
    try:
        with threadpool_limits(1):
            yield workers
    finally:
        torch.set_num_threads(workers)


def _alone():
    import torch

    torch.set_num_threads(1)


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
