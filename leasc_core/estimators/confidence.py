"""How sure a label is: the share of independent draws that would give it too, read off the point's margin.

Representatives and landmarks are drawn anew a few times on a sample, the model's own labels are compared with theirs, and the
margin in the spectral embedding is mapped, rising, to the agreement found there. No label is read; predict can do it too.
"""

from dataclasses import dataclass

import numpy as np

from ..evidence.matching import matched
from ..spectral.kept import KEPT_GRAPHS
from ..spectral.kmeans import margins, nearest_centre
from ..spectral.model import SpectralModel
from ..stages.encode import Encode
from ..stages.keep import labels_of_a_draw
from ..stages.represent import count_representatives
from .copies import copy_of

SAMPLE = 4000
# Each draw takes at most this share of the sample as representatives, so that draws differ on small data too.
SHARE = 0.6
# Steps of the margin between which confidence is interpolated: two margins that differ by rounding must not differ in confidence.
STEPS = 100


@dataclass(frozen=True, eq=False)
class Calibration:
    """A rising, piecewise linear map from margin to expected agreement."""

    margins: np.ndarray
    agreement: np.ndarray

    @classmethod
    def fit(cls, margins, agreement):
        """Isotonic regression of agreement (shares in [0, 1]) on margins, read off at even steps."""
        from sklearn.isotonic import IsotonicRegression

        fitted = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip").fit(margins, agreement)
        grid = np.linspace(0, 1, STEPS + 1)
        return cls(grid.astype(np.float32), fitted.predict(grid).astype(np.float32))

    def __call__(self, margins):
        """Confidences in [0, 1]."""
        return np.interp(margins, self.margins, self.agreement).astype(np.float32)


@dataclass(frozen=True)
class LabelWithConfidence:
    """Blocks of points to labels and their confidence, side by side (labels up to 16 million are exact in single precision)."""

    encode: Encode
    model: SpectralModel
    calibration: Calibration

    def __call__(self, block, start):
        embedded = self.model.embed(self.encode(block, start))
        labels, margin = nearest_centre(embedded, self.model.centres), margins(embedded, self.model.centres)
        return np.column_stack([labels.astype(np.float32), self.calibration(margin)])


def agreement_of_draws(model, points, labels, k, draws, rng):
    """For each of ``points``, the share of ``draws`` small fits (as ``model`` is set) that give it the label it has."""
    n = int(
        min(
            count_representatives(model, len(points))
            if model.n_representatives is None
            else min(model.n_representatives, len(points)),
            max(k, 2, SHARE * len(points)),
        )
    )
    agreed = np.zeros(len(points))
    if model.affinity_ in KEPT_GRAPHS:
        for _ in range(draws):
            agreed += matched(labels_of_a_draw(points, model.affinity_, k, rng), labels, k) == labels
        return agreed / draws
    for _ in range(draws):
        small = copy_of(
            model,
            n_clusters=k,
            n_representatives=n,
            n_landmarks=None,
            n_draws=1,
            confidence_draws=0,
            preprocess=None,
            affinity=model.affinity_,
            on_event=None,
            random_state=int(rng.integers(2**31 - 1)),
        )
        agreed += matched(small.fit(points).labels_, labels, k) == labels
    return agreed / draws


def certain(confidence, threshold):
    """Which labels are at least that sure, and the share of them."""
    kept = np.asarray(confidence) >= threshold
    return kept, float(kept.mean())
