"""How sure a label is: the share of independent draws that would give it too, read off the point's margin.

Representatives and landmarks are drawn anew a few times on a sample, the model's own labels are compared with theirs, and the
margin in the spectral embedding is mapped, rising, to the agreement found there. No label is read; predict can do it too.
"""

from dataclasses import dataclass

import numpy as np

from ..evidence.matching import matched
from .copies import copy_of

SAMPLE = 4000
# Each draw takes at most this share of the sample as representatives, so that draws differ on small data too.
SHARE = 0.6


@dataclass(frozen=True, eq=False)
class Calibration:
    """A rising, piecewise linear map from margin to expected agreement."""

    margins: np.ndarray
    agreement: np.ndarray

    @classmethod
    def fit(cls, margins, agreement):
        """Isotonic regression of agreement (shares in [0, 1]) on margins."""
        from sklearn.isotonic import IsotonicRegression

        fitted = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip").fit(margins, agreement)
        return cls(fitted.X_thresholds_.astype(np.float32), fitted.y_thresholds_.astype(np.float32))

    def __call__(self, margins):
        """Confidences in [0, 1]."""
        return np.interp(margins, self.margins, self.agreement).astype(np.float32)


def agreement_of_draws(model, points, labels, k, draws, rng):
    """For each of ``points``, the share of ``draws`` small fits (as ``model`` is set) that give it the label it has."""
    n = int(min(model._count_representatives(len(points)) if model.n_representatives is None
                else min(model.n_representatives, len(points)), max(k, 2, SHARE * len(points))))  # fmt: skip
    agreed = np.zeros(len(points))
    for _ in range(draws):
        small = copy_of(
            model, n_clusters=k, n_representatives=n, n_landmarks=None, n_draws=1, confidence_draws=0, preprocess=None,
            on_event=None, random_state=int(rng.integers(2**31 - 1)))  # fmt: skip
        agreed += matched(small.fit(points).labels_, labels, k) == labels
    return agreed / draws


def certain(confidence, threshold):
    """Which labels are at least that sure, and the share of them."""
    kept = np.asarray(confidence) >= threshold
    return kept, float(kept.mean())
