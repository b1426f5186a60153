"""Every pair of found subspaces as a matrix: affinity by shade, with the smallest principal angle."""

import numpy as np
import pandas as pd

from leasc_ui.charts.chart import TITLE, Chart
from leasc_ui.frame.theme import cluster_colour, colour

MOST_LABELLED = 14


def affinity_chart(table, names, height=None):
    """``table`` is a ``SubspaceTable``; a pair without an angle (an empty subspace) is left out."""
    data = pd.DataFrame(
        [
            {"first": names[i], "second": names[j], "affinity": table.affinity[i, j], "angle": table.smallest[i, j]}
            for i in range(len(names))
            for j in range(len(names))
            if np.isfinite(table.affinity[i, j])
        ]
    )
    place = {
        side: {
            "field": name,
            "type": "nominal",
            "title": None,
            "sort": None,
            "axis": {**TITLE, "labelOverlap": len(names) > MOST_LABELLED, **turn},
        }
        for side, name, turn in (("x", "second", {"labelAngle": -40}), ("y", "first", {}))
    }
    cells = {
        "mark": {"type": "rect", "cornerRadius": 2, "color": cluster_colour(0)},
        "encoding": {
            **place,
            "opacity": {
                "field": "affinity",
                "type": "quantitative",
                "legend": None,
                "scale": {"domain": [0, 1], "range": [0.04, 1]},
            },
            "tooltip": [
                {"field": "first", "title": "subspace"},
                {"field": "second", "title": "and"},
                {"field": "affinity", "format": ".3f"},
                {"field": "angle", "title": "smallest angle, °", "format": ".1f"},
            ],
        },
    }
    numbers = {
        "mark": {"type": "text", "fontSize": 12},
        "encoding": {
            **place,
            "text": {"field": "affinity", "format": ".2f"},
            "color": {"condition": {"test": "datum.affinity > 0.8", "value": colour("on-accent")}, "value": colour("text")},
        },
    }
    layers = [cells, numbers] if len(names) <= MOST_LABELLED else [cells]
    alt = "Matrix of the affinities between found subspaces, darker where two are more alike."
    return Chart({"height": height or min(600, 90 + 36 * len(names)), "layer": layers}, data, alt)
