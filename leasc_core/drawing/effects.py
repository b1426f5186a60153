"""What is high and low in each cluster: a table of effects, a column of the data a row, coloured by sign and size."""

from html import escape

import numpy as np

from .charts import drawing, text
from .style import cluster_shade

ROW, LEFT, TOP, CELL, STRONG = 24, 170, 34, 74, 2.0
HIGH, LOW = "#0C7FC4", "#D55E00"


def effect_table(profiles, rows):
    """``rows`` are positions of columns; a cell holds the effect, and on hovering the mean in the column's own unit."""
    clusters = len(profiles)
    width, height = LEFT + CELL * clusters + 8, TOP + ROW * len(rows) + 8
    body = [_head(number, profiles.sizes[number]) for number in range(clusters)]
    for at, column in enumerate(rows):
        y, name = TOP + ROW * at, str(profiles.columns[column])
        body.append(f"<g><title>{escape(name)}</title>{text(LEFT - 8, y + 16, _short(name), 'end', 'name')}</g>")
        body += [_cell(profiles, number, column, y) for number in range(clusters)]
    return drawing("".join(body), f"Effects of {len(rows)} columns in {clusters} clusters", width, height)


def _head(number, size):
    x = LEFT + CELL * number
    bar = f'<rect x="{x + 2}" y="{TOP - 6}" width="{CELL - 4}" height="4" fill="{cluster_shade(number)}"/>'
    return bar + text(x + CELL / 2, TOP - 12, f"{number + 1} ({size:,})", "middle", "number")


def _cell(profiles, number, column, y):
    effect, mean = profiles.effects[number, column], profiles.means[number, column]
    x, known = LEFT + CELL * number, bool(np.isfinite(effect))
    strength = min(1.0, abs(effect) / STRONG) if known else 0.0
    shade = f'fill="{HIGH if effect > 0 else LOW}" fill-opacity="{0.75 * strength:.2f}"'
    place = f'x="{x + 2}" y="{y + 1}" width="{CELL - 4}" height="{ROW - 2}" rx="3"'
    elsewhere = profiles.means_elsewhere[number, column]
    told = f"{profiles.columns[column]} in cluster {number + 1}: mean {mean:.4g}, elsewhere {elsewhere:.4g}"
    words = f"{effect:+.1f}".replace("-0.0", "+0.0") if known else "none"
    return f"<g><title>{escape(told)}</title><rect {place} {shade}/>{text(x + CELL / 2, y + 16, words, 'middle', 'name')}</g>"


def _short(name, most=24):
    return name if len(name) <= most else name[: most - 1] + "…"
