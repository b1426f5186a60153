"""The points of a run in the plane, to select from, and in space, to turn; with what is selected in another colour."""

import numpy as np
import pandas as pd

from leasc_ui.theme import CLUSTERS, SHADES, colour

from .chart import Chart
from .data_points import MOST_AS_SVG, projection_chart

BRUSH = "brush"


def map_chart(places, labels, axes, theme=None, height=440):
    """Points coloured by cluster, in which a box can be drawn; it never changes with what is selected, which would undo that."""
    names = [f"cluster {number + 1}" for number in range(int(labels.max()) + 1)]
    chart = projection_chart(places, labels, names, axes, theme, height)
    marks = {"stroke": colour("representatives"), "strokeWidth": 1.5, "fillOpacity": 0.12}
    if len(places) > MOST_AS_SVG:
        marks["stroke"] = SHADES["representatives"][theme == "dark"]
    spec = {**chart.spec, "params": [{"name": BRUSH, "select": {"type": "interval", "mark": marks}}]}
    return Chart(spec, chart.data, "Scatter plot of the points, coloured by cluster. Drag a box over points to select them.")


def other_map_chart(places, chosen, axes, theme=None, height=300):
    """The same points in another view, grey; those ``chosen`` (a mask) in red."""
    large = len(places) > MOST_AS_SVG
    ground, front = (SHADES[name][theme == "dark"] if large else colour(name) for name in ("faint", "representatives"))
    order = np.argsort(chosen, kind="stable")
    data = pd.DataFrame({"x": places[order, 0], "y": places[order, 1], "chosen": np.where(chosen[order], "yes", "no")})
    chart = projection_chart(places[order], None, None, axes, theme, height)
    mark = {**chart.spec["mark"], "opacity": 0.75}
    picked = {"field": "chosen", "type": "nominal", "legend": None}
    encoding = {name: chart.spec["encoding"][name] for name in "xy"}
    encoding["color"] = {**picked, "scale": {"domain": ["yes", "no"], "range": [front, ground]}}
    encoding["shape"] = {**picked, "scale": {"domain": ["yes", "no"], "range": ["diamond", "circle"]}}
    encoding["tooltip"] = [{"field": "chosen", "title": "selected"}]
    spec = {**chart.spec, "mark": mark, "encoding": encoding}
    return Chart(spec, data, "Scatter plot of the same points in another view; what is selected is red.")


def solid_map(places, labels, names, axes, chosen=None, theme=None, height=520):
    """The points in space, as a Plotly figure; ``chosen`` (a mask) get a red ring."""
    import plotly.graph_objects as go

    dark = theme == "dark"
    shades = np.array([pair[dark] for pair in CLUSTERS])[labels % len(CLUSTERS)]
    size = 3.5 if len(places) <= MOST_AS_SVG else 2
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
