"""How much of the data lies within a radius of its representatives, over that radius."""

import pandas as pd

from leasc_ui.charts.chart import Chart, axis
from leasc_ui.frame.theme import cluster_colour, colour


def covered_chart(radii, shares, radius, height=300):
    """``shares`` of the points within ``radii``; a dashed line stands at ρ."""
    curve = pd.DataFrame({"kind": "curve", "radius": radii, "share": 100 * shares})
    data = pd.concat([curve, pd.DataFrame({"kind": ["rho"], "radius": [radius]})], ignore_index=True)
    across = axis("radius", "distance to the nearest representative", tickCount=7, scale={"nice": False})
    spec = {
        "height": height,
        "layer": [
            {
                "transform": [{"filter": "datum.kind === 'curve'"}],
                "mark": {"type": "area", "color": cluster_colour(0), "opacity": 0.18, "line": {"strokeWidth": 2.5, "opacity": 1}},
                "encoding": {
                    "x": across,
                    "y": axis("share", "points within that distance, %", tickCount=5, scale={"domain": [0, 100]}),
                    "tooltip": [
                        {"field": "radius", "title": "within", "format": ".3~g"},
                        {"field": "share", "title": "points, %", "format": ".1f"},
                    ],
                },
            },
            {
                "transform": [{"filter": "datum.kind === 'rho'"}],
                "mark": {"type": "rule", "color": colour("representatives"), "strokeWidth": 2, "strokeDash": [5, 4]},
                "encoding": {"x": across, "tooltip": [{"field": "radius", "title": "ρ", "format": ".4~g"}]},
            },
        ],
    }
    return Chart(spec, data, "Curve of the share of points within a distance of a representative, with a line at the radius ρ.")
