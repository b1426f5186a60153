"""Charts that one kind of data has: spectra of clusters, tracks in a frame, the states of a series, genes that mark a cluster."""

import base64
from io import BytesIO

import numpy as np
import pandas as pd

from leasc_core.data.layout import Layout
from leasc_ui.charts.chart import TITLE, Chart, axis, legend
from leasc_ui.frame.theme import cluster_colours

MOST_CLUSTERS, MOST_GENES, MOST_TRACKS = 20, 24, 5000


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


def tracks_chart(rows, labels, layout: Layout, names, frame=0, height=420) -> Chart:
    """Points of tracks at one frame, coloured by cluster, with the way that each went before; in pixels of the frame picture."""
    rows, labels = np.asarray(rows)[:MOST_TRACKS], np.asarray(labels)[:MOST_TRACKS]
    scale, corner = np.array(layout.to_pixels[:2]), np.array(layout.to_pixels[2:])
    places = rows.reshape(len(rows), layout.frames, 2)[:, max(0, frame - 4) : frame + 1] * scale + corner
    data = pd.DataFrame(
        {
            "x": places[:, -1, 0],
            "y": places[:, -1, 1],
            "x0": places[:, 0, 0],
            "y0": places[:, 0, 1],
            "cluster": [names[label] if label >= 0 else "none" for label in labels],
        }
    )
    if layout.picture is not None:
        spread_x, spread_y = (0, layout.picture.shape[1]), (0, layout.picture.shape[0])
    else:
        whole = rows.reshape(len(rows), layout.frames, 2) * scale + corner
        spread_x, spread_y = ([float(whole[..., at].min()), float(whole[..., at].max())] for at in (0, 1))
    colour = _colour(names)
    x = axis("x", "x (pixels)" if layout.picture is not None else "x", scale={"domain": list(spread_x)})
    y = axis("y", "y (pixels)" if layout.picture is not None else "y", scale={"domain": list(spread_y), "reverse": True})
    spec = {
        "height": height,
        "layer": [
            *([] if layout.picture is None else [_frame_layer(layout.picture)]),
            {
                "mark": {"type": "rule", "opacity": 0.5},
                "encoding": {"x": x, "y": y, "x2": {"field": "x0"}, "y2": {"field": "y0"}, "color": colour},
            },
            {
                "mark": {"type": "circle", "size": 40},
                "encoding": {"x": x, "y": y, "color": colour, "tooltip": [{"field": "cluster"}]},
            },
        ],
    }
    return Chart(spec, data, "Tracked points at one frame, coloured by cluster, each with the way it came.")


def _frame_layer(picture):
    """The frame behind the points, in its own pixels."""
    from PIL import Image

    stored = BytesIO()
    Image.fromarray(picture).save(stored, "JPEG", quality=80)
    url = "data:image/jpeg;base64," + base64.b64encode(stored.getvalue()).decode()
    height, width = picture.shape[:2]
    corners = {name: {"field": name, "type": "quantitative"} for name in ("x", "y")} | {
        name: {"field": name} for name in ("x2", "y2")
    }
    return {
        "data": {"values": [{"x": 0, "y": 0, "x2": width, "y2": height, "url": url}]},
        "mark": {"type": "image", "aspect": False, "opacity": 0.55},
        "encoding": {**corners, "url": {"field": "url", "type": "nominal"}},
    }


def timeline_chart(labels, layout: Layout, names, height=160) -> Chart:
    """The cluster of every window along time, a row for each series."""
    labels = np.asarray(labels)
    step = layout.step or layout.window or 1
    starts = np.arange(len(labels)) * step if layout.starts is None else layout.starts
    series = np.zeros(len(labels), int) if layout.series is None else layout.series
    # Windows of one cluster that follow one another are one bar.
    change = np.flatnonzero(np.r_[True, (np.diff(labels) != 0) | (np.diff(series) != 0)])
    last = np.r_[change[1:] - 1, len(labels) - 1]
    data = pd.DataFrame(
        {
            "from": starts[change],
            "to": starts[last] + step,
            "series": series[change] + 1,
            "cluster": [names[label] if label >= 0 else "none" for label in labels[change]],
        }
    )
    spec = {
        "height": height,
        "mark": {"type": "bar", "height": {"band": 0.9}},
        "encoding": {
            "x": axis("from", "time (steps)"),
            "x2": {"field": "to"},
            "y": {"field": "series", "type": "ordinal", "title": "series", "axis": TITLE},
            "color": _colour(names),
            "tooltip": [{"field": "cluster"}, {"field": "from"}, {"field": "to"}],
        },
    }
    return Chart(spec, data, "A bar along time for each series, coloured by the cluster of each stretch.")


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
        "mark": {"type": "circle"},
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
