"""A training while it goes on: what is left to do, the terms of the objective, μ. Only tables change, so drawings stay.

A logarithmic axis is drawn as a plain axis of logarithms: its ends may then follow the data without a new specification.
"""

import numpy as np
import pandas as pd

from leasc_ui.theme import cluster_colour, colour

from .chart import Chart, axis, legend
from .progress import network_chart

POWER = "format(pow(10, datum.value), abs(datum.value) < 3 ? '.2~g' : '.1~e')"


def left_chart(history, marker=None, height=215):
    """The residual, and the duality gap where the solver has one, by iteration on a log axis."""
    rows = [(event.iteration, "residual", event.residual) for event in history]
    rows += [(event.iteration, "duality gap", event.gap) for event in history if event.gap is not None]
    alt = "Lines of the residual and the duality gap by iteration, on a logarithmic axis."
    return _chart(_logs(rows), ("residual", "duality gap"), (1, 2), "left to do", alt, marker, height)


def terms_chart(history, marker=None, height=215):
    """The objective of Eq. 8 and its two terms by iteration on a log axis."""
    names = ("objective", "codes", "errors")
    rows = [(event.iteration, names[0], event.objective) for event in history]
    rows += [(event.iteration, names[1], event.codes_term) for event in history]
    rows += [(event.iteration, names[2], event.noise_term) for event in history]
    alt = "Lines of the objective and its two terms, codes and errors, by iteration, on a logarithmic axis."
    return _chart(_logs(rows), names, (0, 2, 3), "objective", alt, marker, height)


def mu_chart(history, marker=None, height=190):
    """The penalty parameter μ by iteration on a log axis."""
    rows = [(event.iteration, "μ", event.mu) for event in history]
    alt = "Line of the penalty parameter μ by iteration, on a logarithmic axis."
    return _chart(_logs(rows), ("μ",), (4,), "μ", alt, marker, height)


def f_chart(history, height=190):
    """The error of the network by epoch, with a title short enough for a small drawing."""
    chart = network_chart(history, height)
    chart.spec["encoding"]["y"]["title"] = "error of f, %"
    return chart


def runs_chart(records, height=200):
    """What was left to do in several runs, one line each: ``records`` maps a name to a history."""
    rows = [
        (event.iteration, name, event.residual if event.gap is None else event.gap)
        for name, history in records.items()
        for event in history
    ]
    alt = "Lines of what was left to do by iteration, one for each of two runs, on a logarithmic axis."
    return _chart(_logs(rows), tuple(records), (0, 1), "left to do", alt, None, height)


def _logs(rows):
    data = pd.DataFrame(rows, columns=["iteration", "what", "value"])
    data = data[data["value"].astype(float) > 0]
    return data.assign(shown=np.log10(data["value"].astype(float)))


def _chart(data, names, colours, title, alt, marker, height):
    data = data.assign(kind="line")
    if marker is not None:
        data = pd.concat([data, pd.DataFrame({"kind": ["marker"], "iteration": [marker]})], ignore_index=True)
    data = data.astype({"iteration": "int64", "value": "float64", "shown": "float64", "what": "string", "kind": "string"})
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
    return Chart({"height": height, "layer": [line, rule]}, data, alt)
