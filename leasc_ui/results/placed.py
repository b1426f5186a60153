"""Where rows lie in the picture of their kind: pixels of a scene, windows along time, tracks at a frame, pictures on a sheet."""

import re

import numpy as np

KIND = re.compile(r"scene|time|sheet|frame\d{1,5}")
# Pictures in a row of a sheet, and pixels between them.
ACROSS, GAP = 12, 2
# The longer side of a stage for tracks without a picture.
STAGE = 600


def placed(results, kind):
    """`(rows, places)`, places (n, 2) in the picture's own units with y downwards; None where there is no such picture."""
    source, n = results.data.source, len(results.labels)
    layout = getattr(source, "layout", None)
    if kind == "sheet" and results.data.image_shape:
        sheet = sheet_rows(results.labels, results.count)
        height, width = results.data.image_shape[:2]
        return sheet[sheet >= 0], (np.argwhere(sheet >= 0)[:, ::-1] + 0.5) * (width + GAP, height + GAP)
    if layout is None or len(source) != n:
        return None
    every = np.arange(n)
    if kind == "scene" and layout.kind == "cube":
        rows = every if layout.background is None else every[~layout.background]
        return rows, np.column_stack([rows % layout.sides[1], rows // layout.sides[1]]) + 0.5
    if kind == "time" and layout.kind == "series":
        return every, np.column_stack(time_places(layout, n)) + 0.5
    at = int(kind.removeprefix("frame")) if kind.startswith("frame") else layout.shape[1]
    if layout.kind == "tracks" and at < layout.frames:
        return every, track_places(source.rows(0, n), layout)[0][:, at]
    return None


def time_places(layout, n):
    """(windows since the series began, number of the series) of every window."""
    step = max(1, layout.step or layout.window)
    starts = np.arange(n) * step if layout.starts is None else np.asarray(layout.starts)
    return starts // step, np.zeros(n, int) if layout.series is None else np.asarray(layout.series)


def track_places(rows, layout):
    """`((points, frames, 2), (width, height))` in pixels of the frame picture, or of one that holds all tracks."""
    places = np.asarray(rows, float).reshape(len(rows), layout.frames, 2)
    if layout.picture is not None:
        return places * np.array(layout.to_pixels[:2]) + np.array(layout.to_pixels[2:]), layout.picture.shape[1::-1]
    low, high = places.min(axis=(0, 1)), places.max(axis=(0, 1))
    scale = STAGE / max(*(high - low), 1e-12)
    return (places - low) * scale, np.maximum((high - low) * scale, 1.0)


def sheet_rows(labels, count):
    """(count, ACROSS) row numbers: members of each cluster, evenly spread; -1 where there are no more."""
    labels, sheet = np.asarray(labels), np.full((count, ACROSS), -1)
    for cluster in range(count):
        members = np.flatnonzero(labels == cluster)
        picked = (
            members[np.unique(np.linspace(0, len(members) - 1, min(ACROSS, len(members))).astype(int))] if len(members) else []
        )
        sheet[cluster, : len(picked)] = picked
    return sheet
