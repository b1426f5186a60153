"""The search: settings in order of promise, two draws each, every plausible number of clusters a candidate, until time is up."""

import time
from dataclasses import dataclass, replace

import numpy as np

from ..data.scale import divided, exponent_of
from ..estimators.leasc import LeaSC
from ..estimators.points import as_source
from ..events import CandidateDone, Reporter, Stopped
from ..evidence.count import by_description, by_eigengap, is_reproducible
from ..evidence.description import comparable, description_length
from ..evidence.scan import separation
from ..metrics import adjusted_rand_index
from ..plan.number import count as count_clusters
from ..plan.plateaus import Plateau
from ..prepare import recognise
from ..spectral.landmarks import default_landmarks
from ..stages.context import Seeds
from ..stages.points import prepared
from ..stages.represent import decide_sign
from ..theory.coverage import coverage_probability
from .candidates import Candidate, Evidence, Proposal
from .draws import Setting, draw
from .sentence import explain
from .verdict import ranked, score

MOST_POINTS, LEAST_POINTS, POINTS_A_SECOND = 3000, 600, 100
BETAS = (1.0, 3.0, 0.3, 10.0, 0.1)
SETTINGS = (*(Setting(beta) for beta in BETAS), Setting(1.0, affinity="codes"))
# Up to so many points the nats of a setting are those of the very fit that it would give.
FITTED_UP_TO = 5000
# The smallest cluster found should have so many representatives.
REPRESENTATIVES_EACH, MOST_REPRESENTATIVES = 10, 3000


def propose(Y, *, budget=60.0, n_clusters=None, preprocess=None, random_state=0, on_event=None, clock=time.monotonic):
    """Search for the number of clusters (unless given), β, representatives, landmarks and affinity, without labels.

    Parameters
    ----------
    Y : array, memory map, path or source, as for ``LeaSC.fit``
    budget : seconds the search may take; the first setting is always judged, the next only if it should fit
    preprocess : Preprocessor or None, fitted here as ``LeaSC`` would
    on_event : receives a :class:`CandidateDone` for every candidate; returning True ends the search with what it has
    clock : seconds, rising

    Returns
    -------
    Proposal, or None where it was stopped before the first candidate
    """
    search = _Search(budget, clock, Reporter(on_event))
    complete = True
    try:
        with search.reporter.stage("autopilot", len(SETTINGS)):
            search.sample = sample = _sample(Y, budget, preprocess, random_state)
            search.count() if n_clusters is None else search.listen(n_clusters)
            for setting in SETTINGS:
                if not search.has_time():
                    complete = False
                    break
                search.judge(setting, n_clusters)
    except Stopped:
        complete = False
    if not search.candidates:
        return None
    count = search.counts[0] if search.counts else None
    candidates = ranked(search.candidates, n_clusters or count.k, search.reproducible)
    return Proposal(candidates, explain(candidates, count), budget, search.passed(), len(sample.points), complete)


@dataclass(frozen=True, eq=False)
class _Sample:
    """Points to search on, their directions, the rows themselves, whether directions have a sign that means something, and the
    number of all points."""

    points: np.ndarray
    directions: np.ndarray
    raw: np.ndarray
    sign_blind: bool
    size: int
    everything: np.ndarray | None
    random_state: object
    seed: int


class _Search:
    """The candidates so far, the draws they come from, and the time."""

    def __init__(self, budget, clock, reporter):
        self.budget, self.clock, self.reporter = budget, clock, reporter
        self.begun, self.longest, self.candidates, self.counts, self.drawn = clock(), 0.0, [], [], {}
        # Whether two draws tell the points as the same subspaces, so that nats may rank the settings.
        self.reproducible = False

    def passed(self):
        return self.clock() - self.begun

    def has_time(self):
        """Whether another setting should be done in time, going by the slowest so far."""
        return not self.candidates or self.passed() + self.longest <= self.budget

    def draws(self, setting):
        """Two draws of a setting, made once."""
        if setting not in self.drawn:
            seed = self.sample.seed
            self.drawn[setting] = [draw(self.sample.directions, setting, self.sample.sign_blind, seed + i) for i in range(2)]
        return self.drawn[setting]

    def count(self):
        """How many clusters, the likeliest first, in the graph that every candidate has: landmarks of the rows as they are."""
        rows, pause = self.sample.raw, self.reporter.checkpoint
        asked = {"preparation": "none", "graph": "landmarks", "pause": pause}
        found = count_clusters(rows, recognise(rows), self.sample.size, self.sample.seed, **asked)
        self.counts = list(found.plateaus) or [Plateau(1, 1.0, 1.0, 1.0, 0.0, "none", found.why)]
        self.reproducible = self.counts[0].how == "description"

    def listen(self, n_clusters):
        """The number is given; only whether description length finds just as many subspaces."""
        self.reporter.checkpoint()
        count = by_description(self.sample.points, [each.scan for each in self.draws(SETTINGS[0])], self.reporter.checkpoint)
        self.reproducible = is_reproducible(count) and count.k == n_clusters

    def judge(self, setting, n_clusters):
        """Two draws of one setting, and a candidate for every plausible k."""
        self.reporter.checkpoint()
        begun, sample = self.clock(), self.sample
        draws = self.draws(setting)
        plausible = [n_clusters] if n_clusters else self._plausible(draws)
        for k in plausible:
            evidence, sizes = _evidence(sample, draws, k)
            landmarks = max(default_landmarks(sample.size), min(sample.size, 4 * k))
            candidate = Candidate(
                k,
                setting.beta,
                setting.variant,
                representatives_for(sizes, sample.size),
                landmarks,
                setting.affinity,
                evidence,
                score(evidence),
                self.clock() - begun,
            )
            self.candidates.append(_as_fitted(candidate, sample) if self.reproducible and k == plausible[0] else candidate)
            self._tell()
        self.longest = max(self.longest, self.clock() - begun)

    def _plausible(self, draws):
        """The numbers of clusters worth a row, the likeliest first: the two best counts and the eigengap's."""
        return list(dict.fromkeys([*(count.k for count in self.counts[:2]), by_eigengap(draws[0].scan)]))

    def _tell(self):
        row, passed = self.candidates[-1].row(), self.passed()
        self.reporter(CandidateDone(len(self.candidates), 3 * len(SETTINGS), row, passed, max(0.0, self.budget - passed)))
        self.reporter.checkpoint()


def _evidence(sample, draws, k):
    labels = [each.scan.labels(k) for each in draws]
    sizes = np.bincount(labels[0], minlength=k)
    found = Evidence(
        eigengap=draws[0].scan.gap(k),
        stability=adjusted_rand_index(*labels),
        code_error=float(np.mean([each.code_error for each in draws])),
        separation=separation(draws[0].scan.embed(k), labels[0]),
        coverage=_coverage(sizes, sample.size),
        description=description_length(sample.points, labels[0])[0],
    )
    return found, sizes


def _as_fitted(candidate, sample):
    """With the description of the fit itself, where there are few enough points to make it."""
    if sample.everything is None:
        return candidate
    labels = LeaSC(**candidate.parameters(), random_state=sample.random_state).fit(sample.everything).labels_
    described = description_length(comparable(sample.everything), labels)[0]
    return replace(candidate, evidence=replace(candidate.evidence, description=described))


def representatives_for(sizes, size):
    """The default, or more where the smallest cluster would get too few of them."""
    share = max(sizes[sizes > 0].min() / sizes.sum(), 1 / size)
    return int(min(size, MOST_REPRESENTATIVES, max(1000, np.ceil(REPRESENTATIVES_EACH / share))))


def _coverage(sizes, size):
    """Proposition 1 for the representatives that will be drawn from all ``size`` points."""
    sizes = sizes[sizes > 0]
    whole = np.maximum(1, np.round(sizes * (size / sizes.sum()))).astype(int)
    return float(coverage_probability(whole, int(min(representatives_for(sizes, size), whole.sum()))))


def _sample(Y, budget, preprocess, random_state):
    model, seeds = LeaSC(), Seeds(random_state)
    source = as_source(model, Y, reset=True)
    size = len(source)
    if preprocess is not None:
        from copy import deepcopy

        from ..data.preprocessing import PreprocessedSource

        source = PreprocessedSource(source, deepcopy(preprocess).fit(source))
    count = int(min(size, MOST_POINTS, max(LEAST_POINTS, POINTS_A_SECOND * budget)))
    rows = np.sort(seeds("sample").choice(size, count, replace=False))
    points = np.asarray(source.take(rows))
    directions, points = prepared(points, rows, True), divided(points, exponent_of(points))
    everything = np.asarray(source.take(np.arange(size))) if size <= FITTED_UP_TO else None
    seed = int(seeds("autopilot").integers(2**30))
    blind = decide_sign("auto", directions, seeds("sign"))
    return _Sample(comparable(points), directions, points.astype(np.float32), blind, size, everything, random_state, seed)
