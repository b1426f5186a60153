"""What an explanation is made from: the drawn points of a run, their codes and margins. No Streamlit in here."""

import numpy as np

from leasc_core.explain.cluster import MOST_MEMBERS, explain_cluster
from leasc_core.explain.margins import doubtful_neighbours
from leasc_core.explain.point import error_shares, explain_point
from leasc_ui.results.results import stratified

COMPARED_WITH = 400


class Explainer:
    """Explanations of one run's points and clusters; what they share is computed once."""

    def __init__(self, results):
        self.results = results
        at = stratified(results.drawn_labels, COMPARED_WITH)
        rows = results.rows[at]
        self.usual = error_shares(self.seen(rows), results.codes(rows), results.model.representatives_)

    def seen(self, rows):
        """These rows as f sees them."""
        from leasc_core.stages.points import prepared

        return prepared(self.results.data.points.take(np.asarray(rows)), 0, self.results.model.unit_rows)

    def point(self, row):
        """Who writes a row."""
        results, model = self.results, self.results.model
        return explain_point(
            self.seen([row])[0], results.codes([row])[0], model.representatives_, results.representative_labels, self.usual
        )

    def place(self, row):
        """``(margin, rival, rows of the nearest doubtful points)`` of a row that is drawn; None of another."""
        results = self.results
        at = np.searchsorted(results.rows, row)
        if at == len(results.rows) or results.rows[at] != row:
            return None
        margins, rivals = results.margins_and_rivals
        return float(margins[at]), int(rivals[at]), results.rows[doubtful_neighbours(at, results.embedded, margins)]

    def cluster(self, number):
        """``(explanation, rows of the points it was made from)``; positions in it count these rows."""
        results = self.results
        own = np.flatnonzero(results.drawn_labels == number)
        others = np.flatnonzero(results.drawn_labels != number)
        own, others = (each[stratified(results.drawn_labels[each], MOST_MEMBERS)] for each in (own, others))
        at = np.sort(np.concatenate([own, others]))
        margins, rivals = results.margins_and_rivals
        points = results.data.points.take(results.rows[at])
        found = explain_cluster(points, results.drawn_labels[at], number, margins[at], rivals[at])
        return found, results.rows[at]

    @property
    def pictures(self):
        """Whether directions among the points are pictures: the data are, and no feature was made or left out on the way."""
        data = self.results.data
        return data.image_shape is not None and data.points.shape[1] == int(np.prod(data.image_shape))

    def feature_names(self):
        """The names of the features as the method sees them: those of the file, of what the cleaning left or made of them."""
        data = self.results.data
        width = data.source.shape[1]
        names = data.source.feature_names or [f"feature {at}" for at in range(1, width + 1)]
        if getattr(data.preprocess, "n_features_in_", None) == width:
            names = data.preprocess.names_out(names)
        if len(names) != data.points.shape[1]:
            names = [f"made feature {at}" for at in range(1, data.points.shape[1] + 1)]
        return [str(name)[:60] for name in names]
