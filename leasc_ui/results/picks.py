"""A selection in words short enough for an address, and the rows that these words mean. No Streamlit in here.

``box~spectral~-0.1~0.2~0~0.3`` is a box in a view (from, to across; from, to up), ``lasso~umap~x~y~x~y…`` a line around points;
``…~of~1~3`` means those of these clusters only. ``cluster~3`` is a whole cluster, ``typical~3`` and ``doubtful~3`` are its
members with the largest and the smallest margins. Clusters are counted from 1. ``box~scene~…`` is a box in the picture of the
kind (see ``placed``), and ``rows~4~17`` are those rows.
"""

import numpy as np

from leasc_ui.results.placed import KIND, placed
from leasc_ui.results.results import KINDS

MARK = "~"
MEMBERS = ("typical", "doubtful")
# A lasso has at most so many numbers: 40 corners and a few to spare.
MOST_NUMBERS = 100
LONGEST_NUMBER = 9


def cluster_words(what, cluster):
    """``what`` is cluster, typical or doubtful; ``cluster`` counts from 0."""
    return f"{what}{MARK}{cluster + 1}"


def shape_of(words):
    """``(kind, corners, clusters)`` of a box or a lasso, or None for anything else.

    ``corners`` are (n, 2), of a box its lower left and upper right; ``clusters`` the only ones meant, from 0, or None for all.
    """
    drawn, _, of = str(words or "").partition(f"{MARK}of{MARK}")
    what, *rest = drawn.split(MARK)
    if what not in ("box", "lasso") or len(rest) < 5 or not (rest[0] in KINDS or KIND.fullmatch(rest[0])):
        return None
    try:
        ends = np.array(rest[1:], float)
        clusters = [int(number) - 1 for number in of.split(MARK)] if of else None
    except ValueError:
        return None
    sound = np.isfinite(ends).all() and (
        len(ends) == 4 if what == "box" else len(ends) % 2 == 0 and 6 <= len(ends) <= MOST_NUMBERS
    )
    if not sound:
        return None
    corners = ends.reshape(2, 2).T if what == "box" else ends.reshape(-1, 2)
    return rest[0], corners, clusters


def said(kind, words):
    """What the map told of a view (``box~…``) as words of a selection; None for none."""
    what, _, rest = str(words or "").partition(MARK)
    return f"{what}{MARK}{kind}{MARK}{rest}" if rest else None


def told(words):
    """A selection as the map understands it."""
    what, _, rest = str(words or "").split(MARK, 2)
    return f"{what}{MARK}{rest}"


def inside(places, corners):
    """Which of the places (n, 2) lie in a box (two corners) or in a closed line (more of them; even–odd rule)."""
    x, y = np.asarray(places[:, 0], float), np.asarray(places[:, 1], float)
    if len(corners) == 2:
        (left, low), (right, high) = corners
        return (x >= left) & (x <= right) & (y >= low) & (y <= high)
    found = np.zeros(len(x), bool)
    for (a, b), (c, d) in zip(corners, np.roll(corners, 1, axis=0), strict=True):
        if b != d:
            found ^= ((b > y) != (d > y)) & (x < (c - a) * (y - b) / (d - b) + a)
    return found


def rows_of(words, results):
    """The rows of a finished run that these words select; None where they select none or mean nothing, as in a stale link."""
    shape = shape_of(words)
    if shape is not None:
        kind, corners, clusters = shape
        if kind not in KINDS:
            return _in_picture(results, kind, corners)
        places = results.places(kind)
        chosen = inside(places.places, corners)
        if clusters is not None:
            chosen &= np.isin(results.drawn_labels[places.at], clusters)
        return _some(results.rows[places.at[chosen]])
    what, _, number = str(words or "").partition(MARK)
    if what == "rows":
        return _listed(number, results)
    if not number.isdecimal() or len(number) > LONGEST_NUMBER or not 1 <= int(number) <= results.count:
        return None
    cluster = int(number) - 1
    if what == "cluster":
        return _some(np.flatnonzero(np.asarray(results.labels) == cluster))
    return _some(results.rows[results.members(cluster)[MEMBERS.index(what)]]) if what in MEMBERS else None


def _in_picture(results, kind, corners):
    """The rows inside a box or a lasso in the picture of their kind."""
    found = placed(results, kind)
    return None if found is None else _some(found[0][inside(found[1], corners)])


def _listed(numbers, results):
    """Rows told one by one."""
    numbers = numbers.split(MARK)
    if len(numbers) > MOST_NUMBERS or not all(each.isdecimal() and len(each) <= LONGEST_NUMBER for each in numbers):
        return None
    rows = np.unique(np.array(numbers, int))
    return rows[rows < len(results.labels)] if rows[0] < len(results.labels) else None


def _some(rows):
    return np.asarray(rows) if len(rows) else None
