"""Table II over the number of points, on log axes: where classical coding leaves the picture."""

import pandas as pd

from leasc_ui.charts.chart import Chart, axis
from leasc_ui.frame.theme import cluster_colour, colour

LINE = "display:inline-block;width:1.7em;vertical-align:middle"


def costs_chart(curves, points, height=360):
    """``curves`` has method, learned, points and operations; a dashed line stands at ``points``."""
    data = pd.concat(
        [curves.assign(kind="curve"), pd.DataFrame({"kind": ["now"], "points": [points]})],
        ignore_index=True,
    )
    across = axis("points", "points m", format="~s", tickCount=7, scale={"type": "log", "nice": False})
    methods = list(dict.fromkeys(curves["method"]))
    shades = [_shade(i) for i in range(len(methods))]
    dashes = [[1, 0] if learned else [6, 4] for learned in curves.groupby("method", sort=False)["learned"].first()]
    spec = {
        "height": height,
        "layer": [
            {
                "transform": [{"filter": "datum.kind === 'curve'"}],
                "mark": {"type": "line", "strokeWidth": 2.2},
                "encoding": {
                    "x": across,
                    "y": axis("operations", "operations, up to a constant", format=".0e", tickCount=6, scale={"type": "log"}),
                    "color": {
                        "field": "method",
                        "type": "nominal",
                        "legend": None,
                        "scale": {"domain": methods, "range": shades},
                    },
                    "strokeDash": {
                        "field": "method",
                        "type": "nominal",
                        "legend": None,
                        "scale": {"domain": methods, "range": dashes},
                    },
                    "tooltip": [
                        {"field": "method"},
                        {"field": "points", "format": ",d"},
                        {"field": "operations", "format": ".2e"},
                    ],
                },
            },
            {
                "transform": [{"filter": "datum.kind === 'now'"}],
                "mark": {"type": "rule", "color": colour("representatives"), "strokeWidth": 1.5, "strokeDash": [5, 4]},
                "encoding": {"x": across, "tooltip": [{"field": "points", "title": "looked at", "format": ",d"}]},
            },
        ],
    }
    return Chart(spec, data, "Curves of the operations each method needs over the number of points, both axes logarithmic.")


def legend_html(methods):
    """``(name, learned)`` of each curve in order; as text it wraps where a chart's legend is cut off."""
    items = "".join(
        f'<span><i style="{LINE};border-top:3px {"solid" if learned else "dashed"} {_shade(i)}"></i>{name}</span>'
        for i, (name, learned) in enumerate(methods)
    )
    return f'<div class="legend">{items}</div>'


def _shade(number):
    """A learned method and the classical one with the same norm share a colour."""
    return cluster_colour(number % 4)
