"""A training while it goes on: what is left to do, the terms of the objective, μ. Only tables change, so drawings stay.

A logarithmic axis is drawn as a plain axis of logarithms: its ends may then follow the data without a new specification.
"""

import numpy as np
import pandas as pd

from leasc_ui.charts.chart import Chart, axis, legend
from leasc_ui.charts.progress import network_chart
from leasc_ui.frame.theme import cluster_colour, colour

POWER = "format(pow(10, datum.value), abs(datum.value) < 3 ? '.2~g' : '.1~e')"


def left_chart(history, marker=None, height=215):
    """The residual, and the duality gap where the solver has one, by iteration on a log axis."""
    lines = {"residual": _line(history, "residual"), "duality gap": _line(history, "gap")}
    alt = "Lines of the residual and the duality gap by iteration, on a logarithmic axis."
    return _chart(lines, (1, 2), "left to do", alt, marker, height)


def terms_chart(history, marker=None, height=215):
    """The objective of Eq. 8 and its two terms by iteration on a log axis."""
    fields = {"objective": "objective", "codes": "codes_term", "errors": "noise_term"}
    lines = {name: _line(history, field) for name, field in fields.items()}
    alt = "Lines of the objective and its two terms, codes and errors, by iteration, on a logarithmic axis."
    return _chart(lines, (0, 2, 3), "objective", alt, marker, height)


def mu_chart(history, marker=None, height=190):
    """The penalty parameter μ by iteration on a log axis."""
    alt = "Line of the penalty parameter μ by iteration, on a logarithmic axis."
    return _chart({"μ": _line(history, "mu")}, (4,), "μ", alt, marker, height)


def f_chart(history, height=230):
    """The error of the network by epoch, with a title short enough for a small drawing."""
    chart = network_chart(history, height)
    chart.spec["encoding"]["y"]["title"] = "error of f, %"
    chart.spec["encoding"]["y"]["axis"]["tickCount"] = 3
    return chart


def runs_chart(records, height=200):
    """What was left to do in several runs, one line each: ``records`` maps a name to a history."""
    lines = {
        name: _line(history, "gap" if any(event.gap is not None for event in history) else "residual")
        for name, history in records.items()
    }
    alt = "Lines of what was left to do by iteration, one for each of two runs, on a logarithmic axis."
    return _chart(lines, (0, 1), "left to do", alt, None, height)


def _line(history, field):
    """Iterations and the values of a field there, where it has one that has a logarithm."""
    at = np.array([event.iteration for event in history], dtype=np.int64)
    values = np.array([getattr(event, field) for event in history], dtype=np.float64)
    there = values > 0
    return at[there], values[there]


def _table(lines, marker):
    """One row a point of a line, and one for the marker; made of whole columns, because a live page makes it again and again."""
    sizes = [len(at) for at, _ in lines.values()]
    at, values = (np.concatenate(column) for column in zip(*lines.values(), strict=True))
    what, kind = np.repeat(np.array([*lines], dtype=object), sizes), np.full(len(at), "line", dtype=object)
    if marker is not None:
        at, values = np.append(at, marker), np.append(values, np.nan)
        what, kind = np.append(what, None), np.append(kind, "marker")
    texts = {name: pd.array(column, dtype="string") for name, column in (("what", what), ("kind", kind))}
    return pd.DataFrame({"iteration": at, "value": values, "shown": np.log10(values), **texts})


def _chart(lines, colours, title, alt, marker, height):
    names = tuple(lines)
    across = axis("iteration", "iteration", tickCount=6, tickMinStep=1, format=",d", grid=False, scale={"nice": False})
    which = {
        "field": "what",
        "type": "nominal",
        "scale": {"domain": list(names), "range": [cluster_colour(number) for number in colours]},
        "legend": legend() if len(names) > 1 else None,
    }
    dashes = {**which, "scale": {"domain": list(names), "range": [[1, 0], [6, 3], [2, 2]][: len(names)]}}
    line = {
        "transform": [{"filter": "datum.kind === 'line'"}],
        "mark": {"type": "line", "strokeWidth": 2},
        "encoding": {
            "x": across,
            "y": axis("shown", title, tickCount=4, scale={"zero": False}, labelExpr=POWER),
            "color": which,
            "strokeDash": dashes,
            "tooltip": [{"field": "iteration"}, {"field": "what"}, {"field": "value", "format": ".3~g"}],
        },
    }
    rule = {
        "transform": [{"filter": "datum.kind === 'marker'"}],
        "mark": {"type": "rule", "color": colour("representatives"), "strokeWidth": 1.5, "strokeDash": [5, 4]},
        "encoding": {"x": across},
    }
    return Chart({"height": height, "layer": [line, rule]}, _table(lines, marker), alt)
