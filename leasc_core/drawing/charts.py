"""The report's pictures as inline SVG: bars, dots, curves and scattered points; pure functions from numbers to text."""

import base64
import io
import math
from html import escape

import numpy as np

from .style import CODES, cluster_shade

WIDTH, HEIGHT, SIDE = 480, 260, 480
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 14, 40
MOST_NUMBERS = 30
# Shapes of about equal weight around (0, 0), in the order of the colours; after eight, colours and shapes part.
SHAPES = (
    "m-2.4 0a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0-4.8 0z",
    "m-2.1-2.1h4.2v4.2h-4.2z",
    "m0-3l3 3-3 3-3-3z",
    "m0-3l2.8 5h-5.6z",
    "m0 3l2.8-5h-5.6z",
    "m3 0l-5 2.8v-5.6z",
    "m-3 0l5 2.8v-5.6z",
    "m-1-3h2v2h2v2h-2v2h-2v-2h-2v-2h2z",
)


def drawing(body, title, width=WIDTH, height=HEIGHT):
    """An SVG with a title that is read aloud."""
    return f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}">{body}</svg>'


def size_bars(sizes):
    """Upright bars, one a cluster; clusters count from 1 where a person reads."""
    plot, top = _plot(), max([*sizes, 1])
    slot = (plot.right - plot.left) / max(1, len(sizes))
    body = [_y_axis(plot, _ticks(0, top), lambda v: plot.bottom - v / top * plot.height, "points")]
    every = math.ceil(len(sizes) / 24)
    for at, size in enumerate(sizes):
        x, tall = plot.left + at * slot, size / top * plot.height
        wide = max(0.8, slot * 0.78)
        body.append(
            f'<rect x="{x + (slot - wide) / 2:.1f}" y="{plot.bottom - tall:.1f}" width="{wide:.1f}" height="{tall:.1f}" rx="1.5" '
            f'fill="{cluster_shade(at)}"><title>cluster {at + 1}: {size:,} points</title></rect>'
        )
        if at % every == 0:
            body.append(text(x + slot / 2, plot.bottom + 15, at + 1, "middle"))
    body.append(text((plot.left + plot.right) / 2, HEIGHT - 6, "cluster", "middle"))
    return drawing("".join(body), f"Sizes of {len(sizes)} clusters")


def spectrum(eigenvalues, k, gap_name):
    """The eigenvalues as dots, with the gap behind the k-th marked and named."""
    plot = _plot()
    shown = np.asarray(eigenvalues, float)[: max(2 * k + 1, 12)]
    low = min(0.9, float(shown.min()) if shown.size else 0.0)
    low = math.floor(low * 10) / 10
    step = (plot.right - plot.left) / max(1, len(shown))

    def x_of(at):
        return plot.left + (at + 0.5) * step

    def y_of(value):
        return plot.bottom - (value - low) / max(1e-12, 1.0 - low) * plot.height

    body = [_y_axis(plot, _ticks(low, 1.0), y_of, "eigenvalue σ²")]
    if k < len(shown):
        a, b = x_of(k - 1), x_of(k)
        high, deep = y_of(shown[k - 1]), y_of(shown[k])
        left_side = k > 0.6 * len(shown)
        body.append(f'<rect class="gap" x="{a:.1f}" y="{plot.top}" width="{b - a:.1f}" height="{plot.height}"/>')
        body.append(f'<path class="curve second" d="M{a:.1f} {high:.1f}L{b:.1f} {deep:.1f}"/>')
        where, anchor = (a - 8, "end") if left_side else (b + 8, "start")
        body.append(text(where, plot.bottom - 12 if left_side else plot.top + 12, gap_name, anchor, "gap-name"))
    for at, value in enumerate(shown):
        dot = f'<circle class="dot" cx="{x_of(at):.1f}" cy="{y_of(value):.1f}" r="{min(4.0, max(1.6, step * 0.35)):.1f}">'
        body.append(f"{dot}<title>σ² number {at + 1}: {value:.4f}</title></circle>")
    every = math.ceil(len(shown) / 16)
    body += [text(x_of(at), plot.bottom + 15, at + 1, "middle") for at in range(0, len(shown), every)]
    body.append(text((plot.left + plot.right) / 2, HEIGHT - 6, "number, largest first", "middle"))
    return drawing("".join(body), f"Spectrum with a gap behind {k}")


def scattered(points, labels, names):
    """Points in the plane by two named coordinates; a colour and a shape a cluster, its number beside its middle."""
    edge = 34
    span = float(np.ptp(points, axis=0).max()) or 1.0
    places = _on_square((points - (points.min(axis=0) + points.max(axis=0)) / 2) / span * 2, edge)
    body = [f'<path class="axis" d="M{edge - 12} 8V{SIDE - edge + 12}H{SIDE - 8}"/>', _marks(places, labels)]
    found = np.unique(labels).tolist()
    for number in found if len(found) <= MOST_NUMBERS else ():
        x, y = np.median(places[labels == number], axis=0)
        body.append(_halo(x, y, number))
        body.append(text(x + 7, y - 7, number + 1, "middle", "number"))
    body.append(text(SIDE / 2, SIDE - 6, names[0], "middle"))
    body.append(f'<text transform="translate(14 {SIDE / 2}) rotate(-90)" text-anchor="middle">{escape(names[1])}</text>')
    return drawing("".join(body), f"{len(points)} points by {names[0]} and {names[1]}", SIDE, SIDE)


def wheel(points, labels, circle):
    """Points between the clusters, whose numbers stand around the circle."""
    edge = 34
    body = [
        f'<circle class="axis" cx="{SIDE / 2}" cy="{SIDE / 2}" r="{SIDE / 2 - edge}"/>',
        _marks(_on_square(points, edge), labels),
    ]
    body += [_halo(x, y, number) for number, (x, y) in enumerate(_on_square(circle, edge))]
    every = math.ceil(len(circle) / 60)
    for number, (x, y) in enumerate(_on_square(circle * 1.08, edge)):
        if number % every == 0:
            body.append(text(x, y + 4, number + 1, "middle", "number"))
    return drawing("".join(body), f"{len(points)} points between {len(circle)} clusters", SIDE, SIDE)


def _halo(x, y, number):
    """Where a cluster stands, seen even when all its points fall on one spot."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="8" fill="{cluster_shade(number)}" fill-opacity=".28"/>'


def _on_square(points, edge):
    """From [-1, 1]², upwards, to the square picture."""
    return SIDE / 2 + np.asarray(points) * [1, -1] * (SIDE / 2 - edge)


def _marks(places, labels):
    """One path for all points of a cluster."""
    paths = []
    for number in np.unique(labels).tolist():
        shape = SHAPES[(number + number // len(SHAPES)) % len(SHAPES)]
        path = "".join(f"M{x:.1f} {y:.1f}{shape}" for x, y in places[labels == number])
        paths.append(f'<path d="{path}" fill="{cluster_shade(number)}" fill-opacity=".72"/>')
    return "".join(paths)


def code_matrix(strengths, row_labels, column_labels):
    """An image of code strengths in [0, 1], with the clusters of its rows and columns along two sides."""
    wide, tall, strip = 1000, 420, 10
    left, top = 16 + strip, 8 + strip
    box = f'x="{left}" y="{top}" width="{wide - left - 4}" height="{tall - top - 26}"'
    body = [f'<image {box} preserveAspectRatio="none" style="image-rendering:pixelated" href="{_png(strengths)}"/>']
    body.append(f'<rect class="axis" {box}/>')
    scale_x, scale_y = (wide - left - 4) / max(1, len(column_labels)), (tall - top - 26) / max(1, len(row_labels))
    for number, first, count in _runs(column_labels):
        place = f'x="{left + first * scale_x:.1f}" y="{top - strip}" width="{count * scale_x:.1f}" height="{strip - 3}"'
        body.append(f'<rect {place} fill="{cluster_shade(number)}"><title>cluster {number + 1}</title></rect>')
    for number, first, count in _runs(row_labels):
        place = f'x="{left - strip}" y="{top + first * scale_y:.1f}" width="{strip - 3}" height="{count * scale_y:.1f}"'
        body.append(f'<rect {place} fill="{cluster_shade(number)}"><title>cluster {number + 1}</title></rect>')
    body.append(text(wide / 2, tall - 8, "representatives, by cluster", "middle"))
    body.append(f'<text transform="translate(10 {tall / 2}) rotate(-90)" text-anchor="middle">points, by cluster</text>')
    return drawing("".join(body), "Sizes of the codes, sorted by cluster", wide, tall)


def curves(x, lines, x_name):
    """One or two positive curves over x on a logarithmic axis; ``lines`` are ``(name, values)``."""
    plot = _plot()
    values = np.concatenate([np.asarray(v, float) for _, v in lines])
    positive = values[np.isfinite(values) & (values > 0)]
    if not positive.size:
        return ""
    low, high = math.floor(math.log10(positive.min())), math.ceil(math.log10(positive.max()) + 1e-9)
    high = max(high, low + 1)
    first, span = float(x[0]), max(1e-12, float(x[-1]) - float(x[0]))

    def y_of(value):
        return plot.bottom - (math.log10(value) - low) / (high - low) * plot.height

    ticks = [10.0**power for power in range(low, high + 1, max(1, (high - low) // 5))]
    body = [_y_axis(plot, ticks, y_of, "", lambda value: f"{value:g}")]
    for index, (name, series) in enumerate(lines):
        known = [
            (plot.left + (a - first) / span * (plot.right - plot.left), y_of(v))
            for a, v in zip(x, series, strict=True)
            if v is not None and math.isfinite(v) and v > 0
        ]
        kind = "curve second" if index else "curve"
        body.append(f'<path class="{kind}" d="M{"L".join(f"{a:.1f} {b:.1f}" for a, b in known)}"/>' if known else "")
        place = plot.top + 4 + 16 * index
        body.append(f'<path class="{kind}" d="M{plot.right - 22} {place}h20"/>')
        body.append(text(plot.right - 28, place + 4, name, "end", "name"))
    body += [text(plot.left, plot.bottom + 15, f"{x[0]:g}", "middle"), text(plot.right, plot.bottom + 15, f"{x[-1]:g}", "end")]
    body.append(text((plot.left + plot.right) / 2, HEIGHT - 6, x_name, "middle"))
    return drawing("".join(body), " and ".join(name for name, _ in lines) + f" over {x_name}")


def stage_bars(seconds):
    """Lying bars, one a stage, with its seconds."""
    row, left, right = 26, 116, 70
    top = max([*seconds.values(), 1e-9])
    body = []
    for at, (stage, each) in enumerate(seconds.items()):
        y, long = 6 + at * row, each / top * (WIDTH - left - right)
        body.append(text(left - 8, y + 14, stage, "end", "name"))
        body.append(f'<rect class="bar" x="{left}" y="{y + 3}" width="{max(1.0, long):.1f}" height="{row - 10}" rx="2"/>')
        body.append(text(left + long + 6, y + 14, f"{each:.2f} s" if each < 10 else f"{each:,.1f} s"))
    return drawing("".join(body), "Seconds of each stage", WIDTH, 12 + row * max(1, len(seconds)))


class _plot:
    """The inside of a chart's frame."""

    left, right, top, bottom = LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM
    height = bottom - top


def _y_axis(plot, ticks, y_of, name, write=None):
    write = write or (lambda value: f"{value:,.10g}")
    lines = [f'<path class="axis" d="M{plot.left} {plot.top}V{plot.bottom}H{plot.right}"/>']
    for tick in ticks:
        y = y_of(tick)
        lines.append(f'<path class="grid-line" d="M{plot.left} {y:.1f}H{plot.right}"/>')
        lines.append(text(plot.left - 6, y + 4, write(tick), "end"))
    if name:
        middle = (plot.top + plot.bottom) / 2
        lines.append(f'<text transform="translate(10 {middle}) rotate(-90)" text-anchor="middle">{escape(name)}</text>')
    return "".join(lines)


def text(x, y, words, anchor="start", kind=None):
    kind = f' class="{kind}"' if kind else ""
    return f'<text{kind} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(str(words))}</text>'


def _ticks(low, high, about=4):
    """Round numbers from ``low`` to ``high``."""
    raw = max(high - low, 1e-12) / about
    unit = 10.0 ** math.floor(math.log10(raw))
    step = next(unit * nice for nice in (1, 2, 2.5, 5, 10) if unit * nice >= raw)
    first = math.ceil(low / step - 1e-9)
    return [round(step * at, 12) for at in range(first, int(math.floor(high / step + 1e-9)) + 1)]


def _runs(labels):
    """``(label, first, count)`` of stretches of equal labels."""
    labels = np.asarray(labels)
    starts = np.flatnonzero(np.diff(labels, prepend=labels[:1] - 1))
    counts = np.diff([*starts, len(labels)])
    return [(int(labels[start]), int(start), int(count)) for start, count in zip(starts, counts, strict=True)]


def _png(strengths):
    from PIL import Image

    pixels = np.empty((*strengths.shape, 4), np.uint8)
    pixels[..., :3] = CODES
    pixels[..., 3] = np.round(255 * np.clip(strengths, 0.0, 1.0))
    file = io.BytesIO()
    Image.fromarray(pixels, "RGBA").save(file, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
