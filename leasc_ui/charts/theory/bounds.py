"""Theorem 1 as a picture: how far codes move against how far points are apart, and the Jacobian bound."""

import numpy as np
import pandas as pd

from leasc_ui.charts.chart import Chart, axis
from leasc_ui.frame.theme import cluster_colour, colour

INSIDE, KINK_INSIDE, KINK_OUTSIDE, OUTSIDE = "inside", "inside, past a kink", "outside, past a kink", "outside"
LOOKS = {
    INSIDE: ("circle", cluster_colour(0), "●"),
    KINK_INSIDE: ("triangle-up", colour("muted"), "▲"),
    KINK_OUTSIDE: ("diamond", colour("stale"), "◆"),
    OUTSIDE: ("square", colour("representatives"), "■"),
}
TOOLTIP = [
    {"field": "row", "title": "point, row", "format": ",d"},
    {"field": "representative", "title": "representative, row", "format": ",d"},
    {"field": "distance", "title": "‖x − y‖", "format": ".3~g"},
    {"field": "change", "title": "‖f(x) − f(y)‖", "format": ".3~g"},
    {"field": "bound", "title": "‖J(x)‖ ‖x − y‖", "format": ".3~g"},
    {"field": "crossed", "title": "kinks between", "format": "d"},
]


def kinds_of(report):
    """How each point stands to its own bound."""
    inside, kinked = report.inside_first_order, report.kinked
    return np.select([inside & ~kinked, inside, kinked], [INSIDE, KINK_INSIDE, KINK_OUTSIDE], OUTSIDE)


def bounds_chart(rows, representatives, report, against="distance", height=380):
    """A mark a point; ``against`` its distance, with the flattest and steepest bound as lines, or against its own bound.

    Parameters
    ----------
    rows, representatives : row numbers of the points, and of the representative nearest to each
    """
    apart = report.apart
    points = pd.DataFrame(
        {
            "mark": "point",
            "row": rows[apart],
            "representative": representatives[apart],
            "distance": report.distances[apart],
            "change": report.changes[apart],
            "bound": report.first_order[apart],
            "kind": kinds_of(report)[apart],
            "crossed": report.kinked[apart] if report.crossed is None else report.crossed[apart],
        }
    ).astype({"crossed": int})
    data = pd.concat([_lines(report, points, against), points], ignore_index=True)
    name, title = {
        "distance": ("distance", "how far apart the points are, ‖x − y‖"),
        "bound": ("bound", "the bound of Theorem 1, ‖J(x)‖ ‖x − y‖"),
    }[against]
    place = {
        "x": axis(name, title, tickCount=7, scale={"nice": False}),
        "y": axis("change", "how far their codes are, ‖f(x) − f(y)‖", tickCount=6, scale={"nice": False}),
    }
    spec = {"height": height, "layer": [*_bound_layers(place), _points(place)]}
    alt = "Scatter plot of how far codes move against how far points are apart, with the bound of Theorem 1 as lines."
    return Chart(spec, data, alt)


def legend_html(report):
    """What the marks are, with how many there are of each."""
    kinds = kinds_of(report)[report.apart]
    counts = {kind: int(np.count_nonzero(kinds == kind)) for kind in LOOKS}
    items = "".join(
        f'<span><i style="color:{LOOKS[kind][1]}">{LOOKS[kind][2]}</i>{kind}, {count:,}</span>'
        for kind, count in counts.items()
        if count
    )
    return f'<div class="legend">{items}</div>'


def _lines(report, points, against):
    """The bound from the origin to the edge of the picture; flattest, typical and steepest where it depends on the point."""
    top = float(points["change"].max()) if len(points) else 1.0
    reach = float(points["bound" if against == "bound" else "distance"].max()) if len(points) else 1.0
    norms = report.norms[report.nearest[report.apart]] if len(points) else report.norms
    slopes = {"line": 1.0}
    if against == "distance":
        slopes = dict(zip(("flattest", "typical", "steepest"), np.quantile(norms, [0, 0.5, 1]), strict=True))
    rows = []
    for name, slope in slopes.items():
        end = min(reach, 1.05 * top / slope) if slope > 0 else reach
        rows += [{"line": name, "slope": slope, "distance": t, "bound": t, "change": slope * t} for t in (0.0, end)]
    return pd.DataFrame(rows).assign(mark="line")


def _bound_layers(place):
    only = {"transform": [{"filter": "datum.mark === 'line'"}]}
    dashes = {"domain": ["flattest", "typical", "steepest", "line"], "range": [[2, 4], [8, 4], [2, 4], [1, 0]]}
    yield {
        **only,
        "mark": {"type": "line", "color": colour("text"), "strokeWidth": 1.6, "opacity": 0.75},
        "encoding": {
            **place,
            "strokeDash": {"field": "line", "type": "nominal", "legend": None, "scale": dashes},
            "tooltip": [
                {"field": "line", "title": "bound"},
                {"field": "slope", "title": "slope ‖J(x)‖", "format": ".3~g"},
            ],
        },
    }


def _points(place):
    names = list(LOOKS)
    return {
        "transform": [{"filter": "datum.mark === 'point'"}],
        "mark": {"type": "point", "filled": True, "size": 34, "opacity": 0.8},
        "encoding": {
            **place,
            "color": _by_kind(names, [LOOKS[name][1] for name in names]),
            "shape": _by_kind(names, [LOOKS[name][0] for name in names]),
            "tooltip": TOOLTIP,
        },
    }


def _by_kind(names, values):
    return {"field": "kind", "type": "nominal", "legend": None, "scale": {"domain": names, "range": values}}
