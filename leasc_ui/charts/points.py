"""Points in the plane by cluster, with representatives as red pluses (the paper's Fig. 2)."""

import numpy as np
import pandas as pd

from leasc_ui.charts.chart import Chart, axis
from leasc_ui.frame.theme import GLYPHS, SYMBOLS, cluster_colour, cluster_colours, colour

PLUS = "M-1,0L1,0M0,-1L0,1"
TOOLTIP = [
    {"field": "number", "title": "point"},
    {"field": "cluster", "title": "cluster"},
    {"field": "x", "format": ".2f"},
    {"field": "y", "format": ".2f"},
]


def points_chart(points, labels, representatives, height=345):
    """``points`` (m, 2) coloured by ``labels`` (from 0); ``representatives`` are row numbers."""
    chosen = np.zeros(len(points), dtype=bool)
    chosen[representatives] = True
    data = pd.DataFrame(
        {
            "x": points[:, 0].astype(np.float32),
            "y": points[:, 1].astype(np.float32),
            "cluster": [f"cluster {label + 1}" for label in labels],
            "representative": chosen,
            "number": np.arange(len(points)),
        }
    )
    room = {"nice": False, "zero": False, "padding": 14}
    place = {
        "x": axis("x", "first feature", tickCount=8, scale=room),
        "y": axis("y", "second feature", tickCount=6, scale=room),
    }
    spec = {
        "height": height,
        "encoding": place,
        "layer": [_dots(), _pluses(colour("paper"), 5), _pluses(colour("representatives"), 2)],
    }
    alt = "Scatter plot of the points in the plane, coloured by cluster, with the representatives as red pluses."
    return Chart(spec, data, alt)


def legend_html(labels, representatives):
    """The names of the marks with how many there are of each; as text it wraps where a chart's legend is cut off."""
    names = [
        (cluster_colour(cluster), GLYPHS[cluster % len(GLYPHS)], f"cluster {cluster + 1}", count)
        for cluster, count in enumerate(np.bincount(labels))
    ]
    names.append((colour("representatives"), "+", "representatives", len(representatives)))
    items = (f'<span><i style="color:{shade}">{glyph}</i>{name}, {count}</span>' for shade, glyph, name, count in names)
    return f'<div class="legend">{"".join(items)}</div>'


def _dots():
    by_cluster = {"field": "cluster", "type": "nominal", "legend": None}
    return {
        "mark": {"type": "point", "filled": True, "size": 44, "opacity": 0.8, "stroke": colour("paper"), "strokeWidth": 0.6},
        "encoding": {
            "color": {**by_cluster, "scale": {"range": cluster_colours()}},
            "shape": {**by_cluster, "scale": {"range": list(SYMBOLS)}},
            "tooltip": TOOLTIP,
        },
    }


def _pluses(shade, width):
    """The representatives; drawn twice, first wide in the colour of the paper, so that red stands clear of any cluster."""
    mark = {"type": "point", "shape": PLUS, "size": 110, "stroke": shade, "strokeWidth": width, "opacity": 1}
    return {"transform": [{"filter": "datum.representative"}], "mark": mark, "encoding": {"tooltip": TOOLTIP}}
