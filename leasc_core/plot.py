"""The app's charts from Python: each function gives a picture that a notebook shows, and that ``save`` writes as SVG or HTML."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .data.sources import DataSource, open_source
from .data.sources.matching import match
from .drawing import charts
from .drawing.cards import verdict_html
from .drawing.effects import effect_table
from .drawing.picture import Picture, drawn
from .drawing.sample import take_sample
from .errors import ParameterError
from .workbench.profile import profile

MOST_COLUMNS = 20


def map(model, Y) -> Picture:
    """The points by two principal axes of the spectral embedding, coloured by cluster; ``Y`` is what ``model`` was fitted to."""
    sample = _sampled(model, Y)
    names = [f"axis {at + 1}, {share:.0%} of the variance" for at, share in enumerate(sample.shares)]
    words = (
        f"{len(sample.rows):,} of {len(model.labels_):,} points; clusters that lie on one another may be apart along other axes."
    )
    return drawn("Spectral embedding", charts.scattered(sample.places, sample.labels, names), words)


def codes(model, Y) -> Picture:
    """Sizes of the codes, points and representatives sorted by cluster: blocks stand out where the method works."""
    sample = _sampled(model, Y)
    words = f"|f(y)| of {len(sample.rows):,} points (rows) over {len(model.representatives_):,} representatives (columns)."
    picture = charts.code_matrix(sample.strengths, sample.row_labels, sample.column_labels)
    return drawn("Codes", picture.replace("<svg ", '<svg class="wide" ', 1), words)


def sizes(model) -> Picture:
    """How many points each cluster has."""
    check_is_fitted(model, "labels_")
    return drawn("Cluster sizes", charts.size_bars(np.bincount(model.labels_).tolist()))


def spectrum(model) -> Picture:
    """The eigenvalues of the graph: as many near 1 as there are pieces."""
    check_is_fitted(model, "eigenvalues_")
    return drawn("Spectrum", charts.spectrum(model.eigenvalues_, model.n_clusters_, f"the gap behind {model.n_clusters_}"))


def profiles(model, Y, columns=None, most: int = MOST_COLUMNS) -> Picture:
    """What is high (blue) and low (orange) in each cluster, in standard deviations; the ``most`` telling columns.

    ``model`` is a fitted model, or labels of the rows of ``Y``; -1 is no cluster. ``columns`` are names, where ``Y`` has none.
    """
    labels = model.labels_ if hasattr(model, "labels_") else np.asarray(model)
    found = profile(_source(model, Y), labels, columns=columns)
    telling = np.argsort(-np.nanmax(np.abs(np.nan_to_num(found.effects)), axis=0), kind="stable")[:most]
    words = "Mean here less mean elsewhere, in standard deviations; hover for the column’s own unit."
    return drawn("Profiles", effect_table(found, telling.tolist()), words)


def verdict(model) -> Picture:
    """What to think of the labels, and what to do."""
    return Picture("Verdict", f"<b>Verdict</b>{verdict_html(model.verdict_)}")


def _source(model, Y) -> DataSource:
    source = Y if isinstance(Y, DataSource) else open_source(Y)
    return match(source, getattr(model, "feature_names_in_", None))


def _sampled(model, Y):
    check_is_fitted(model, "model_")
    source = _source(model, Y)
    if len(source) != len(model.labels_):
        raise ParameterError(
            f"The model was fitted to {len(model.labels_):,} rows and these are {len(source):,}; give the rows it was fitted to."
        )
    return take_sample(model, source)
