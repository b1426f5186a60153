"""How rows lie beside one another where a table does not say it: pictures, pixels of a scene, tracks, windows of a series."""

from dataclasses import dataclass, fields

import numpy as np

KINDS = ("pictures", "cube", "tracks", "series", "counts", "embeddings")
ARRAYS = ("wavelengths", "background", "picture", "starts", "series")


@dataclass(frozen=True, eq=False)
class Layout:
    """What a row is, and where it lies.

    Attributes
    ----------
    kind : one of `KINDS`
    shape : pictures (h, w) or (h, w, c); cube (rows, columns, bands), pixels row by row; tracks (points, frames, 2), x and y of
        a frame beside each other; series (windows, window, channels), the channels of a moment beside
        each other; else the rows' own.
    why : a sentence for the user
    names : of a series' channels
    unit : of the wavelengths
    wavelengths : (bands,) or None
    background : (pixels,) bool, True where a pixel belongs to nothing, or None
    picture : (h, w) or (h, w, 3) uint8, the frame that tracks were seen in, or None
    to_pixels : (across, down, x, y): coordinates times (across, down) plus (x, y) are pixels of `picture`
    step : moments from one window of a series to the next
    starts, series : (windows,) the first moment of every window, and the number of the series that it was cut from
    """

    kind: str
    shape: tuple
    why: str = ""
    names: tuple = ()
    unit: str = ""
    wavelengths: np.ndarray | None = None
    background: np.ndarray | None = None
    picture: np.ndarray | None = None
    to_pixels: tuple = (1.0, 1.0, 0.0, 0.0)
    step: int = 0
    starts: np.ndarray | None = None
    series: np.ndarray | None = None

    @property
    def sides(self) -> tuple:
        """(rows, columns) of a picture or a cube."""
        return tuple(self.shape[:2])

    @property
    def frames(self) -> int:
        """How many frames tracks last."""
        return self.shape[1]

    @property
    def window(self) -> int:
        """How many moments a window of a series lasts."""
        return self.shape[1]

    def saved(self, path) -> dict:
        """Its arrays written to an `.npz` at `path`; all else as JSON values."""
        arrays = {name: getattr(self, name) for name in ARRAYS if getattr(self, name) is not None}
        np.savez(path, **arrays)
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name not in ARRAYS}

    @classmethod
    def opened(cls, path, about) -> "Layout":
        """The layout that `saved` wrote."""
        about = {name: tuple(value) if isinstance(value, list) else value for name, value in about.items()}
        with np.load(path, allow_pickle=False) as arrays:
            return cls(**about, **{name: arrays[name] for name in arrays.files})
