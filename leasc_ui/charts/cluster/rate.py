"""Points a second while a run goes on; only the table changes, so the drawing stays."""

import pandas as pd

from leasc_ui.charts.chart import Chart, axis
from leasc_ui.frame.theme import cluster_colour


def rate_chart(rates, height=160):
    """``rates`` are ``(seconds, points a second)``; the line begins at nothing, so that there is always something to draw."""
    data = pd.DataFrame([(0.0, 0.0), *rates], columns=["seconds", "rate"]).astype("float64")
    spec = {
        "height": height,
        "mark": {"type": "line", "strokeWidth": 2, "color": cluster_colour(0), "point": {"size": 18}},
        "encoding": {
            "x": axis("seconds", "seconds since the start", tickCount=6, format=".0f", grid=False, scale={"nice": False}),
            "y": axis("rate", "points / s", tickCount=3, format=",.0f"),
            "tooltip": [{"field": "seconds", "format": ".0f"}, {"field": "rate", "title": "points a second", "format": ",.0f"}],
        },
    }
    return Chart(spec, data, "Line of the points coded a second, by the time since the run was started.")
