"""From codes to clusters on the four lines: affinity, spectrum, embedding, and a label for every place of the plane.

No Streamlit in here.
"""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from leasc_ui.screens.example.compute import in_order_of_rows
from leasc_ui.screens.tour.lines import BOX, paper_example
from leasc_ui.work import core

# Places of the plane that are asked for their label: rows from top to bottom, columns from left to right.
GRID = (100, 160)
REPRESENTATIVES, HIDDEN = 88, 50


@dataclass(frozen=True, eq=False)
class Clustered:
    """All that lies between the codes of the 800 points and their labels.

    Attributes
    ----------
    affinity : (800, 800), how strongly two points are joined
    eigenvalues : of that affinity, the largest is 1
    gap : the number of clusters that their largest gap names
    embedded : (800, 2), the spectral coordinates turned so that two show most of them
    labels : (800,), numbered in the order of the points
    regions : the label of every place of the plane, top row first
    """

    affinity: np.ndarray = field(repr=False)
    eigenvalues: np.ndarray = field(repr=False)
    gap: int
    embedded: np.ndarray = field(repr=False)
    labels: np.ndarray = field(repr=False)
    regions: np.ndarray = field(repr=False)


@lru_cache(maxsize=32)
def clustered(k, affinity) -> Clustered:
    """The 800 points cut into ``k`` by ``affinity`` ("landmarks" or "codes")."""
    from leasc_core import LeaSC
    from leasc_core.spectral.embedding import eigengap

    points, _ = paper_example()
    with core.working():
        shown = {"preprocess": None, "n_representatives": REPRESENTATIVES, "hidden": (HIDDEN,)}
        model = LeaSC(k, affinity=affinity, **shown, random_state=0).fit(points)
        codes = model.transform(points)
        labels = in_order_of_rows(model.labels_)
        names = np.zeros(k, dtype=int)
        names[model.labels_] = labels
        return Clustered(
            affinity=affinity_of(model.model_.graph.rows(codes)),
            eigenvalues=model.eigenvalues_,
            gap=eigengap(model.eigenvalues_),
            embedded=flattened(model.model_.embed(codes)),
            labels=labels,
            regions=names[model.predict(places())].reshape(GRID),
        )


def affinity_of(joins):
    """W = SSᵀ with S = BD^{-1/2} (Eq. 9), for rows B that join points to landmarks or representatives."""
    B = joins.toarray() if hasattr(joins, "toarray") else np.asarray(joins, dtype=np.float64)
    degrees = B.sum(axis=0)
    S = B / np.sqrt(np.where(degrees > 0, degrees, 1.0))
    return S @ S.T


def flattened(embedded):
    """The two main directions of spectral coordinates, scaled to fit into a box of −1 to 1."""
    centred = embedded - embedded.mean(axis=0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    flat = centred @ directions[:2].T
    return flat / max(np.abs(flat).max(), np.finfo(float).tiny)


def places():
    """The middles of the cells that cover the tour's plane, row by row from the top."""
    left, right, bottom, top = BOX
    down, across = GRID
    x = left + (np.arange(across) + 0.5) / across * (right - left)
    y = top - (np.arange(down) + 0.5) / down * (top - bottom)
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def order_of(labels, sorted_by_cluster):
    """The order in which the affinity is drawn: cluster by cluster, or mixed as unlabelled data come."""
    if sorted_by_cluster:
        return np.argsort(labels, kind="stable")
    return np.random.default_rng(0).permutation(len(labels))
