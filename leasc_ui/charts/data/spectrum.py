"""The singular values of the data, and where the ones that matter end."""

import pandas as pd

from leasc_ui.charts.chart import Chart, axis
from leasc_ui.frame.theme import cluster_colour, colour

MOST_SHOWN = 60
FLOOR = 1e-4


def spectrum_chart(values, together, height=260):
    """``values`` as shares of the largest; those up to ``together`` are filled."""
    shown = values[:MOST_SHOWN]
    data = pd.DataFrame({"number": range(1, len(shown) + 1), "value": shown})
    data["inside"] = ["yes" if number <= together else "no" for number in data["number"]]
    data = data[data["value"] > FLOOR]
    spec = {
        "height": height,
        "encoding": {
            "x": axis("number", "number of the singular value", tickMinStep=1, format="d", grid=False, tickCount=8),
            "y": axis("value", "share of the largest (log scale)", scale={"type": "log"}, tickCount=4, format="~p"),
        },
        "layer": [
            {"mark": {"type": "line", "color": colour("faint"), "strokeWidth": 1.2}},
            {
                "mark": {"type": "point", "filled": True, "size": 48, "opacity": 1},
                "encoding": {
                    "color": {
                        "field": "inside",
                        "type": "nominal",
                        "legend": None,
                        "scale": {"domain": ["yes", "no"], "range": [cluster_colour(0), colour("faint")]},
                    },
                    "tooltip": [{"field": "number"}, {"field": "value", "title": "share of the largest", "format": ".2%"}],
                },
            },
        ],
    }
    return Chart(spec, data, "Singular values in falling order, on a log axis; the first, with 99 % of the energy, are blue.")
