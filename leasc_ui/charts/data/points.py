"""Points of any data along two or three axes, coloured by label where there are labels."""

from html import escape

import numpy as np
import pandas as pd

from leasc_ui.charts.chart import SVG, Chart, axis
from leasc_ui.charts.layers import corner_layer, image_layer, only
from leasc_ui.charts.raster import box_of, picture_rows
from leasc_ui.frame.theme import CLUSTERS, GLYPHS, SYMBOLS, cluster_colours, colour

# Up to here every point is a mark of its own; above, all are one picture, and a few marks tell classes by symbol and by hover.
MOST_MARKS, FEW_MARKS = 2500, 600
MOST_IN_LEGEND = 20
NAME = "points"
MARK = {"type": "point", "filled": True, "size": 44, "opacity": 0.8, "stroke": colour("paper"), "strokeWidth": 0.6}
FEW_SIZE = 24


def projection_chart(places, labels, names, axes, theme=None, height=400, palette=CLUSTERS):
    """``places`` (n, 2 or more); ``labels`` from 0 or None; ``theme`` is light or dark, for what becomes a picture."""
    place = along(axes)
    if len(places) > MOST_MARKS:
        marks = _frame(*_some(places, labels), names, palette)
        picture = picture_rows(places, labels, _shades(labels, theme, palette), box_of(places))
        data = pd.concat([picture, marks], ignore_index=True)
        dots = {**_dots(place, FEW_SIZE, palette, shown=labels is not None), "transform": [only("dot")]}
        spec = {"layer": [image_layer(place), corner_layer(place), dots]}
    else:
        data, spec = _frame(places, labels, names, palette), _dots(place, MARK["size"], palette)
    alt = "Scatter plot of the points along two axes, coloured by their label where there is one."
    return Chart({"height": height, **SVG, **spec}, data, alt)


def along(axes):
    """The encoding of two axes with these titles, which leave some room around the points."""
    room = {"nice": False, "zero": False, "padding": 14}
    across = axis("x", axes[0], tickCount=8, scale=room, labelBound=True, labelFlush=False)
    return {"x": across, "y": axis("y", axes[1], tickCount=6, scale=room)}


def solid_figure(places, labels, names, theme=None):
    """The same along three axes, to be turned by hand; a Plotly figure, for what stands still."""
    import plotly.graph_objects as go

    at = theme == "dark"
    shades = "grey" if labels is None else np.array([pair[at] for pair in CLUSTERS])[labels % len(CLUSTERS)]
    words = _class_names(labels, names, len(places))
    marks = go.Scatter3d(
        x=places[:, 0],
        y=places[:, 1],
        z=places[:, 2],
        mode="markers",
        text=words,
        hovertemplate="%{text}<extra></extra>",
        marker={"size": 3 if len(places) <= MOST_MARKS else 2, "color": shades, "opacity": 0.8},
    )
    axes = {f"{letter}axis": {"title": {"text": f"axis {number}"}} for number, letter in enumerate("xyz", 1)}
    return go.Figure(marks, {"height": 460, "margin": {"l": 0, "r": 0, "t": 0, "b": 0}, "scene": axes, "showlegend": False})


def labels_legend(labels, names, palette=CLUSTERS, sizes=None):
    """The classes with their colour, symbol and size, as text that wraps; ``sizes`` are those of all points, of a sample."""
    sizes = np.bincount(labels) if sizes is None else np.asarray(sizes)
    colours = cluster_colours(palette)
    marks = [f'<i style="color:{colours[k % len(colours)]}">{GLYPHS[_shapes(k)]}</i>' for k in range(len(sizes[:MOST_IN_LEGEND]))]
    shown = [f"<span>{mark}{escape(_name(k, names))}, {sizes[k]:,}</span>" for k, mark in enumerate(marks)]
    if len(sizes) > MOST_IN_LEGEND:
        shown.append(f"<span>and {len(sizes) - MOST_IN_LEGEND:,} more</span>")
    return f'<div class="legend">{"".join(shown)}</div>'


def _shapes(labels):
    """Another symbol with every colour, and another pairing each time the colours come round."""
    return (labels + labels // len(CLUSTERS)) % len(SYMBOLS)


def _name(label, names):
    return str(names[label])[:40] if names and label < len(names) else f"class {label + 1}"


def _class_names(labels, names, count):
    if labels is None:
        return pd.Categorical.from_codes(np.zeros(count, np.int8), ["point"])
    words = [_name(label, names) for label in range(int(labels.max()) + 1)]
    if len(set(words)) < len(words):  # long names that begin alike, or classes of one name
        words = [f"{word} ({number})" for number, word in enumerate(words, 1)]
    return pd.Categorical.from_codes(labels, words)


def _some(places, labels):
    """A few points, each class by its share, for the marks above a picture."""
    order = np.random.default_rng(0).permutation(len(places))
    if labels is not None:
        order = order[np.argsort(labels[order], kind="stable")]
    few = order[np.linspace(0, len(order) - 1, FEW_MARKS).astype(int)]
    return places[few], None if labels is None else labels[few]


def _frame(places, labels, names, palette):
    none = np.zeros(len(places), np.int8)
    return pd.DataFrame(
        {
            "kind": "dot",
            "x": places[:, 0].astype(np.float32),
            "y": places[:, 1].astype(np.float32),
            "class": _class_names(labels, names, len(places)),
            "shade": none if labels is None else (labels % len(palette)).astype(np.int8),
            "shape": none if labels is None else _shapes(labels).astype(np.int8),
        }
    )


def _shades(labels, theme, palette):
    """Fixed colours, for a picture; without labels all points are the same."""
    return [pair[theme == "dark"] for pair in (palette if labels is not None else palette[:1])]


def _dots(place, size, palette, shown=True):
    """A mark a point; of points without labels those above a picture serve the hover alone."""
    return {
        "name": NAME,
        "mark": {**MARK, "size": size, "opacity": MARK["opacity"] if shown else 0},
        "encoding": {
            **place,
            "color": _scale("shade", cluster_colours(palette)),
            "shape": _scale("shape", list(SYMBOLS)),
            "tooltip": [{"field": "class"}, {"field": "x", "format": ".3~g"}, {"field": "y", "format": ".3~g"}],
        },
    }


def _scale(name, values):
    """A column of whole numbers straight to colours or symbols."""
    return {"field": name, "type": "nominal", "legend": None, "scale": {"domain": list(range(len(values))), "range": values}}
