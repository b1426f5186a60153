"""A fitted model looked at through some points of a source: the facts of a point or a cluster as plain values."""

import numpy as np

from ..errors import DataError
from ..spectral.kmeans import nearest_centre
from ..stages.encode import Encode, some_rows
from ..stages.points import prepared
from .cluster import explain_cluster
from .margins import doubtful_neighbours, margins_and_rivals
from .point import error_shares, explain_point

COMPARED_WITH = 3000
USUAL_FROM = 400


class Look:
    """What explanations share: at most 3,000 rows of the source, how the model places them, and what it usually leaves of one."""

    def __init__(self, model, source, also=(), seed=0):
        beyond = [row for row in also if not 0 <= row < len(source)]
        if beyond:
            raise DataError(f"Row {beyond[0]} is not in the data; rows are counted from 0 to {len(source) - 1:,}.")
        rng = np.random.default_rng(seed)
        self.model, self.source = model, model._preprocessed(source)
        self.rows = np.union1d(some_rows(len(source), COMPARED_WITH, rng), np.asarray(also, dtype=int))
        self.points = np.asarray(self.source.take(self.rows))
        self.embedded = model.model_.embed(Encode(model.encoder_, model.unit_rows)(self.points, 0))
        self.labels = nearest_centre(self.embedded, model.model_.centres)
        self.margins, self.rivals = margins_and_rivals(self.embedded, model.model_.centres, self.labels)
        usual = some_rows(len(self.rows), USUAL_FROM, rng)
        self.usual = error_shares(self._seen(usual), self._codes(usual), model.representatives_)

    def point(self, row):
        """Who writes a row, what stays unwritten, and where it lies."""
        at, model = int(np.searchsorted(self.rows, row)), self.model
        helpers = model.labels_[model.representative_indices_]
        found = explain_point(self._seen([at])[0], self._codes([at])[0], model.representatives_, helpers, self.usual)
        near = doubtful_neighbours(at, self.embedded, self.margins)
        own, rival = int(self.labels[at]), int(self.rivals[at])
        return {
            "row": int(row),
            "cluster": own,
            "margin": float(self.margins[at]),
            "next_cluster": rival if rival >= 0 else None,
            "written_by_own_cluster": float(found.by_cluster[own]) if own < len(found.by_cluster) else 0.0,
            "unwritten": found.error_share,
            "outlier_score": found.outlier_score,
            "outlier": bool(found.is_outlier),
            "written_by": [
                {"row": int(row), "cluster": int(label), "weight": float(weight), "share": float(share)}
                for row, label, weight, share in zip(
                    model.representative_indices_[found.helpers], helpers[found.helpers], found.weights, found.shares, strict=True
                )
            ],
            "doubtful_neighbours": self.rows[near].tolist(),
        }

    def cluster(self, number):
        """What a cluster is made of, and what it is confused with."""
        found = explain_cluster(self.points, self.labels, number, self.margins, self.rivals)
        return {
            "cluster": found.label,
            "points_seen": found.count,
            "dimension": found.dimension,
            "energy_in_basis": [float(share) for share in found.shares],
            "features": [
                {"feature": int(at), "share_here": float(here), "share_elsewhere": float(there)}
                for at, here, there in zip(found.features, found.energy, found.energy_elsewhere, strict=True)
            ],
            "typical_rows": self.rows[found.exemplars].tolist(),
            "doubtful_rows": self.rows[found.doubtful].tolist(),
            "doubtful_share": found.doubtful_share,
            "confused_with": found.rival,
            "confused_share": found.rival_share,
        }

    def _seen(self, at):
        return prepared(self.points[at], 0, self.model.unit_rows)

    def _codes(self, at):
        return Encode(self.model.network_, self.model.unit_rows)(self.points[at], 0)
