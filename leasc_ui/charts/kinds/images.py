"""Pictures made of arrays: the map and the composite of a scene, a contact sheet of all clusters."""

import numpy as np

from leasc_core.data.layout import Layout
from leasc_core.drawing.palette import CLUSTERS

BACKGROUND = (232, 232, 228)
GAP = 2
# A composite leaves out so much of the darkest and the brightest pixels.
CLIPPED = (2, 98)


def cluster_map(labels: np.ndarray, layout: Layout) -> np.ndarray:
    """(rows, columns, 3) bytes: the colour of each pixel's cluster, grey where it is background."""
    colours = np.array([_rgb(light) for light, _ in CLUSTERS], np.uint8)
    picture = colours[np.asarray(labels).astype(int) % len(colours)]
    outside = np.asarray(labels) < 0
    if layout.background is not None:
        outside = outside | layout.background
    picture[outside] = BACKGROUND
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


def contact_sheet(source, labels: np.ndarray, count: int, image_shape: tuple, order="C", across=10) -> np.ndarray:
    """(height, width[, 3]) bytes: a row of pictures for each cluster, evenly spread over its members."""
    height, width = image_shape[:2]
    depth = image_shape[2:] if len(image_shape) == 3 and image_shape[2] == 3 else ()
    sheet = np.full((count * (height + GAP), across * (width + GAP), *depth), 255, np.uint8)
    for cluster in range(count):
        members = np.flatnonzero(np.asarray(labels) == cluster)
        picked = (
            members[np.unique(np.linspace(0, len(members) - 1, min(across, len(members))).astype(int))]
            if len(members)
            else members
        )
        for place, row in enumerate(np.asarray(source.take(picked), np.float64)):
            low, high = np.nanmin(row), np.nanmax(row)
            picture = (
                (255 * np.nan_to_num((row - low) / max(high - low, 1e-12)))
                .astype(np.uint8)
                .reshape(image_shape[: 2 + len(depth)], order=order)
            )
            top, left = cluster * (height + GAP), place * (width + GAP)
            sheet[top : top + height, left : left + width] = picture
    return sheet


def _rgb(text):
    return tuple(int(text[at : at + 2], 16) for at in (1, 3, 5))
