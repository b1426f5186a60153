"""What the map of a run is given to draw: places, labels, and columns to hover over, as plain values and bytes."""

import base64
from dataclasses import dataclass, field

import numpy as np

from leasc_ui.frame.theme import CLUSTERS, cluster_colours

# So many columns are shown when the pointer rests on a point, and so many values of a column have a name.
MOST_COLUMNS, MOST_VALUES = 6, 5000
LETTERS = 60


@dataclass(frozen=True)
class Colouring:
    """What gives the points their colours: a number for each drawn point, their names, their sizes among *all* points."""

    title: str
    labels: np.ndarray = field(repr=False)
    names: tuple
    sizes: tuple
    palette: tuple = CLUSTERS
    by_cluster: bool = False


def live_map(places, colouring, axes, rows, columns=None, height=460, opened=None, cleared=0, lit=None) -> dict:
    """The data of ``map.js``.

    Parameters
    ----------
    places : (n, 2 or more)
    rows : (n,) row numbers in the data, for the hover
    columns : {name: (n,) values} to hover over, numbers or anything else
    opened : words of a shape that came with a link
    cleared : another number takes the shape away
    lit : (n,) whether each point is among those selected in another picture; None where nothing is
    """
    return {
        "places": _bytes(np.asarray(places)[:, :2], np.float32),
        "labels": _bytes(colouring.labels, np.uint16),
        "rows": _bytes(rows, np.int32),
        "title": colouring.title,
        "by_cluster": colouring.by_cluster,
        "names": [str(name)[:LETTERS] for name in colouring.names],
        "sizes": [int(size) for size in colouring.sizes],
        "colours": cluster_colours(colouring.palette),
        "columns": [_column(name, values) for name, values in list((columns or {}).items())[:MOST_COLUMNS]],
        "axes": [str(axis) for axis in axes[:2]],
        "alt": "Scatter plot of the points. Drag a box or a lasso over points to select them; arrow keys move, + and - zoom.",
        "height": height,
        "opened": opened,
        "cleared": cleared,
        "lit": None if lit is None else _bytes(lit, np.uint8),
    }


def _column(name, values):
    values = np.asarray(values)
    if values.dtype.kind in "fiu":
        return {
            "name": str(name)[:LETTERS],
            "values": _bytes(np.nan_to_num(values.astype(np.float32)), np.float32),
            "names": None,
        }
    words, codes = np.unique(values.astype(str), return_inverse=True)
    few = np.minimum(codes, MOST_VALUES)
    names = [word[:LETTERS] for word in words[: MOST_VALUES + 1]]
    return {"name": str(name)[:LETTERS], "values": _bytes(few, np.uint16), "names": names}


def _bytes(values, kind):
    return base64.b64encode(np.ascontiguousarray(values, kind).tobytes()).decode()
