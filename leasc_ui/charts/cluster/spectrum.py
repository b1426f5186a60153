"""The eigenvalues of the spectral map, and the gap behind the number of clusters."""

import numpy as np
import pandas as pd

from leasc_ui.charts.chart import Chart, axis
from leasc_ui.frame.theme import cluster_colour, colour

LEAST_SHOWN = 12


def gap_chart(eigenvalues, count, height=235):
    """``eigenvalues`` in falling order; the first ``count`` are filled and a rule stands behind them."""
    shown = np.asarray(eigenvalues, dtype=float)[: max(2 * count + 1, LEAST_SHOWN)]
    data = pd.DataFrame({"kind": "dot", "number": np.arange(1.0, len(shown) + 1), "value": shown})
    data["inside"] = np.where(data["number"] <= count, "yes", "no")
    rule = pd.DataFrame({"kind": ["rule"], "number": [count + 0.5]})
    data = pd.concat([data, rule], ignore_index=True)
    across = axis(
        "number",
        "number of the eigenvalue",
        tickMinStep=1,
        format="d",
        grid=False,
        tickCount=8,
        scale={"nice": False, "padding": 12},
    )
    dots = {
        "transform": [{"filter": "datum.kind === 'dot'"}],
        "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
        "encoding": {
            "x": across,
            "y": axis("value", "eigenvalue σ²", tickCount=4, scale={"zero": False}),
            "color": {
                "field": "inside",
                "type": "nominal",
                "legend": None,
                "scale": {"domain": ["yes", "no"], "range": [cluster_colour(0), colour("faint")]},
            },
            "tooltip": [{"field": "number", "format": "d"}, {"field": "value", "title": "eigenvalue", "format": ".4f"}],
        },
    }
    gap = {
        "transform": [{"filter": "datum.kind === 'rule'"}],
        "mark": {"type": "rule", "color": colour("representatives"), "strokeWidth": 1.5, "strokeDash": [5, 4]},
        "encoding": {"x": across},
    }
    alt = "Eigenvalues in falling order; those that count as clusters are blue, and a dashed line marks the gap behind them."
    return Chart({"height": height, "layer": [dots, gap]}, data, alt)
