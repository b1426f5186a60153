"""The points of a run in another view, and in space, to turn; with what is selected in another colour."""

import numpy as np
import pandas as pd

from leasc_ui.charts.chart import SVG, Chart
from leasc_ui.charts.data.points import MARK, MOST_MARKS, along
from leasc_ui.charts.layers import corner_layer, image_layer
from leasc_ui.charts.raster import box_of, picture_rows
from leasc_ui.frame.theme import CLUSTERS, SHADES, colour

# One selected point is seen among so many others on the same pixel.
CHOSEN_WEIGH = 30


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
        x=places[:, 0],
        y=places[:, 1],
        z=places[:, 2],
        mode="markers",
        hovertemplate="%{text}<extra></extra>",
        text=np.array(names)[labels],
        marker={"size": size, "color": shades, "opacity": 0.8},
    )
    traces = [marks]
    if chosen is not None and chosen.any():
        ring = {"size": 3 * size, "color": SHADES["representatives"][dark], "symbol": "circle-open", "opacity": 0.9}
        x, y, z = places[chosen, :3].T
        traces.append(go.Scatter3d(x=x, y=y, z=z, mode="markers", hoverinfo="skip", marker=ring))
    scene = {f"{letter}axis": {"title": {"text": name.split(",")[0]}} for letter, name in zip("xyz", axes, strict=True)}
    layout = {"height": height, "margin": {"l": 0, "r": 0, "t": 0, "b": 0}, "scene": scene, "showlegend": False}
    return go.Figure(traces, {**layout, "uirevision": "same"})
