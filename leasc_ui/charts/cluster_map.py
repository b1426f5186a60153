"""The points of a run in the plane, to select from, and in space, to turn; with what is selected in another colour."""

import numpy as np
import pandas as pd

from leasc_ui.theme import CLUSTERS, SHADES, colour

from .chart import SVG, Chart
from .data_points import MARK, MOST_MARKS, NAME, along, projection_chart
from .layers import corner_layer, image_layer, only
from .raster import box_of, picture_rows

BRUSH = "brush"
# One selected point is seen among so many others on the same pixel.
CHOSEN_WEIGH = 30


def map_chart(places, labels, names, axes, theme=None, box=None, height=440, palette=CLUSTERS):
    """Points coloured by label, in which a box can be drawn; it never changes with what is selected, which would undo that.

    ``box``, (left, right), (bottom, top), came with a link and is drawn as a dashed frame.
    """
    chart = projection_chart(places, labels, names, axes, theme, height, palette)
    spec, data = (chart.spec, chart.data) if box is None else _framed(chart, box, along(axes))
    marks = {"stroke": colour("representatives"), "strokeWidth": 1.5, "fillOpacity": 0.12}
    brush = {"name": BRUSH, "select": {"type": "interval", "mark": marks}}
    if "layer" in spec:
        brush["views"] = [NAME]
    alt = "Scatter plot of the points, coloured by cluster. Drag a box over points to select them."
    return Chart({**spec, "params": [brush]}, data, alt)


def _framed(chart, box, place):
    """The specification and the table of a chart with a frame in it."""
    (left, right), (bottom, top) = box
    ends = {"x2": {"field": "x2"}, "y2": {"field": "y2"}}
    mark = {"type": "rect", "filled": False, "stroke": colour("representatives"), "strokeWidth": 1.5, "strokeDash": [5, 4]}
    frame = {"transform": [only("frame")], "mark": mark, "encoding": {**place, **ends}}
    own = {name: part for name, part in chart.spec.items() if name not in ("name", "mark", "encoding")}
    dots = {name: part for name, part in chart.spec.items() if name in ("name", "mark", "encoding")}
    layers = chart.spec["layer"] if "layer" in chart.spec else [{**dots, "transform": [only("dot")]}]
    row = pd.DataFrame([{"kind": "frame", "x": left, "x2": right, "y": bottom, "y2": top}])
    return {**own, "layer": [*layers, frame]}, pd.concat([chart.data, row], ignore_index=True)


def other_map_chart(places, chosen, axes, theme=None, height=300):
    """The same points in another view, grey; those ``chosen`` (a mask) in red, above the others."""
    order = np.argsort(chosen, kind="stable")
    places, chosen, place = places[order], chosen[order], along(axes)
    if len(places) > MOST_MARKS:
        shades = [SHADES[name][theme == "dark"] for name in ("faint", "representatives")]
        data = picture_rows(places, chosen.astype(int), shades, box_of(places), weights=(1, CHOSEN_WEIGH))
        spec = {"layer": [image_layer(place), corner_layer(place)]}
    else:
        data = pd.DataFrame({"x": places[:, 0], "y": places[:, 1], "chosen": np.where(chosen, "yes", "no")})
        spec = {"mark": MARK, "encoding": {**place, **_picked()}}
    alt = "Scatter plot of the same points in another view; what is selected is red."
    return Chart({"height": height, **SVG, **spec}, data, alt)


def _picked():
    """Colour, symbol and words by whether a point is selected."""
    field = {"field": "chosen", "type": "nominal", "legend": None}
    colours = [colour("representatives"), colour("faint")]
    return {
        "color": {**field, "scale": {"domain": ["yes", "no"], "range": colours}},
        "shape": {**field, "scale": {"domain": ["yes", "no"], "range": ["diamond", "circle"]}},
        "tooltip": [{"field": "chosen", "title": "selected"}],
    }


def solid_map(places, labels, names, axes, chosen=None, theme=None, height=520, palette=CLUSTERS):
    """The points in space, as a Plotly figure; ``chosen`` (a mask) get a red ring."""
    import plotly.graph_objects as go

    dark = theme == "dark"
    shades = np.array([pair[dark] for pair in palette])[labels % len(palette)]
    size = 3.5 if len(places) <= MOST_MARKS else 2
    marks = go.Scatter3d(
        x=places[:, 0], y=places[:, 1], z=places[:, 2], mode="markers", hovertemplate="%{text}<extra></extra>",
        text=np.array(names)[labels], marker={"size": size, "color": shades, "opacity": 0.8},
    )  # fmt: skip
    traces = [marks]
    if chosen is not None and chosen.any():
        ring = {"size": 3 * size, "color": SHADES["representatives"][dark], "symbol": "circle-open", "opacity": 0.9}
        x, y, z = places[chosen, :3].T
        traces.append(go.Scatter3d(x=x, y=y, z=z, mode="markers", hoverinfo="skip", marker=ring))
    scene = {f"{letter}axis": {"title": {"text": name.split(",")[0]}} for letter, name in zip("xyz", axes, strict=True)}
    layout = {"height": height, "margin": {"l": 0, "r": 0, "t": 0, "b": 0}, "scene": scene, "showlegend": False}
    return go.Figure(traces, {**layout, "uirevision": "same"})
