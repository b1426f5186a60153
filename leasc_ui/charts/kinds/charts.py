"""Charts that one kind of data has: spectra of clusters, genes that mark a cluster."""

import numpy as np
import pandas as pd

from leasc_core.data.layout import Layout
from leasc_ui.charts.chart import TITLE, Chart, axis, legend
from leasc_ui.frame.theme import cluster_colours

MOST_CLUSTERS, MOST_GENES = 20, 24
PICK = "picked"


def cluster_means(source, labels, count) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of every feature in every cluster, (count, features) each, in one pass over the blocks."""
    labels = np.asarray(labels)
    total, squares, sizes = np.zeros((count, source.shape[1])), np.zeros((count, source.shape[1])), np.zeros(count)
    shift = None
    for start, block in source.blocks():
        block, here = np.nan_to_num(np.asarray(block, np.float64)), labels[start : start + len(block)]
        shift = block.mean(axis=0) if shift is None else shift
        for cluster in np.unique(here[here >= 0]):
            members = block[here == cluster] - shift
            total[cluster] += members.sum(axis=0)
            squares[cluster] += (members**2).sum(axis=0)
            sizes[cluster] += len(members)
    sizes = np.maximum(sizes, 1)[:, None]
    mean = total / sizes
    return mean + (0 if shift is None else shift), np.sqrt(np.maximum(squares / sizes - mean**2, 0))


def spectra_chart(means, deviations, layout: Layout, names, height=300) -> Chart:
    """The mean spectrum of each cluster over wavelength (or band), with a band of one standard deviation."""
    known = layout.wavelengths is not None
    along = np.asarray(layout.wavelengths) if known else np.arange(1, layout.shape[2] + 1)
    shown = min(len(means), MOST_CLUSTERS)
    tables = []
    for at in range(shown):
        low, high = means[at] - deviations[at], means[at] + deviations[at]
        tables.append(pd.DataFrame({"along": along, "mean": means[at], "low": low, "high": high, "cluster": names[at]}))
    data = pd.concat(tables)
    title = f"wavelength ({layout.unit})" if known and layout.unit else "wavelength" if known else "band"
    colour = _colour(names[:shown])
    x = axis("along", title, scale={"zero": False})
    spec = {
        "height": height,
        "layer": [
            {
                "mark": {"type": "area", "opacity": 0.18},
                "encoding": {"x": x, "y": axis("low", "value"), "y2": {"field": "high"}, "color": colour},
            },
            {"mark": {"type": "line"}, "encoding": {"x": x, "y": axis("mean", "value"), "color": colour}},
        ],
    }
    return Chart(spec, data, "The mean spectrum of each cluster over wavelength, with one standard deviation around it.")


def marker_genes(means, feature_names, each=3) -> list[int]:
    """Columns that set clusters apart: of each cluster those whose mean lies farthest above that of the next cluster.

    Distances are in units of the spread that counts of such means have.
    """
    means = np.asarray(means)
    ordered = np.sort(means, axis=0)
    found = []
    for cluster in range(len(means)):
        rival = np.where(means[cluster] >= ordered[-1], ordered[-2] if len(means) > 1 else 0.0, ordered[-1])
        # As counts spread: a gene that hardly any cell has marks nothing.
        best = np.argsort(-(means[cluster] - rival) / np.sqrt(np.abs(means[cluster]) + np.abs(rival) + 1e-9))
        found += [int(at) for at in best[: each + len(found)] if int(at) not in found][:each]
    return found[:MOST_GENES]


def dot_chart(means, shares, genes, feature_names, names, height=None) -> Chart:
    """Marker genes against clusters: colour is the mean (scaled to each gene's range), size the share of cells that have any."""
    rows = []
    for at in genes:
        column = means[:, at]
        scaled = (column - column.min()) / max(column.max() - column.min(), 1e-12)
        rows += [
            {
                "gene": feature_names[at],
                "cluster": names[k],
                "mean": float(column[k]),
                "level": float(scaled[k]),
                "share": float(shares[k, at]),
            }
            for k in range(len(means))
        ]
    data = pd.DataFrame(rows)
    spec = {
        "height": height or 30 * len(names) + 160,
        "mark": {"type": "circle", "cursor": "pointer"},
        "params": [{"name": PICK, "select": {"type": "point", "fields": ["cluster"]}}],
        "encoding": {
            "x": {"field": "gene", "type": "nominal", "sort": None, "title": "column", "axis": {**TITLE, "labelAngle": -60}},
            "y": {"field": "cluster", "type": "nominal", "sort": list(names), "title": "cluster", "axis": TITLE},
            "size": {
                "field": "share",
                "type": "quantitative",
                "title": "share above 0",
                "scale": {"range": [4, 240]},
                "legend": legend(),
            },
            "color": {"field": "level", "type": "quantitative", "title": "mean, scaled", "scale": {"scheme": "blues"}},
            "tooltip": [
                {"field": "gene"},
                {"field": "cluster"},
                {"field": "mean", "format": ".3g"},
                {"field": "share", "format": ".0%"},
            ],
        },
    }
    return Chart(
        spec, data, "Dots of the columns that mark each cluster: colour for the mean, size for the share of rows above zero."
    )


def shares_above_zero(source, labels, count) -> np.ndarray:
    """Share of the rows of each cluster with a value above 0, (count, features)."""
    labels, above, sizes = np.asarray(labels), np.zeros((count, source.shape[1])), np.zeros(count)
    for start, block in source.blocks():
        here = labels[start : start + len(block)]
        for cluster in np.unique(here[here >= 0]):
            above[cluster] += (block[here == cluster] > 0).sum(axis=0)
            sizes[cluster] += int((here == cluster).sum())
    return above / np.maximum(sizes, 1)[:, None]


def _colour(names):
    shown = list(dict.fromkeys(names))[: len(cluster_colours())]
    return {
        "field": "cluster",
        "type": "nominal",
        "legend": legend(),
        "scale": {"domain": shown, "range": cluster_colours()[: len(shown)]},
    }
