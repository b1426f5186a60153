"""Seconds over points on log axes: what was timed, how it goes on, and where memory ends."""

import pandas as pd

from leasc_ui.charts.chart import Chart, axis
from leasc_ui.frame.theme import cluster_colour, colour

TICKS = {
    1e-3: "1 ms",
    1: "1 s",
    60: "1 min",
    86_400: "1 day",
    3.156e7: "1 year",
    3.156e10: "1,000 years",
    3.156e13: "a million years",
    4.35e17: "age of the universe",
}
POINTS = [10**power for power in range(2, 10)]
NAMES = " : ".join(f"datum.value == {seconds:.10g} ? '{name}'" for seconds, name in TICKS.items()) + " : ''"


def scale_chart(curves, timings, points, wall, height=400):
    """``curves`` and ``timings`` have method, points and seconds; rules stand at ``points`` and at the ``wall`` of memory."""
    rules = pd.DataFrame({"kind": ["now", "wall"], "points": [points, wall]})
    data = pd.concat([curves.assign(kind="curve"), timings.assign(kind="timed"), rules], ignore_index=True)
    methods = list(dict.fromkeys(curves["method"]))
    place = {
        "x": axis(
            "points",
            "points m",
            format="~s",
            values=POINTS,
            labelExpr="replace(datum.label, 'G', 'B')",
            scale={"type": "log", "domain": [POINTS[0], POINTS[-1]], "nice": False},
        ),
        "y": axis(
            "seconds",
            "time for all codes",
            values=list(TICKS),
            labelExpr=NAMES,
            scale={"type": "log", "domain": [1e-4, 1e18], "clamp": True},
        ),
    }
    shade = {
        "field": "method",
        "type": "nominal",
        "legend": None,
        "scale": {"domain": methods, "range": [cluster_colour(0), cluster_colour(1)]},
    }
    words = [{"field": "method"}, {"field": "points", "format": ",d"}, {"field": "seconds", "format": ".3~g"}]
    dots = {"type": "point", "filled": True, "size": 60, "opacity": 1}
    layers = [
        _layer("curve", {"type": "line", "strokeWidth": 2}, {**place, "color": shade}),
        _layer("timed", dots, {**place, "color": shade, "tooltip": words}),
        _rule("wall", place, [2, 3], colour("muted")),
        _rule("now", place, [5, 4], colour("representatives")),
    ]
    alt = "Time against points on log axes: timed dots and fitted lines of codes by f and of classical codes."
    return Chart({"height": height, "layer": layers}, data, alt)


def legend_html(methods):
    """The lines, the dots and the rules in words."""
    marks = [(cluster_colour(i), "●", name) for i, name in enumerate(methods)]
    marks += [(colour("representatives"), "¦", "your number of points")]
    marks += [(colour("muted"), "¦", "classical codes fill this machine’s memory")]
    return '<div class="legend">' + "".join(f'<span><i style="color:{c}">{g}</i>{n}</span>' for c, g, n in marks) + "</div>"


def _layer(kind, mark, encoding):
    return {"transform": [{"filter": f"datum.kind === '{kind}'"}], "mark": mark, "encoding": encoding}


def _rule(kind, place, dash, shade):
    mark = {"type": "rule", "color": shade, "strokeWidth": 1.6, "strokeDash": dash}
    return _layer(kind, mark, {"x": place["x"], "tooltip": [{"field": "points", "format": ",d"}]})
