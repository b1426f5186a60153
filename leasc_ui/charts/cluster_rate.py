"""Points a second while a run goes on; only the table changes, so the drawing stays."""

import pandas as pd

from leasc_ui.theme import cluster_colour

from .chart import Chart, axis


def rate_chart(rates, height=120):
    """``rates`` are ``(seconds, points a second)``."""
    data = pd.DataFrame(rates, columns=["seconds", "rate"]).astype("float64")
    spec = {
        "height": height,
        "mark": {"type": "line", "strokeWidth": 2, "color": cluster_colour(0), "point": {"size": 18}},
        "encoding": {
            "x": axis("seconds", "seconds since the start", tickCount=6, grid=False, scale={"nice": False}),
            "y": axis("rate", "points a second", tickCount=3, format="~s"),
            "tooltip": [{"field": "seconds", "format": ".0f"}, {"field": "rate", "title": "points a second", "format": ",.0f"}],
        },
    }
    return Chart(spec, data, "Line of the points coded a second, by the time since the run was started.")
