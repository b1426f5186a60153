"""What every chart is: a Vega-Lite specification, the table it draws, and words for who cannot see it.

Vega and not Plotly: when only the table changes the browser keeps the drawing and moves its marks, so a slider makes no
flicker, and a page loads a sixth of the code. So no number of the data stands in ``spec`` or ``alt``: there it would draw anew.
"""

from dataclasses import dataclass, field

import pandas as pd

# Streamlit draws many marks on a canvas unless told otherwise; only in an SVG do colours follow the theme by themselves.
SVG, CANVAS = ({"usermeta": {"embedOptions": {"renderer": renderer}}} for renderer in ("svg", "canvas"))
TITLE = {"titleFontWeight": "normal", "titleFontSize": 13, "labelFontSize": 12}


@dataclass(frozen=True)
class Chart:
    """``spec`` has axes, units and tooltips; ``data`` one row a mark; ``alt`` says what kind of picture it is."""

    spec: dict = field(repr=False)
    data: pd.DataFrame = field(repr=False)
    alt: str

    def __post_init__(self):
        object.__setattr__(self, "spec", _printable(self.spec))


def _printable(part):
    """The same without line ends and control characters: a title may be a column's name, and Vega makes expressions of titles."""
    if isinstance(part, dict):
        return {name: _printable(value) for name, value in part.items()}
    if isinstance(part, (list, tuple)):
        return [_printable(value) for value in part]
    if isinstance(part, str) and not part.isprintable():
        return "".join(letter if letter.isprintable() else " " for letter in part)
    return part


def axis(name, title, *, scale=None, **options):
    """The encoding of a number along an axis: its column, its title with the unit, and options for the axis itself."""
    encoding = {"field": name, "type": "quantitative", "title": title, "axis": {**TITLE, **options}}
    return {**encoding, "scale": scale} if scale else encoding


def legend(**options):
    """A legend above the picture, in a row."""
    looks = {"title": None, "labelFontSize": 12, "symbolSize": 45, "offset": 4}
    return {"orient": "top", "direction": "horizontal", **looks, **options}
