"""How good against how fast: a mark a method, seconds on a log axis; the best and fastest lie top left."""

import pandas as pd

from leasc_core.baselines import FAMILIES
from leasc_ui.charts.chart import Chart, axis
from leasc_ui.frame.theme import GLYPHS, SYMBOLS, cluster_colour, colour

TITLES = {"acc": "accuracy, %", "residual": "held-out residual, %"}
SHORT = {
    "leasc": "LeaSC",
    "encoders": "other encoders",
    "coding": "classical coding",
    "classify": "sample and classify",
    "spectral": "spectral",
    "everyday": "everyday",
}


def scatter_chart(lines, score, height=330):
    """``lines`` are those of a bench table: label, family, seconds, the score and its deviation."""
    rows = [
        {
            "method": line["label"],
            "family": SHORT[line["family"]],
            "seconds": max(line["seconds"], 1e-3),
            "score": 100 * line[score],
            "low": 100 * (line[score] - (line.get(f"{score}_sd") or 0.0)),
            "high": 100 * (line[score] + (line.get(f"{score}_sd") or 0.0)),
        }
        for line in lines
        if line.get(score) is not None
    ]
    rows = [{**row, "side": at % 2} for at, row in enumerate(sorted(rows, key=lambda row: row["seconds"]))]
    data = pd.DataFrame(rows, columns=["method", "family", "seconds", "score", "low", "high", "side"])
    families = [SHORT[name] for name in FAMILIES]
    across = axis(
        "seconds", "seconds of one run (log scale)", grid=False, scale={"type": "log", "nice": True}, format="~g", tickCount=5
    )
    up = {"scale": {"zero": False, "padding": 14, "reverse": score == "residual"}, "tickCount": 5}
    shade = {"field": "family", "type": "nominal", "legend": None, "scale": {"domain": families, "range": _shades()}}
    shape = {"field": "family", "type": "nominal", "legend": None, "scale": {"domain": families, "range": list(SYMBOLS[:6])}}
    spec = {
        "height": height,
        "padding": {"left": 2, "right": 60, "top": 4, "bottom": 2},
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 1.2, "opacity": 0.6},
                "encoding": {"x": across, "y": {**axis("low", TITLES[score], **up)}, "y2": {"field": "high"}, "color": shade},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 110, "opacity": 0.95},
                "encoding": {
                    "x": across,
                    "y": axis("score", TITLES[score], **up),
                    "color": shade,
                    "shape": shape,
                    "tooltip": [
                        {"field": "method"},
                        {"field": "family"},
                        {"field": "seconds", "format": ".3~g"},
                        {"field": "score", "title": TITLES[score], "format": ".1f"},
                    ],
                },
            },
            *(_names(across, axis("score", TITLES[score], **up), *side) for side in ((0, -8), (1, 10))),
        ],
    }
    return Chart(spec, data, "Scatter plot of the methods: how good against seconds of one run on a logarithmic axis.")


def _names(across, up, side, dy):
    """Names beside the marks, by turns a little above and a little below, so that neighbours do not cover one another."""
    return {
        "transform": [{"filter": f"datum.side === {side}"}],
        "mark": {"type": "text", "align": "left", "dx": 9, "dy": dy, "fontSize": 12, "color": colour("text")},
        "encoding": {"x": across, "y": up, "text": {"field": "method"}},
    }


def _shades():
    return [cluster_colour(at) for at in range(len(FAMILIES))]


def families_legend(lines):
    """The families that are there with their colour and symbol, as text that wraps."""
    there = {line["family"] for line in lines}
    items = (
        f'<span><i style="color:{cluster_colour(at)}">{GLYPHS[at]}</i>{SHORT[name]}</span>'
        for at, name in enumerate(FAMILIES)
        if name in there
    )
    return f'<div class="legend">{"".join(items)}</div>'
