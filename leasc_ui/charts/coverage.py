"""How well a few points stand for all: the choice on the data, the distances to it, and Proposition 1 over n."""

import numpy as np
import pandas as pd

from leasc_ui.charts.axes import NAMES
from leasc_ui.charts.chart import CANVAS, SVG, Chart, axis
from leasc_ui.charts.layers import corner_layer, image_layer, only
from leasc_ui.charts.points import PLUS
from leasc_ui.charts.raster import box_of, picture_rows
from leasc_ui.frame.theme import SHADES, cluster_colour, colour

# Above so many points a browser slows down on single marks, so the points become one picture.
SINGLE_MARKS = 3000
# Area of a plus in square pixels, while they are few and when they would hide the data.
LARGE_PLUS, SMALL_PLUS, FEW = 90, 30, 300
GREY = "#808080"
BINS = 36
PLACE_TOOLTIP = [
    {"field": "row", "title": "row", "format": ",d"},
    {"field": "x", "format": ".3~g"},
    {"field": "y", "format": ".3~g"},
]


def choice_chart(plane, representatives, representative_places, far, far_places, theme=None, height=360):
    """The data in the plane with the representatives as red pluses and the least covered points ringed.

    Many pluses go on a canvas, which is far quicker but needs to be told the ``theme``: light or dark.

    Parameters
    ----------
    plane : a ``Plane``
    representatives, far : row numbers
    representative_places, far_places : (n, 2), where these lie
    """
    few = len(representatives) <= FEW
    size = LARGE_PLUS if few else SMALL_PLUS
    shade = colour if few else lambda name: SHADES[name][theme == "dark"]
    frames = [_marks("plus", representatives, representative_places).assign(size=size), _marks("ring", far, far_places)]
    if len(plane.rows) <= SINGLE_MARKS:
        frames.insert(0, _marks("dot", plane.rows, plane.places))
    else:
        frames.insert(0, picture_rows(plane.places, None, [GREY], box_of(plane.places, representative_places, far_places)))
    names = ("first feature", "second feature")
    if plane.share is not None:
        names = NAMES
    room = {"nice": False, "zero": False, "padding": 10}
    place = {
        "x": axis("x", names[0], tickCount=8, scale=room),
        "y": axis("y", names[1], tickCount=6, scale=room),
    }
    marks = [_dots(place, shade), *_pluses(place, shade), _rings(place, shade)]
    layers = [image_layer(place), corner_layer(place), *marks]
    alt = "Scatter plot of the data in the plane, with the representatives as red pluses and the least covered points ringed."
    return Chart({"height": height, **(SVG if few else CANVAS), "layer": layers}, pd.concat(frames, ignore_index=True), alt)


def distances_chart(coverage, height=230):
    """How many points lie how far from their nearest representative; a line stands at ρ."""
    counts, edges = np.histogram(coverage.distances, BINS, (0.0, coverage.radius or 1.0))
    bars = pd.DataFrame({"kind": "bar", "start": edges[:-1], "stop": edges[1:], "points": counts})
    data = pd.concat([bars, pd.DataFrame({"kind": ["radius"], "start": [coverage.radius]})], ignore_index=True)
    across = axis("start", "distance to the nearest representative, in the data’s unit", tickCount=6, scale={"nice": False})
    spec = {
        "height": height,
        "layer": [
            {
                "transform": [only("bar")],
                "mark": {"type": "rect", "color": cluster_colour(0), "opacity": 0.85},
                "encoding": {
                    "x": across,
                    "x2": {"field": "stop"},
                    "y": axis("points", "points", tickCount=4),
                    "y2": {"datum": 0},
                    "tooltip": [
                        {"field": "start", "title": "from", "format": ".3~g"},
                        {"field": "stop", "title": "to", "format": ".3~g"},
                        {"field": "points", "format": ",d"},
                    ],
                },
            },
            {
                "transform": [only("radius")],
                "mark": {"type": "rule", "color": colour("representatives"), "strokeWidth": 2, "strokeDash": [5, 4]},
                "encoding": {"x": across, "tooltip": [{"field": "start", "title": "radius ρ", "format": ".4~g"}]},
            },
        ],
    }
    return Chart(spec, data, "Histogram of the distances of points to their nearest representative, with a line at the largest.")


def chance_chart(chance, height=230):
    """Proposition 1 over the number of picks, with the chosen number marked."""
    curve = pd.DataFrame({"kind": "curve", "picks": chance.picks, "chance": 100 * chance.probabilities})
    data = pd.concat([curve, curve[curve["picks"] == chance.at].assign(kind="now")], ignore_index=True)
    place = {
        "x": axis("picks", "representatives picked at random", tickCount=7, format=",d", tickMinStep=1, scale={"nice": False}),
        "y": axis("chance", "chance, %", tickCount=5, scale={"domain": [0, 100]}),
    }
    tooltip = [{"field": "picks", "format": ",d"}, {"field": "chance", "title": "chance, %", "format": ".4~g"}]
    red = colour("representatives")
    spec = {
        "height": height,
        "layer": [
            {
                "transform": [only("curve")],
                "mark": {"type": "line", "color": cluster_colour(0), "strokeWidth": 2.5, "interpolate": "monotone"},
                "encoding": {**place, "tooltip": tooltip},
            },
            {
                "transform": [only("now")],
                "mark": {"type": "rule", "color": red, "strokeDash": [5, 4], "strokeWidth": 1.5},
                "encoding": {"x": place["x"]},
            },
            {
                "transform": [only("now")],
                "mark": {"type": "point", "filled": True, "size": 110, "color": red, "opacity": 1},
                "encoding": {**place, "tooltip": tooltip},
            },
        ],
    }
    alt = "Curve of the probability that random picks meet every subspace, over their number, with the chosen number marked."
    return Chart(spec, data, alt)


def _marks(kind, rows, places):
    return pd.DataFrame({"kind": kind, "row": rows, "x": places[:, 0], "y": places[:, 1]})


def _dots(place, shade):
    mark = {"type": "point", "filled": True, "size": 26, "opacity": 0.75, "color": shade("faint")}
    return {"transform": [only("dot")], "mark": mark, "encoding": {**place, "tooltip": PLACE_TOOLTIP}}


def _pluses(place, shade):
    """Twice, first wide in the colour of the paper, so that red stands clear of any crowd."""
    for name, width in (("paper", 4.5), ("representatives", 2)):
        mark = {"type": "point", "shape": PLUS, "stroke": shade(name), "strokeWidth": width, "opacity": 1}
        area = {"field": "size", "type": "quantitative", "scale": None}
        yield {"transform": [only("plus")], "mark": mark, "encoding": {**place, "size": area, "tooltip": PLACE_TOOLTIP}}


def _rings(place, shade):
    mark = {"type": "point", "size": 150, "stroke": shade("stale"), "strokeWidth": 2, "filled": False, "opacity": 1}
    return {"transform": [only("ring")], "mark": mark, "encoding": {**place, "tooltip": PLACE_TOOLTIP}}
