"""What may give the points of the map their colours: clusters, known classes, confidence, or any column of the data."""

import numpy as np

from leasc_ui.charts.cluster.live import Colouring
from leasc_ui.data.preview import coded_labels
from leasc_ui.frame.theme import CLUSTERS, CONFIDENCE, SCALE
from leasc_ui.results.confidence import STEPS, steps_of

BY_CLUSTER, BY_CLASS, BY_CONFIDENCE = "clusters", "classes", "confidence"
TITLES = {BY_CLUSTER: "Clusters", BY_CLASS: "Known classes", BY_CONFIDENCE: "Confidence"}
MOST_NAMED, MOST_FEATURES = 40, 60
OTHER = "all other values"


def ways_to_colour(results):
    """``{name: title}`` of all there is to colour by."""
    truth, _ = coded_labels(results.data)
    known = truth is not None and len(truth) == len(results.labels)
    missing = {BY_CLASS: not known, BY_CONFIDENCE: not results.measures_confidence}
    ways = {name: title for name, title in TITLES.items() if not missing.get(name)}
    return ways | {name: name for name in columns_of(results.data)}


def columns_of(data):
    """Names of the columns that can be looked at: those that go along with the rows, then named features."""
    beside = getattr(data.source, "metadata", None)
    features = [str(name) for name in data.source.feature_names or ()]
    return list(
        dict.fromkeys([*(beside.names if beside is not None else ()), *(features if len(features) <= MOST_FEATURES else ())])
    )


def values_of(data, name, rows):
    """The values of a column at these rows, as read."""
    beside = getattr(data.source, "metadata", None)
    if beside is not None and name in beside.names:
        return beside.take(rows, [name])[name]
    return data.source.take(rows)[:, [str(each) for each in data.source.feature_names].index(name)]


def hover_columns(data, rows, most=6):
    """``{name: values}`` shown when the pointer rests on a point: what goes along with the rows."""
    beside = getattr(data.source, "metadata", None)
    return {} if beside is None or not beside.names else beside.take(rows, list(beside.names[:most]))


def palette_of(results):
    """The colours of its clusters; where they were edited, each keeps its own."""
    own = getattr(results, "palette", None)
    return CLUSTERS if own is None else own(CLUSTERS)


def colouring(results, by, rows, labels, names) -> Colouring:
    """The colours of the drawn ``rows``, whose clusters are ``labels``; sizes are those of all points."""
    if by == BY_CLUSTER:
        return Colouring("clusters", labels, tuple(names), tuple(results.sizes), palette_of(results), True)
    if by == BY_CLASS:
        truth, classes = coded_labels(results.data)
        return Colouring("known classes", truth[rows], tuple(classes), tuple(np.bincount(truth, minlength=len(classes))))
    if by == BY_CONFIDENCE:
        every = np.bincount(steps_of(results.all_confidence), minlength=len(STEPS))
        steps = steps_of(np.asarray(results.all_confidence)[rows])
        return Colouring("confidence", steps, STEPS, tuple(every), CONFIDENCE)
    values = values_of(results.data, by, np.arange(len(results.labels)))
    make = _stepped if values.dtype.kind in "fiu" and len(np.unique(values[:1000])) > 12 else _named
    codes, words, palette = make(values)
    return Colouring(by, codes[rows], words, tuple(np.bincount(codes, minlength=len(words))), palette)


def _stepped(values):
    """Numbers in seven steps between their 2nd and 98th per cent; missing ones in a step of their own."""
    values = values.astype(float)
    known = np.isfinite(values)
    low, high = np.percentile(values[known], [2, 98]) if known.any() else (0.0, 1.0)
    ends = np.linspace(low, high if high > low else low + 1.0, len(SCALE) + 1)
    codes = np.where(known, np.digitize(values, ends[1:-1]), len(SCALE))
    words = [f"{a:.4g} to {b:.4g}" for a, b in zip(ends, ends[1:], strict=False)]
    words[0], words[-1] = f"up to {ends[1]:.4g}", f"{ends[-2]:.4g} and more"
    return (codes, words, SCALE) if known.all() else (codes, [*words, "missing"], (*SCALE, ("#B4BAC2", "#566070")))


def _named(values):
    """A colour a value, the most frequent ones first; what is rare shares one."""
    texts = np.array(["missing" if each in ("", "nan", "NaT") else each for each in values.astype(str)], dtype=object)
    words, codes, counts = np.unique(texts.astype(str), return_inverse=True, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    place = np.empty(len(order), int)
    place[order] = np.arange(len(order))
    codes, words = place[codes], words[order]
    if len(words) > MOST_NAMED:
        codes, words = np.minimum(codes, MOST_NAMED - 1), [*words[: MOST_NAMED - 1], OTHER]
    return codes, list(words), CLUSTERS
