"""Pictures made of arrays: the map and the composite of a scene, a contact sheet of all clusters."""

import base64
from io import BytesIO

import numpy as np

from leasc_core.data.layout import Layout
from leasc_core.drawing.palette import CLUSTERS

BACKGROUND = (232, 232, 228)
MOST_PIXELS = 1200
# A composite leaves out so much of the darkest and the brightest pixels.
CLIPPED = (2, 98)


def cluster_map(labels: np.ndarray, layout: Layout, palette=CLUSTERS) -> np.ndarray:
    """(rows, columns, 3) bytes: the colour of each pixel's cluster, grey where it is background."""
    picture = _colours(labels, palette)
    if layout.background is not None:
        picture[layout.background] = BACKGROUND
    return picture.reshape(*layout.sides, 3)


def composite(source, layout: Layout) -> np.ndarray:
    """(rows, columns, 3) bytes: three bands far apart as red, green and blue, each stretched to its own range."""
    bands = _bands(layout)
    channels = np.concatenate([np.asarray(block[:, bands], np.float32) for _, block in source.blocks()])
    seen = channels if layout.background is None else channels[~layout.background]
    low, high = np.nanpercentile(seen, CLIPPED, axis=0)
    stretched = np.nan_to_num((channels - low) / np.maximum(high - low, 1e-12))
    return (255 * np.clip(stretched, 0, 1)).astype(np.uint8).reshape(*layout.sides, 3)


def _bands(layout):
    """Bands near red, green and blue where wavelengths are known and visible, else at 3/4, 1/2 and 1/4 of the spectrum."""
    if layout.wavelengths is not None:
        scale = {"nm": 1.0, "µm": 1000.0}.get(layout.unit, 1.0)
        known = np.asarray(layout.wavelengths) * scale
        if known.min() <= 500 and known.max() >= 620:
            return [int(np.argmin(np.abs(known - at))) for at in (650, 550, 470)]
    last = layout.shape[2] - 1
    return [round(last * share) for share in (0.75, 0.5, 0.25)]


def contact_sheet(source, sheet: np.ndarray, image_shape: tuple, order="C", gap=2) -> np.ndarray:
    """(height, width[, 3]) bytes: the pictures of the rows in `sheet` (clusters, across), white where it is -1."""
    height, width = image_shape[:2]
    depth = image_shape[2:] if len(image_shape) == 3 and image_shape[2] == 3 else ()
    whole = np.full((len(sheet) * (height + gap), sheet.shape[1] * (width + gap), *depth), 255, np.uint8)
    there = np.argwhere(sheet >= 0)
    for (down, across), row in zip(there, np.asarray(source.take(sheet[sheet >= 0]), np.float64), strict=True):
        low, high = np.nanmin(row), np.nanmax(row)
        grey = (255 * np.nan_to_num((row - low) / max(high - low, 1e-12))).astype(np.uint8)
        top, left = down * (height + gap), across * (width + gap)
        whole[top : top + height, left : left + width] = grey.reshape(image_shape[: 2 + len(depth)], order=order)
    return whole


def timeline(labels: np.ndarray, places, palette=CLUSTERS) -> np.ndarray:
    """(series, windows, 3) bytes: the colour of each window's cluster at its place in time, white where there is none."""
    across, down = places
    picture = np.full((int(down.max()) + 1, int(across.max()) + 1, 3), 255, np.uint8)
    picture[down, across] = _colours(labels, palette)
    return picture


def faded(picture: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """The picture with all but the chosen pixels faded."""
    picture = picture if picture.ndim == 3 else picture[..., None].repeat(3, axis=2)
    return np.where(chosen[..., None], picture, (0.22 * picture + 0.78 * np.array(BACKGROUND)).astype(np.uint8))


def data_url(picture: np.ndarray) -> str:
    """A picture as the address of itself, no side longer than a screen has pixels."""
    from PIL import Image

    step = max(1, -(-max(picture.shape[:2]) // MOST_PIXELS))
    stored = BytesIO()
    Image.fromarray(np.ascontiguousarray(picture[::step, ::step])).save(stored, "PNG")
    return "data:image/png;base64," + base64.b64encode(stored.getvalue()).decode()


def _colours(labels, palette):
    """(n, 3) bytes, grey for what belongs to no cluster."""
    labels, colours = np.asarray(labels).astype(int), np.array([_rgb(light) for light, _ in palette], np.uint8)
    return np.where((labels < 0)[:, None], np.array(BACKGROUND, np.uint8), colours[labels % len(colours)])


def _rgb(text):
    return tuple(int(text[at : at + 2], 16) for at in (1, 3, 5))
