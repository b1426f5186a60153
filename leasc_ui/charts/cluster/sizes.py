"""How many points each cluster has, as bars; a click on a bar selects its cluster."""

import numpy as np
import pandas as pd

from leasc_ui.charts.chart import TITLE, Chart, axis
from leasc_ui.frame.theme import CLUSTERS, cluster_colours

MOST_BARS = 60
PICK = "pick"


def sizes_chart(sizes, names, height=235):
    """``sizes`` and ``names`` by cluster; above 60 clusters the largest 60."""
    shown = np.sort(np.argsort(-np.asarray(sizes), kind="stable")[:MOST_BARS])
    data = pd.DataFrame(
        {
            "number": shown + 1,
            "name": [names[at] for at in shown],
            "points": np.asarray(sizes)[shown],
            "share": np.asarray(sizes)[shown] / max(1, int(np.sum(sizes))),
            "shade": shown % len(CLUSTERS),
        }
    )
    colours = cluster_colours()
    spec = {
        "height": height,
        "params": [{"name": PICK, "select": {"type": "point", "fields": ["number"], "toggle": False}}],
        "mark": {"type": "bar", "cornerRadiusEnd": 3, "cursor": "pointer"},
        "encoding": {
            "x": {
                "field": "number",
                "type": "ordinal",
                "title": "cluster",
                "axis": {**TITLE, "labelAngle": 0, "labelOverlap": True},
            },
            "y": axis("points", "points", tickCount=4, format="~s"),
            "color": {
                "field": "shade",
                "type": "nominal",
                "legend": None,
                "scale": {"domain": list(range(len(colours))), "range": colours},
            },
            "opacity": {"condition": {"param": PICK, "value": 1}, "value": 0.35},
            "tooltip": [
                {"field": "name", "title": "cluster"},
                {"field": "points", "format": ","},
                {"field": "share", "format": ".1%"},
            ],
        },
    }
    return Chart(spec, data, "Bars of how many points each cluster has; a click on a bar selects the cluster.")
