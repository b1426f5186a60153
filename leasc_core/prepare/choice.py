"""The choice without labels: how much each candidate says of the points that re-drawn 80 % samples say again.

Agreement of labelings alone likes giants: one cluster that swallows five is as stable as can be. A labeling says as much as its
entropy, so the score is the adjusted Rand index times entropy / log k: the share of what k even clusters would tell.
"""

import time
from dataclasses import asdict, dataclass

import numpy as np

from ..spectral.codes import CodeGraph, GramSum
from ..spectral.embedding import spectral_map
from ..spectral.kept import KEPT_GRAPHS, fit_kept, ridge_coder
from ..spectral.kmeans import kmeans_centres, nearest_centre
from ..spectral.landmarks import LandmarkGraph, default_landmarks, unit_rows
from ..spectral.sign import sign_is_noise
from .candidates import candidates
from .kinds import Kind, recognise
from .preparation import Preparation, sample_rows

SAMPLE, DRAWS, SHARE = 2000, 3, 0.8
REPRESENTATIVES, RESTARTS = 1000, 5
# Candidates that agree this well with the best are as good, and the simplest of them is taken.
TIE = 0.01
# Fewer points than this say nothing reliable: the simplest candidate is taken.
FEWEST = 30
# Judged at this many clusters where no number is given.
CLUSTERS = 10


@dataclass(frozen=True)
class Evidence:
    """One candidate: mean and spread of the adjusted Rand index of its labelings, entropy / log k of their clusters, seconds."""

    preparation: str
    graph: str
    agreement: float
    spread: float
    evenness: float
    seconds: float

    @property
    def score(self) -> float:
        """What the candidate says again and again, in [0, 1]."""
        return self.agreement * self.evenness


@dataclass(frozen=True)
class Choice:
    """What was recognised, what was taken, and the table of evidence (empty where nothing could be judged)."""

    kind: Kind
    preparation: str
    graph: str
    evidence: tuple[Evidence, ...]

    def state(self) -> dict:
        """The same as a dict that JSON can carry."""
        return asdict(self)

    @classmethod
    def from_state(cls, settings: dict) -> "Choice":
        """The choice that :meth:`state` recorded."""
        kind = dict(settings["kind"])
        kind["shape"] = None if kind["shape"] is None else tuple(kind["shape"])
        evidence = tuple(Evidence(**each) for each in settings["evidence"])
        return cls(Kind(**kind), settings["preparation"], settings["graph"], evidence)

    def table(self) -> list[dict]:
        """The evidence as rows of plain values."""
        return [asdict(each) | {"score": each.score} for each in self.evidence]

    def sentence(self) -> str:
        """One sentence for the user."""
        taken = f"{self.kind.why} Preparation {self.preparation!r} and graph {self.graph!r} were taken"
        if not self.evidence:
            return f"{taken}, without a comparison: there is one candidate, or there are too few different points."
        best = next(e for e in self.evidence if (e.preparation, e.graph) == (self.preparation, self.graph))
        return f"{taken}: labels of re-drawn samples agree to {best.agreement:.2f} (best of {len(self.evidence)} candidates)."


def choose(
    source,
    k: int | None,
    seed: int = 0,
    preparation: str | None = None,
    graph: str | None = None,
    image_shape: tuple | None = None,
    layout=None,
    pause=lambda: None,
) -> Choice:
    """Choose a preparation and a graph for the rows of a source or array; no label is read.

    ``preparation`` or ``graph`` fixes that half of the choice; what ``image_shape`` or ``layout`` say of the
    rows is trusted, as is what the source says itself; ``pause()`` is called before each candidate and may raise.
    """
    rows = sample_rows(source, SAMPLE, seed)
    kind = recognise(rows, image_shape or getattr(source, "image_shape", None), layout or getattr(source, "layout", None))
    k = min(k or CLUSTERS, max(2, int(SHARE * len(rows)) - 1))
    some = candidates(kind, len(source), rows.shape[1], k)
    some = list(dict.fromkeys((preparation or name, graph or join) for name, join in some))
    if len(some) == 1 or k < 2 or len(rows) < FEWEST or len(np.unique(rows, axis=0)) <= k:
        return Choice(kind, *some[0], ())
    prepared, evidence = {"none": rows}, []
    for name, join in some:
        pause()
        if name not in prepared:
            prepared[name] = Preparation(name, kind.shape).fit(rows).transform(rows)
        evidence.append(_judge(name, join, prepared[name], k, seed))
    best = max(each.score for each in evidence)
    taken = next(each for each in evidence if each.score >= best - TIE)
    return Choice(kind, taken.preparation, taken.graph, tuple(evidence))


def _judge(name, graph, rows, k, seed):
    from sklearn.metrics import adjusted_rand_score

    begun, scores = time.perf_counter(), []
    whole = labels_by(graph, rows, k, np.random.default_rng(seed))
    for draw in range(DRAWS):
        rng = np.random.default_rng([seed, draw + 1])
        some = np.sort(rng.choice(len(rows), max(k, int(SHARE * len(rows))), replace=False))
        scores.append(adjusted_rand_score(whole[some], labels_by(graph, rows[some], k, rng)))
    shares = np.bincount(whole) / len(whole)
    evenness = float(-np.sum(shares * np.log(np.maximum(shares, 1e-12))) / np.log(k))
    return Evidence(name, graph, float(np.mean(scores)), float(np.std(scores)), evenness, time.perf_counter() - begun)


def labels_by(graph: str, rows: np.ndarray, k: int, rng) -> np.ndarray:
    """Labels of a few thousand prepared rows by a graph; landmarks and codes are those over at most 1,000 representatives."""
    if graph in KEPT_GRAPHS:
        return fit_kept(rows, graph, k, rng, restarts=RESTARTS)[1]
    points = unit_rows(rows)
    some = points if len(points) <= REPRESENTATIVES else points[rng.choice(len(points), REPRESENTATIVES, replace=False)]
    codes = unit_rows((points @ ridge_coder(some.astype(np.float64), 1.0)).astype(np.float32))
    count = max(default_landmarks(len(codes)), min(len(codes), 4 * k))
    made = CodeGraph() if graph == "codes" else LandmarkGraph.fit(codes, count, 5, sign_is_noise(points, rng), rng)
    joins = made.rows(codes)
    total = GramSum.of(joins)
    places = spectral_map(total.gram, total.degrees, k)[0](joins)
    return nearest_centre(places, kmeans_centres(places, k, rng, restarts=RESTARTS))
