"""The numbers of a diagnosis beside what chance would give, and the spectra of groups."""

import numpy as np
import pandas as pd

from leasc_ui.charts.chart import TITLE, Chart, axis, legend
from leasc_ui.frame.theme import cluster_colour, colour

HERE, CHANCE = "these data", "without subspaces"
MOST_DIRECTIONS = 20


def left_chart(checks, height=230):
    """What a few others leave of a point: in the data (blue) and in data without subspaces (grey), one row a comparison."""
    rows = [
        {"what": name, "whose": whose, "left": 100 * value}
        for name, check in zip(("one cloud", "round blobs"), checks, strict=True)
        for whose, value in ((HERE, check.value), (CHANCE, check.chance))
    ]
    encoding = {
        "y": {"field": "what", "type": "nominal", "title": None, "sort": None, "axis": {**TITLE, "labelLimit": 120}},
        "yOffset": {"field": "whose", "sort": [HERE, CHANCE]},
        "x": axis("left", "left of a point, %", tickCount=5),
        "color": {
            "field": "whose",
            "type": "nominal",
            "legend": legend(),
            "scale": {"domain": [HERE, CHANCE], "range": [cluster_colour(0), colour("faint")]},
        },
        "tooltip": [
            {"field": "whose"},
            {"field": "what", "title": "against"},
            {"field": "left", "title": "left, %", "format": ".1f"},
        ],
    }
    mark = {"type": "bar", "cornerRadiusEnd": 2}
    alt = "Bars of what a few others leave of a point, in these data and in data without subspaces."
    return Chart({"height": height, "mark": mark, "encoding": encoding}, pd.DataFrame(rows), alt)


def spectra_chart(groups, names, height=220):
    """The singular values of each group, as shares of their root sum of squares."""
    rows = [
        {"group": names[group.label], "direction": at + 1, "size": 100 * share}
        for group in groups
        for at, share in enumerate(np.asarray(group.spectrum)[:MOST_DIRECTIONS])
    ]
    order = [names[group.label] for group in groups]
    encoding = {
        "x": axis("direction", "direction", tickMinStep=1, format="d", grid=False, scale={"nice": False}),
        "y": axis("size", "size, %", tickCount=4),
        "color": {
            "field": "group",
            "type": "nominal",
            "legend": None,
            "scale": {"domain": order, "range": [cluster_colour(group.label) for group in groups]},
        },
        "tooltip": [{"field": "group"}, {"field": "direction"}, {"field": "size", "format": ".1f", "title": "size, %"}],
    }
    mark = {"type": "line", "point": {"size": 25}, "strokeWidth": 1.5, "opacity": 0.8}
    alt = "Lines of the sizes of the groups along each of their directions, one a group."
    return Chart({"height": height, "mark": mark, "encoding": encoding}, pd.DataFrame(rows), alt)
