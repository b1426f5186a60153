"""Known classes against found clusters: how many points of each class went into each cluster."""

import pandas as pd

from leasc_ui.charts.chart import TITLE, Chart
from leasc_ui.frame.theme import cluster_colour, colour

MOST_CELLS_LABELLED, MOST_NAMED = 200, 24


def confusion_chart(table, order, classes, names, height=None):
    """``table`` (classes, clusters) with clusters in ``order``; shares are of the class."""
    table = table[:, order]
    totals = table.sum(axis=1)
    data = pd.DataFrame(
        [
            {
                "class": classes[i],
                "cluster": names[k],
                "points": int(table[i, j]),
                "share": float(table[i, j] / max(1, totals[i])),
            }
            for i in range(len(table))
            for j, k in enumerate(order)
        ]
    )
    place = {
        "x": {
            "field": "cluster",
            "type": "nominal",
            "title": "found cluster",
            "sort": None,
            "axis": {**TITLE, "labelAngle": -40},
        },
        "y": {
            "field": "class",
            "type": "nominal",
            "title": "known class",
            "sort": None,
            "axis": {**TITLE, "labelOverlap": len(classes) > MOST_NAMED},
        },
    }
    cells = {
        "mark": {"type": "rect", "cornerRadius": 2, "color": cluster_colour(0)},
        "encoding": {
            **place,
            "opacity": {
                "field": "share",
                "type": "quantitative",
                "legend": None,
                "scale": {"domain": [0, 1], "range": [0.04, 1]},
            },
            "tooltip": [
                {"field": "class", "title": "known class"},
                {"field": "cluster", "title": "found cluster"},
                {"field": "points", "format": ","},
                {"field": "share", "title": "share of the class", "format": ".1%"},
            ],
        },
    }
    numbers = {
        "transform": [{"filter": "datum.points > 0"}],
        "mark": {"type": "text", "fontSize": 11},
        "encoding": {
            **place,
            "text": {"field": "points", "format": ","},
            "color": {"condition": {"test": "datum.share > 0.75", "value": colour("on-accent")}, "value": colour("text")},
        },
    }
    layers = [cells, numbers] if table.size <= MOST_CELLS_LABELLED else [cells]
    height = height or min(600, max(180, 110 + 24 * len(table)))
    alt = "Matrix of known classes against found clusters, darker where a larger share of the class lies."
    return Chart({"height": height, "layer": layers}, data, alt)
