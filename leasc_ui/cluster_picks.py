"""A selection in words short enough for an address, and the rows that these words mean. No Streamlit in here.

``box~spectral~-0.1~0.2~0~0.3`` is a box in a view (from, to across; from, to up), ``cluster~3`` all drawn points of a cluster,
``typical~3`` and ``doubtful~3`` its members with the largest and the smallest margins. Clusters are counted from 1.
"""

import math

import numpy as np

from leasc_ui.cluster_results import KINDS

MARK = "~"
MEMBERS = ("typical", "doubtful")


def box_words(kind, across, up):
    """A box in the view of that kind, to five digits."""
    return MARK.join(["box", kind, *(f"{end:.5g}" for side in (across, up) for end in sorted(side))])


def cluster_words(what, cluster):
    """``what`` is cluster, typical or doubtful; ``cluster`` counts from 0."""
    return f"{what}{MARK}{cluster + 1}"


def box_of(words):
    """``(kind, (left, right), (bottom, top))`` of a box, or None for anything else."""
    what, *rest = str(words or "").split(MARK)
    if what != "box" or len(rest) != 5 or rest[0] not in KINDS:
        return None
    try:
        left, right, bottom, top = map(float, rest[1:])
    except ValueError:
        return None
    return (rest[0], (left, right), (bottom, top)) if all(map(math.isfinite, (left, right, bottom, top))) else None


def rows_of(words, results):
    """The rows of a finished run that these words select; None where they select none or mean nothing, as in a stale link."""
    box = box_of(words)
    if box is not None:
        kind, across, up = box
        places = results.places(kind)
        inside = [(places.places[:, at] >= low) & (places.places[:, at] <= high) for at, (low, high) in enumerate((across, up))]
        return _some(results.rows[places.at[inside[0] & inside[1]]])
    what, _, number = str(words or "").partition(MARK)
    if not number.isdecimal() or not 1 <= int(number) <= results.count:
        return None
    cluster = int(number) - 1
    if what == "cluster":
        return _some(results.rows[results.drawn_labels == cluster])
    return _some(results.rows[results.members(cluster)[MEMBERS.index(what)]]) if what in MEMBERS else None


def _some(rows):
    return np.asarray(rows) if len(rows) else None
