"""Code matrices as pictures, sorted by cluster (the paper's Fig. 3): rows are representatives, columns are points."""

import base64
from io import BytesIO

import numpy as np
import pandas as pd

from leasc_ui.charts.chart import TITLE, Chart
from leasc_ui.frame.theme import CLUSTERS, NEGATIVE, POSITIVE, cluster_colours

SATURATION = 0.995
MIDDLE, STOPS = 127, 9
RIBBON = 9


def cluster_order(labels):
    """Row numbers that bring each cluster together and keep the order inside it."""
    return np.argsort(labels, kind="stable")


def shared_limit(*matrices):
    """One symmetric colour range for several matrices: all but the most extreme half per cent of the entries."""
    sizes = np.abs(np.concatenate([matrix.ravel() for matrix in matrices]))
    limit = float(np.quantile(sizes, SATURATION))
    return limit if limit > 0 else float(sizes.max()) or 1.0


def codes_chart(codes, point_labels, helper_labels, limit, *, columns, rows="representatives", height=215):
    """``codes`` (m, n), row i codes point i; drawn as the paper does, a point a column.

    Parameters
    ----------
    point_labels, helper_labels : the clusters by which columns and rows are sorted and marked.
    limit : colours run from −limit to limit and stay there beyond it.
    columns, rows : what these are, for the axes and the description.
    """
    across, down = cluster_order(point_labels), cluster_order(helper_labels)
    picture = np.asarray(codes)[np.ix_(across, down)].T
    ends_across, ends_down = _ends(point_labels), _ends(helper_labels)
    image = pd.DataFrame({"kind": ["image"], "url": [picture_url(picture, limit)]})
    data = pd.concat(
        [
            image,
            _ribbon("top", ends_across),
            _ribbon("left", ends_down),
            _blocks(picture, ends_across, ends_down),
        ],
        ignore_index=True,
    )
    alt = f"Matrix of codes, a row for each of {rows}, a column for each of {columns}, sorted by cluster."
    return Chart(_spec(columns, rows, height), data, alt)


def picture_url(matrix, limit):
    """The matrix as a small PNG, one pixel an entry: the larger a code, the more solid its colour."""
    from PIL import Image

    levels = np.rint((np.clip(matrix / limit, -1, 1) + 1) * MIDDLE).astype(np.uint8)
    image = Image.fromarray(levels)
    image.putpalette(_shades().tobytes())
    stream = BytesIO()
    image.save(stream, "PNG", transparency=_solidity().tobytes())
    return "data:image/png;base64," + base64.b64encode(stream.getvalue()).decode()


def scale_html(limit):
    """The colour scale of the matrices as a bar with its two ends."""
    at = np.linspace(0, 2 * MIDDLE, STOPS).astype(int)
    stops = ",".join("#" + bytes([*shade, alpha]).hex() for shade, alpha in zip(_shades()[at], _solidity()[at], strict=True))
    bar = f'<i style="background:linear-gradient(90deg,{stops})"></i>'
    return f'<div class="scale"><span>−{limit:.2g}</span>{bar}<span>+{limit:.2g}</span></div>'


def _shades():
    """A colour for each level, negative below the middle and positive above."""
    ends = [[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in (NEGATIVE, POSITIVE)]
    return np.repeat(np.array(ends, dtype=np.uint8), (MIDDLE, MIDDLE + 1), axis=0)


def _solidity():
    """The opacity of each level: none in the middle, full at both ends, and quick to rise, so that small codes are seen."""
    return np.rint(255 * np.abs(np.linspace(-1, 1, 2 * MIDDLE + 1)) ** 0.65).astype(np.uint8)


def _ends(labels):
    """Where each cluster begins and ends on an axis from 0 to 1."""
    return np.concatenate([[0], np.cumsum(np.bincount(labels))]) / len(labels)


def _ribbon(kind, ends):
    shades = [k % len(CLUSTERS) for k in range(len(ends) - 1)]
    return pd.DataFrame({"kind": kind, "shade": shades, "start": ends[:-1], "stop": ends[1:]})


def _blocks(picture, across, down):
    """One row for each pair of clusters: how strongly the ones help the others."""
    rows, columns = (np.rint(ends * size).astype(int) for ends, size in zip((down, across), picture.shape, strict=True))
    filled = (rows[1:] > rows[:-1])[:, None] & (columns[1:] > columns[:-1])
    return pd.DataFrame(
        [
            {
                "kind": "block",
                "start": across[i],
                "stop": across[i + 1],
                "top": down[j],
                "bottom": down[j + 1],
                "points": f"cluster {i + 1}",
                "helpers": f"cluster {j + 1}",
                "mean": float(picture[rows[j] : rows[j + 1], columns[i] : columns[i + 1]].mean() if filled[j, i] else 0),
            }
            for i in range(len(across) - 1)
            for j in range(len(down) - 1)
        ]
    )


def _spec(columns, rows, height):
    shades = {"domain": list(range(len(CLUSTERS))), "range": cluster_colours()}
    colour = {"field": "shade", "type": "nominal", "scale": shades, "legend": None}
    unit = {"domain": [0, 1], "nice": False}
    bare = {**TITLE, "labels": False, "ticks": False, "grid": False, "domain": False}
    span_x = {
        "x": {"field": "start", "type": "quantitative", "scale": unit, "title": columns, "axis": bare},
        "x2": {"field": "stop"},
    }
    span_y = {"scale": {**unit, "reverse": True}, "title": rows, "axis": {**bare, "offset": RIBBON + 4}}
    image = {
        "transform": [{"filter": "datum.kind === 'image'"}],
        "mark": {
            "type": "image",
            "aspect": False,
            "smooth": False,
            "align": "left",
            "baseline": "top",
            "width": {"expr": "width"},
            "height": {"expr": "height"},
        },
        "encoding": {"url": {"field": "url"}, "x": {"value": 0}, "y": {"value": 0}},
    }
    top = {
        "transform": [{"filter": "datum.kind === 'top'"}],
        "mark": {"type": "rect", "y": -RIBBON - 2, "y2": -2},
        "encoding": {**span_x, "color": colour},
    }
    left = {
        "transform": [{"filter": "datum.kind === 'left'"}],
        "mark": {"type": "rect", "x": -RIBBON - 2, "x2": -2},
        "encoding": {"y": {"field": "start", "type": "quantitative", **span_y}, "y2": {"field": "stop"}, "color": colour},
    }
    blocks = {
        "transform": [{"filter": "datum.kind === 'block'"}],
        "mark": {"type": "rect", "opacity": 0},
        "encoding": {
            **span_x,
            "y": {"field": "top", "type": "quantitative", **span_y},
            "y2": {"field": "bottom"},
            "tooltip": [
                {"field": "points", "title": "points of"},
                {"field": "helpers", "title": "helped by"},
                {"field": "mean", "title": "mean code", "format": ".4f"},
            ],
        },
    }
    room = {"top": RIBBON + 4, "left": 2, "right": 2, "bottom": 2}
    return {"height": height, "padding": room, "layer": [image, top, left, blocks]}
