"""How a run got there: the coding solver by iteration (the paper's Fig. 9), the network by epoch, the time by stage."""

from math import ceil, floor, log10

import pandas as pd

from leasc_ui.charts.chart import TITLE, Chart, axis, legend
from leasc_ui.frame.theme import cluster_colour, colour


def objective_chart(history, height=135):
    """The objective of Eq. 8 by iteration; the tooltip tells its two terms apart."""
    data = pd.DataFrame(
        [(event.iteration, event.objective, event.codes_term, event.noise_term) for event in history],
        columns=["iteration", "objective", "codes", "noise"],
    )
    spec = {
        "height": height,
        "mark": {"type": "line", "point": {"size": 18}, "color": cluster_colour(0), "strokeWidth": 2},
        "encoding": {
            "x": axis("iteration", None, tickCount=6, grid=False),
            "y": axis("objective", "objective", tickCount=4, scale={"zero": False}),
            "tooltip": [{"field": name, "format": ".4~g"} for name in data.columns],
        },
    }
    return Chart(spec, data, "Line of the objective by iteration.")


def residual_chart(history, height=210):
    """What is left to do, on a log axis: the residual, and the duality gap where the solver has one."""
    rows = [(event.iteration, "residual", event.residual) for event in history]
    rows += [(event.iteration, "duality gap", event.gap) for event in history if event.gap is not None]
    data = pd.DataFrame(rows, columns=["iteration", "what", "value"])
    data = data[data["value"] > 0]
    spec = {
        "height": height,
        "mark": {"type": "line", "point": {"size": 18}, "strokeWidth": 2},
        "encoding": {
            "x": axis("iteration", "iteration", tickCount=6, grid=False),
            "y": axis("value", "left to do (log scale)", scale={"type": "log"}, values=powers_of_ten(data["value"]), format="~e"),
            "color": {
                "field": "what",
                "type": "nominal",
                "scale": {"domain": ["residual", "duality gap"], "range": [cluster_colour(1), cluster_colour(2)]},
                "legend": {**legend(values=sorted(set(data["what"]), reverse=True)), "orient": "bottom-left"},
            },
            "tooltip": [{"field": "iteration"}, {"field": "what"}, {"field": "value", "format": ".2e"}],
        },
    }
    return Chart(spec, data, "Lines of the residual and the duality gap by iteration, on a logarithmic axis.")


def powers_of_ten(values):
    """The powers of ten around the values, seven at most; a log axis ends on such powers too."""
    low, high = floor(log10(min(values))), ceil(log10(max(values)))
    return [10.0**power for power in range(low, high + 1, 1 + (high - low) // 7)]


def network_chart(history, height=300):
    """‖Z − f(X)‖ / ‖Z‖ by epoch, on the representatives learned from and on those held out."""
    rows = [(event.epoch, "learned from", 100 * event.training_error) for event in history]
    rows += [(event.epoch, "held out", 100 * event.held_out_error) for event in history]
    data = pd.DataFrame(rows, columns=["epoch", "representatives", "error"])
    which = {"field": "representatives", "type": "nominal", "sort": None, "legend": legend()}
    spec = {
        "height": height,
        "mark": {"type": "line", "point": {"size": 50, "filled": True}, "strokeWidth": 2},
        "encoding": {
            "x": axis("epoch", "epoch", tickMinStep=1, format="d", grid=False),
            "y": axis("error", "error of f, % of the codes’ size", tickCount=5, format="~r"),
            "color": {**which, "scale": {"range": [cluster_colour(0), cluster_colour(1)]}},
            "shape": {**which, "scale": {"range": ["circle", "square"]}},
            "tooltip": [
                {"field": "epoch"},
                {"field": "representatives"},
                {"field": "error", "title": "error, %", "format": ".3~g"},
            ],
        },
    }
    return Chart(spec, data, "Lines of the error of the network by epoch, on representatives learned from and held out.")


def times_chart(seconds, height=300):
    """Milliseconds by stage, in the order in which they ran."""
    data = pd.DataFrame({"stage": list(seconds), "milliseconds": [1000 * value for value in seconds.values()]})
    stage = {"field": "stage", "type": "nominal", "sort": None, "title": None}
    number = {"field": "milliseconds", "type": "quantitative"}
    spec = {
        "height": height,
        "padding": {"left": 2, "right": 46, "top": 2, "bottom": 2},
        "encoding": {"y": {**stage, "axis": {**TITLE, "domain": False, "ticks": False, "labelPadding": 8}}},
        "layer": [
            {
                "mark": {"type": "bar", "color": cluster_colour(0), "cornerRadiusEnd": 3, "height": {"band": 0.55}},
                "encoding": {
                    "x": axis("milliseconds", "milliseconds", tickCount=4, scale={"domainMin": 0}),
                    "tooltip": [{"field": "stage"}, {**number, "title": "ms", "format": ".1f"}],
                },
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 5, "color": colour("muted"), "fontSize": 12},
                "encoding": {"x": number, "text": {**number, "format": ",.0f"}},
            },
        ],
    }
    return Chart(spec, data, "Bars of the milliseconds that each stage took.")
