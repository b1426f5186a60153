"""Table II over the number of points, on log axes: where classical coding leaves the picture."""

import pandas as pd

from leasc_ui.theme import cluster_colour, colour

from .chart import Chart, axis, legend


def costs_chart(curves, points, height=360):
    """``curves`` has method, learned, points and operations; a dashed line stands at ``points``."""
    data = pd.concat(
        [curves.assign(kind="curve"), pd.DataFrame({"kind": ["now"], "points": [points]})],
        ignore_index=True,
    )
    across = axis("points", "points m", format="~s", tickCount=7, scale={"type": "log", "nice": False})
    methods = list(dict.fromkeys(curves["method"]))
    shades = [cluster_colour(i % 4) for i in range(len(methods))]
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
                    "color": {"field": "method", "type": "nominal", "scale": {"domain": methods, "range": shades},
                              "legend": legend(columns=4, symbolType="stroke")},
                    "strokeDash": {"field": "method", "type": "nominal", "legend": legend(columns=4, symbolType="stroke"),
                                   "scale": {"domain": methods, "range": dashes}},
                    "tooltip": [{"field": "method"}, {"field": "points", "format": ",d"},
                                {"field": "operations", "format": ".2e"}],
                },
            },
            {
                "transform": [{"filter": "datum.kind === 'now'"}],
                "mark": {"type": "rule", "color": colour("representatives"), "strokeWidth": 1.5, "strokeDash": [5, 4]},
                "encoding": {"x": across, "tooltip": [{"field": "points", "title": "looked at", "format": ",d"}]},
            },
        ],
    }  # fmt: skip
    return Chart(spec, data, "Curves of the operations each method needs over the number of points, both axes logarithmic.")
