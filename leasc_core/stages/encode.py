"""What is done to a block of points, as small objects that any engine can carry: encode, label; and samples of codes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from ..data.scale import unit_rows
from ..spectral.model import SpectralModel
from .points import prepared


def some_rows(total: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """At most ``count`` of ``total`` row numbers, in their order."""
    return np.arange(total) if count >= total else np.sort(rng.choice(total, count, replace=False))


def main_directions(codes: np.ndarray, count: int, lost: float = 0.0) -> np.ndarray:
    """The ``count`` principal axes of unit-length codes (through the origin: codes are compared by angle), as columns.

    At most half of them where the others hold no more than the share ``lost`` of the codes' squared length.
    """
    codes = unit_rows(codes)
    width = codes.shape[1]
    gram = (codes.T @ codes).astype(np.float64)
    values, vectors = linalg.eigh(gram, subset_by_index=[width - count, width - 1])
    left = np.trace(gram) - np.cumsum(values[::-1])
    few = 1 + int(np.count_nonzero(left > lost * np.trace(gram)))
    return np.ascontiguousarray(vectors[:, ::-1][:, : few if 2 * few <= count else count], dtype=np.float32)


@dataclass(frozen=True)
class Encode:
    """Blocks of points to codes: checked, of length one where asked, in single precision unless the points are double."""

    network: Any
    unit_rows: bool = True
    single: bool = True

    def __call__(self, block, rows):
        points = prepared(block, rows, self.unit_rows)
        return self.network(points.astype(np.float32, copy=False) if self.single else points)


@dataclass(frozen=True)
class LabelPoints:
    """Blocks of points to labels."""

    encode: Encode
    model: SpectralModel

    def __call__(self, block, start):
        return self.model.label(self.encode(block, start))


def as_it_is(block, start):
    """The encoder of features that are codes already."""
    return block


def sample_codes(source, encode, count: int, engine, rng: np.random.Generator) -> np.ndarray:
    """Codes of at most ``count`` random rows of ``source``, in their order."""
    rows = some_rows(len(source), count, rng)
    parts = (rows[i : i + engine.block_rows] for i in range(0, len(rows), engine.block_rows))
    return np.vstack([encode(engine.take(source, part), part) for part in parts])
