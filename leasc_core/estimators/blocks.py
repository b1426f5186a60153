"""What LeaSC does to a block of points, as small objects that any engine can carry: encode, label, say how sure; and samples."""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from ..encoder.mlp import MLP
from ..spectral.kmeans import margins, nearest_centre
from ..spectral.landmarks import unit_rows
from ..spectral.model import SpectralModel
from .confidence import Calibration
from .points import prepared


def some_rows(total, count, rng):
    """At most ``count`` of ``total`` rows, in their order."""
    return np.arange(total) if count >= total else np.sort(rng.choice(total, count, replace=False))


def main_directions(codes, count):
    """The ``count`` principal axes of unit-length codes (through the origin: codes are compared by angle)."""
    codes = unit_rows(codes)
    width = codes.shape[1]
    gram = (codes.T @ codes).astype(np.float64)
    _, vectors = linalg.eigh(gram, subset_by_index=[width - count, width - 1])
    return np.ascontiguousarray(vectors[:, ::-1], dtype=np.float32)


@dataclass(frozen=True)
class Encode:
    """Blocks of points to codes: checked, of length one where asked, in single precision unless the points are double."""

    network: MLP
    unit_rows: bool
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


@dataclass(frozen=True)
class SurePoints:
    """Blocks of points to labels and their confidence, side by side (labels up to 16 million are exact in single precision)."""

    encode: Encode
    model: SpectralModel
    calibration: Calibration

    def __call__(self, block, start):
        embedded = self.model.embed(self.encode(block, start))
        labels, margin = nearest_centre(embedded, self.model.centres), margins(embedded, self.model.centres)
        return np.column_stack([labels.astype(np.float32), self.calibration(margin)])
