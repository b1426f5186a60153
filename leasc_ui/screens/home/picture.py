"""The living picture of the home page, drawn from a real run: ``python -m leasc_ui.screens.home.picture`` writes it anew.

It plays its story three times and then rests. It is kept as a file, so that the first page needs neither the numerical
libraries nor a chart library to paint.
"""

from pathlib import Path

import numpy as np

from leasc_ui.frame.theme import cluster_colour, colour

FILE = Path(__file__).parents[2] / "frame" / "assets" / "home.svg"
WIDTH, HEIGHT, MARGIN = 640, 440, 14
EXAMPLES, HELPERS = 8, 5
ALT = (
    "Points on four rays, first grey; some become representatives, marked by red pluses; lines show which of these help "
    "to write a point; then each ray takes its own colour."
)
SCHEME = "color-scheme:"
STYLES = """
path{fill:none;stroke-linecap:round}
.dots{stroke-width:6}
.line{stroke-width:1.5;stroke-dasharray:1 6}
.cluster{animation:colour 14s ease-in-out 3}
.help{stroke-width:1.2;opacity:0;animation:help 14s ease-in-out 3}
.plus{stroke-width:2;animation:plus 14s ease-out 3}
.halo{stroke-width:5}
@keyframes colour{0%,12%{opacity:1}17%,48%{opacity:0}56%,100%{opacity:1}}
@keyframes plus{0%,12%{opacity:1}17%,24%{opacity:0}28%,100%{opacity:1}}
@keyframes help{0%,32%{opacity:0}37%,46%{opacity:.7}51%,100%{opacity:0}}
@media (prefers-reduced-motion:reduce){*{animation:none!important}}
"""


def picture(theme):
    """The stored picture in the shades of a theme, ``"light"`` or ``"dark"`` (None counts as light)."""
    svg = FILE.read_text(encoding="utf-8")
    return svg.replace(f"{SCHEME}light", f"{SCHEME}{theme or 'light'}", 1)


def draw(run):
    """The SVG of an ``ExampleRun``; its one ``color-scheme`` decides between light and dark."""
    places = _to_picture(run.points, run.points)
    clusters = "".join(
        f'<g class="cluster" style="stroke:{cluster_colour(k)};animation-delay:{k / 4:g}s">'
        f'<path class="line" d="{_line(run.points[run.labels == k], run.points)}"/>'
        f'<path class="dots" d="{_dots(places[run.labels == k])}"/></g>'
        for k in range(run.n_clusters)
    )
    pluses = "".join(f"M{x - 4:.0f} {y:.0f}h8m-4-4v8" for x, y in places[run.representatives])
    red, paper = colour("representatives"), colour("paper")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" style="{SCHEME}light">'
        f"<style>{STYLES}</style>"
        f'<path class="dots" style="stroke:{colour("faint")}" d="{_dots(places)}"/>{clusters}'
        f'<path class="help" style="stroke:{red}" d="{_help(run, places)}"/>'
        f'<path class="plus halo" style="stroke:{paper}" d="{pluses}"/>'
        f'<path class="plus" style="stroke:{red}" d="{pluses}"/></svg>\n'
    )


def _to_picture(places, points):
    """Places in the plane as places in the picture, which holds all ``points``."""
    low, high = points.min(axis=0), points.max(axis=0)
    scaled = (places - low) / (high - low)
    scaled[:, 1] = 1 - scaled[:, 1]
    return MARGIN + scaled * (np.array([WIDTH, HEIGHT]) - 2 * MARGIN)


def _dots(places):
    """One path for many points: lines of no length, which a round cap turns into dots."""
    return "".join(f"M{x:.0f} {y:.0f}h0" for x, y in places)


def _line(cluster, points):
    """The one-dimensional subspace nearest to a cluster, from the origin to its farthest point."""
    direction = np.linalg.svd(cluster, full_matrices=False)[2][0]
    along = cluster @ direction
    ends = np.outer([0.0, along[np.abs(along).argmax()]], direction)
    (x, y), (u, v) = _to_picture(ends, points)
    return f"M{x:.0f} {y:.0f}L{u:.0f} {v:.0f}"


def _help(run, places):
    """Lines from a few points to the representatives with the largest codes."""
    some = np.linspace(0, len(places), EXAMPLES, endpoint=False).astype(int) + len(places) // (2 * EXAMPLES)
    lines = []
    for point in some:
        for helper in np.argsort(-run.codes[point])[:HELPERS]:
            (x, y), (u, v) = places[point], places[run.representatives[helper]]
            lines.append(f"M{x:.0f} {y:.0f}L{u:.0f} {v:.0f}")
    return "".join(lines)


if __name__ == "__main__":
    from leasc_ui.screens.example.compute import run_example
    from leasc_ui.screens.example.settings import ExampleSettings

    FILE.write_text(draw(run_example(ExampleSettings())), encoding="utf-8")
