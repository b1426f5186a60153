"""An even sample of a stream of rows that does not depend on how the stream is cut into blocks."""

import numpy as np

MAX_ROWS = 5000
MAX_CELLS = 1_000_000
MIN_ROWS = 500


class RowSample:
    """At most 5,000 rows and about a million cells, each row as likely as any other."""

    def __init__(self, seed=0):
        self._rng = np.random.default_rng(seed)
        self._keys, self._blocks = np.empty(0), []

    def add(self, block):
        self._size = min(MAX_ROWS, max(MIN_ROWS, MAX_CELLS // block.shape[1]))
        self._keys = np.concatenate([self._keys, self._rng.random(block.shape[0])])
        self._blocks.append(np.array(block, dtype=np.float64))
        if self._keys.size > 2 * self._size:
            self._thin()

    def rows(self):
        """The sampled rows in the order of the stream."""
        self._thin()
        return self._blocks[0]

    def _thin(self):
        """Keep the rows with the smallest keys."""
        kept = np.sort(np.argsort(self._keys)[: self._size])
        self._keys, self._blocks = self._keys[kept], [np.concatenate(self._blocks)[kept]]
