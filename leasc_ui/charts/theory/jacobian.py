"""Where f is steep: the norm of its Jacobian over the plane, or at the representatives."""

import base64
from io import BytesIO

import numpy as np
import pandas as pd

from leasc_ui.charts.axes import NAMES
from leasc_ui.charts.chart import Chart, axis
from leasc_ui.charts.layers import corner_layer, image_layer, only
from leasc_ui.charts.points import PLUS
from leasc_ui.frame.theme import POSITIVE, colour

GRID = (240, 400)
PALEST, STRONGEST = 12, 225
MOST_DOTS = 3000


def plane_chart(places, representatives, norms, height=380):
    """‖J‖ over the plane of two features by direction from the origin, with the points and their representatives.

    Parameters
    ----------
    places, representatives : (m, 2) and (n, 2)
    norms : ‖J‖_F all round the circle, in equal steps from the first axis
    """
    low, high = places.min(axis=0), places.max(axis=0)
    margin = 0.04 * np.where(high > low, high - low, 1.0)
    low, high = low - margin, high + margin
    image = {"kind": "image", "x": low[0], "y": high[1], "x2": high[0], "y2": low[1], "url": _wedges(low, high, norms)}
    corner = {"kind": "corner", "x": high[0], "y": low[1]}
    data = pd.concat(
        [pd.DataFrame([image, corner]), _marks("dot", places[:: -(-len(places) // MOST_DOTS)]), _marks("plus", representatives)],
        ignore_index=True,
    )
    room = {"nice": False, "zero": False}
    place = {
        "x": axis("x", "first feature", tickCount=8, scale=room, grid=False),
        "y": axis("y", "second feature", tickCount=6, scale=room, grid=False),
    }
    spec = {"height": height, "layer": [image_layer(place), corner_layer(place), _dots(place), *_pluses(place)]}
    alt = "The plane, more solid where f is steeper, with the points and their representatives on it."
    return Chart(spec, data, alt)


def representatives_chart(places, representatives, norms, height=380):
    """Representatives on the two main directions of the data, coloured by ‖J(x)‖, over the points in grey."""
    dots, own = _marks("dot", places[:: -(-len(places) // MOST_DOTS)]), _marks("own", representatives).assign(norm=norms)
    room = {"nice": False, "zero": False, "padding": 10}
    place = {
        "x": axis("x", NAMES[0], tickCount=8, scale=room),
        "y": axis("y", NAMES[1], tickCount=6, scale=room),
    }
    steep = {
        "transform": [only("own")],
        "mark": {"type": "point", "filled": True, "size": 70, "color": POSITIVE, "stroke": colour("text"), "strokeWidth": 0.8},
        "encoding": {
            **place,
            "fillOpacity": {
                "field": "norm",
                "type": "quantitative",
                "legend": None,
                "scale": {"zero": False, "range": [0.05, 1]},
            },
            "tooltip": [{"field": "norm", "title": "‖J(x)‖", "format": ".3~g"}],
        },
    }
    spec = {"height": height, "layer": [_dots(place), steep]}
    alt = "The representatives in the plane, more solid where f is steeper."
    return Chart(spec, pd.concat([dots, own], ignore_index=True), alt)


def scale_html(norms):
    """The colours from the smallest norm to the largest."""
    low, high = float(np.min(norms)), float(np.max(norms))
    ends = [f"{POSITIVE}{alpha:02x}" for alpha in (PALEST, STRONGEST)]
    bar = f'<i style="background:linear-gradient(90deg,{ends[0]},{ends[1]})"></i>'
    return f'<div class="scale"><span>‖J‖ = {low:.3g}</span>{bar}<span>{high:.3g}</span></div>'


def _wedges(low, high, norms):
    """The picture as a PNG: a pixel takes the norm of the direction it lies in."""
    from PIL import Image

    down, across = GRID
    x = low[0] + (np.arange(across) + 0.5) / across * (high[0] - low[0])
    y = high[1] - (np.arange(down) + 0.5) / down * (high[1] - low[1])
    turn = np.mod(np.arctan2(y[:, None], x[None, :]) / (2 * np.pi), 1.0)
    values = norms[np.rint(turn * len(norms)).astype(int) % len(norms)]
    spread = np.ptp(norms) or 1.0
    pixels = np.empty((*GRID, 4), dtype=np.uint8)
    pixels[..., :3] = [int(POSITIVE[i : i + 2], 16) for i in (1, 3, 5)]
    pixels[..., 3] = PALEST + (STRONGEST - PALEST) * (values - norms.min()) / spread
    stream = BytesIO()
    Image.fromarray(pixels, "RGBA").save(stream, "PNG")
    return "data:image/png;base64," + base64.b64encode(stream.getvalue()).decode()


def _marks(kind, places):
    return pd.DataFrame({"kind": kind, "x": places[:, 0], "y": places[:, 1]})


def _dots(place):
    mark = {"type": "point", "filled": True, "size": 16, "opacity": 0.6, "color": colour("muted")}
    return {"transform": [only("dot")], "mark": mark, "encoding": place}


def _pluses(place):
    for shade, width in ((colour("paper"), 4.5), (colour("representatives"), 2)):
        mark = {"type": "point", "shape": PLUS, "size": 90, "stroke": shade, "strokeWidth": width, "opacity": 1}
        yield {"transform": [only("plus")], "mark": mark, "encoding": place}
