"""What can be seen of a finished run: a sample of its points, where they lie, how sure their labels are. No Streamlit in here."""

import json
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from threading import Lock

import numpy as np

from leasc_core.explain.margins import margins_and_rivals
from leasc_core.runs.folder import RunFolder
from leasc_ui.charts.axes import facing
from leasc_ui.results.asked import request_of
from leasc_ui.work.background import Background

MOST_DRAWN = 50_000
# UMAP compares points with one another, which takes its time.
MOST_BY_UMAP = 10_000
AXES_FROM = 5000
UMAP_FROM = 50
BLOCK = 4096
MEMBERS = 8
MOST_CODED = 400
NAMES = "names.json"
KINDS = {"umap": "UMAP", "pca": "PCA", "spectral": "Spectral"}
# The first view: PCA where it keeps this share of neighbours, judged on so many points; of few points UMAP makes no sense.
KEPT_BY_PCA, MOST_JUDGED, FEWEST_FOR_UMAP = 0.5, 1500, 30
# A page waits so long for a layout before it shows PCA.
SHORT_WAIT = 0.8


@dataclass(frozen=True, eq=False)
class Places:
    """Where some of the drawn points lie along three axes; ``at`` are positions among the drawn points."""

    kind: str
    at: np.ndarray = field(repr=False)
    places: np.ndarray = field(repr=False)
    axes: tuple


class Results:
    """A finished run, looked at through at most 50,000 of its points, each cluster by its share; computed as it is asked for."""

    # What was done to the points, for a sentence.
    did = "Coded and clustered"
    views, measures_confidence = tuple(KINDS), True

    def __init__(self, folder, data):
        files = RunFolder(folder)
        self.folder, self.data, self.summary, self.config = Path(folder), data, files.summary(), files.config()
        self.labels = np.load(files.labels_file, mmap_mode="r", allow_pickle=False)
        self.count = int(self.summary["n_clusters"])
        self.sizes = np.asarray(self.summary["sizes"])
        self.begin_looking()

    def begin_looking(self):
        """Nothing is laid out yet."""
        self._layouts, self._lock = {}, Lock()

    @cached_property
    def model(self):
        """The fitted LeaSC of the run."""
        from leasc_core import LeaSC

        return LeaSC.load(RunFolder(self.folder).model_file)

    @cached_property
    def points(self):
        """The rows as they are clustered: what a run does by itself it does to the rows as they were brought."""
        return self.model._preprocessed(self.data.source) if self.whole else self.data.points

    @property
    def whole(self):
        """Whether the run prepared the rows by itself."""
        asked = request_of(self.folder)
        return asked is not None and not asked.settings.mine

    @property
    def choice(self):
        """What was recognised and taken, and why; None where it was given."""
        return getattr(self.model, "choice_", None)

    @cached_property
    def rows(self):
        """The row numbers of the points that are drawn, in order."""
        return stratified(np.asarray(self.labels), MOST_DRAWN)

    @cached_property
    def drawn_labels(self):
        return np.asarray(self.labels)[self.rows]

    @cached_property
    def representative_labels(self):
        return np.asarray(self.labels)[self.model.representative_indices_]

    @cached_property
    def embedded(self):
        """The spectral embedding of the drawn points: what the clusters are cut from."""
        return self.by_block(self.rows, lambda points: self.model.model_.embed(self._encode(points)).astype(np.float32))

    @cached_property
    def margins_and_rivals(self):
        """The margins of the drawn points, and the cluster each is nearest to besides its own."""
        return margins_and_rivals(self.embedded, self.model.model_.centres, self.drawn_labels)

    @property
    def margins(self):
        """How far the drawn points are from the border of their clusters, from 0 to 1."""
        return self.margins_and_rivals[0]

    @property
    def confidence(self):
        """How sure the labels of the drawn points are, from 0 to 1."""
        known = getattr(self.model, "confidence_", None)
        return np.clip(self.margins, 0, 1) if known is None else np.asarray(known)[self.rows]

    @cached_property
    def all_confidence(self):
        """The same of every point; where the run did not write it down, all points are coded once more."""
        known = getattr(self.model, "confidence_", None)
        if known is not None:
            return np.asarray(known)
        everything = np.arange(len(self.labels))
        embedded = self.by_block(everything, lambda points: self.model.model_.embed(self._encode(points)).astype(np.float32))
        return np.clip(margins_and_rivals(embedded, self.model.model_.centres, np.asarray(self.labels))[0], 0, 1)

    @cached_property
    def spectral(self) -> Places:
        return Places("spectral", np.arange(len(self.rows)), *_principal(self.embedded, "spectral axis"))

    @cached_property
    def pca(self) -> Places:
        if self.data.points.shape[1] == 2 and self.points.shape[1] == 2:
            flat = self.by_block(self.rows, lambda block: block.astype(np.float32))
            as_read = self.data.preprocess is None and not (self.whole and self.model.preprocess_ is not None)
            names = self.data.source.feature_names if as_read else None
            axes = tuple(str(name)[:40] for name in names) if names else ("1st feature", "2nd feature")
            return Places("pca", np.arange(len(self.rows)), np.column_stack([flat, np.zeros(len(flat), np.float32)]), (*axes, ""))
        centre, axes, shares = self._axes
        places = self.by_block(self.rows, lambda block: ((block - centre) @ axes[:, :3]).astype(np.float32))
        return Places("pca", np.arange(len(self.rows)), places, _axis_names("principal axis", shares))

    def places(self, kind, solid=False) -> Places:
        """Where the drawn points lie in a view; UMAP's are waited for, and are PCA's where they cannot be had."""
        if kind != "umap":
            return getattr(self, kind)
        job = self._layout(solid)
        job.done(None)
        return job.result or self.pca

    def layout_ready(self, solid=False) -> bool:
        """Whether UMAP is there, after a short wait; otherwise it is being laid out in the background."""
        return self._layout(solid).done(SHORT_WAIT)

    def layout_share(self, solid=False) -> float | None:
        """How far UMAP is; None once it is over."""
        job = self._layout(solid)
        return None if job.done() else job.share

    @cached_property
    def best_view(self):
        """PCA where two axes keep at least half of the points' ten nearest neighbours, UMAP otherwise."""
        if len(self.labels) < FEWEST_FOR_UMAP or self.data.points.shape[1] == 2:
            return "pca"
        at = stratified(self.drawn_labels, MOST_JUDGED)
        return "pca" if neighbours_kept(self._low(self.rows[at]), self.pca.places[at, :2]) >= KEPT_BY_PCA else "umap"

    def _layout(self, solid):
        with self._lock:
            if solid not in self._layouts:
                self._layouts[solid] = Background(partial(self._umap, 3 if solid else 2), "umap")
            return self._layouts[solid]

    def _umap(self, dimensions, say):
        """UMAP of at most 10,000 of the points, from their first 50 principal coordinates."""
        from leasc_core.spectral.layout import umap_layout

        at = stratified(self.drawn_labels, MOST_BY_UMAP)
        places = umap_layout(self._low(self.rows[at]), dimensions, pause=say)
        return Places("umap", at, places, tuple(f"UMAP {number + 1}" for number in range(dimensions)))

    def _low(self, rows):
        """The first 50 principal coordinates of these rows."""
        centre, axes, _ = self._axes
        return self.by_block(rows, lambda block: ((block - centre) @ axes).astype(np.float32))

    @cached_property
    def _axes(self):
        """Centre, up to 50 principal axes and their shares of the variance, from a few thousand points."""
        some = self.by_block(self.rows[stratified(self.drawn_labels, AXES_FROM)], lambda block: block.astype(np.float64))
        centre = some.mean(axis=0)
        _, sizes, axes = np.linalg.svd(some - centre, full_matrices=False)
        axes = np.pad(facing(axes[:UMAP_FROM]), ((0, max(0, 3 - len(axes))), (0, 0))).T
        return centre, axes, np.append(sizes**2 / max((sizes**2).sum(), np.finfo(float).tiny), [0, 0, 0])[:3]

    def codes(self, rows):
        """The codes f(y) of these rows, a row each."""
        from leasc_core.stages.encode import Encode

        return self.by_block(np.asarray(rows), lambda points: Encode(self.model.network_, self.model.unit_rows)(points, 0))

    @cached_property
    def code_sample(self):
        """``(codes, point labels, representative labels, number of points and representatives)`` for the sorted picture."""
        at = stratified(self.drawn_labels, MOST_CODED)
        few = stratified(self.representative_labels, MOST_CODED)
        return self.codes(self.rows[at])[:, few], self.drawn_labels[at], self.representative_labels[few], (len(at), len(few))

    @cached_property
    def scores(self):
        """ACC, NMI and ARI against the labels that came with the data, or None; those were used for nothing else."""
        if self.summary.get("scores"):
            return self.summary["scores"]
        if self.data.labels is None or len(self.data.labels) != len(self.labels):
            return None
        from leasc_core.metrics import score

        return score(self.data.labels, np.asarray(self.labels))

    def members(self, cluster):
        """``(typical, doubtful)``: positions of the drawn points with the largest and the smallest margins in a cluster."""
        own = np.flatnonzero(self.drawn_labels == cluster)
        order = own[np.argsort(self.margins[own], kind="stable")]
        doubtful = order[:MEMBERS]
        return order[::-1][: min(MEMBERS, max(1, len(order) - len(doubtful)))] if len(order) else order, doubtful

    def helpers(self, rows, most=8):
        """The representatives that these rows lean on: ``(position, share of the sizes of all their codes)``, largest first."""
        strength = np.abs(self.codes(rows)).sum(axis=0)
        order = np.argsort(-strength, kind="stable")[:most]
        return order, strength[order] / max(float(strength.sum()), np.finfo(float).tiny)

    def by_block(self, rows, work):
        """``work(points)`` over these rows, a block at a time."""
        parts = np.array_split(rows, max(1, -(-len(rows) // BLOCK)))
        return np.concatenate([work(self.points.take(part)) for part in parts])

    def _encode(self, points):
        from leasc_core.stages.encode import Encode

        return Encode(self.model.encoder_, self.model.unit_rows)(points, 0)


def neighbours_kept(points, places, count=10):
    """The share of the ``count`` nearest neighbours of each row of ``points`` that are still among those in ``places``."""
    from leasc_core.spectral.nearest import nearest

    count = min(count, len(points) - 1)
    true, seen = (nearest(each, each, count + 1)[1] for each in (points, np.ascontiguousarray(places)))
    return float(np.mean([len(np.intersect1d(a, b)) - 1 for a, b in zip(true, seen, strict=True)]) / max(1, count))


def stratified(labels, most):
    """All positions, or ``most`` of them: of every cluster its share, drawn at random and always the same ones, in order."""
    if len(labels) <= most:
        return np.arange(len(labels))
    shuffled = np.random.default_rng(0).permutation(len(labels))
    by_cluster = shuffled[np.argsort(labels[shuffled], kind="stable")]
    # Evenly spaced among points in order of cluster: each cluster gets its share, and none of some size is left out.
    return np.sort(by_cluster[np.linspace(0, len(labels) - 1, most).astype(np.intp)])


def confusion(truth, labels):
    """``(table, order)``: classes by clusters, and the clusters in the order in which they match the classes best."""
    from scipy.optimize import linear_sum_assignment

    table = np.zeros((int(truth.max()) + 1, int(labels.max()) + 1), np.int64)
    np.add.at(table, (truth, labels), 1)
    matched = linear_sum_assignment(table, maximize=True)[1]
    rest = np.setdiff1d(np.arange(table.shape[1]), matched)
    return table, np.concatenate([matched, rest])


def names_of(folder, count):
    """The clusters' names: as they were given, else cluster 1, cluster 2, …"""
    try:
        given = json.loads((Path(folder) / NAMES).read_text("utf-8"))
    except (OSError, ValueError):
        given = {}
    given = given if isinstance(given, dict) else {}
    return [str(given.get(str(number)) or f"cluster {number + 1}")[:60] for number in range(count)]


def _principal(embedded, name):
    centred = embedded - embedded.mean(axis=0)
    _, sizes, axes = np.linalg.svd(centred[stratified(np.zeros(len(centred)), AXES_FROM)], full_matrices=False)
    axes = np.pad(axes[:3], ((0, max(0, 3 - len(axes))), (0, 0)))
    shares = np.append(sizes**2 / max((sizes**2).sum(), np.finfo(float).tiny), [0, 0, 0])[:3]
    return (centred @ axes.T).astype(np.float32), _axis_names(name, shares)


def _axis_names(name, shares):
    ordinal = ("1st", "2nd", "3rd")
    return tuple(f"{ordinal[at]} {name}, {100 * share:.0f} % of the variance" for at, share in enumerate(shares))
