"""Thousands of points as one picture, coloured by class and stronger where there are more: a browser draws it at once."""

import base64
from io import BytesIO

import numpy as np
import pandas as pd

GRID = (360, 720)
# Up to so many points a dot is five pixels wide, above three: it should be seen, and leave room for the others.
WIDE_DOTS = 8000
FAINTEST, STRONGEST = 90, 240


def box_of(*places):
    """(left, bottom), (right, top) of all places."""
    everything = np.vstack([each for each in places if len(each)])
    return everything.min(axis=0)[:2].astype(float), everything.max(axis=0)[:2].astype(float)


def picture_rows(places, labels, shades, box, weights=None):
    """The picture between its corners, as two rows of a chart's table (see ``layers.image_layer`` and ``corner_layer``).

    Parameters
    ----------
    places : (n, 2 or more)
    labels : (n,) whole numbers or None
    shades : list of "#RRGGBB", one a label, coming round again
    box : (left, bottom), (right, top)
    weights : list of float or None
        How much a point of each label counts where several lie on one pixel.
    """
    low, high = box
    url = "data:image/png;base64," + base64.b64encode(_png(_pixels(places, labels, shades, box, weights))).decode()
    image = {"kind": "image", "x": low[0], "y": high[1], "x2": high[0], "y2": low[1], "url": url}
    return pd.DataFrame([image, {"kind": "corner", "x": high[0], "y": low[1]}])


def _pixels(places, labels, shades, box, weights):
    """(down, across, 4) bytes: the mean colour of the points on a pixel, its strength by the logarithm of their number."""
    cells = _cells(places, box)
    label = np.zeros(len(places), np.intp) if labels is None else labels % len(shades)
    weight = np.ones(len(shades)) if weights is None else np.asarray(weights, float)
    colours = np.array([[int(shade[start : start + 2], 16) for start in (1, 3, 5)] for shade in shades], float)
    reach = 2 if len(places) <= WIDE_DOTS else 1
    counts = _sum(cells, None, reach)
    total = np.maximum(_sum(cells, weight[label], reach), np.finfo(float).tiny)
    many = np.log1p(max(np.quantile(counts[counts > 0], 0.98), 1))
    strength = FAINTEST + (STRONGEST - FAINTEST) * np.clip(np.log1p(counts) / many, 0, 1)
    channels = [_sum(cells, (weight[:, None] * colours)[label, channel], reach) / total for channel in range(3)]
    return np.dstack([*channels, np.where(counts > 0, strength, 0)]).astype(np.uint8)


def _cells(places, box):
    """The cell of the picture, counted along its rows, in which each point lies."""
    low, high = box
    extent = np.where(high > low, high - low, 1.0)
    down, across = GRID
    column = ((places[:, 0] - low[0]) / extent[0] * (across - 1)).round().astype(np.intp)
    row = ((high[1] - places[:, 1]) / extent[1] * (down - 1)).round().astype(np.intp)
    return row * across + column


def _sum(cells, values, reach):
    """The sum of the values (or the number) of the points whose dot covers each pixel: dots are round, of that radius."""
    single = np.pad(np.bincount(cells, values, GRID[0] * GRID[1]).reshape(GRID), reach)
    steps = range(-reach, reach + 1)
    return sum(
        single[reach + i : reach + i + GRID[0], reach + j : reach + j + GRID[1]]
        for i in steps
        for j in steps
        if abs(i) + abs(j) <= 1.5 * reach
    )


def _png(pixels):
    from PIL import Image

    stream = BytesIO()
    Image.fromarray(pixels, "RGBA").save(stream, "PNG", compress_level=3)
    return stream.getvalue()
