"""Step 8, scale: codes by f against classical codes, timed here and continued to a billion points."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from leasc_ui.charts.scale import legend_html, scale_chart
from leasc_ui.frame.page import show
from leasc_ui.screens.theory.costs_view import readable_size, table_markdown
from leasc_ui.screens.tour.linked import symbol
from leasc_ui.screens.tour.scale import (
    BYTES,
    CLASSICAL,
    FEATURES,
    LEARNED,
    REPRESENTATIVES,
    continued,
    fitted,
    measured,
    memory_wall,
    sizes,
)
from leasc_ui.screens.tour.step import Equation, Question, Step, StepSettings
from leasc_ui.session.fields import ladder

LSR = r"t_{\mathrm{LSR}}"
TURN = "tour_scale_turn"
UNITS = ((3.156e7, "year"), (86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second"), (1e-3, "millisecond"))
GROWN = {"ten": 10, "hundred": 100, "thousand": 1000}


def _size(usual, label, options):
    return ladder(usual, label, {value: f"{value:,}" for value in options})


@dataclass(frozen=True)
class ScaleSettings(StepSettings):
    m: int = _size(10**6, "Points m", [10**power for power in range(3, 10)])
    n: int = _size(REPRESENTATIVES, "Representatives n", (50, 100, 200, 500, 1000))
    d: int = _size(20, "Features d", (2, 20, 100, 500, 1000))


def _again():
    st.session_state[TURN] = st.session_state.get(TURN, 0) + 1


def _growths(settings):
    with st.spinner("Timing on this machine, once …"):
        timings = measured(st.session_state.get(TURN, 0))
    return timings, continued(fitted(timings), settings.n, settings.d)


def draw(settings, memory):
    import psutil

    timings, growths = _growths(settings)
    wall = memory_wall(psutil.virtual_memory().total)
    shown = growths if settings.revealed else {LEARNED: growths[LEARNED]}
    st.html(legend_html(growths))
    grid = np.geomspace(100, 1e9, 43)
    curves = pd.concat(
        [
            pd.DataFrame({"method": method, "points": grid, "seconds": growth(grid)})
            if method in shown
            else pd.DataFrame({"method": [method], "points": [np.nan], "seconds": [np.nan]})
            for method, growth in growths.items()
        ]
    )
    show(scale_chart(curves, pd.DataFrame(timings), settings.m, wall), "tour_scale_times")
    st.markdown(
        _verdict(settings, growths, wall)
        if settings.revealed
        else "The dots are timed on this machine. Predict where the orange ones lead."
    )
    st.button("Time it again", icon=":material/timer:", type="tertiary", key="tour_scale_again", on_click=_again)
    with st.expander("Table II with these numbers", icon=":material/table:", key="theory_table"):
        st.markdown(table_markdown(sizes(settings.m, settings.n, settings.d)))


def _verdict(settings, growths, wall):
    m = settings.m
    seconds = {method: float(growth(m)) for method, growth in growths.items()}
    stored = readable_size(BYTES * m * m)
    day = growths[CLASSICAL].largest(86_400)
    return (
        f"**{m:,} points**: f {readable(seconds[LEARNED])}, classical codes {readable(seconds[CLASSICAL])} and {stored} of "
        f"memory. On this machine these fill the memory at {wall:,} points and a day at {day:,}.{_not_timed(settings)}"
    )


def _not_timed(settings):
    """Said where the lines no longer run through the dots."""
    if (settings.n, settings.d) == (REPRESENTATIVES, FEATURES):
        return ""
    return f" The dots were timed with {REPRESENTATIVES} representatives and {FEATURES} features, the lines are for yours."


def readable(seconds):
    """A time a person would say, in its largest unit."""
    size, unit = next(((size, unit) for size, unit in UNITS if seconds >= size), UNITS[-1])
    count = f"{seconds / size:,.0f}" if seconds >= 10 * size else f"{seconds / size:.1f}"
    return f"{count} {unit}{'' if count == '1' else 's'}"


def question(settings):
    _, growths = _growths(settings)
    ratio = {method: float(growth(10 * settings.m) / growth(settings.m)) for method, growth in growths.items()}
    truth = min(GROWN, key=lambda name: abs(np.log(ratio[CLASSICAL] / GROWN[name])))
    return Question(
        "Ten times the points: how much longer do classical codes take?",
        {"ten": "10 times", "hundred": "100 times", "thousand": "1,000 times"},
        truth,
        f"From {settings.m:,} points on, **{ratio[CLASSICAL]:,.0f} times**; f takes {ratio[LEARNED]:.0f} times. "
        "Classical codes solve m equations for m points, in the end m × m × m steps; f takes the same few for each. "
        "Beyond the dots, this is extrapolated.",
    )


def warm():
    measured()


STEP = Step(
    name="scale",
    title="Ten times the points take ten times the time",
    sentence="Classical coding mixes every point from all others; f asks a few. Each mark to the right is ten times as "
    "many points.",
    story="The [function](function) looks at one point at a time, and does the same few steps for each: ten times the "
    "points, ten times the work. [Classical methods](classical) write every point with all the others, so each new point "
    "is one more that is searched for, and one more that every other search has to weigh. However quick the machine, a "
    "steeper curve comes to a number of points for which nobody waits.",
    kind=ScaleSettings,
    knobs=("m",),
    draw=draw,
    question=question,
    answers=tuple(GROWN),
    equation=Equation(
        "Table II",
        rf"\begin{{gathered}}{symbol('function', 't_f')}=a\,n^3+b\,m\textstyle\sum_i\iota_i\iota_{{i-1}}\\"
        rf"{symbol('classical', LSR)}=a'\,m^2d+b'\,m^3\end{{gathered}}",
        "The constants are fitted to the dots (none below 0, each dot counts by its per cent). Other $n$ and $d$ are not timed: "
        "they follow the formulas. SSC, LRR and ENSC cost more than LSR.",
    ),
    presets={
        "A thousand": {"m": 1000},
        "A million": {"m": 10**6},
        "A billion pictures": {"m": 10**9, "n": 1000, "d": 1000},
    },
    warm=warm,
)
