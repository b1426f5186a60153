"""A picture of a run's codes, small enough to keep: some points and some who help them, each cluster by its share (Fig. 4)."""

from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from ..baselines.base import LearnedCodes
from ..data.sources import open_source
from ..errors import DataError
from ..storage.files import replacing, writing

MOST_POINTS, MOST_HELPERS = 1024, 512


@dataclass(frozen=True, eq=False)
class CodePicture:
    """``codes`` has a row a point and a column a helper, both in order of cluster.

    Attributes
    ----------
    points, helpers : their clusters
    count : (points, helpers) before some were taken
    """

    codes: np.ndarray = field(repr=False)
    points: np.ndarray = field(repr=False)
    helpers: np.ndarray = field(repr=False)
    count: tuple

    def save(self, path):
        """Write it as ``.npz``."""
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path) as file:
                arrays = {"codes": self.codes.astype(np.float32), "points": self.points, "helpers": self.helpers}
                np.savez_compressed(file, **arrays, count=np.array(self.count))

    @classmethod
    def load(cls, path):
        """What :meth:`save` wrote."""
        try:
            with np.load(path, allow_pickle=False) as held:
                return cls(held["codes"], held["points"], held["helpers"], tuple(int(n) for n in held["count"]))
        except (OSError, ValueError, KeyError):
            raise DataError("The picture of these codes cannot be read; run the method again.") from None


def code_picture(outcome, points):
    """The picture of an :class:`~leasc_core.baselines.Outcome`, or None where its codes do not say who helps whom."""
    labels, codes = outcome.labels, outcome.codes
    learned = isinstance(codes, LearnedCodes)
    if not learned and (codes is None or codes.shape[0] != codes.shape[1]):
        return None
    helping = labels[codes.representatives] if learned else labels
    shown, helpers = _some(labels, MOST_POINTS), _some(helping, MOST_HELPERS)
    if learned:
        picture = codes.encode(open_source(points).take(np.sort(shown)))[np.argsort(np.argsort(shown))][:, helpers]
    else:
        picture = codes[shown][:, helpers]
        picture = picture.toarray() if sparse.issparse(picture) else picture
    return CodePicture(picture, labels[shown], helping[helpers], (len(labels), len(helping)))


def _some(labels, most):
    """Positions in order of cluster, evenly spaced, at most so many."""
    order = np.argsort(labels, kind="stable")
    return order if len(order) <= most else order[np.linspace(0, len(order) - 1, most).astype(np.intp)]
