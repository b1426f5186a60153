"""Clusters of several numbers as one picture: the finer groups beside the broad one that holds most of each."""

import numpy as np

from leasc_core.plan import Counts
from leasc_ui.frame.theme import CLUSTERS

EVERYTHING = "all"


def tree_figure(counts: Counts, theme=None):
    """An icicle that opens a group by a click and closes it by a click on what holds it; a Plotly figure, for what stands still.

    The width of a group is its share of the rows that were counted, in per cent.
    """
    import plotly.graph_objects as go

    ids, names, parents, shares, tones = tree_rows(counts)
    colours = ["rgba(128,128,128,.35)" if tone < 0 else CLUSTERS[tone % len(CLUSTERS)][theme == "dark"] for tone in tones]
    boxes = go.Icicle(
        ids=ids,
        labels=names,
        parents=parents,
        values=100 * np.array(shares),
        branchvalues="total",
        sort=False,
        marker={"colors": colours},
        hovertemplate="%{label}: %{value:.1f} % of the rows counted<extra></extra>",
        tiling={"orientation": "v"},
    )
    return go.Figure(boxes, {"height": 90 + 60 * len(counts.levels), "margin": {"l": 0, "r": 0, "t": 4, "b": 4}})


def tree_rows(counts: Counts) -> tuple[list, list, list, list, list]:
    """``(ids, names, parents, shares, tones)`` of all groups of all levels; a tone is the number of the broadest group around.

    The share of a group that is opened is the sum of those inside it: a finer group is counted where most of it lies.
    """
    shares = [list(each) for each in counts.sizes]
    for at in range(len(shares) - 1, 0, -1):
        inside = np.bincount(counts.parents[at], weights=shares[at], minlength=len(shares[at - 1]))
        shares[at - 1] = [own if sums == 0 else sums for own, sums in zip(shares[at - 1], inside, strict=True)]
    rows, tones = [(EVERYTHING, "all rows", "", sum(shares[0]), -1)], []
    for at, (k, parents) in enumerate(zip(counts.levels, counts.parents, strict=True)):
        tones.append([number if at == 0 else tones[-1][parents[number]] for number in range(len(parents))])
        for number, parent in enumerate(parents):
            above = EVERYTHING if at == 0 else f"{counts.levels[at - 1]}.{parent}"
            rows.append((f"{k}.{number}", f"{number + 1} of {k}", above, shares[at][number], tones[-1][number]))
    return tuple(map(list, zip(*rows, strict=True)))
