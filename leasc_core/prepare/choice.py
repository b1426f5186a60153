"""The choice without labels: how much of what each candidate says, labels of re-drawn rows say again.

Agreement of labelings alone likes giants: one cluster that swallows five is as stable as can be. So a labeling is scored by the
information that it shares with labels of re-drawn rows, beside the log k that k even clusters would tell.
"""

import time
from dataclasses import asdict, dataclass, fields

import numpy as np

from ..data.scale import unit_rows
from ..spectral.codes import CodeGraph, GramSum
from ..spectral.embedding import spectral_map
from ..spectral.kept import KEPT_GRAPHS, fit_kept, ridge_coder
from ..spectral.kmeans import kmeans_centres, nearest_centre
from ..spectral.landmarks import LandmarkGraph, default_landmarks
from ..spectral.sign import sign_is_noise
from .candidates import candidates
from .kinds import Kind, recognise
from .preparation import Preparation, sample_rows

# All candidates are judged by one draw of so many rows, or so many a cluster; those within FAR of the best once more, by several
# draws of more rows.
FIRST, EACH, SAMPLE, DRAWS, SHARE, FAR = 1200, 40, 4000, 3, 0.9, 0.15
REPRESENTATIVES, RESTARTS = 1000, 5
# Candidates are as good as the best whose scores are as near as means of draws differ (within these): the simplest is taken.
TIE, WIDEST_TIE = 0.01, 0.02
# Where re-drawn labels agree so far and tell so much, no other candidate could be better by more than a tie: none is judged.
SURE, TOLD = 0.99, 0.98
# Fewer points than this say nothing reliable: the simplest candidate is taken.
FEWEST = 30
# Judged at this many clusters where no number is given.
CLUSTERS = 10


@dataclass(frozen=True)
class Evidence:
    """One candidate.

    Attributes
    ----------
    score : what its labels of all rows and of re-drawn ones share, beside log k; in [0, 1]
    agreement, spread : mean and deviation of the adjusted Rand index between them
    rows, draws : judged by so many rows, drawn anew so often
    seconds : that this took
    """

    preparation: str
    graph: str
    score: float
    agreement: float
    spread: float
    rows: int
    draws: int
    seconds: float


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
        """The choice that :meth:`state` recorded; evidence of an earlier way to judge is left out."""
        kind = dict(settings["kind"])
        kind["shape"] = None if kind["shape"] is None else tuple(kind["shape"])
        known = {each.name for each in fields(Evidence)}
        evidence = tuple(Evidence(**each) for each in settings["evidence"] if each.keys() == known)
        return cls(Kind(**kind), settings["preparation"], settings["graph"], evidence)

    def table(self) -> list[dict]:
        """The evidence as rows of plain values."""
        return [asdict(each) for each in self.evidence]

    def sentence(self) -> str:
        """One sentence for the user."""
        taken = f"{self.kind.why} Preparation {self.preparation!r} and graph {self.graph!r} were taken"
        if not self.evidence:
            return f"{taken}, without a comparison: there is one candidate, or there are too few different points."
        best = next(e for e in self.evidence if (e.preparation, e.graph) == (self.preparation, self.graph))
        among = f"best of {len(self.evidence)} candidates" if len(self.evidence) > 1 else "no other could be better"
        return f"{taken}: labels of re-drawn rows agree to {best.agreement:.2f} ({among})."


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
    rows is trusted, as is what the source says itself; ``pause()`` is called before each labeling and may raise.
    """
    rows = sample_rows(source, min(SAMPLE, max(FIRST, EACH * (k or CLUSTERS))), seed)
    kind = recognise(rows, image_shape or getattr(source, "image_shape", None), layout or getattr(source, "layout", None))
    k = min(k or CLUSTERS, max(2, int(SHARE * len(rows)) - 1))
    some = candidates(kind, len(source), rows.shape[1], k)
    some = list(dict.fromkeys((preparation or name, graph or join) for name, join in some))
    if len(some) == 1 or k < 2 or len(rows) < FEWEST or len(np.unique(rows, axis=0)) <= k:
        return Choice(kind, *some[0], ())
    made = {}
    evidence = _judged(some, kind, source, rows, k, seed, 1, pause, made)
    best = max(each.score for each in evidence)
    left = [(each.preparation, each.graph) for each in evidence if each.score >= best - FAR]
    if len(left) > 1:
        rows = sample_rows(source, SAMPLE, seed)
        judged = _judged(left, kind, source, rows, k, seed, DRAWS, pause, made)
        again = {(each.preparation, each.graph): each for each in judged}
        evidence, left = [again.get((each.preparation, each.graph), each) for each in evidence], list(again)
    taken = simplest([each for each in evidence if (each.preparation, each.graph) in left])
    return Choice(kind, taken.preparation, taken.graph, tuple(evidence))


def simplest(evidence: list[Evidence]) -> Evidence:
    """The first of those that are as good as the best."""
    best = max(evidence, key=lambda each: each.score)
    wide = (np.hypot(each.spread, best.spread) / np.sqrt(each.draws) for each in evidence)
    ties = np.clip(list(wide), TIE, WIDEST_TIE)
    return next(each for each, tie in zip(evidence, ties, strict=True) if each.score >= best.score - tie)


def _judged(some, kind, source, rows, k, seed, draws, pause, made):
    """The evidence of some candidates, in their order, up to the first that cannot be beaten by more than a tie.

    ``made`` keeps prepared rows and labelings by how many rows they are of, for the next round.
    """
    evidence, size = [], len(rows)
    for name, graph in some:
        pause()
        if (name, size) not in made:
            made[name, size] = prepared_sample(name, kind, source, rows, seed)
        labelings = made.setdefault((name, graph, size), {})
        evidence.append(_judge(name, graph, made[name, size], k, seed, draws, labelings, pause))
        if evidence[-1].agreement >= SURE and evidence[-1].score >= TOLD:
            break
    return evidence


def prepared_sample(name: str, kind: Kind, source, rows: np.ndarray, seed: int, pause=lambda: None) -> np.ndarray:
    """Sampled ``rows`` of a source, prepared; pixels that are seen with those around them are read again, from the source."""
    if name == "none":
        return rows
    if name == "patches":
        return sample_rows(Preparation(name).fit(source).seen(source), len(rows), seed)
    return Preparation(name, kind.shape).fit_transform(rows, pause)


def _judge(name, graph, rows, k, seed, draws, labelings, pause):
    from sklearn.metrics import adjusted_rand_score

    begun, scores, agreed = time.perf_counter(), [], []
    if not labelings:
        labelings[0] = None, labels_by(graph, rows, k, np.random.default_rng(seed))
    whole = labelings[0][1]
    for draw in range(1, draws + 1):
        if draw not in labelings:
            pause()
            rng = np.random.default_rng([seed, draw])
            some = np.sort(rng.choice(len(rows), max(k, int(SHARE * len(rows))), replace=False))
            labelings[draw] = some, labels_by(graph, rows[some], k, rng)
        some, again = labelings[draw]
        scores.append(mutual_information(whole[some], again) / np.log(k))
        agreed.append(adjusted_rand_score(whole[some], again))
    spent = time.perf_counter() - begun
    return Evidence(name, graph, float(np.mean(scores)), float(np.mean(agreed)), float(np.std(agreed)), len(rows), draws, spent)


def labels_by(graph: str, rows: np.ndarray, k: int, rng) -> np.ndarray:
    """Labels of a few thousand prepared rows by a graph; landmarks and codes are those over at most 1,000 representatives."""
    if graph in KEPT_GRAPHS:
        return fit_kept(rows, graph, k, rng, restarts=RESTARTS)[1]
    points = unit_rows(rows)
    some = points if len(points) <= REPRESENTATIVES else points[rng.choice(len(points), REPRESENTATIVES, replace=False)]
    codes = unit_rows(points @ ridge_coder(some.astype(np.float64), 1.0).astype(np.float32))
    count = max(default_landmarks(len(codes)), min(len(codes), 4 * k))
    made = CodeGraph() if graph == "codes" else LandmarkGraph.fit(codes, count, 5, sign_is_noise(points, rng), rng)
    joins = made.rows(codes)
    total = GramSum.of(joins)
    places = spectral_map(total.gram, total.degrees, k)[0](joins)
    return nearest_centre(places, kmeans_centres(places, k, rng, restarts=RESTARTS))


def mutual_information(first: np.ndarray, second: np.ndarray) -> float:
    """Nats that two labelings (0, 1, …) share."""
    return shared_nats(shared_table(first, second))


def shared_table(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """How many rows have label i in the first and j in the second labeling."""
    shape = int(first.max()) + 1, int(second.max()) + 1
    return np.bincount(first * shape[1] + second, minlength=shape[0] * shape[1]).reshape(shape)


def shared_nats(table: np.ndarray) -> float:
    """Nats that two labelings share, from their table."""
    joint = table / table.sum()
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    some = joint > 0
    return float((joint[some] * np.log(joint[some] / apart[some])).sum())
