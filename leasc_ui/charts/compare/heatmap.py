"""The cells of a sweep: a heatmap over two parameters (the paper's Fig. 7), lines over one (Fig. 8); a click picks a cell."""

import numpy as np
import pandas as pd

from leasc_core.bench.grid import value_of
from leasc_ui.charts.chart import TITLE, Chart, axis, legend
from leasc_ui.frame.theme import SYMBOLS, cluster_colour, colour
from leasc_ui.session.fields import text

PICK = "pick"
MOST_WRITTEN = 150
FLAT = {**TITLE, "labelAngle": 0, "labelFlush": False}
# A title beside few rows would be longer than they are high.
ABOVE = {**FLAT, "titleAngle": 0, "titleAlign": "left", "titleBaseline": "bottom", "titleX": 0, "titleY": -8}
CELL, FRAME = 44, 80
DARK_INK, LIGHT_INK = "#10141A", "#FFFFFF"
LINES = {"acc": "ACC", "nmi": "NMI", "ari": "ARI", "stability": "stability", "code_error": "code error"}


def heatmap_chart(grid, measure, titles, more, best=None, height=None):
    """Cells coloured by ``measure``, the better the brighter; those to come are empty.

    Parameters
    ----------
    titles : what the axes are called, down and across
    more : whether more of the measure is better
    best : the place (row, column) of the cell that gets a star, or None
    """
    data = _cells(grid, measure, more, best)
    downs, acrosses = (list(map(text, values)) for values in grid.axes.values())
    place = {
        "x": {"field": "across", "type": "ordinal", "title": titles[1], "sort": acrosses, "axis": FLAT},
        "y": {"field": "down", "type": "ordinal", "title": titles[0], "sort": downs[::-1], "axis": ABOVE},
    }
    frames = {
        "mark": {"type": "rect", "cornerRadius": 3, "fill": colour("card"), "stroke": colour("line"), "strokeDash": [3, 3]},
        "encoding": place,
    }
    cells = {
        "params": [{"name": PICK, "select": {"type": "point", "fields": ["at"], "toggle": False}}],
        "mark": {"type": "rect", "cornerRadius": 3, "cursor": "pointer"},
        "encoding": {
            **place,
            "stroke": {"condition": {"param": PICK, "empty": False, "value": colour("representatives")}, "value": None},
            "strokeWidth": {"condition": {"param": PICK, "empty": False, "value": 3}, "value": 0},
            "color": {
                "condition": {"test": "datum.shade === null", "value": "transparent"},
                "field": "shade",
                "legend": None,
                "type": "quantitative",
                "scale": {"scheme": "viridis", "domain": [0, 1]},
            },
            "tooltip": [
                {"field": "down", "title": titles[0]},
                {"field": "across", "title": titles[1]},
                {"field": "written", "title": "value"},
                {"field": "said", "title": " "},
            ],
        },
    }
    words = {
        "mark": {"type": "text", "fontSize": 11.5, "fontWeight": 600},
        "encoding": {
            **place,
            "text": {"field": "shown"},
            "color": {"condition": {"test": "datum.shade > 0.6", "value": DARK_INK}, "value": LIGHT_INK},
        },
    }
    height = height or FRAME + int(np.clip(CELL * len(downs), 2 * CELL, 420))
    alt = "Heatmap of a sweep over two parameters; a click on a cell loads its parameters."
    return Chart({"height": height, "layer": [frames, cells, words]}, data, alt)


def lines_chart(grid, measures, title, height=330):
    """Several measures in per cent over the values of one parameter."""
    ((name, values),) = grid.axes.items()
    rows = [
        {"at": grid.place(row)[0], "value": text(row["cell"][name]), "what": LINES[measure], "score": 100 * found}
        for row in grid.rows
        for measure in measures
        if (found := value_of(row, measure)) is not None
    ]
    data = pd.DataFrame(rows, columns=["at", "value", "what", "score"])
    which = {"field": "what", "type": "nominal", "sort": None, "legend": legend()}
    domain = [LINES[measure] for measure in measures]
    encoding = {
        "x": {"field": "value", "type": "ordinal", "title": title, "sort": list(map(text, values)), "axis": FLAT},
        "y": axis("score", "%", tickCount=5, scale={"zero": False, "padding": 10}),
        "color": {**which, "scale": {"domain": domain, "range": [cluster_colour(at) for at in range(len(domain))]}},
        "shape": {**which, "scale": {"domain": domain, "range": list(SYMBOLS[: len(domain)])}},
        "tooltip": [{"field": "value", "title": title}, {"field": "what"}, {"field": "score", "format": ".1f"}],
    }
    line = {"mark": {"type": "line", "strokeWidth": 2}, "encoding": {k: v for k, v in encoding.items() if k != "shape"}}
    marks = {
        "params": [{"name": PICK, "select": {"type": "point", "fields": ["at"], "toggle": False}}],
        "mark": {"type": "point", "filled": True, "size": 130, "opacity": 1, "cursor": "pointer"},
        "encoding": encoding,
    }
    alt = "Lines of scores over the values of one parameter; a click on a mark loads its parameters."
    return Chart({"height": height, "layer": [line, marks]}, data, alt)


def _cells(grid, measure, more, best):
    matrix, rows = grid.matrix(measure), {grid.place(row): row for row in grid.rows}
    shades = _shades(matrix, more)
    downs, acrosses = grid.axes.values()
    many = matrix.size > MOST_WRITTEN
    cells = []
    for i, down in enumerate(downs):
        for j, across in enumerate(acrosses):
            value, row = matrix[i, j], rows.get((i, j))
            written = number(value, measure)
            star = "★" if (i, j) == best else ""
            cells.append(
                {
                    "at": i * len(acrosses) + j,
                    "down": text(down),
                    "across": text(across),
                    "written": written,
                    "shown": star if many else f"{star}{written}",
                    "shade": None if np.isnan(shades[i, j]) else float(shades[i, j]),
                    "said": _said(row),
                }
            )
    return pd.DataFrame(cells)


def number(value, measure):
    """A value as it stands in a cell: scores in per cent."""
    if value is None or np.isnan(value):
        return ""
    if measure in ("acc", "nmi", "ari", "stability", "code_error"):
        return f"{100 * value:.1f}"
    return f"{value:.3g}"


def _shades(matrix, more):
    """From 0, the worst there is, to 1, the best."""
    if not np.isfinite(matrix).any():
        return matrix
    low, high = np.nanmin(matrix), np.nanmax(matrix)
    share = (matrix - low) / (high - low) if high > low else np.where(np.isnan(matrix), np.nan, 1.0)
    return share if more else 1.0 - share if high > low else share


def _said(row):
    if row is None:
        return "not computed yet"
    return row["message"] if row["status"] != "done" else f"{row['seconds']:.2f} s a fit"
