"""Map and sum: in order, once, whatever the block size; errors and stops come through."""

import threading

import numpy as np
import pytest

from leasc_core.data.sources import open_source
from leasc_core.engine.local import LocalEngine, computed, read_ahead
from leasc_core.storage.checkpoint import MemoryStore


def points(rows=1000, columns=7):
    return np.random.default_rng(0).standard_normal((rows, columns)).astype(np.float32)


def _twice(block, start):
    return 2 * block


@pytest.mark.parametrize("rows", [1, 64, 333, 1000, 5000])
def test_map_is_the_function_of_every_row(rows):
    X, seen = points(), []
    engine = LocalEngine(rows)
    mapped = engine.map(_twice, open_source(X), MemoryStore(), "twice", (7,), np.float32, lambda *a: seen.append(a))
    assert np.array_equal(mapped, 2 * X)
    assert [done for done, _ in seen] == [min(1000, done) for done in range(rows, 1000 + rows, rows)][: len(seen)]
    assert engine.rows_read == 1000


@pytest.mark.parametrize("rows", [1, 64, 333, 1000])
def test_sum_is_the_sum(rows):
    X = points().astype(np.float64)
    assert np.allclose(LocalEngine(rows).sum(lambda block, start: block.sum(axis=0), open_source(X)), X.sum(axis=0))


def test_blocks_know_where_they_start():
    starts = list(computed(lambda block, start: (start, len(block)), open_source(points()).raw_blocks(300)))
    assert starts == [(0, 300), (300, 300), (600, 300), (900, 100)]


def test_an_error_in_the_function_or_the_reader_comes_through():
    def bad(block, start):
        raise ArithmeticError(f"at {start}")

    with pytest.raises(ArithmeticError, match="at 0"):
        LocalEngine(100).map(bad, open_source(points()), MemoryStore(), "bad", (), np.int32)

    def broken():
        yield 0, points(10)
        raise OSError("the cable is out")

    with pytest.raises(OSError, match="cable"):
        list(read_ahead(broken()))


def test_reading_is_ahead_but_not_far():
    """Two blocks wait and a third is being offered; no more are in memory."""
    fetched = []

    def blocks():
        for number in range(100):
            fetched.append(number)
            yield number, None

    reader = read_ahead(blocks())
    next(reader)
    reader.close()
    assert len(fetched) <= 5
    assert not any(thread.name == "read-ahead" for thread in threading.enumerate()), "the reader has ended with its caller"


def test_products_in_a_block_use_one_thread_and_the_number_is_restored():
    import torch

    before = torch.get_num_threads()
    inside = list(computed(lambda block, start: torch.get_num_threads(), open_source(points()).raw_blocks(100)))
    assert set(inside) == {1}
    assert torch.get_num_threads() == before
